"""Statements: every assignment, change, loop, branch, match and call, with a hole X for the operand or T for what is changed."""

from __future__ import annotations

VALUED: tuple[str, ...] = (
    # Assignments of every target form
    "self.n = X", "self.z = X", "self.o = X", "self.flag = X", "self.s = X", "self.t = X", "self.so = X", "self.q = X", "self.w = X", "self.qo = X", "self.qq = X", "self.qs = X", "self.qp = X", "self.ss = X", "self.sp = X", "self.bag = X",
    "self.m = X", "self.ms = X", "self.mq = X", "self.pair = X", "self.hold = X", "self.wire = X", "self.site = X", "self.os = X", "self.color = X", "self.m[0] = X", "self.m[X] = 1", "self.ms[self.site] = X", "self.ms[X] = {1}", "self.mq[self.site] = X",
    "self.mm[self.site][X] = {1}", "self.q[0] = X", "self.q[X] = 1", "self.qo[0] = X", "self.pair.a = X", "a, b = X\nself.out = a", "a, b = X, 1\nself.outb = a == b", "(a, b), c = X, 1\nself.out = a", "self.n, self.z = X", "self.n, self.m[0] = 1, X",
    "self.m[self.n], self.n = X, 2", "x = y = X\nself.outb = x == y", "x: int = X\nself.outb = x == 1", "x = X\nx = 1\nself.out = x", "x = 1\nx = X\nself.outb = x == 1", "a, *b = X\nself.out = a", "[a, b] = X\nself.out = a", "for a, b in X:\n    self.out += a",
    "for a, (b, c) in X:\n    self.out += a", "self.n, self.q[0] = X, X", "self.q[self.n], self.n = 1, X",
    # Augmented
    "self.n += X", "self.n -= X", "self.n *= X", "self.n //= X", "self.n %= X", "self.m[0] += X", "self.m[X] += 1", "self.q[0] += X", "self.s |= X", "self.s &= X", "self.s -= X", "self.s ^= X", "self.q += X", "self.w += X", "self.ms[self.site] |= X",
    "self.mq[self.site] += X", "self.flag |= X", "self.flag &= X", "self.n |= X", "x = X\nx += 1\nself.out = x", "x = X\nx += x\nself.outb = x == X", "x = X\nx |= {2}\nself.outb = x == X", "x = X\nx += [2]\nself.outb = x == X", "x = X\nx += (2,)\nself.outb = x == X",
    "x = X\nx -= {1}\nself.out = len(x)", "x = 1\nx += X\nself.out = x", "x = [1]\nx += X\nself.outq = x", "x = {1}\nx |= X\nself.outs = x", "x = {1}\nx &= X\nself.outs = x", "x = {1}\nx -= X\nself.outs = x", "x = (1,)\nx += X\nself.outq = list(x)",
    # Changing methods with a value
    "self.s.add(X)", "self.s.remove(X)", "self.s.discard(X)", "self.s.update(X)", "self.s.update(X, X)", "self.so.add(X)", "self.ss.add(X)", "self.sp.add(X)", "self.ms[self.site].add(X)", "self.ms[X].add(1)", "self.q.append(X)", "self.qo.append(X)", "self.qq.append(X)",
    "self.qs.append(X)", "self.qp.append(X)", "self.qw.append(X)", "self.q.remove(X)", "self.q.insert(0, X)", "self.q.insert(X, 1)", "self.q.pop(X)", "self.q.extend(X)", "self.mq[self.site].append(X)", "self.bag.add(X)", "self.bag.remove(X)", "self.bag.discard(X)", "self.bag.update(X)",
    "x = set()\nx.add(X)\nself.outb = X in x", "x = set()\nx.update(X)\nself.outs = x", "x = {1}\nx.remove(X)\nself.outs = x", "x = {1}\nx.discard(X)\nself.outs = x", "x = []\nx.append(X)\nself.outb = X in x", "x = [1, 2]\nx.insert(X, 3)\nself.outq = x", "x = [1, 2]\nx.remove(X)\nself.outq = x",
    "x = [1, 2]\nx.pop(X)\nself.outq = x", "x = [1, 2]\nx[X] = 3\nself.outq = x", "x = [1, 2]\nx.extend(X)\nself.outq = x", "x = {k: 0 for k in range(3)}\nx[X] = 3\nself.outq = [x[k] for k in range(3)]", "x = {k: 0 for k in range(3)}\nx[0] = X\nself.outb = x[0] == X", "x = {}\nx[X] = 1\nself.out = len(x)",
    # Control
    "if X:\n    self.out = 1\nelse:\n    self.out = 2", "if not X:\n    self.out = 1", "if X == 1:\n    self.out = 1\nelif X:\n    self.out = 2", "while X:\n    self.out += 1\n    break", "for e in X:\n    self.out += 1", "for e in X:\n    self.out += e", "for e in X:\n    self.outb = e == 1",
    "for e in X:\n    if e == 1:\n        continue\n    self.out += 1", "for e in X:\n    self.out += 1\n    break", "for e in X:\n    self.out += 1\nelse:\n    self.outb = True", "for e in X:\n    self.out = e\nself.outo = e", "e = 9\nfor e in X:\n    pass\nself.outo = e", "for e in X:\n    for d in X:\n        self.out += 1",
    "for j, e in enumerate(X):\n    self.out += j", "for j, e in enumerate(X, X):\n    self.out += j", "for a, b in zip(X, self.q):\n    self.out += 1", "for a, b in zip(self.q, X):\n    self.out += b", "for a in reversed(X):\n    self.outo = a", "for a in sorted(X):\n    self.outo = a", "for a in range(X):\n    self.out += a",
    "for a in range(X, 3):\n    self.out += a", "for a in range(0, 3, X):\n    self.out += a", "for e in [*X]:\n    self.out += 1", "for e in X[1:]:\n    self.out += 1", "for e in list(X):\n    self.out += 1", "for e in set(X):\n    self.out += 1", "for e in X:\n    X",
    "require(X)\nself.out = 1", "require(not X)\nself.out = 1", "assert X\nself.out = 1", "assert X, 'claim'", "assert not X", "self.outb = X\nself.outb = not self.outb", "return X", "X", "pass\nX", "x = choose(X)\nself.outb = x == 1", "self.outo = choose(X)", "for e in choose(X):\n    self.out += 1",
    # What grows
    "x = [1]\nfor e in X:\n    x = x + [e]\nself.out = len(x)", "x = {1}\nfor e in X:\n    x = x | {e}\nself.out = len(x)", "x = X\nwhile len(x) < 9:\n    x = x + x\nself.out = len(x)",
    "x = None\nfor e in X:\n    x = e\nself.outo = x", "x = X\nfor j in range(3):\n    x = (x, j)[0]\nself.outb = x == X", "x = 0\nfor e in X:\n    x += e\nself.out = x", "y = []\nfor e in X:\n    y.append(e)\nself.outb = y == X", "y = set()\nfor e in X:\n    y.add(e)\nself.outb = y == X",
    # Procedures and functions of the model
    "self.note(X)", "self.note(k=X)", "self.note_small(X)", "self.put(X, 1)", "self.put(self.s, X)", "self.push(X, 1)", "self.push(self.q, X)", "self.put(k=X, x=self.s)", "self.note(self.same(X))", "self.note(self.small(X))", "self.same(X)", "x = self.note(X)\nself.outb = x is None",
    # Order of evaluation with errors
    "self.q[5] = X", "self.m[9] = X", "self.n, self.q[5] = X, 1", "self.q.insert(9, X)", "self.n = X // 0", "self.q[X // 0] = 1", "self.out = self.q.pop(0) + X", "self.out = len([self.q.pop(0), X])", "self.outb = self.q.pop(0) == X", "self.out = X if self.flag else self.q[9]",
    "self.q[0], self.n = X, self.q.pop(0)", "self.n = 9\nself.z = X", "self.m[self.q.pop(0)] = X", "self.q.append(self.q.pop(0))\nself.outb = X in self.q",
)  # fmt: skip

