"""The interchange form gives back what went in, and is ITF."""

import json
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from checker.report.wording import guilty_line
from checker.trace.events import Crash, Deliver, Duplicated, Emit, Lost, Multicast, Note, Receive, Send
from checker.trace.former import Contrast, SharedRun
from checker.trace.itf import encode, to_itf, write_trace
from checker.trace.read_itf import decode, from_itf, read_trace
from checker.trace.reasons import Reason
from checker.trace.trace import Step, Trace
from checker.trace.values import FrozenMap, Multiset, Rec

NAMES = st.sampled_from(["a", "b", "tag", "value", "None", "Bag", "m1"])
PLAIN = st.none() | st.integers(2, 10**30) | st.booleans() | NAMES
VALUES = st.recursive(
    PLAIN,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(tuple),
        st.frozensets(inner, max_size=3),
        st.dictionaries(inner, inner, max_size=3).map(FrozenMap),
        st.lists(inner, max_size=3).map(Multiset),
        st.builds(Rec, st.just("") | NAMES, st.dictionaries(NAMES, inner, max_size=3)),
    ),
    max_leaves=8,
)

STEPS = (
    Step(
        1,
        "multicast",
        {"p": "p1", "n": 2},
        lane="p1",
        label="multicast m1",
        source=("isis.py", 12),
        events=(Multicast("p1", "m1"), Send(1, "p1", "p2", "m1"), Crash("p1", ("p3",)), Note("p1", "late")),
    ),
    Step(2, "fault", fault=True, events=(Duplicated(1, 2), Lost(1)), note="the network misbehaves"),
    Step(
        3,
        "receive",
        {"m": Rec("Data", {"n": 1})},
        lane="p2",
        cause=True,
        events=(Receive(2, "p2"), Deliver("p2", Rec("Data", {"n": 1})), Emit("decide", "p2", (1, None))),
    ),
)
TRACE = Trace(
    model="isis",
    reference="isis:Edit",
    property="TotalOrder",
    kind="invariant",
    constants={"processes": 3, "workload": (1, 1, 0)},
    witness="p2 & p3 <disagree>.",
    witness_values={"p": "p2", "sets": frozenset({1, None})},
    guilty=("p2", "p3"),
    loop=1,
    not_taken=("retry(p1)",),
    claim="breadth-first, no shorter trace exists",
    edit="deliver early",
    lanes=("p1", "p2", "p3"),
    final_values={"p2": "delivered [m1]"},
    networks=("net",),
    verdicts={"TotalOrder": (True, True, True, False)},
    version="0.1.0",
    engine="native",
    states=[{"x": i, "net": Multiset(["m"] * i), "q": FrozenMap({"p1": (), "p2": ("m",)})} for i in range(4)],
    steps=STEPS,
)


@given(VALUES)
def test_every_value_comes_back_from_itf(value: object) -> None:
    """Encoding loses nothing, through JSON text and for any nesting."""
    assert decode(json.loads(json.dumps(encode(value)))) == value  # type: ignore[arg-type]


def test_a_trace_with_every_kind_of_event_comes_back(tmp_path: Path) -> None:
    """The file is the one source of a trace."""
    assert read_trace(write_trace(TRACE, tmp_path / "trace.itf.json")) == TRACE


def test_a_minimal_trace_comes_back() -> None:
    """A property can fail in the initial state, with nothing else known."""
    trace = Trace(model="m", property="P", kind="invariant", states=[{"x": 1}], steps=[])
    assert from_itf(to_itf(trace)) == trace


def test_equal_traces_are_equal_files() -> None:
    """Sets are written in printing order, so a file can be compared byte by byte."""
    assert to_itf(from_itf(to_itf(TRACE))) == to_itf(TRACE)


def test_the_file_has_the_parts_itf_asks_for() -> None:
    """Other tools find vars, states with an index each, loop, and integers as #bigint."""
    document = json.loads(to_itf(TRACE))
    assert document["#meta"]["format"] == "ITF"
    assert document["vars"] == ["x", "net", "q"]
    assert [state["#meta"]["index"] for state in document["states"]] == [0, 1, 2, 3]
    assert document["states"][2]["x"] == {"#bigint": "2"}
    assert document["loop"] == 1


