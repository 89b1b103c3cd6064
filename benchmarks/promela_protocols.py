"""Multicast protocols for SPIN, written to be fast there: a network is a bit for each message that can be in flight,
messages are numbers from 1, what is sent once is kept once, and the property is asserted in the step that may break it.

States and transitions are those of our models: a state of one is a state of the other, written down differently.
Variables that are `hidden` are no part of a state; steps leave them 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from benchmarks.spin import Promela

Options = list[tuple[str, str]]


def _plan(workload: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Each message: its number from 0, its sender, its place among those of the sender."""
    yield from ((sum(workload[:p]) + k, p, k) for p, count in enumerate(workload) for k in range(count))


def _promela(variables: str, hidden: str, options: Options) -> Promela:
    lines = [variables, f"hidden byte {hidden};", "active proctype Model() {", "end: do"]
    lines += [f"  :: d_step {{ {guard} -> {effect} }}" for guard, effect in options]
    return Promela("\n".join([*lines, "  od", "}"]) + "\n")


def _all(parts: Iterable[str]) -> str:
    return "; ".join(parts)


def _delivered(p: int, m: str, messages: int) -> str:
    """p delivers m: behind what its log has; NoDuplication."""
    log = f"log[{p * messages}+i]"
    once = f"do :: i < {messages} && {log} != 0 -> assert({log} != {m}); i++ :: else -> break od"
    return f"i = 0; {once}; assert(i < {messages}); {log} = {m}; i = 0"


def reliable_multicast(workload: Sequence[int]) -> Promela:
    """net: destination, source, message."""
    n, total = len(workload), sum(workload)
    options: Options = []

    def sent(source: int, m: int) -> str:
        return _all(f"net[{(d * n + source) * total + m}] = 1" for d in range(n))

    for m, sender, place in _plan(workload):
        options.append((f"sent[{sender}] == {place}", f"sent[{sender}]++; {sent(sender, m)}"))
        for d in range(n):
            old = " || ".join(f"log[{d * total + i}] == {m + 1}" for i in range(total))
            new = _delivered(d, str(m + 1), total) + ("" if d == sender else f"; {sent(d, m)}")
            for source in range(n):
                here = f"net[{(d * n + source) * total + m}]"
                options.append((here, f"{here} = 0; if :: {old} :: else -> {new} fi"))
    return _promela(f"byte sent[{n}]; byte log[{n * total}]; bit net[{n * n * total}];", "i", options)


def isis(workload: Sequence[int]) -> Promela:
    """a, p: clocks; data, fin: destination, message; rep: the proposal in flight; got, top, by: how many proposals the
    sender has, and the largest; num, suffix: the final timestamp in flight; q*: the hold-back queue."""
    n, total = len(workload), sum(workload)
    options: Options = []
    for m, sender, place in _plan(workload):
        everywhere = _all(f"data[{d * total + m}] = 1" for d in range(n))
        options.append((f"sent[{sender}] == {place}", f"sent[{sender}]++; {everywhere}"))
        for d in range(n):
            at, reply = d * total + m, f"rep[{m * n + d}]"
            proposed = f"p[{d}] = (a[{d}] > p[{d}] -> a[{d}] : p[{d}]) + 1; {reply} = p[{d}]"
            options.append((f"data[{at}]", f"data[{at}] = 0; {proposed}; qn[{at}] = p[{d}]; qs[{at}] = {d + 1}"))
            larger = f"{reply} > top[{m}] || ({reply} == top[{m}] && {d + 1} > by[{m}])"
            final = _all(f"fin[{x * total + m}] = 1" for x in range(n))
            last = f"num[{m}] = top[{m}]; suffix[{m}] = by[{m}]; got[{m}] = 0; top[{m}] = 0; by[{m}] = 0; {final}"
            collected = f"if :: {larger} -> top[{m}] = {reply}; by[{m}] = {d + 1} :: else fi; {reply} = 0; got[{m}]++"
            options.append((f"{reply} != 0", f"{collected}; if :: got[{m}] == {n} -> {last} :: else fi"))
            options.append((f"fin[{at}]", _agree(d, m, n, total)))
    variables = f"byte sent[{n}], a[{n}], p[{n}], log[{n * total}], got[{total}], top[{total}], by[{total}]"
    flying = f"byte rep[{total * n}], num[{total}], suffix[{total}]; bit data[{n * total}], fin[{n * total}]"
    queue = f"byte qn[{n * total}], qs[{n * total}]; bit qok[{n * total}]"
    return _promela(f"{variables}; {flying}; {queue};", "i, m, best, bn, bs", options)


def _agree(d: int, m: int, n: int, total: int) -> str:
    """d gets the final timestamp of m, and delivers while the head of its queue is final."""
    at = d * total + m
    over = " || ".join(f"fin[{x * total + m}]" for x in range(n))
    noted = f"fin[{at}] = 0; if :: num[{m}] > a[{d}] -> a[{d}] = num[{m}] :: else fi"
    held = f"qn[{at}] = num[{m}]; qs[{at}] = suffix[{m}]; qok[{at}] = 1"
    gone = f"if :: {over} :: else -> num[{m}] = 0; suffix[{m}] = 0 fi"
    q = f"{d * total}+m"
    before = f"qn[{q}] != 0 && (best == 0 || qn[{q}] < bn || (qn[{q}] == bn && qs[{q}] < bs))"
    head = f"m < {total} -> if :: {before} -> best = m + 1; bn = qn[{q}]; bs = qs[{q}] :: else fi; m++"
    first = f"best = 0; bn = 0; bs = 0; m = 0; do :: {head} :: else -> break od"
    b = f"{d * total}+best-1"
    served = f"qn[{b}] = 0; qs[{b}] = 0; qok[{b}] = 0; {_delivered(d, 'best', total)}"
    serve = f"do :: {first}; if :: best != 0 && qok[{b}] -> {served} :: else -> break fi od"
    return f"{noted}; {held}; {gone}; {serve}; {_in_one_order(d, n, total)}; m = 0; best = 0; bn = 0; bs = 0"


