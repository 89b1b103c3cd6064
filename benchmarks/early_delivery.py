"""How early the ToTo rules deliver: Section 7 of Johnson and Maugis, by simulation over random causality graphs.

`python -m benchmarks.early_delivery [DIRECTORY]` writes early_delivery.json, .md and .svg there (the plot needs
matplotlib, the extra `bench`); same seeds, same files.

The rules are those of models/wait_for_all, toto, s_toto, g_toto and gl_toto, here on votes as bits, since a model
object is a thousand times too slow; a test compares the two on random graphs.  Source: "New Rules for Early Delivery in
an Atomic Multicast System", University of Florida, 1994, Section 7.

The graphs: each processor multicasts at random (Poisson, once per unit of time), and a message takes an exponential
time to each other processor.  `width` is its mean: with 0.1 nearly every message follows all before it (a narrow
graph), with 4 most messages follow few.  The paper gives its results, but not its graphs: its testbed was an Ethernet
of eight. Where this stops being true: no processor is slower than another, none fails, and delays are independent.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from attrs import define, field, frozen

from benchmarks.early_delivery_page import page, plot

PROCESSORS = 8  # as in the paper
WIDTHS = (0.01, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 4.0)
NARROWEST = 0.0075  # where S-ToTo has the average Ntail(G) of the paper
SEEDS = (1, 2, 3, 4)
MESSAGES, MARGIN = 1_000, 100  # in a graph; at either end not counted


@frozen
class History:
    """Messages in the order in which one processor inserts them: senders from 0, and as bits what each follows,
    directly or not (bit i: message i of this order)."""

    processors: int
    senders: tuple[int, ...]
    pasts: tuple[int, ...]


def random_history(processors: int, messages: int, width: float, seed: int) -> History:
    """What processor 0 sees of a random run."""
    random = np.random.default_rng(seed)
    sent = np.cumsum(random.exponential(1 / processors, messages))
    senders = random.integers(0, processors, messages)
    arrivals = sent[:, None] + random.exponential(width, (messages, processors))
    arrivals[np.arange(messages), senders] = sent
    released = np.zeros((messages, processors))  # when the causal multicast hands a message over
    follows = []
    for m in range(messages):
        past = np.flatnonzero(released[:m, senders[m]] <= sent[m])
        follows.append(past)
        released[m] = np.maximum(arrivals[m], released[past].max(axis=0)) if len(past) else arrivals[m]
    order = np.argsort(released[:, 0], kind="stable")
    place = np.argsort(order)
    pasts = [sum(1 << int(i) for i in place[follows[m]]) for m in order]
    return History(processors, tuple(int(senders[m]) for m in order), tuple(pasts))


@define
class View:
    """A processor's graph G: the messages inserted and not delivered, as bits."""

    history: History
    graph: int = 0
    marked: int = 0  # GL-ToTo: delivered, still in G

    def ballot(self) -> Ballot:
        """The candidates with their votes."""
        voters: dict[int, int] = {}
        following: dict[int, int] = {}
        members = list(bits(self.graph))
        for m in members:
            voters.setdefault(self.history.senders[m], m)  # the first message of a processor comes before its others
        candidates = [m for m in members if not self.history.pasts[m] & self.graph]
        votes = {
            c: sum(1 << q for q, x in voters.items() if x == c or self.history.pasts[x] >> c & 1) for c in candidates
        }
        for c in candidates:
            following[c] = len({self.history.senders[x] for x in members if self.history.pasts[x] >> c & 1})
        ordered = sorted(candidates, key=lambda c: self.history.senders[c])
        return Ballot(
            self.history.processors,
            tuple(ordered),
            votes,
            following,
            sum(1 << q for q in voters),
            {c: self.history.senders[c] for c in candidates},
        )


