"""The early delivery rules by three routes that must agree: processes with a network, two views of one causal history,
and vote vectors.

Network and views are compared in everything that can come out: the deliveries of two processors when all messages have
arrived. Graph and vote vector are compared in what the rules deliver, on every graph that a processor can have in its
first activation; after a delivery the rest of a graph is such a graph again. All three are compared in their verdicts.
A short run takes some workloads, a thorough one every distribution of four messages over two and three processors, up
to renaming, and a message of each of four, with every phi from 0 to n: that is as far as the network reaches. Runs of
fewer messages are the beginnings of these.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Any

import pytest

from checker.analysis.check import check, outcomes
from checker.backends.interpreter.explore import explore
from checker.backends.interpreter.interpreter import Interpreter
from checker.language.define import define
from checker.language.model import Model
from checker.models import g_toto, gl_toto, s_toto, toto, two_views, vote_vectors
from checker.models.wait_for_all import WaitForAll

ROUTES: dict[str, tuple[type[Model], type[Model]]] = {
    "wait_for_all": (WaitForAll, two_views.WaitForAllViews),
    "s_toto": (s_toto.SToTo, two_views.SToToViews),
    "g_toto": (g_toto.GToTo, two_views.GToToViews),
    "g_toto:MoreThanNMinusPhi": (g_toto.MoreThanNMinusPhi, two_views.MoreThanNMinusPhiViews),
    "gl_toto": (gl_toto.GLToTo, two_views.GLToToViews),
    "toto": (toto.ToTo, two_views.ToToViews),
    "toto:OwnTail": (toto.OwnTail, two_views.OwnTailViews),
    "toto:StrictTail": (toto.StrictTail, two_views.StrictTailViews),
    "toto:TailOfAll": (toto.TailOfAll, two_views.TailOfAllViews),
    "s_toto:LatestVote": (s_toto.LatestVote, two_views.LatestVoteViews),
    "s_toto:PhiVotesWin": (s_toto.PhiVotesWin, two_views.PhiVotesWinViews),
}


def logs(cls: type[Model], constants: dict[str, Any]) -> set[tuple[tuple[str, ...], ...]]:
    """What each processor has delivered, for every way in which a run can end."""
    return {tuple(tuple(log) for log in end["delivered"].values()) for end in outcomes(cls, constants)}


def pairs(name: str, workload: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """Two processors: every pair where their order counts, else those that a renaming does not make equal."""
    found = set()
    for i, j in combinations(range(len(workload)), 2):
        kind = (i, j) if name == "gl_toto" else tuple(sorted((workload[i], workload[j])))
        if kind not in found:
            found.add(kind)
            yield i, j


def distributions(processors: int, messages: int) -> Iterator[tuple[int, ...]]:
    """Of so many messages, up to renaming: no processor has more than the one before."""
    if processors == 1:
        yield (messages,)
        return
    for first in range(messages, -1, -1):
        yield from ((first, *rest) for rest in distributions(processors - 1, messages - first) if rest[0] <= first)


def overlap(name: str) -> Iterator[tuple[tuple[int, ...], int]]:
    """Four messages with every threshold; without those for which nothing can be delivered, since fewer than phi + 1
    processors multicast and not all."""
    for w in (*distributions(2, 4), *distributions(3, 4), (1, 1, 2), (1, 1, 1, 1)):
        senders = sum(count > 0 for count in w)
        # edits of S-ToTo with phi = 0: four processors can disagree in too many ways to list them
        least = int(len(w) == 4 and name.startswith("s_toto:"))
        for phi in range(least, len(w) + 1) if name != "wait_for_all" else [0]:
            if senders in (len(w), *range(phi + 1, len(w))) or name == "gl_toto":  # its scan needs n - phi votes
                yield w, phi


SHORT = ((1, 1, 2), 1)


@pytest.mark.parametrize(
    ("name", "workload", "phi"),
    [
        pytest.param(name, *at, marks=[] if at == SHORT else pytest.mark.thorough)
        for name in ROUTES
        for at in overlap(name)
    ],
)
def test_two_watchers_see_what_the_whole_protocol_shows(name: str, workload: tuple[int, ...], phi: int) -> None:
    """For each pair of processors the same pairs of deliveries come out."""
    network, views = ROUTES[name]
    constants = {"workload": workload} if name == "wait_for_all" else {"workload": workload, "phi": phi}
    whole = logs(network, constants)
    for i, j in pairs(name, workload):
        watched = logs(views, {**constants, "watchers": (i + 1, j + 1), "late": True})
        assert {(log[i], log[j]) for log in whole} == {(log[i], log[j]) for log in watched}, (i, j)


def test_a_distribution_is_listed_once_whatever_the_names_of_processors() -> None:
    """Four messages over three processors: the partitions of four, with a zero for whoever sends nothing."""
    assert list(distributions(3, 4)) == [(4, 0, 0), (3, 1, 0), (2, 2, 0), (2, 1, 1)]
    assert len(set(distributions(4, 4))) == 5


def test_thresholds_that_nobody_exceeds_are_left_out_unless_all_multicast() -> None:
    """With two of three processors nothing is delivered from phi = 2 on."""
    assert [phi for w, phi in overlap("s_toto") if w == (2, 2, 0)] == [0, 1]
    assert [phi for w, phi in overlap("s_toto") if w == (2, 1, 1)] == [0, 1, 2, 3]


VOTES: dict[str, tuple[type[Model], type[Model]]] = {
    "s_toto": (two_views.SToToViews, vote_vectors.SToToVotes),
    "g_toto": (two_views.GToToViews, vote_vectors.GToToVotes),
    "gl_toto": (two_views.GLToToViews, vote_vectors.GLToToVotes),
    "g_toto:MoreThanNMinusPhi": (two_views.MoreThanNMinusPhiViews, vote_vectors.MoreThanNMinusPhiVotes),
    "toto": (two_views.ToToViews, vote_vectors.ToToVotes),
    "toto:OwnTail": (two_views.OwnTailViews, vote_vectors.OwnTailVotes),
    "toto:StrictTail": (two_views.StrictTailViews, vote_vectors.StrictTailVotes),
    "toto:TailOfAll": (two_views.TailOfAllViews, vote_vectors.TailOfAllVotes),
    "s_toto:PhiVotesWin": (two_views.PhiVotesWinViews, vote_vectors.PhiVotesWinVotes),
    "s_toto:NoInternalTest": (two_views.NoInternalTestViews, vote_vectors.NoInternalTestVotes),
}


class Undelivered(two_views.SToToViews):
    """EDIT: nothing is ever delivered; its graphs are all those of a first activation."""

    def eligible(self, p: Any) -> Any:
        return set()


Graph = dict[str, frozenset[str]]  # messages by name, each with those that it follows


@cache
def graphs(workload: tuple[int, ...]) -> list[Graph]:
    """Every graph that the first processor can have."""
    interpreter = Interpreter(define(Undelivered, {"workload": workload}, only=[]))
    model: Any = interpreter.model
    found = {}
    for state in explore(interpreter).order:
        model.set_raw_state(state)
        graph = {str(m): frozenset(map(str, model.past[m])) for m in model.graph[model.Process[0]]}
        found[frozenset(graph.items())] = graph
    return list(found.values())


def delivered_by_graph(model: Any, graph: Graph) -> tuple[set[str], ...]:
    """Whose messages the early rule delivers, what is delivered with the default rule, and what a scan tells."""
    p, name = model.Process[0], {str(m): m for m in model.Message}
    model.graph[p] = {name[m] for m in graph}
    for m, past in graph.items():
        model.past[name[m]] = {name[x] for x in past}
    return decisions(model)


def decisions(model: Any) -> tuple[set[str], ...]:
    """What the rules deliver to the first processor."""
    rules = [model.early, model.eligible] + ([model.front] if hasattr(model, "front") else [])
    return tuple(senders(rule(model.Process[0])) for rule in rules)


def delivered_by_votes(model: Any, graph: Graph) -> tuple[set[str], ...]:
    """The same from the votes and tails of the graph, which are found here; m1.2 follows m1.1, so the first message of
    a sender has the smallest name."""
    sender = {m: m.split(".")[0] for m in graph}
    roots = {m for m, past in graph.items() if not past & graph.keys()}
    for m in model.Message:
        model.voted[m], model.following[m] = set(), set()
    message = {str(m).split(".")[0]: m for m in model.Message}
    for s in sender.values():
        first = min(m for m in graph if sender[m] == s)
        model.voted[message[s]] = {message[sender[c]] for c in roots if c == first or c in graph[first]}
    for c in roots:
        model.following[message[sender[c]]] = {
            model.sender(message[sender[x]]) for x, past in graph.items() if c in past
        }
    assert model.well_formed(), graph
    return decisions(model)


def senders(messages: Any) -> set[str]:
    """The senders of messages, as m1 and so on."""
    return {str(m).split(".")[0] for m in messages}


@pytest.mark.parametrize(
    "workload",
    [(2, 1, 1), *(pytest.param(w, marks=pytest.mark.thorough) for w in ((2, 2), (1, 2, 1), (1, 1, 2), (1, 1, 1, 1)))],
)
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=() if i % 2 == 0 else pytest.mark.thorough) for i, n in enumerate(VOTES)]
)
def test_on_every_graph_the_votes_decide_what_the_rules_deliver(name: str, workload: tuple[int, ...]) -> None:
    """The early rule, what is delivered in the end, and what a scan tells, for every threshold."""
    views, votes = VOTES[name]
    fired = 0
    for phi in range(len(workload) + 1):
        one, other = views(workload=workload, phi=phi), votes(workload=(1,) * len(workload), phi=phi, longer=True)
        for graph in graphs(workload):
            by_graph = delivered_by_graph(one, graph)
            assert by_graph == delivered_by_votes(other, graph), (graph, phi)
            fired += len(by_graph[0]) > 0
    assert fired > 0


THREE = [name for name in VOTES if name in ROUTES and name != "gl_toto"]
# all four in a tail: out of reach
EACH = [
    (name, n, phi)
    for name in THREE
    for n in (2, 3, 4)
    for phi in range(n + 1)
    if (name, n, phi) != ("toto:StrictTail", 4, 1)
]
CHEAP = [
    (name, n, phi)
    for name, n, phi in EACH
    if (n, phi) == (2, 0) or (n, phi) == (3, 1) and name in ("s_toto", "g_toto", "toto")
]


@pytest.mark.parametrize(
    ("name", "processors", "phi"), [pytest.param(*at, marks=[] if at in CHEAP else pytest.mark.thorough) for at in EACH]
)
def test_processors_disagree_where_the_votes_say_that_they_can(name: str, processors: int, phi: int) -> None:
    """Vote vectors with any further messages, against two views with one further message and, up to three processors,
    the network; the strict bound with three needs two."""
    network, (views, votes) = ROUTES[name][0], VOTES[name]
    workloads = (
        [(2,) + (1,) * (processors - 1), (1,) * (processors - 1) + (2,)]
        if (name, processors) != ("toto:StrictTail", 3)
        else [(2, 1, 2)]
    )
    longer = name.startswith("toto")  # no other rule asks for tails
    by_votes = check(
        votes,
        name,
        {"workload": (1,) * processors, "phi": phi, "longer": longer},
        only=["stable", "agreed"],
        traces=False,
    )
    by_views = [
        check(views, name, {"workload": w, "phi": phi}, only=["ActivationAgreement"], traces=False).verdict
        for w in workloads
    ]
    assert by_votes.verdict == ("violated" if "violated" in by_views else "holds")
    if processors < 4:
        by_network = [
            check(network, name, {"workload": w, "phi": phi}, only=["ActivationAgreement"], traces=False).verdict
            for w in workloads
        ]
        assert by_network == by_views


class OutOfReachVotes(vote_vectors.GLToToVotes, gl_toto.OutOfReach):
    """EDIT: the scan does not stop at a processor that has not voted."""


class UnsettledSourcesVotes(vote_vectors.GLToToVotes, gl_toto.UnsettledSources):
    """EDIT: any source at the front is delivered, settled or not."""


class PassOverLosersVotes(vote_vectors.GLToToVotes, gl_toto.PassOverLosers):
    """EDIT: a candidate that has lost is passed over even if it is not hopeless."""


SCANS = [
    (gl_toto.OutOfReach, OutOfReachVotes),
    (gl_toto.UnsettledSources, UnsettledSourcesVotes),
    (gl_toto.PassOverLosers, PassOverLosersVotes),
]


@pytest.mark.parametrize(("network", "votes"), SCANS)
@pytest.mark.parametrize("phi", [0, 1, 2, 3])
def test_the_stops_of_the_scan_are_needed_by_both_routes_alike(
    network: type[Model], votes: type[Model], phi: int
) -> None:
    """Three processors with a message each: the scan tells something out of order where deliveries with the network
    differ."""
    by_network = check(network, "", {"workload": (1, 1, 1), "phi": phi}, only=["PrefixOrder"], traces=False)
    by_votes = check(votes, "", {"workload": (1, 1, 1), "phi": phi}, only=["told_in_order"], traces=False)
    assert by_network.verdict == by_votes.verdict


@pytest.mark.parametrize("cls", [WaitForAll, s_toto.SToTo, g_toto.GToTo, gl_toto.GLToTo, toto.ToTo])
def test_nine_messages_and_more_are_delivered_in_the_order_of_their_senders(cls: type[Model]) -> None:
    """Python walks a set of small numbers in their order only below eight: a model that relied on it would be refused,
    and would deliver in another order."""
    assert check(cls, cls.__name__, {"workload": (9, 0)}).verdict == "holds"
    model: Any = cls(workload=(1,) * 9)
    p = model.Process[0]
    for m in reversed(list(model.Message)):
        model.release(p, m)
    assert list(model.delivered[p]) == list(model.Message)