def _in_one_order(d: int, n: int, total: int) -> str:
    """TotalOrder, of which nothing else can have changed: the log of d and each other agree as far as both go."""
    places = [(f"log[{d * total + i}]", f"log[{x * total + i}]") for x in range(n) for i in range(total) if x != d]
    return _all(f"assert({a} == 0 || {b} == 0 || {a} == {b})" for a, b in places)


def causal_broadcast_retested(workload: Sequence[int]) -> Promela:
    """copr, thread (by process and last message), seq (what the message in flight carries): at most n entries each."""
    n, total = len(workload), sum(workload)
    sender = {m + 1: p for m, p, _ in _plan(workload)}
    begins = {m + 1 for m, _, place in _plan(workload) if place == 0}
    options: Options = []
    for m, p, place in _plan(workload):
        options.append((f"sent[{p}] == {place}", _broadcast(p, m, sender, n, total)))
        for d in range(n):
            taken = _all(f"thread[{(d * total + m) * n + i}] = seq[{m * n + i}]" for i in range(n))
            over = " || ".join(f"net[{x * total + m}]" for x in range(n))
            freed = _all(f"seq[{m * n + i}] = 0" for i in range(n))
            here = f"net[{d * total + m}]"
            gone = f"{here} = 0; {taken}; if :: {over} :: else -> {freed} fi"
            options.append((here, f"{gone}; {_test(d, m, n, total)}; {_run(d, n, total, begins)}; x = 0"))
    variables = f"byte sent[{n}], log[{n * total}], copr[{n * n}], thread[{n * total * n}], seq[{total * n}]"
    return _promela(f"{variables}; bit net[{n * total}];", "i, j, x", options)


def _broadcast(p: int, m: int, sender: dict[int, int], n: int, total: int) -> str:
    """p sends the entries of others in copr, and m."""
    own = " || ".join(f"x == {k}" for k, s in sender.items() if s == p)
    keep = f"x = copr[{p * n}+i]; copr[{p * n}+i] = 0; if :: x == 0 || {own} :: else -> seq[{m * n}+j] = x; j++ fi; i++"
    everywhere = _all(f"net[{d * total + m}] = 1" for d in range(n))
    loop = f"i = 0; j = 0; do :: i < {n} -> {keep} :: else -> break od"
    return f"sent[{p}]++; {loop}; seq[{m * n}+j] = {m + 1}; {everywhere}; i = 0; j = 0; x = 0"


def _known(p: int, message: str, total: int) -> str:
    return "(" + " || ".join(f"log[{p * total + i}] == {message}" for i in range(total)) + ")"


def _test(p: int, m: int, n: int, total: int) -> str:
    """The thread of m at p passes over what is delivered."""
    t = (p * total + m) * n
    moved = _all([*(f"thread[{t + i}] = thread[{t + i + 1}]" for i in range(n - 1)), f"thread[{t + n - 1}] = 0"])
    return f"do :: thread[{t}] != 0 && {_known(p, f'thread[{t}]', total)} -> {moved} :: else -> break od"


def _run(p: int, n: int, total: int, begins: set[int]) -> str:
    """The threads of p deliver, the smallest message first, until all wait.  What is delivered takes the place of its
    predecessor in copr, and all threads pass over it."""
    least = _all(_least(p, m, n, total, begins) for m in range(total))
    first = " || ".join(f"x == {k}" for k in sorted(begins))
    entry = f"copr[{p * n}+i] == 0 || (!({first}) && copr[{p * n}+i] == x - 1)"
    shifted = f"if :: {entry} :: else -> copr[{p * n}+j] = copr[{p * n}+i]; j++ fi; i++"
    kept = f"i = 0; j = 0; do :: i < {n} -> {shifted} :: else -> break od"
    end = "do :: i > j -> i--; copr[{at}+i] = 0 :: else -> break od".replace("{at}", str(p * n))
    added = f"assert(j < {n}); copr[{p * n}+j] = x; j = 0"
    again = _all(_test(p, m, n, total) for m in range(total))
    serve = f"{kept}; {end}; {added}; {_delivered(p, 'x', total)}; {again}"
    return f"do :: x = 0; {least}; if :: x == 0 -> break :: else -> {serve} fi od"


def _least(p: int, m: int, n: int, total: int, begins: set[int]) -> str:
    """x is the first message of the thread of m if that does not wait and is smaller."""
    head = f"thread[{(p * total + m) * n}]"
    first = " || ".join(f"{head} == {k}" for k in sorted(begins))
    ready = f"({first} || {_known(p, f'({head}-1)', total)})"
    return f"if :: {head} != 0 && (x == 0 || {head} < x) && {ready} -> x = {head} :: else fi"


MODELS: Mapping[str, Callable[..., Promela]] = {
    "reliable_multicast": reliable_multicast,
    "isis": isis,
    "causal_broadcast:Retested": causal_broadcast_retested,
}
