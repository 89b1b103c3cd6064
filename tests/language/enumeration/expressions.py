"""Expressions: every operator, builtin, method, comprehension and display, with a hole for the operand.

A hole is X.  In BINARY there are two, X and Y: each operand stands in each against a partner of each kind.
"""

from __future__ import annotations

UNARY: tuple[str, ...] = (
    # The value itself, arithmetic, truth
    "X", "-X", "+X", "abs(X)", "not X", "bool(X)", "int(X)", "X is None", "X is not None", "min(X)", "max(X)", "sum(X)", "len(X)", "any(X)", "all(X)", "X or 1", "X and 1", "1 if X else 2",
    "X if self.flag else X", "min(X, 2)", "max(1, X)", "min(X, 2, 1)", "0 <= X < 3", "1 < X", "X == X", "X != X", "not X == 1", "X < X",
    # Builtins over collections
    "min(X, default=7)", "max(X, default=None)", "min(X, key=lambda e: e)", "max(X, key=lambda e: 1)", "min(X, key=lambda e: e % 8)", "sorted(X, key=lambda e: e % 8)", "[e for e in X][:1]", "(e for e in X) == X", "(1 in X and 0 in X)", "min(X, default=7, key=lambda e: -e)", "sum(X, 1)", "sum(X, start=1)",
    "sorted(X)", "sorted(X, reverse=True)", "sorted(X, reverse=self.flag)", "sorted(X, key=lambda e: -e)", "sorted(X, key=lambda e: 1)", "sorted(X, key=lambda e: (e == 1, e), reverse=True)",
    "set(X)", "frozenset(X)", "list(X)", "tuple(X)", "list(reversed(X))", "list(enumerate(X))", "[a + 2 * b for a, b in enumerate(X)]", "[a for a, b in enumerate(X, 1)]",
    "[a for a, b in enumerate(X, start=2)]", "[a for a, b in zip(X, self.q)]", "[b for a, b in zip(self.q, X)]", "[a for a, b, c in zip(X, self.q, range(5))]", "list(zip(X))",
    "len(list(X))", "len(set(X))", "len(sorted(X))", "list(list(X))", "set(list(X))", "tuple(sorted(X))", "list(tuple(X))", "sorted(set(X))", "frozenset(tuple(X))", "range(X)", "list(range(X))",
    "list(range(X, 3))", "list(range(0, 4, X))", "list(range(3, X, -1))", "dict(X)", "str(X)", "iter(X)", "next(X)", "isinstance(X, self.Wire.Ping)", "isinstance(X, int)", "round(X)", "divmod(X, 2)",
    "pow(X, 2)", "hash(X)", "id(X)", "repr(X)", "map(len, X)", "list(filter(None, X))", "type(X)", "callable(X)",
    # Comprehensions
    "[e for e in X]", "{e for e in X}", "{e: 1 for e in X}", "[e for e in X if e]", "[e for e in X if e != 1]", "{e for e in X if e > 1}", "[X for e in range(2)]", "{X for e in range(2)}",
    "{e: X for e in range(3)}", "{X: 1 for e in range(3)}", "[(e, d) for e in X for d in X]", "[e for d in range(2) for e in X]", "[e for e in X for d in range(2) if d]", "[e for e in range(3) if X]",
    "sum(e for e in X)", "sum(1 for e in X)", "any(e == 1 for e in X)", "all(e for e in X)", "any(X for e in range(2))", "max((e for e in X), default=4)", "min(e for e in X)", "len([e for e in X])",
    "len({e for e in X})", "len({e: 1 for e in X})", "sorted(e for e in X)", "set(e for e in X)", "list(e for e in X)", "tuple(e for e in X)", "[a for a, b in X]", "[a + b for a, b in X]", "[[e for e in X] for d in range(2)]",
    "[e for e in [e for e in X]]", "[len(e) for e in X]", "[e in X for e in range(4)]", "sum(len(e) for e in X)", "[k for k in range(3) if k in X]", "{k: k in X for k in range(3)}", "[e for e in X][0]", "{e for e in X} == X",
    # Subscripts and slices
    "X[0]", "X[1]", "X[-1]", "X[self.n]", "X[self.z]", "X[self.o]", "X[self.site]", "X[X]", "self.q[X]", "self.m[X]", "self.ms[X]", "self.Site[X]", "(1, 2, 3)[X]", "[1, 2][X]", "{0: 1, 1: 2}[X]", "self.tup[X]", "X[:]", "X[1:]",
    "X[:1]", "X[:-1]", "X[-1:]", "X[1:2]", "X[self.n:]", "X[:self.n]", "X[self.o:]", "X[:self.z]", "X[::2]", "X[::-1]", "X[1::]", "self.q[X:]", "self.q[:X]", "self.tup[X:]", "(1, 2, 3)[:X]", "X[0][0]", "X[0][1:]", "X[5:]", "X[0:0]",
    "len(X[1:])", "X[1:] + X[:1]", "X[True]", "X['a']",
    # Methods and fields
    "X.index(1)", "X.count(1)", "X.index(self.n)", "X.count(self.n)", "X.count(None)", "X.index", "X.a", "X.n", "X.x", "X.name", "X.value", "X.who", "X.copy()", "X.union(self.s)", "X.intersection({1})", "X.difference({1})",
    "X.symmetric_difference({1})", "X.issubset(self.s)", "X.issuperset(self.s)", "X.isdisjoint(self.s)", "X.keys()", "X.values()", "X.items()", "X.get(1)", "X.get(1, 2)", "X.bit_length()", "X.upper()", "X.pop()", "X.pop(0)",
    "X.elements()", "X.sum()", "self.q.index(X)", "self.q.count(X)", "self.bag.count(X)", "[1, 2].index(X)", "(1, 2).count(X)", "[1, 2].count(X)", "self.tup.index(X)", "self.s.union(X)", "choose(X)", "(choose(X), 1)",
    # Displays and constructors
    "[X]", "{X}", "(X,)", "(X, 1)", "[X, X]", "{X, 1}", "{1: X}", "{X: 1}", "[*X]", "{*X}", "(*X, 1)", "[1, *X]", "self.Pair(X, 1)", "self.Pair(a=X, b=X)", "self.Pair(1, b=X)", "self.Pair(*X)", "self.Hold(X, [])", "self.Hold(x=set(), y=X)",
    "self.Wire.Ping(X)", "self.Wire.Ping(n=X)", "self.Wire.Pong(X)", "self.Wire.Ping(X).n", "self.Pair(X, 1).a", "(X, 1)[0]", "[X, 1][0]", "(1, X)[self.n]", "{1: X}[1]", "{k: X for k in range(2)}[0]", "len([X])", "len((X, X))", "len({X, X})",
    "(X, 1) == (1, 1)", "[X] == [1]", "(X, 2) < (1, 3)", "[X, 0] in self.qq", "(X, 1) in ((1, 1), (2, 1))", "{X} == {1}", "{X} <= self.s", "X in {X}", "X in [X, 1]",
    # Calls of the model's own methods
    "self.same(X)", "self.same(x=X)", "self.small(X)", "self.both(X, 1)", "self.both(1, X)", "self.both(y=X, x=1)", "self.both(X, X)", "self.both(*X)", "self.same(self.same(X))", "len(self.same(X))", "self.same(X) == X", "self.same([X])",
    # Conditional expressions
    "X if self.flag else 1", "1 if self.flag else X", "X if self.flag else None", "X if self.yes else 1 // 0", "(X if self.flag else self.s)", "(X if self.flag else self.q)", "X if X else X", "len(X if self.flag else [])", "(X if self.flag else {1})",
    # What is folded away and may fail all the same
    "len([6 // X])", "6 // X in []", "6 // X in ()", "6 // X in {1}", "any([6 // X > 1, True])", "all([False, 6 // X > 1])", "len({k: 6 // X for k in range(2)})", "(6 // X, 1)[1]", "[1, 6 // X][0]", "1 if 6 // X else 1", "min([1], default=6 // X)",
    "6 // X == 6 // X", "(6 // X) * 0", "0 * X", "True or X", "False and X", "X and False", "X or True", "X in []", "X in range(3)", "X not in range(self.n)", "X in (None, 1)", "X in [X]", "None in X", "1 in X", "5 in X", "self.z in X", "self.t in X", "self.w in X", "self.n in X", "self.o in X",
    "self.pair in X", "self.site in X", "(1, 2) in X", "[1] in X", "{1} in X", "frozenset() in X", "self.s in X", "self.q in X", "True in X", "'a' in X",
)  # fmt: skip

