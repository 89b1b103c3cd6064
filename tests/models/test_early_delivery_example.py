"""Section 6 of Johnson and Maugis: n = 12, phi = 4, the graph before and after message H enters it.

Two printed numbers do not fit the rest: nvt(I) = 1 in the first table (the votes are {H, I}, and the text below uses
2), and u = Ntail(G) - n, which is n - Ntail(G).
"""

from __future__ import annotations

from typing import Any

import pytest

from checker.models.g_toto import BelowPhi, GToTo, MoreThanNMinusPhi
from checker.models.gl_toto import GLToTo
from checker.models.s_toto import SToTo

FOLLOWS = {"C": "BF", "D": "BF", "E": "BF", "G": "B", "H": "I"}
CANDIDATES = "ABFIJ"


def view(cls: type[Any], inserted: str, phi: int = 4) -> Any:
    """A model in which p1 has these messages; the processors, and their messages, are called A to L."""
    model = cls(workload=(1,) * 12, phi=phi)
    for name in inserted:
        m = message(model, name)
        model.past[m] = {message(model, x) for x in FOLLOWS.get(name, "")}
        model.graph[first(model)].add(m)
        model.seen[first(model)].add(m)
    return model


def message(model: Any, name: str) -> Any:
    return model.Message["ABCDEFGHIJKL".index(name)]


def first(model: Any) -> Any:
    return model.Process[0]


def letters(messages: Any) -> str:
    return "".join("ABCDEFGHIJKL"[m.index] for m in messages)


def table(model: Any) -> dict[str, list[int]]:
    p = first(model)
    return {a: [model.votes(p, message(model, a), message(model, b)) for b in CANDIDATES if b != a] for a in CANDIDATES}


def voters_for(model: Any, a: str, but_not: str = "") -> str:
    """Whose votes a has, or has and another candidate has not: the sets that the tables print."""
    found = {
        x
        for x in model.voters(first(model))
        if model.vote(x, message(model, a)) and not any(model.vote(x, message(model, b)) for b in but_not)
    }
    return letters(sorted(found))


def against(model: Any, a: str, b: str) -> int:
    """votes(a, b) + u, which is compared with phi."""
    p = first(model)
    return int(model.votes(p, message(model, a), message(model, b)) + model.unseen(p))


def nvt(model: Any) -> list[int]:
    return [model.nvt(first(model), message(model, m)) for m in CANDIDATES]


AFTER = "ABCDEFGHIJ"
BEFORE = "ABCDEFGIJ"


def test_after_h_the_votes_are_those_of_the_tables() -> None:
    model = view(GToTo, AFTER)
    p = first(model)
    assert (model.tail(p), model.unseen(p)) == (10, 2)
    assert letters(model.candidates(p)) == CANDIDATES
    assert nvt(model) == [1, 5, 4, 2, 1]
    assert table(model) == {
        "A": [1, 1, 1, 1],
        "B": [5, 2, 5, 5],
        "F": [4, 1, 4, 4],
        "I": [2, 2, 2, 2],
        "J": [1, 1, 1, 1],
    }


def test_after_h_the_voters_are_those_of_the_tables() -> None:
    """nvt(I) is printed as the size of {H, I}, and as 1."""
    model = view(GToTo, AFTER)
    assert [voters_for(model, m) for m in CANDIDATES] == ["A", "BCDEG", "CDEF", "HI", "J"]
    assert (
        voters_for(model, "B", "F"),
        voters_for(model, "F", "B"),
        voters_for(model, "I", "A"),
        voters_for(model, "J", "A"),
    ) == ("BG", "F", "HI", "J")


def test_after_h_each_comparison_below_the_tables_comes_out() -> None:
    """Who is a source and why, then why the others cannot become one."""
    model = view(GToTo, AFTER)
    assert [against(model, "B", m) for m in "AIJ"] == [7, 7, 7]
    assert [against(model, m, "F") for m in "ABIJ"] == [3, 4, 4, 3]
    assert [n + model.unseen(first(model)) for n in nvt(model)] == [3, 7, 6, 4, 3]
    assert all(model.hopeless(first(model), message(model, m)) for m in "AIJ")


