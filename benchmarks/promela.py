"""The reference models for SPIN: one process, one `d_step` option for each action instance, one byte for each scalar.

Written this way a state of SPIN is a state of ours: no program counters, no intermediate states, the same actions and
so the same counts.  The invariant is an option that fails an assertion.  SPIN counts the state before initialisation,
and the last option of each initialisation, on top: `Promela` says how much.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from benchmarks import promela_protocols
from benchmarks.spin import Promela

Option = tuple[str, str]  # guard, effect


def _text(variables: str, options: list[Option], broken: str, start: str = "") -> str:
    lines = [variables, "active proctype Model() {", start, "  do"]
    lines += [f"  :: d_step {{ {guard} -> {effect} }}" for guard, effect in options]
    lines += [f"  :: d_step {{ {broken} -> assert(false) }}", "  od", "}"]
    return "\n".join(line for line in lines if line) + "\n"


def two_phase_commit(managers: int) -> Promela:
    """rm: 0 working, 1 prepared, 2 committed, 3 aborted; tm: 0 undecided, 1 committed, 2 aborted."""
    everyone = range(managers)
    options = [(f"tm == 0 && sent[{i}]", f"known[{i}] = 1") for i in everyone]
    options.append((" && ".join(["tm == 0", *(f"known[{i}]" for i in everyone)]), "tm = 1; commit = 1"))
    options.append(("tm == 0", "tm = 2; abort = 1"))
    for i in everyone:
        options += [(f"rm[{i}] == 0", f"rm[{i}] = 1; sent[{i}] = 1"), (f"rm[{i}] == 0", f"rm[{i}] = 3")]
        options += [("commit", f"rm[{i}] = 2"), ("abort", f"rm[{i}] = 3")]
    aborted, committed = (" || ".join(f"rm[{i}] == {value}" for i in everyone) for value in (3, 2))
    n = managers
    return Promela(
        _text(
            f"byte rm[{n}]; byte known[{n}]; byte sent[{n}]; byte tm; byte commit; byte abort;",
            options,
            f"({aborted}) && ({committed})",
        )
    )


def ewd840(nodes: int) -> Promela:
    """busy[i]: active; black[i], token_black: the colours.  Every assignment is an initial state, made by a tree of
    choices in one atomic step."""
    ring = range(nodes)
    options = [("token == 0 && (token_black || black[0])", f"token = {nodes - 1}; token_black = 0; black[0] = 0")]
    for i in ring:
        if i > 0:
            options.append(
                (
                    f"token == {i} && (!busy[{i}] || black[{i}] || token_black)",
                    f"token = {i - 1}; token_black = (black[{i}] || token_black); black[{i}] = 0",
                )
            )
        options += [(f"busy[{i}]", f"busy[{j}] = 1" + (f"; black[{i}] = 1" if j > i else "")) for j in ring if j != i]
        options.append((f"busy[{i}]", f"busy[{i}] = 0"))
    start = ["    token_black = 1;"]
    start += [f"    if :: {name}[{i}] = 0 :: {name}[{i}] = 1 fi;" for i in ring for name in ("busy", "black")]
    start.append("    if " + " ".join(f":: token = {i}" for i in ring) + " fi")
    somebody = " || ".join(f"busy[{i}]" for i in ring)
    text = _text(
        f"byte busy[{nodes}]; byte black[{nodes}]; byte token; byte token_black;",
        options,
        f"token == 0 && !token_black && !black[0] && !busy[0] && ({somebody})",
        "\n".join(["  atomic {", *start, "  };"]),
    )
    return Promela(text, 1, 1 + nodes * 4**nodes)


def filter_lock(processes: int) -> Promela:
    """pc: 0 idle, 1 announce, 2 wait, 3 critical; last[l - 1] is the last to enter level l, `processes` is nobody."""
    n = processes
    options = []
    for i in range(n):
        alone = " && ".join(f"level[{q}] < level[{i}]" for q in range(n) if q != i)
        passes = f"pc[{i}] == 2 && (last[level[{i}] - 1] != {i} || ({alone}))"
        options += [
            (f"pc[{i}] == 0", f"level[{i}] = 1; pc[{i}] = 1"),
            (f"pc[{i}] == 1", f"last[level[{i}] - 1] = {i}; pc[{i}] = 2"),
            (f"{passes} && level[{i}] < {n - 1}", f"level[{i}] = level[{i}] + 1; pc[{i}] = 1"),
            (f"{passes} && level[{i}] == {n - 1}", f"pc[{i}] = 3"),
            (f"pc[{i}] == 3", f"level[{i}] = 0; pc[{i}] = 0"),
        ]
    return Promela(_text(f"byte pc[{n}]; byte level[{n}]; byte last[{n - 1}] = {n};", options, _two(n, 3)))


def bakery(processes: int, tickets: int) -> Promela:
    """num[i] is 0 when the ticket is drawn, so it can hold the running maximum: no further variable enters the
    state."""
    n = processes
    options = []
    for i in range(n):
        highest = " ".join(f"if :: num[{q}] > num[{i}] -> num[{i}] = num[{q}] :: else fi;" for q in range(n) if q != i)
        room = " && ".join(f"num[{q}] < {tickets}" for q in range(n))
        options += [
            (f"pc[{i}] == 0", f"choosing[{i}] = 1; pc[{i}] = 1"),
            (f"pc[{i}] == 1 && {room}", f"{highest} num[{i}] = num[{i}] + 1; pc[{i}] = 2"),
            (f"pc[{i}] == 2", f"choosing[{i}] = 0; k[{i}] = 0; pc[{i}] = 3"),
        ]
        for q in range(n):
            before = "<=" if i <= q else "<"
            options.append((f"pc[{i}] == 3 && k[{i}] == {q} && !choosing[{q}]", f"pc[{i}] = 4"))
            options.append(
                (
                    f"pc[{i}] == 4 && k[{i}] == {q} && (num[{q}] == 0 || num[{i}] {before} num[{q}])",
                    f"k[{i}] = {q + 1}; pc[{i}] = 3",
                )
            )
        options.append((f"pc[{i}] == 3 && k[{i}] == {n}", f"pc[{i}] = 5; k[{i}] = 0"))
        options.append((f"pc[{i}] == 5", f"num[{i}] = 0; pc[{i}] = 0"))
    return Promela(_text(f"byte pc[{n}]; byte num[{n}]; byte choosing[{n}]; byte k[{n}];", options, _two(n, 5)))


def _two(processes: int, place: int) -> str:
    return " || ".join(
        f"(pc[{i}] == {place} && pc[{q}] == {place})" for i in range(processes) for q in range(i + 1, processes)
    )


_MODELS: Mapping[str, Callable[..., Promela]] = {
    "two_phase_commit": two_phase_commit,
    "ewd840": ewd840,
    "filter_lock": filter_lock,
    "bakery": bakery,
    **promela_protocols.MODELS,
}


def promela(model: str, constants: Mapping[str, Any]) -> Promela | None:
    """The text of a model with the constants of ours; None if there is none for SPIN."""
    return _MODELS[model](**constants) if model in _MODELS else None