BINARY: tuple[str, ...] = (
    "X + Y", "X - Y", "X * Y", "X // Y", "X % Y", "X / Y", "X ** Y", "X << Y", "X == Y", "X != Y", "X < Y", "X <= Y", "X > Y", "X >= Y", "X in Y", "X not in Y", "X is Y", "X | Y", "X & Y", "X ^ Y", "X and Y", "X or Y", "min(X, Y)",
    "max(X, Y)", "X if self.flag else Y", "[X, Y]", "{X, Y}", "1 < X < Y",
)  # fmt: skip

NARROW: tuple[str, ...] = ("X / Y", "X ** Y", "X << Y", "X is Y", "1 < X < Y", "{X, Y}", "[X, Y]", "max(X, Y)")
"""Of these the second operand is one of the first partners only."""

PLAIN: tuple[str, ...] = (
    "self.n > 1", "self.flag", "not self.flag", "self.n", "self.z % 3", "self.o is None", "self.o == 1", "self.site == self.Site[0]", "self.os == self.site", "self.color == Color.red", "self.wire == self.Wire.Ping(1)", "isinstance(self.wire, self.Wire.Ping)",
    "self.pair.a < self.pair.b", "self.pair == (1, 2)", "(self.n, self.z) < (1, 2)", "1 in self.s", "self.n in self.q", "self.s <= self.t", "self.s == {1, 3}", "self.s | {1}", "self.s - self.t", "{self.n, 1}", "{e for e in self.s if e != self.n}", "self.s", "self.q", "self.q + [1]", "self.q[1:]", "self.q[0]",
    "self.q[self.n]", "self.q == [2, 0]", "[e * 2 for e in self.q]", "sorted(self.s, reverse=True)", "sorted(self.qp, key=lambda e: e.b)", "len(self.q) + len(self.s)", "len(self.bag)", "1 in self.bag", "self.bag.count(1)", "self.q.count(1)", "self.q.index(self.n)", "max(self.q, default=0)", "min(self.s)", "sum(self.m[k] for k in self.m)",
    "self.m[self.n]", "self.ms[self.site]", "self.m == {0: 2, 1: 0, 2: 1}", "any(e > 1 for e in self.q)", "all(e in self.t for e in self.s)", "any(e == d for e in self.q for d in self.w)", "[a for a, b in zip(self.q, self.w) if a != b]", "[a for a, b in enumerate(self.q)]", "list(reversed(self.q))", "self.number() + self.n",
    "self.group() | {1}", "self.line() + [1]", "self.both(self.n, 1)", "len(self.either())", "self.n // self.z", "self.q[5]", "self.n if self.flag else self.z", "self.s if self.flag else self.t", "1 < self.n < 3", "self.n in range(self.z)", "self.n in (1, 2)", "self.n in self.tup", "self.word == 'eager'", "self.num + self.n", "self.hold.x | self.hold.y",
    "len(self.hold.y)", "self.qs[0] | self.s", "self.qq[0] + self.q", "self.so", "None in self.so", "self.sp", "frozenset(self.s) in self.ss", "[k for k in self.ss]", "self.Site[0].index", "[p.index for p in self.Site]", "tuple(self.q) == (2, 0)", "max([self.n, self.z])", "{k: k for k in range(3)}", "range(self.n)", "(e for e in self.q)",
)  # fmt: skip
"""Expressions of each kind of value that stand in every position."""
