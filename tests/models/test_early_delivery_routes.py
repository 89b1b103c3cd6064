"""The early delivery rules by three routes that must agree: processes with a network, two views of one causal history, and vote vectors.

Network and views are compared in everything that can come out: the deliveries of two processors when all messages have arrived. Graph and vote vector are
compared in what the rules deliver, on every graph that a processor can have in its first activation; after a delivery the rest of a graph is such a graph again.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

import pytest

from checker.backends.interpreter.explore import explore
from checker.backends.interpreter.interpreter import Interpreter
from checker.check import check, outcomes
from checker.language.define import define
from checker.language.model import Model
from models import g_toto, gl_toto, s_toto, toto, two_views, vote_vectors
from models.wait_for_all import WaitForAll

ROUTES: dict[str, tuple[type[Model], type[Model]]] = {
    "wait_for_all": (WaitForAll, two_views.WaitForAllViews),
    "s_toto": (s_toto.SToTo, two_views.SToToViews),
    "g_toto": (g_toto.GToTo, two_views.GToToViews),
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


def assert_the_network_and_the_views_agree(name: str, constants: dict[str, Any]) -> None:
    """For each pair of processors, the same pairs of deliveries come out."""
    network, views = ROUTES[name]
    whole = logs(network, constants)
    for i, j in combinations(range(len(constants["workload"])), 2):
        watched = logs(views, {**constants, "watchers": (i + 1, j + 1), "late": True})
        assert {(log[i], log[j]) for log in whole} == {(log[i], log[j]) for log in watched}, (i, j)


@pytest.mark.parametrize("workload", [(2, 2), (1, 1, 2), (2, 1, 1)])
@pytest.mark.parametrize("name", ROUTES)
def test_two_watchers_see_what_the_whole_protocol_shows(name: str, workload: tuple[int, ...]) -> None:
    """phi = 1: the smallest, with which rules differ most."""
    assert_the_network_and_the_views_agree(name, {"workload": workload, "phi": 1} if name != "wait_for_all" else {"workload": workload})


@pytest.mark.thorough
@pytest.mark.parametrize("phi", [1, 2, 3])
@pytest.mark.parametrize("name", [n for n in ROUTES if n != "wait_for_all"])
def test_two_watchers_see_what_four_processors_show(name: str, phi: int) -> None:
    """A message each, and every threshold below n."""
    assert_the_network_and_the_views_agree(name, {"workload": (1, 1, 1, 1), "phi": phi})


VOTES: dict[str, tuple[type[Model], type[Model]]] = {
    "s_toto": (two_views.SToToViews, vote_vectors.SToToVotes),
    "g_toto": (two_views.GToToViews, vote_vectors.GToToVotes),
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


def delivered_by_graph(model: Any, graph: Graph) -> tuple[set[str], set[str]]:
    """Whose messages the early rule delivers, and what is delivered with the default rule."""
    p, name = model.Process[0], {str(m): m for m in model.Message}
    model.graph[p] = {name[m] for m in graph}
    for m, past in graph.items():
        model.past[name[m]] = {name[x] for x in past}
    return senders(model.early(p)), senders(model.eligible(p))


def delivered_by_votes(model: Any, graph: Graph) -> tuple[set[str], set[str]]:
    """The same from the votes and tails of the graph, which are found here; m1.2 follows m1.1, so the first message of a sender has the smallest name."""
    sender = {m: m.split(".")[0] for m in graph}
    roots = {m for m, past in graph.items() if not past & graph.keys()}
    for m in model.Message:
        model.voted[m], model.following[m] = set(), set()
    message = {str(m).split(".")[0]: m for m in model.Message}
    for s in sender.values():
        first = min(m for m in graph if sender[m] == s)
        model.voted[message[s]] = {message[sender[c]] for c in roots if c == first or c in graph[first]}
    for c in roots:
        model.following[message[sender[c]]] = {model.sender(message[sender[x]]) for x, past in graph.items() if c in past}
    assert model.well_formed(), graph
    return senders(model.early(model.Process[0])), senders(model.eligible(model.Process[0]))


def senders(messages: Any) -> set[str]:
    """The senders of messages, as m1 and so on."""
    return {str(m).split(".")[0] for m in messages}


@pytest.mark.parametrize("workload", [(2, 1, 1), *(pytest.param(w, marks=pytest.mark.thorough) for w in ((1, 2, 1), (1, 1, 1, 1)))])
@pytest.mark.parametrize("name", VOTES)
def test_on_every_graph_the_votes_decide_what_the_rules_deliver(name: str, workload: tuple[int, ...]) -> None:
    """The early rule, and what is delivered in the end, for every threshold below n."""
    views, votes = VOTES[name]
    fired = 0
    for phi in range(1, len(workload)):
        one, other = views(workload=workload, phi=phi), votes(workload=(1,) * len(workload), phi=phi, longer=True)
        for graph in graphs(workload):
            by_graph = delivered_by_graph(one, graph)
            assert by_graph == delivered_by_votes(other, graph), (graph, phi)
            fired += len(by_graph[0]) > 0
    assert fired > 0


@pytest.mark.parametrize("name", ["s_toto", "g_toto", "toto", "toto:OwnTail", "toto:StrictTail", "toto:TailOfAll"])
@pytest.mark.parametrize(("processors", "phi"), [(3, 1), (3, 2), (4, 2), (4, 3)])
def test_views_disagree_where_the_votes_say_that_they_can(name: str, processors: int, phi: int) -> None:
    """Vote vectors with any further messages, against the views of two processors with one further message; the strict bound with three processors needs two."""
    views, votes = VOTES[name]
    further = [(2,) + (1,) * (processors - 1), (1,) * (processors - 1) + (2,)]
    workloads = further if (name, processors) != ("toto:StrictTail", 3) else [(2, 2, 1), (2, 1, 2), (1, 2, 2)]
    by_votes = check(votes, name, {"workload": (1,) * processors, "phi": phi, "longer": True}, only=["stable", "agreed"], traces=False)
    by_views = [check(views, name, {"workload": w, "phi": phi}, only=["ActivationAgreement"], traces=False).verdict for w in workloads]
    assert by_votes.verdict == ("violated" if "violated" in by_views else "holds")


@pytest.mark.parametrize("cls", [WaitForAll, s_toto.SToTo, g_toto.GToTo, gl_toto.GLToTo, toto.ToTo])
def test_nine_messages_and_more_are_delivered_in_the_order_of_their_senders(cls: type[Model]) -> None:
    """Python walks a set of small numbers in their order only below eight: a model that relied on it would be refused, and would deliver in another order."""
    assert check(cls, cls.__name__, {"workload": (9, 0)}).verdict == "holds"
    model: Any = cls(workload=(1,) * 9)
    p = model.Process[0]
    for m in reversed(list(model.Message)):
        model.release(p, m)
    assert list(model.delivered[p]) == list(model.Message)
