"""Names for collections: each way of taking one, then each way of changing the original or the name, then each way of
reading both.

T is what is changed, N the name that was taken, O the original.  A way ends with a line that opens a block where the
name holds in that block only.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen


@frozen
class Way:
    """Statements that give a name to a collection; what it is read by, and the collection it was taken from."""

    lines: tuple[str, ...]
    name: str
    original: str


def _plain(original: str, other: str, *values: str) -> list[Way]:
    """x = value, for values in terms of O."""
    return [Way((f"x = {v.replace('OTHER', other).replace('O', original)}",), "x", original) for v in values]


def _held(o: str, other: str, empty: str) -> list[Way]:
    """Ways that do not depend on what kind of collection it is."""
    return [
        *_plain(
            o,
            other,
            "O",
            "(O, 1)[0]",
            "(1, O)[1]",
            "[O, O][0]",
            "[O][0]",
            "O if self.flag else OTHER",
            "OTHER if self.flag else O",
            "O if self.yes else OTHER",
            "self.same(O)",
            "self.same(x=O)",
            "choose([O, OTHER])",
            "choose([O])",
            "O or OTHER",
            "O and OTHER",
            "{k: O for k in range(2)}[0]",
            "{0: O}[0]",
            "[O for k in range(2)][0]",
            "[k for k in [O]][0]",
            "max([O, OTHER], key=lambda e: len(e))",
            "(6 // self.n, O)[1]",
            "min([O])",
            "[O] [self.z]",
            "(O, OTHER)[self.n]",
            "[k for k in (O, OTHER) if k][0]",
            "sorted([O], key=lambda e: 1)[0]",
            "O if len(O) > 1 else O",
        ),
        Way(("y, x = 1, O".replace("O", o),), "x", o),
        Way((f"x = {o}", "y = x"), "y", o),
        Way((f"y = {o}", "x = y"), "y", o),
        Way(("x = {k: O for k in range(2)}".replace("O", o),), "x[0]", o),
        Way((f"d = {{0: {o}}}", "x = d[0]"), "x", o),
        Way((f"d = {{k: {empty} for k in range(2)}}", f"d[0] = {o}"), "d[0]", o),
        Way((f"d = {{k: {empty} for k in range(2)}}", f"d[0] = {o}", "x = d[0]"), "x", o),
        Way((f"l = [{o}]",), "l[0]", o),
        Way(("l = []", f"l.append({o})"), "l[0]", o),
        Way(("l = []", f"l.append({o})", "x = l[0]"), "x", o),
        Way((f"l = [{empty}]", f"l[0] = {o}"), "l[0]", o),
        Way((f"for x in [{o}]:",), "x", o),
        Way((f"for x in ({o}, {other}):",), "x", o),
        Way((f"for j, x in enumerate([{o}]):",), "x", o),
        Way((f"match {o}:", "    case x:"), "x", o),
        Way((f"match ({o}, 1):", "    case (x, _):"), "x", o),
        Way((f"match {o}:", "    case _ as x:"), "x", o),
        Way((f"t = ({o}, 1)", "x, y = t"), "x", o),
        Way((f"t = ({o}, 1)",), "t[0]", o),
        Way((f"x = {empty}", "if self.flag:", f"    x = {o}"), "x", o),
        Way(("if self.flag:", f"    x = {o}", "else:", f"    x = {other}"), "x", o),
        Way((f"x = {o}", "for j in range(2):", f"    x = {other}"), "x", o),
        Way((f"x = {empty}", "for j in range(2):", f"    x = {o}"), "x", o),
    ]


SETS: tuple[Way, ...] = (
    *_held("self.s", "self.t", "set()"),
    *_held("a", "self.s", "set()"),
    *_held("self.ms[self.site]", "self.s", "set()"),
    *_plain(
        "self.s",
        "self.t",
        "self.group()",
        "{e for e in O}",
        "{e for e in O if True}",
        "set(O)",
        "frozenset(O)",
        "O | set()",
        "O - set()",
        "O & O",
        "O ^ set()",
        "set() | O",
        "O | O",
        "set(sorted(O))",
        "set(list(O))",
        "{*O}",
    ),
    *_plain(
        "self.ms[self.site]",
        "self.s",
        "self.either()",
        "self.ms[self.Site[0]]",
        "self.ms[self.Site[1]]",
        "{e for e in O}",
    ),
    *_plain("a", "self.s", "{e for e in O}", "set(O)", "O | {1}", "frozenset(O)", "O | self.s", "self.s | O"),
    *_plain("self.hold.x", "self.s", "O", "set(O)", "(O, 1)[0]", "{e for e in O}", "O | {1}"),
    *_plain("self.qs[0]", "self.s", "O", "set(O)", "[k for k in self.qs][0]", "self.qs[:1][0]", "self.qs[-1]"),
    Way(("x = self.ms",), "x[self.site]", "self.ms[self.site]"),
    Way(("x = self.mm[self.site]",), "x[self.site]", "self.mm[self.site][self.site]"),
    Way(("x = {p: self.ms[p] for p in self.Site}",), "x[self.site]", "self.ms[self.site]"),
    Way(("h = self.Hold(self.s, [1])", "x = h.x"), "x", "self.s"),
    Way(("h = self.Hold(self.s, [1])",), "h.x", "self.s"),
    Way(("for x in self.qs:",), "x", "self.qs[0]"),
    Way(("x = set()", "x |= self.s"), "x", "self.s"),
    Way(("x = frozenset(self.s)", "y = x"), "y", "x"),
    Way(("for p in self.Site:", "    x = self.ms[p]"), "x", "self.ms[self.site]"),
    Way(("x = [self.ms[p] for p in self.Site]",), "x[0]", "self.ms[self.site]"),
    Way(("self.qs = [self.s]", "x = self.qs[0]"), "x", "self.s"),
    Way(("self.ms[self.site] = self.s",), "self.ms[self.site]", "self.s"),
    Way(("a = {1}", "self.s = a"), "a", "self.s"),
    Way(("x = (self.s | {1})", "y = x"), "y", "x"),
)

LISTS: tuple[Way, ...] = (
    *_held("self.q", "self.w", "[]"),
    *_held("a", "self.q", "[]"),
    *_held("self.mq[self.site]", "self.q", "[]"),
    *_plain(
        "self.q",
        "self.w",
        "self.line()",
        "[e for e in O]",
        "[e for e in O if True]",
        "list(O)",
        "tuple(O)",
        "O[:]",
        "O[0:]",
        "[] + O",
        "O + []",
        "sorted(O)",
        "[*O]",
        "list(tuple(O))",
        "O[:9]",
        "O[self.o:]",
        "list(O)[:]",
        "O + O",
        "list(reversed(O))",
    ),
    *_plain(
        "a", "self.q", "[e for e in O]", "list(O)", "O[:]", "O + []", "[] + O", "tuple(O)", "O + self.q", "self.q + O"
    ),
    *_plain("self.hold.y", "self.q", "O", "list(O)", "O[:]", "O + []", "(O, 1)[0]"),
    *_plain("self.qq[0]", "self.q", "O", "list(O)", "[k for k in self.qq][0]", "self.qq[-1]"),
    *_plain("self.mq[self.site]", "self.q", "self.mq[self.Site[0]]", "self.mq[self.Site[1]]", "O[:]", "[e for e in O]"),
    Way(("x = self.tup", "y = x"), "y", "x"),
    Way(("x = tuple(self.q)", "y = x"), "y", "x"),
    Way(("x = self.mq",), "x[self.site]", "self.mq[self.site]"),
    Way(("h = self.Hold({1}, self.q)", "x = h.y"), "x", "self.q"),
    Way(("for x in self.qq:",), "x", "self.qq[0]"),
    Way(("x = []", "x += self.q"), "x", "self.q"),
    Way(("x = {p: self.mq[p] for p in self.Site}",), "x[self.site]", "self.mq[self.site]"),
    Way(("self.qq = [self.q[:2]]", "x = self.qq[0]"), "x", "self.q"),
    Way(("self.mq[self.site] = self.q[:2]",), "self.mq[self.site]", "self.q"),
    Way(("a = [1]", "self.q = a"), "a", "self.q"),
    Way(("x = [[1], [2]]", "y = x[0]"), "y", "x[0]"),
    Way(("x = [[1], [2]]", "y = x"), "y[0]", "x[0]"),
    Way(("x = [[1], [2]]", "y = x[:]"), "y[0]", "x[0]"),
    Way(("x = [[1], [2]]", "y = list(x)"), "y[0]", "x[0]"),
    Way(("x = [[1], [2]]", "for y in x:"), "y", "x[0]"),
    Way(("b, c = [1], [2]", "x = [b, c]"), "x[0]", "b"),
)

MAPS: tuple[Way, ...] = (
    *_held("self.m", "{0: 1, 1: 2, 2: 3}", "{0: 0, 1: 0, 2: 0}"),
    *_held("a", "self.m", "{0: 0, 1: 0, 2: 0}"),
    *_plain("self.m", "a", "{k: self.m[k] for k in self.m}", "{k: O[k] for k in range(3)}", "dict(O)"),
    *_plain("a", "self.m", "{k: O[k] for k in O}", "{k: O[k] for k in range(3)}"),
)

BAGS: tuple[Way, ...] = (
    *_held("self.bag", "self.bag", "self.bag"),
    *_plain("self.bag", "self.bag", "list(O)", "set(O)", "sorted(O)", "[e for e in O]"),
)

SET_CHANGES = (
    "T.add(2)",
    "T.remove(1)",
    "T.discard(1)",
    "T.clear()",
    "T.update({2})",
    "T.update([0, 2])",
    "T |= {2}",
    "T &= {2}",
    "T -= {1}",
    "T ^= {2}",
    "T = {2}",
    "T = set()",
    "T = T | {2}",
    "T |= self.t",
    "T -= T",
    "self.put(T, 2)",
    "self.put(x=T, k=0)",
    "if self.flag:\n    T.add(0)",
    "for j in range(2):\n    T.add(j)",
    "while len(T) > 1:\n    T.discard(max(T))",
    "T.pop()",
    "for p in self.Site:\n    self.ms[p].add(0)",
    "self.ms[self.Site[0]] = {0}",
    "for e in T:\n    T.discard(e)",
    "T, j = {0}, 1",
    "self.s = self.ms[self.site]",
    "self.hold = self.Hold({0}, [])",
)

LIST_CHANGES = (
    "T.append(2)",
    "T.pop()",
    "T.pop(0)",
    "j = T.pop()\nself.out = j",
    "T.insert(0, 2)",
    "T.remove(1)",
    "T.clear()",
    "T += [2]",
    "T += (2,)",
    "T[0] = 3",
    "T[-1] = 3",
    "T[0] += 1",
    "T = [2]",
    "T = []",
    "T = T + [2]",
    "T = T[1:]",
    "T += T",
    "T += self.w",
    "T *= 2",
    "self.push(T, 2)",
    "T.extend([2])",
    "T.reverse()",
    "T.sort()",
    "T[1:] = []",
    "if self.flag:\n    T.append(0)",
    "for j in range(2):\n    T.append(j)",
    "while len(T) > 1:\n    T.pop(0)",
    "for e in T:\n    T.pop(0)",
    "for p in self.Site:\n    self.mq[p].clear()",
    "self.mq[self.Site[0]] = [0]",
    "T, j = [0], 1",
    "self.q = self.mq[self.site]",
    "self.hold = self.Hold({0}, [])",
    "self.qq = []",
)

MAP_CHANGES = (
    "T[0] = 3",
    "T[self.n] = 0",
    "T[0] += 1",
    "T[5] = 1",
    "T = {0: 3, 1: 3, 2: 3}",
    "T = {k: 0 for k in range(3)}",
    "T.clear()",
    "T.update({0: 3})",
    "T.pop(0)",
    "for k in T:\n    T[k] = 0",
    "if self.flag:\n    T[1] = 3",
    "T |= {0: 3}",
    "T[0], T[1] = T[1], T[0]",
)

BAG_CHANGES = (
    "T.add(2)",
    "T.remove(1)",
    "T.discard(1)",
    "T.clear()",
    "T = self.bag",
    "for e in T:\n    T.discard(e)",
    "self.put(T, 2)",
    "T |= {1}",
)

SET_READS = (
    "self.out = len(N)",
    "self.outs = N",
    "self.outb = N == O",
    "for e in N:\n    self.out += e",
    "N.add(3)\nself.outs = O",
    "self.out = 10 * len(N) + len(O)",
)
LIST_READS = (
    "self.out = len(N)",
    "self.outq = list(N)",
    "self.outb = N == O",
    "for e in N:\n    self.out += e",
    "N.append(3)\nself.outq = list(O)",
    "self.out = 10 * len(N) + len(O)",
)
MAP_READS = (
    "self.out = N[0]",
    "self.outb = N == O",
    "self.outq = [N[k] for k in range(3)]",
    "N[2] = 0\nself.outq = [O[k] for k in range(3)]",
)
BAG_READS = ("self.out = len(N)", "self.outq = sorted(N)", "self.outb = N == O")

GRIDS: tuple[tuple[str, tuple[Way, ...], tuple[str, ...], tuple[str, ...], str], ...] = (
    ("set", SETS, SET_CHANGES, SET_READS, "a = {1, 3}"),
    ("list", LISTS, LIST_CHANGES, LIST_READS, "a = [1, 0]"),
    ("map", MAPS, MAP_CHANGES, MAP_READS, "a = {0: 1, 1: 0, 2: 3}"),
    ("bag", BAGS, BAG_CHANGES, BAG_READS, ""),
)


def grid() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Kind, way and lines of each combination: the original is changed, or the name."""
    for kind, ways, changes, reads, local in GRIDS:
        for way in ways:
            for change in changes:
                for target in (way.original, way.name) if "T" in change else (way.original,):
                    for read in reads:
                        yield (
                            f"{kind}: {' '.join(change.split())}",
                            "; ".join(way.lines),
                            lines(way, change, target, read, local),
                        )