CHANGED: tuple[str, ...] = (
    "T.add(1)", "T.remove(1)", "T.discard(1)", "T.clear()", "T.update({1})", "T.append(1)", "T.pop()", "T.pop(0)", "T.insert(0, 1)", "T.insert(-1, 1)", "T.insert(9, 1)", "T.extend([1])", "T.sort()", "T.reverse()", "T[0] = 1", "T[-1] = 1", "T[5] = 1", "T[0] += 1", "T[0:1] = []",
    "T.setdefault(1, 2)", "T += 1", "T += [1]", "T += (1,)", "T -= {1}", "T |= {1}", "T &= {1}", "T ^= {1}", "T *= 2", "T -= 1", "T //= 2", "T %= 2", "T.a = 1", "T.x.add(1)", "T.y.append(1)", "T[0].add(1)", "T[0].append(1)", "T[0][0] = 1", "T[0] = {1}", "T[0] = [1]",
    "T.add(None)", "T.append(None)", "T.union_update({1})", "T.send(1)", "T.add()", "T.append()", "T.pop(0, 1)", "T.clear(1)", "del T[0]", "T.intersection_update({1})", "T.difference_update({1})",
)  # fmt: skip

PATTERNS: tuple[str, ...] = (
    "0", "1", "-1", "True", "False", "None", "'eager'", "x", "_", "1 | 2", "None | 1", "True | 2", "1 as x", "(1 | 2) as x", "_ as x", "Color.red", "Color.red | Color.blue", "Color.red as x", "self.num", "self.Site", "[]", "[x]", "[x, y]", "(x, y)", "(1, x)", "(x, 1)", "(1, x) | (x, 1)",
    "(x, 1) | (1, x)", "(x, _) | (_, x)", "[1, *_]", "[x, *y]", "[*x]", "[*_, x]", "[x, *y, 1]", "((1, x), y)", "(x, (1, y))", "(None, x)", "(x, None)", "(1 | 2 as x, y)", "self.Wire.Ping()", "self.Wire.Ping(x)", "self.Wire.Ping(n=x)", "self.Wire.Ping(1)", "self.Wire.Ping(n=1)",
    "self.Wire.Ping(n=1 | 2)", "self.Wire.Ping(n=x) | self.Wire.Pong(who=x)", "self.Wire.Ping() | self.Wire.Stop()", "self.Wire.Pong(who=x)", "self.Wire.Stop()", "self.Wire.Ping() as x", "self.Pair(1, x)", "self.Pair(a=x)", "self.Pair(a=1, b=x)", "int()", "int(x)", "bool()", "str()", "set()", "list()",
    "tuple()", "{}", "{0: x}", "{'a': x}", "{**x}", "(1, 2)", "[1, 2]", "[[x]]", "(x, y, z)", "[1, x] | [x]", "self.Hold(x=x)", "self.Wire.Ping(m=x)", "self.Wire.Nothing()",
)  # fmt: skip

