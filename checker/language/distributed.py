"""Processes that exchange messages and may crash.

Crash-stop: a crashed process takes no step; its own variables (those of type Map[Process, ...] without `kept`) return
to their initial values, messages to it are dropped, messages from it stay in flight.  Budgets bound the faults.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from checker.language.choice import require
from checker.language.collection_domains import MapDomain
from checker.language.constants import BUDGETS, const
from checker.language.errors import UsageError
from checker.language.model import Model, action, anything, rule, var
from checker.language.room import short
from checker.language.start import any_value, start_value
from checker.language.types import Ids, Int, Set
from checker.wording import counted

MOST_PROCESSES = 100  # with more, lowering and compiling alone take minutes
processes = const(3, "number of processes")
losses = const(0, "how many messages may be lost")
duplicates = const(0, "how many messages may be duplicated")
partitions = const(0, "how many times the network may split in two")
Process = Ids("p", processes)


def beyond(constants: Mapping[str, Any]) -> Iterator[str]:
    """A sentence for each budget of faults that no run can use up: a process crashes at most once."""
    crashes, members = constants.get("crashes", 0), constants.get("processes")
    if members is not None and crashes > members:
        yield f"crashes={crashes} is more than can happen: of {counted(members, 'process')} each crashes at most once"


class Distributed(Model):
    """A model of processes p1..pn, networks between them, and faults."""

    processes = processes
    crashes = const(0, "how many processes may crash")
    losses = losses
    duplicates = duplicates
    partitions = partitions
    channels = const("unordered", "order of messages between two processes", ("unordered", "fifo"))
    Process = Process

    @classmethod
    def complete(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Derive no constants.  Raises UsageError for an impossible number of processes or of faults."""
        if given.get("processes", 1) > MOST_PROCESSES:
            raise UsageError(
                f"processes={short(given['processes'])}: more than {MOST_PROCESSES} processes",
                remedy="A state holds an entry for each; start with 2 or 3.",
            )
        if given.get("processes", 1) < 1:
            raise UsageError(f"processes={short(given['processes'])}: fewer than one", remedy="Start with 2 or 3.")
        for budget in BUDGETS:
            if given.get(budget, 0) < 0:
                raise UsageError(
                    f"{budget}={short(given[budget])}: fewer than none", remedy="0 switches the fault off."
                )
        return {}

    crashed = var(Set[Process])
    lost = var(Int(0, losses), 0)
    duplicated = var(Int(0, duplicates), 0)
    apart = var(Set[Process], budget="partitions")  # while the network is split: the side without the first process
    splits = var(Int(0, partitions), 0, budget="partitions")

    @action(fault=True, budget="partitions")
    def partition(self, side: Set[Process]) -> None:  # type: ignore[valid-type]
        """The network splits: until it heals, messages from one side to the other are lost."""
        require(len(self.apart) == 0 and self.splits < self.partitions)
        require(len(side) > 0 and self.Process[0] not in side)
        self.apart = side
        self.splits += 1

    @action(fault=True, budget="partitions")
    def heal(self) -> None:
        """The network is whole again."""
        require(len(self.apart) > 0)
        self.apart = set()

    @rule
    def live(self, p: Process) -> bool:  # type: ignore[valid-type]
        """p has not crashed."""
        return p not in self.crashed

    def budget_left(self) -> bool:
        """Whether one more process may crash."""
        return len(self.crashed) < self.crashes

    def crash_process(self, process: Any) -> None:
        """The process crashes: messages in flight to it are dropped, its own variables are reset."""
        self.crashed.add(process)
        for variable in self.definition.variables:
            if variable.network is not None:
                self.get_variable(variable.name).drop(process)
            elif variable.local:
                assert isinstance(variable.domain, MapDomain)
                domain, initial = variable.domain, variable.initial
                self.storage[variable.name][process] = (
                    any_value(domain.value)
                    if initial is anything
                    else start_value(domain, initial, variable.name)[process]
                )
        self.emit.crash(process)