def lines(way: Way, change: str, target: str, read: str, local: str) -> tuple[str, ...]:
    """The statements of one combination; those behind a line that opens a block stand in it."""
    first = (local,) if way.original == "a" else ()
    inner = way.lines[-1].endswith(":")
    depth = "    " * (len(way.lines[-1]) - len(way.lines[-1].lstrip()) + 4 >> 2) if inner else ""
    rest = [depth + part for text in (change.replace("T", target), _read(read, way)) for part in text.split("\n")]
    return (*first, *way.lines, *rest)


def _read(read: str, way: Way) -> str:
    return read.replace("N", "\0").replace("O", way.original).replace("\0", way.name)


def parameters() -> Iterator[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """The name is the parameter of a procedure: kind, the lines of the procedure, and those of its caller."""
    arguments = {
        "set": (
            "self.s",
            "self.ms[self.site]",
            "set(self.s)",
            "{e for e in self.s}",
            "self.group()",
            "a",
            "self.s | {1}",
            "{1}",
            "self.s if self.flag else self.t",
            "self.hold.x",
            "frozenset(self.s)",
            "self.qs[0]",
            "self.mm[self.site][self.site]",
        ),
        "list": (
            "self.q",
            "self.mq[self.site]",
            "list(self.q)",
            "[e for e in self.q]",
            "self.line()",
            "a",
            "self.q + []",
            "[1]",
            "self.q[:]",
            "self.q if self.flag else self.w",
            "self.hold.y",
            "tuple(self.q)",
            "self.tup",
            "self.qq[0]",
        ),
    }
    for kind, ways, changes, reads, local in GRIDS[:2]:
        original = ways[0].original
        for argument in arguments[kind]:
            after = {"a": "a"}.get(argument, original)
            for change in changes:
                for target in ("x", original):
                    for read in reads[:4]:
                        way = Way((), "x", original)
                        body = [
                            part
                            for text in (change.replace("T", target), _read(read, way))
                            for part in text.split("\n")
                        ]
                        last = "self.outb = len(a) > 1" if after == "a" else "pass"
                        yield (
                            f"{kind}: {' '.join(change.split())}",
                            tuple(body),
                            (*((local,) if argument == "a" else ()), f"self.CALLED({argument})", last),
                        )
