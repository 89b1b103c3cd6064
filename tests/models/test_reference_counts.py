"""The interpreter, which defines the meaning, gives the reference counts too; large sizes are left to the compiled
engine."""

import pytest

from benchmarks.models.bakery import Bakery
from benchmarks.models.chang_roberts import ChangRoberts
from benchmarks.models.ewd840 import Ewd840
from benchmarks.models.filter_lock import FilterLock
from benchmarks.models.two_phase_commit import TwoPhaseCommit
from checker.analysis.check import check
from checker.backends.interpreter.explore import explore
from checker.backends.interpreter.interpreter import Interpreter
from checker.language.define import define
from checker.models.causal_broadcast import CausalBroadcast, WaitFirst
from checker.models.isis import Isis, TieBySender
from checker.models.sequencer import Sequencer, ViaSequencer

SMALL = 1_000  # states


@pytest.mark.parametrize("cls", [TwoPhaseCommit, Ewd840, ChangRoberts, FilterLock, Bakery])
def test_the_interpreter_gives_the_stated_counts(cls):
    """Distinct states, transitions and depth of the smallest size are those that independent tools give."""
    stated = cls.expect[0]
    assert stated.distinct <= SMALL
    result = explore(Interpreter(define(cls, stated.at)))
    assert (len(result.order), result.transitions) == (stated.distinct, stated.transitions)
    assert stated.depth in (None, result.depth)
    assert not result.findings


@pytest.mark.parametrize("cls", [Isis, TieBySender, Sequencer, ViaSequencer, CausalBroadcast, WaitFirst])
@pytest.mark.parametrize("constants", [{"workload": (2, 0)}, {"workload": (1, 1), "crashes": 1}])
def test_interpreter_and_compiled_engine_agree_on_the_protocols(cls, constants):
    """They find the same states, and violate the same properties after the same number of steps."""
    result = explore(Interpreter(define(cls, constants)))
    report = check(cls, cls.__name__, constants, stop_at_first=False, traces=False)
    assert (len(result.order), result.transitions) == (report.distinct, report.transitions)
    assert len(result.quiescent) == report.quiescent
    found = {finding.name: finding.steps for finding in result.findings.values()}
    assert found == {p.name: p.steps for p in report.properties if p.verdict == "violated"}