@frozen
class Ballot:
    """votes: for each candidate the processors that vote for it, as bits; voted: those that vote at all; following:
    Ntail(m), without the message itself."""

    processors: int
    candidates: tuple[int, ...]
    votes: Mapping[int, int]
    following: Mapping[int, int]
    voted: int
    senders: Mapping[int, int]

    @property
    def tail(self) -> int:
        """Ntail(G)."""
        return self.voted.bit_count()

    @property
    def unseen(self) -> int:
        """u."""
        return self.processors - self.tail

    def nvt(self, m: int) -> int:
        """Votes of a candidate."""
        return self.votes[m].bit_count()

    def more(self, a: int, b: int) -> int:
        """votes(a, b): how many a has that b does not have."""
        return (self.votes[a] & ~self.votes[b]).bit_count()

    def unbeatable(self, m: int, phi: int) -> bool:
        """No other candidate can win over m in any extension."""
        return not any(self.more(j, m) + self.unseen > phi for j in self.candidates if j != m)

    def lost(self, m: int, sources: Iterable[int], phi: int) -> bool:
        """m has lost to a source."""
        return any(self.more(s, m) > phi for s in sources)

    def hopeless(self, m: int, phi: int) -> bool:
        """m cannot get more than phi votes."""
        return self.nvt(m) + self.unseen <= phi


Rule = Callable[[Ballot, int], set[int]]


def wait(ballot: Ballot, phi: int) -> set[int]:
    """Nothing is early."""
    return set()


def s_toto(ballot: Ballot, phi: int) -> set[int]:
    """Section 3, the simplified rules."""
    sources = {m for m in ballot.candidates if ballot.unbeatable(m, phi)}
    stable = all(ballot.lost(m, sources, phi) for m in ballot.candidates if m not in sources)
    return sources if stable and any(ballot.nvt(s) > phi for s in sources) else set()


def toto(ballot: Ballot, phi: int) -> set[int]:
    """Section 3, with the second condition of rule 1b: every source has a long tail."""
    sources = s_toto(ballot, phi)
    return sources if all(ballot.following[s] >= ballot.processors - phi for s in sources) else set()


def g_sources(ballot: Ballot, phi: int) -> set[int]:
    """Section 4: the sources."""
    return {m for m in ballot.candidates if ballot.nvt(m) > phi or ballot.unbeatable(m, phi)}


def g_toto(ballot: Ballot, phi: int) -> set[int]:
    """Section 4, the generalized rules."""
    sources = g_sources(ballot, phi)
    stable = all(
        ballot.hopeless(m, phi) and ballot.lost(m, sources, phi) for m in ballot.candidates if m not in sources
    )
    enough = ballot.tail >= ballot.processors - phi and any(ballot.nvt(s) > phi for s in sources)
    return sources if stable and enough else set()


def front(ballot: Ballot, phi: int) -> set[int]:
    """Section 5: the sources that the scan reaches."""
    sources, found = g_sources(ballot, phi), set()
    for m in ballot.candidates:
        before = (1 << ballot.senders[m]) - 1
        if ballot.voted & before != before:
            break
        if m in sources:
            if not (ballot.nvt(m) > phi or ballot.tail >= ballot.processors - phi):
                break
            found.add(m)
        elif not (ballot.hopeless(m, phi) and ballot.lost(m, [j for j in ballot.candidates if j != m], phi)):
            break
    return found


EARLY: dict[str, Rule] = {"wait_for_all": wait, "toto": toto, "s_toto": s_toto, "g_toto": g_toto, "gl_toto": g_toto}


@frozen
class Delivery:
    """How a message was delivered: "early", "default", or "front" (by the scan of GL-ToTo, before its activation was
    decided); Ntail(G) and its votes then, and after which insertion."""

    message: int
    how: str
    tail: int
    votes: int
    insertion: int


