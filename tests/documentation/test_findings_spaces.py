"""Each class of which a page of the findings shows that it holds has a space in docs/findings/spaces.json or a sweep in
docs/sweeps.json, or docs/findings/spaces.md names it among the classes that have neither."""

from __future__ import annotations

import json
import re

from benchmarks.spaces import FILE, PAGE, spaces
from tests.documentation.documents import ROOT
from tests.documentation.test_findings_page import CHECKS

WITHOUT = re.compile(r"\bneither a space nor a sweep:(.*?)\n\n", re.DOTALL)


def model(command: str) -> str:
    """The class that a command checks."""
    return command.split()[2]


def properties(command: str) -> set[str]:
    """Those that the command names."""
    return set(command.partition("--property ")[2].split(" ")[0].split(",")) - {""}


def holding(checks: list[tuple[str, str]]) -> set[str]:
    """The classes with a command that holds, of properties that no other command of the class violates."""
    broken: dict[str, set[str]] = {}
    for command, said in checks:
        if said.startswith("violated"):
            broken.setdefault(model(command), set()).update(properties(command) or {"*"})
    return {
        model(command)
        for command, said in checks
        if said.startswith("holds") and apart(properties(command), broken.get(model(command), set()))
    }


def apart(named: set[str], broken: set[str]) -> bool:
    """None of these properties is violated; no name, and `*`, is all of them."""
    return not broken or bool(named) and "*" not in broken and not named & broken


def test_each_class_that_holds_has_a_space_or_is_named_without_one() -> None:
    """So a reader knows for each of them where the searches ended, or that only the commands were run."""
    searched = {space.model for space in spaces(FILE.read_text("utf-8"))}
    swept = set(re.findall(r"checker sweep (\S+)", json.dumps(json.loads((ROOT / "docs/sweeps.json").read_text()))))
    found = WITHOUT.search(PAGE.read_text("utf-8"))
    assert found is not None
    assert set(re.findall(r"`([^`]*)`", found[1])) == holding(CHECKS) - searched - swept


def test_a_class_that_is_violated_elsewhere_holds_only_in_what_is_not() -> None:
    """A configuration that is too small for a violation is no claim; another property of the class is one."""
    small = ("checker check a:B -D workload=1, --property P", "holds: 3 states")
    large = ("checker check a:B -D workload=2, --property P", "violated in 3 steps")
    other = ("checker check a:B --property Q", "holds: 3 states")
    every = ("checker check a:B", "holds: 3 states")
    assert holding([small, large]) == holding([large, every]) == set()
    assert holding([small]) == holding([large, other]) == holding([every]) == {"a:B"}