@pytest.mark.parametrize("text", ["{}", "[]", "not json", '{"#meta": {"format": "ITF"}, "states": []}'])
def test_another_file_is_refused_by_name(tmp_path: Path, text: str) -> None:
    """The message says which file and that it is not ours."""
    path = tmp_path / "other.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"other\.json is not a trace"):
        read_trace(path)


def test_a_damaged_trace_is_refused_with_what_is_wrong(tmp_path: Path) -> None:
    """A state without a variable that the first one has, a loop to a state that is not there, no states."""
    document = json.loads(to_itf(TRACE))
    path = tmp_path / "damaged.json"
    for change, reason in [
        (
            {"states": [*document["states"][:3], {"#meta": document["states"][3]["#meta"], "x": 1, "q": 2}]},
            "state 3 has other variables than the first: net",
        ),
        ({"loop": 7}, "its loop goes back to state 7, which it does not have"),
        ({"states": []}, "it has no state"),
    ]:
        path.write_text(json.dumps({**document, **change}), encoding="utf-8")
        with pytest.raises(ValueError, match=reason):
            read_trace(path)


def test_a_trace_needs_one_state_more_than_steps() -> None:
    """States and steps alternate."""
    with pytest.raises(ValueError, match="1 steps need 2 states"):
        Trace(model="m", property="P", kind="invariant", states=[{}], steps=STEPS[:1])


def test_an_unknown_kind_is_refused() -> None:
    """Reports word their titles by kind."""
    with pytest.raises(ValueError, match="wrong"):
        Trace(model="m", property="P", kind="wrong", states=[{}], steps=[])


def test_a_trace_of_another_program_is_told_what_it_lacks(tmp_path: Path) -> None:
    """Apalache's traces have states, but no steps and events."""
    path = tmp_path / "apalache.itf.json"
    path.write_text('{"vars": ["x"], "states": [{"x": 1}]}', encoding="utf-8")
    with pytest.raises(ValueError, match="expected an object with #meta, found an object with vars, states"):
        read_trace(path)


def test_what_the_former_protocol_does_comes_back() -> None:
    """Both sides of a CAUSE with their lines, and that a run is one of the former protocol too; by default neither."""
    parts = Contrast(
        "is true", "it is false", "Lock", "goes(p1)", "no (a.py:1)", "in Lock it stays", ("m/a.py", 3), None
    )
    shared = SharedRun("Lock", in_common=True, end="continues", enabled=("enter(p1)", "leave(p1)"))
    trace = evolve(TRACE, contrast=parts, shared_run=shared)
    assert from_itf(to_itf(trace)) == trace and from_itf(to_itf(TRACE)).contrast is None
    with pytest.raises(ValueError, match="a known end"):
        from_itf(to_itf(trace).replace('"continues"', '"somewhere"'))


def test_a_trace_of_an_earlier_version_has_sentences_only() -> None:
    """Its head shows the whole sentence about the CAUSE: nothing is read back from it."""
    note = "goes(p1) is true (a.py:3); before the edit it is false (b.py:4); in Lock this step is not enabled"
    trace = evolve(TRACE, steps=[*STEPS[:2], evolve(STEPS[2], note=note)])
    assert guilty_line(from_itf(to_itf(trace))).endswith(f": {note}")


def test_a_reason_comes_back_with_its_kind() -> None:
    """Reasons are equal by their texts; a mere text, as an earlier version wrote it, is one of no known kind."""
    lost = Reason("m1 to p2, sent at step 1, is lost at step 3", "lost", (1, 3), ("p2",), placed=True)
    found = from_itf(to_itf(evolve(TRACE, blocked=[lost, "p2 waits"]))).blocked
    assert found == (lost, "p2 waits") and all(isinstance(reason, Reason) for reason in found)
    assert (found[0].kind, found[0].steps, found[0].about, found[0].placed) == ("lost", (1, 3), ("p2",), True)
    assert found[1].kind == "" and '"reasons"' not in to_itf(evolve(TRACE, blocked=["p2 waits"]))
    with pytest.raises(ValueError, match="1 texts why something is blocked, and 2 kinds"):
        from_itf(to_itf(evolve(TRACE, blocked=[lost, "p2 waits"])).replace(', "p2 waits"]', "]"))
    with pytest.raises(ValueError, match="one of disabled"):
        from_itf(to_itf(evolve(TRACE, blocked=[lost])).replace('"lost"', '"found"'))