def deliveries(history: History, name: str, phi: int) -> Iterator[Delivery]:
    """All deliveries of one processor by one rule."""
    view, rule = View(history), EARLY[name]
    for inserted in range(len(history.senders)):
        view.graph |= 1 << inserted
        while True:
            ballot = view.ballot()
            early = rule(ballot, phi)
            batch = early or (set(ballot.candidates) if ballot.tail == ballot.processors else set())
            if not batch:
                for m in sorted(front(ballot, phi)) if name == "gl_toto" else ():
                    if not view.marked >> m & 1:
                        view.marked |= 1 << m
                        yield Delivery(m, "front", ballot.tail, ballot.nvt(m), inserted)
                break
            for m in batch:
                view.graph &= ~(1 << m)
                if not view.marked >> m & 1:
                    yield Delivery(m, "early" if early else "default", ballot.tail, ballot.nvt(m), inserted)
            view.marked = 0


def bits(word: int) -> Iterator[int]:
    """The numbers of the bits that are set, increasing."""
    while word:
        low = word & -word
        yield low.bit_length() - 1
        word ^= low


@frozen
class Measure:
    """Of one rule on graphs of one width: shares of all messages, and means over messages.  later: of those that S-ToTo
    delivers early, the share that is not early by this rule."""

    rule: str
    phi: int
    width: float
    messages: int
    early: float
    front: float
    tail: float
    votes: float
    delay: float  # insertions from a message's own to its delivery
    later: float | None = field(default=None)


def measure(
    width: float, configurations: Iterable[tuple[str, int]], seeds: Iterable[int] = SEEDS, messages: int = MESSAGES
) -> list[Measure]:
    """All rules on the same graphs."""
    histories = [random_history(PROCESSORS, messages, width, seed) for seed in seeds]
    counted = range(MARGIN, messages - MARGIN)
    simplified = [_by_message(deliveries(h, "s_toto", PROCESSORS // 2), counted) for h in histories]
    result = []
    for name, phi in configurations:
        found = [_by_message(deliveries(h, name, phi), counted) for h in histories]
        all_ = [d for run in found for d in run.values()]
        early = [(s[m], f.get(m)) for s, f in zip(simplified, found) for m in s if s[m].how == "early"]
        later = sum(f is None or f.how == "default" for _, f in early) / len(early) if early else None
        result.append(
            Measure(
                name,
                phi,
                width,
                len(all_),
                _mean(d.how != "default" for d in all_),
                _mean(d.how == "front" for d in all_),
                _mean(d.tail for d in all_),
                _mean(d.votes for d in all_),
                _mean(d.insertion - d.message for d in all_),
                None if later is None else round(later, 4),
            )
        )
    return result


def _by_message(found: Iterable[Delivery], counted: range) -> dict[int, Delivery]:
    return {d.message: d for d in found if d.message in counted}


def _mean(values: Iterable[float]) -> float:
    return round(float(np.mean(list(values))), 4)


def configurations() -> list[tuple[str, int]]:
    """Rules and thresholds: n/2 for all, and every smaller one for the generalized rules."""
    half = PROCESSORS // 2
    return [
        ("wait_for_all", half),
        ("toto", half),
        ("s_toto", half),
        *((name, phi) for name in ("g_toto", "gl_toto") for phi in range(1, half + 1)),
    ]


def main(directory: Path) -> None:
    """Measure everything and write the files."""
    measures = [m for width in WIDTHS for m in measure(width, configurations())]
    data: dict[str, Any] = {
        "processors": PROCESSORS,
        "messages": MESSAGES,
        "margin": MARGIN,
        "seeds": list(SEEDS),
        "narrowest": {"width": NARROWEST, "tail": measure(NARROWEST, [("s_toto", PROCESSORS // 2)])[0].tail},
        "measures": [
            {
                f: getattr(m, f)
                for f in ("rule", "phi", "width", "messages", "early", "front", "tail", "votes", "delay", "later")
            }
            for m in measures
        ],
    }
    (directory / "early_delivery.json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    (directory / "early_delivery.md").write_text(page(data), encoding="utf-8")
    plot(data, directory / "early_delivery.svg")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "benchmarks"))