SUBJECTS = (
    "self.n", "self.z", "self.flag", "self.o", "self.os", "self.site", "self.color", "self.word", "self.pair", "self.qp[0]", "self.hold", "self.wire", "self.qw[0]", "(self.n, self.z)", "(self.n, self.o)", "(self.pair, self.wire)", "(1, 2)", "self.tup", "self.q", "self.qq", "[self.n, 2]", "list(self.q)",
    "tuple(self.q)", "self.s", "{1}", "self.m", "{0: 1}", "self.bag", "range(2)", "(e for e in self.q)", "enumerate(self.q)", "1", "True", "None", "self.qo[0]", "self.qo", "(self.s, self.q)", "self.Site", "frozenset({1})", "()", "[]",
)  # fmt: skip

MATCHES: tuple[str, ...] = (
    "match SUBJECT:\n    case PATTERN:\n        self.out = 1\n    case _:\n        self.out = 2",
    "x, y = 7, 8\nmatch SUBJECT:\n    case PATTERN if self.flag:\n        self.out = 1\nself.outb = x == 7\nself.outo = y if y == 8 else 1",
    "match SUBJECT:\n    case 0 | PATTERN:\n        self.out = 1",
    "match SUBJECT:\n    case PATTERN:\n        self.outb = x == 1",
)
"""A pattern that chooses; one whose guard may fail, with what its names hold behind it; an alternative; the name used."""