def test_before_h_each_comparison_comes_out() -> None:
    """B beats F by two votes, and three unseen ones could make it five; F could have seven."""
    model = view(GToTo, BEFORE)
    assert [against(model, "B", m) for m in "AIJF"] == [8, 8, 8, 5]
    assert model.nvt(first(model), message(model, "F")) + model.unseen(first(model)) == 7
    assert model.nvt(first(model), message(model, "A")) + model.unseen(first(model)) == 4
    assert [voters_for(model, "I", b) for b in "ABFJ"] == ["I", "I", "I", "I"]


def test_after_h_b_and_f_are_stable_sources_and_are_delivered() -> None:
    model = view(GToTo, AFTER)
    p = first(model)
    assert letters(model.sources(p)) == "BF"
    assert model.internally_stable(p, model.sources(p))
    assert model.externally_stable(p, model.sources(p))
    assert letters(model.eligible(p)) == "BF"


def test_the_example_needs_at_most_in_internal_stability() -> None:
    """nvt(I) + u = 4 = phi: read as nvt + u < phi, I is not hopeless, and the early rule delivers nothing."""
    model = view(BelowPhi, AFTER)
    p, i = first(model), message(model, "I")
    assert model.nvt(p, i) + model.unseen(p) == model.phi
    assert not model.hopeless(p, i) and letters(model.eligible(p)) == ""


def test_f_is_a_source_only_because_four_votes_do_not_win() -> None:
    """votes(B, F) + u = 4: with >= in place of > F is no source."""
    model = view(GToTo, AFTER)
    p, b, f = first(model), message(model, "B"), message(model, "F")
    assert model.votes(p, b, f) + model.unseen(p) == model.phi
    assert not model.may_win(p, b, f)


def test_before_h_only_b_is_a_source_and_nothing_is_stable() -> None:
    model = view(GToTo, BEFORE)
    p = first(model)
    assert (model.tail(p), model.unseen(p)) == (9, 3)
    assert nvt(model) == [1, 5, 4, 1, 1]
    assert table(model)["I"] == [1, 1, 1, 1]
    assert letters(model.sources(p)) == "B"
    assert not model.internally_stable(p, model.sources(p))
    assert not model.hopeless(p, message(model, "F"))
    assert letters(model.eligible(p)) == ""


def test_inserting_h_delivers_b_and_f_in_one_activation() -> None:
    model = view(GToTo, BEFORE)
    p = first(model)
    model.release(p, insert_h(model))
    assert letters(model.delivered[p]) == "BF"
    assert letters(model.graph[p]) == "ACDEGHIJ"


def test_the_strict_reading_of_the_vote_count_agrees_on_the_example() -> None:
    """Ntail(G) = 10 is above n - phi = 8 and so does not tell >= from >."""
    model = view(MoreThanNMinusPhi, AFTER)
    assert letters(model.eligible(first(model))) == "BF"


@pytest.mark.parametrize("phi", range(6, 13))
def test_rules_that_ask_for_a_majority_deliver_nothing_on_this_graph(phi: int) -> None:
    """Footnote 1: no candidate has more than n/2 votes."""
    model = view(SToTo, AFTER, phi)
    assert letters(model.eligible(first(model))) == ""


def test_before_h_b_can_be_delivered_inside_the_activation() -> None:
    """The prefix {A, B} of the candidates is stable: A is passed over, B is settled, F stops the scan."""
    model = view(GLToTo, BEFORE)
    p = first(model)
    assert letters(model.front(p)) == "B"
    model.deliver_front(p)
    assert letters(model.delivered[p]) == "B"
    model.release(p, insert_h(model))
    assert letters(model.delivered[p]) == "BF"


def insert_h(model: Any) -> Any:
    """Message H, which follows I."""
    h = message(model, "H")
    model.past[h] = {message(model, "I")}
    return h
