"""Quiescence properties that speak only of runs with a fault: no state is quiescent before a crash, loss,
duplicate or partition.

A process that retransmits until it has all answers keeps every run without a fault going for ever, whether the answers
come or not.  The crash of that process ends the run, and the property holds there because it excuses the crash.
Each fault with a budget leaves a trace in a variable of the language that nothing takes back.  So the variables of each
quiescent state are compared with those of the initial states.

Where it stops: a fault that the model itself declares leaves no such trace, and counts as a step of the protocol.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from attrs import evolve

from checker.engines.survey import Survey
from checker.language.definition import Definition
from checker.language.distributed import Distributed
from checker.results.vacuity import Vacuity
from checker.wording import listed

TRACES = {
    "crashes": ("crashed", "crash"),
    "losses": ("lost", "loss"),
    "duplicates": ("duplicated", "duplicate"),
    "partitions": ("splits", "partition"),
}
"""The variable in which each fault leaves its trace, by its budget, and the fault in words."""


def ending_by_faults(definition: Definition, survey: Survey, holding: Collection[str]) -> Iterator[Vacuity]:
    """The finding about the quiescence properties that hold.  The search must have been complete."""
    names = [p.name for p in definition.properties if p.kind == "quiescence" and p.name in holding]
    possible = [TRACES[budget] for budget in TRACES if definition.constants.get(budget)]
    if not (names and possible and any(survey.quiescent) and issubclass(definition.model, Distributed)):
        return
    variables = [variable for variable, _ in possible if variable in survey.kernel.layout.nodes]
    start, _ = evolve(survey, levels=survey.levels[:1]).values(variables)
    end, _ = survey.values(variables, rest=True)
    if not {row.tobytes() for row in start} & {row.tobytes() for row in end}:
        faults, say = " or ".join(fault for _, fault in possible), "says" if len(names) == 1 else "say"
        text = (
            f"no state is quiescent without a {faults}: {listed(names)} {say} nothing about runs without one, which go "
            "on for ever; state what must happen in them as a LeadsTo"
        )
        yield Vacuity("quiescent-by-fault", ", ".join(names), text)
