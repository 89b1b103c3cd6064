"""Groups of processes, the destinations of messages, and who may multicast to whom."""

from __future__ import annotations

from typing import Any

import pytest

from checker.language.errors import UsageError
from checker.models.optimistic_multicast_1 import OptimisticMulticast1


def groups_reached(model: OptimisticMulticast1) -> list[str]:
    return ["".join(str(g) for g in model.Group if model.addressed(g, m)) for m in model.Message]


def senders(model: OptimisticMulticast1) -> list[str]:
    return ["".join(str(h) for h in model.Group if model.may_send(h, g)) for g in model.Group]


def test_by_default_processes_alternate_between_two_groups_and_messages_go_everywhere() -> None:
    model = OptimisticMulticast1(workload=(1, 0, 1))
    assert [str(model.group(p)) for p in model.Process] == ["g1", "g2", "g1"]
    assert groups_reached(model) == ["g1g2", "g1g2"]


def test_only_groups_whose_members_multicast_to_a_group_are_its_possible_senders() -> None:
    model = OptimisticMulticast1(workload=(1, 1, 1), groups=(1, 2, 3), destinations=(12, 23, 3))
    assert groups_reached(model) == ["g1g2", "g2g3", "g3"]
    assert senders(model) == ["g1", "g1g2", "g2g3"]


def test_possible_senders_can_be_declared() -> None:
    model = OptimisticMulticast1(workload=(1, 1), senders_to=(2, 0))
    assert senders(model) == ["g2", ""]


@pytest.mark.parametrize("process, message, expected", [(0, 0, True), (1, 0, False), (1, 1, True)])
def test_a_process_is_a_destination_if_its_group_is(process: int, message: int, expected: bool) -> None:
    model = OptimisticMulticast1(workload=(1, 1), destinations=(1, 12))
    assert model.destination(model.Process[process], model.Message[message]) is expected


def test_each_process_is_in_one_group() -> None:
    """Groups for two processes and a workload for three contradict each other."""
    with pytest.raises(UsageError, match="groups=1,1 names 2 processes, but there are 3"):
        OptimisticMulticast1(workload=(1, 1, 0), groups=(1, 1))


@pytest.mark.parametrize(
    ("constants", "message"),
    [
        ({"workload": (1, 1), "destinations": (1, 12, 2)}, "destinations=1,12,2 is for 3 messages, but there are 2"),
        ({"workload": (2, 1), "destinations": (1, 12)}, "destinations=1,12 is for 2 messages, but there are 3"),
        ({"workload": (1, 1), "destinations": (13, 2)}, "destinations=13,2: 13 names group 3, but there are 2"),
        ({"workload": (1, 1), "destinations": (12, 0)}, "destinations=12,0: 0 names group 0, but there are 2"),
        ({"workload": (1, 1), "destinations": (12, "all")}, "destinations=12,all: all names group a, but there are 2"),
        ({"workload": (1, 0), "destinations": 3}, "destinations=3: 3 names group 3, but there are 2"),
        ({"workload": (1, 1), "senders_to": (1, 12, 2)}, "senders_to=1,12,2 is for 3 groups, but there are 2"),
        ({"workload": (1, 1), "senders_to": (1, 3)}, "senders_to=1,3: 3 names group 3, but there are 2"),
        ({"workload": (1, 1), "groups": (1, 3)}, "groups=1,3: no process is in group 2"),
        ({"workload": (1, 1), "groups": (0, 1)}, "groups=0,1: a group is a number from 1 to 9"),
        ({"workload": (1, 1), "groups": (1, 10)}, "groups=1,10: a group is a number from 1 to 9"),
    ],
)
def test_what_names_no_group_or_no_message_is_refused(constants: dict[str, Any], message: str) -> None:
    """Each message goes somewhere, to groups that there are, and each group has a process."""
    with pytest.raises(UsageError, match=message):
        OptimisticMulticast1(**constants)


def test_a_list_of_one_needs_no_comma() -> None:
    """One message, one group: what follows from them is computed from lists."""
    alone = OptimisticMulticast1(workload=1, groups=1)
    assert (alone.groups, alone.destinations, alone.senders_to) == ((1,), (1,), (1,))
    assert OptimisticMulticast1(workload=(1, 0), destinations=2).senders_to == (0, 1)
