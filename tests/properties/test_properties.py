"""Each property fails where it should and holds where it should, on every engine."""

from itertools import permutations
from random import Random

import pytest

from checker.analysis.check import check
from checker.backends.interpreter.interpreter import Interpreter
from checker.language.define import define
from checker.language.start import starts
from checker.properties import multicast as properties
from tests.properties import deliveries as models

# property, what breaks it, what keeps it, the workload
CASES = [
    ("NoDuplication", models.Again, models.AnyOrder, (1, 1)),
    ("NoCreation", models.Invent, models.AnyOrder, (1, 1)),
    ("FifoOrder", models.AnyOrder, models.SenderOrder, (2, 0)),
    ("CausalOrder", models.SenderOrder, models.MulticastOrder, (1, 1)),
    # the last process is no destination of the first message, and delivers the others without it
    ("FifoOrder", models.NotForTheLast, models.NotForTheLastInOrder, (2, 0)),
    ("CausalOrder", models.NotForTheLast, models.NotForTheLastInOrder, (1, 1, 0)),
    ("GapFreeTotalOrder", models.NotForTheLast, models.NotForTheLastInOrder, (1, 1, 0)),
    ("UniformGapFreeTotalOrder", models.NotForTheLast, models.NotForTheLastInOrder, (1, 1, 0)),
    ("TotalOrder", models.SenderOrder, models.MulticastOrder, (1, 1)),
    ("TotalOrder", models.AnyOrder, models.LastWish, (1, 1, 0)),
    ("UniformTotalOrder", models.LastWish, models.MulticastOrder, (1, 1, 0)),
    ("GapFreeTotalOrder", models.Skip, models.MulticastOrder, (1, 1)),
    ("UniformTotalOrder", models.AnyOrder, models.Skip, (1, 1)),
    ("UniformGapFreeTotalOrder", models.SkipWhatTheDeadDid, models.MulticastOrder, (1, 1, 0)),
    ("GapFreeTotalOrder", models.Skip, models.SkipWhatTheDeadDid, (1, 1, 0)),
    ("Acyclicity", models.Circle, models.CircleMended, (1, 1, 1)),
    ("UniformTotalOrder", models.AnyOrder, models.Circle, (1, 1, 1)),
    ("Agreement", models.OnlyFirst, models.AnyOrder, (1, 1)),
    ("Agreement", models.OnlyFirst, models.OnlyTheDead, (1, 1, 0)),
    ("UniformAgreement", models.OnlyTheDead, models.AnyOrder, (1, 1, 0)),
    ("UniformAgreement", models.OnlyFirst, models.Nobody, (1, 1)),
    ("Termination", models.Nobody, models.AnyOrder, (1, 1)),
    ("Termination", models.OnlySenders, models.Circle, (1, 1, 1)),
    ("Validity", models.OnlyOthers, models.OnlySenders, (1, 1)),
]


@pytest.mark.parametrize("engine", ["interpreter", "native"])
@pytest.mark.parametrize(("name", "breaks", "keeps", "workload"), CASES)
def test_a_property_tells_a_model_that_breaks_it_from_one_that_keeps_it(name, breaks, keeps, workload, engine):
    """The first model violates the property, the second does not."""
    assert verdict(breaks, name, engine, workload=workload) == "violated"
    assert verdict(keeps, name, engine, workload=workload) == "holds"


def test_logs_are_acyclic_if_and_only_if_one_order_of_all_messages_explains_them():
    """Drawn logs of three processes, with repeated deliveries, against every order of the messages."""
    definition = define(models.Circle, {"workload": (2, 1, 1)}, ["Acyclicity"])
    interpreter, random = Interpreter(definition), Random(0)
    place = [v.name for v in definition.variables].index("delivered")
    first, (rule,) = next(iter(starts(interpreter.model))), definition.properties
    found = []
    for _ in range(300):
        logs = tuple(tuple(random.choices(range(4), k=random.randrange(2, 6))) for _ in range(3))
        state = (*first[:place], logs, *first[place + 1 :])
        found.append(interpreter.holds(rule.function, state, rule.owner))
        assert found[-1] == any(all(_in_order(log, order) for log in logs) for order in permutations(range(4))), logs
    assert 60 < sum(found) < 240


@pytest.mark.parametrize("length", [2, 3, 4, 5])
def test_a_circle_of_any_length_is_found_and_a_row_is_none(length):
    """Each process delivers a message and then its neighbour; nobody delivers other messages."""
    definition = define(models.Circle, {"workload": (2, 2, 2, 1, 1)}, ["Acyclicity"])
    interpreter = Interpreter(definition)
    place = [v.name for v in definition.variables].index("delivered")
    first, (rule,) = next(iter(starts(interpreter.model))), definition.properties

    def holds(pairs):
        logs = (*pairs, *((),) * (5 - len(pairs)))
        return interpreter.holds(rule.function, (*first[:place], logs, *first[place + 1 :]), rule.owner)

    circle = tuple((m, (m + 1) % length) for m in range(length))
    assert not holds(circle)
    assert holds(circle[:-1]), "without its last pair the circle is a row"


def _in_order(log, order):
    """Whether the first deliveries of a log follow an order."""
    places = [order.index(m) for m in dict.fromkeys(log)]
    return places == sorted(places)


@pytest.mark.parametrize("engine", ["interpreter", "native"])
def test_a_deadlock_is_a_state_without_a_next_step(engine):
    """Philosophers who take the left fork first block each other; those who take the first fork first do not."""
    assert verdict(models.Forks, "DeadlockFree", engine) == "violated"
    assert verdict(models.ForksReturned, "DeadlockFree", engine) == "holds"


def test_every_property_has_a_case():
    """No property of the collection is left without a model that breaks it."""
    assert {name for name, *_ in CASES} | {"DeadlockFree"} == set(properties.__all__)


@pytest.mark.parametrize(("name", "breaks", "keeps", "workload"), CASES)
def test_a_violation_is_explained_in_a_sentence(name, breaks, keeps, workload):
    """The witness fits the property's explanation."""
    report = check(breaks, breaks.__name__, {"workload": workload}, only=[name])
    trace = next(p.trace for p in report.properties if p.name == name)
    assert trace is not None
    assert trace.witness.endswith(".")
    assert not trace.witness.startswith("False for")


def verdict(cls, name, engine, **constants):
    """The verdict on one property."""
    report = check(cls, cls.__name__, constants, only=[name], engine=engine, traces=False)
    return next(p.verdict for p in report.properties if p.name == name)
