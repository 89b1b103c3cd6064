"""An edit that does not fit its base is refused at the edit; the base's declaration is named for comparison."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from checker.frontend.lower import lower
from checker.frontend.refusal import Refused
from checker.language.define import define

REFUSED = Path(__file__).parent / "refused"


def refusal(file: Path) -> Refused:
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with pytest.raises(Refused) as caught:
        lower(define(module.Refusing))
    return caught.value


def test_an_edit_in_another_file_than_its_base_is_named_first(tmp_path: Path) -> None:
    """Its file and line are those of the error; the remedy has the file and line of the base's method and its call."""
    file = tmp_path / "edit.py"
    file.write_text(
        "from checker.models.isis import Isis\nfrom checker.language import rule\n\n\nclass Refusing(Isis):\n"
        "    @rule\n    def stands_before(self, x, p, m):\n        return False\n"
    )
    refused = refusal(file)
    assert (Path(str(refused.file)).name, refused.line) == ("edit.py", 7)
    assert refused.message == (
        "stands_before(x, p, m) does not fit its use in deliverable of Isis: Process does not fit Message"
    )
    remedy = str(refused.remedy)
    assert "Isis has stands_before(p: Process, x: Message, m: Message) -> bool (" in remedy
    assert remedy.count("isis.py:") == 2 and "or override deliverable too" in remedy


@pytest.mark.parametrize(
    "name, said",
    [
        ("override_of_a_procedure_with_swapped_parameters", "Doors has pass_through(p, d)"),
        ("override_of_a_variable_by_another_type", "Doors has inside = var(Map[Person, Bool], False)"),
    ],
)
def test_what_the_base_has_is_said(name: str, said: str) -> None:
    """Also where the error itself stands in the edit."""
    assert said in str(refusal(REFUSED / f"{name}.py").remedy)


def test_a_mistake_in_a_base_stays_there() -> None:
    """What no override can have caused is reported where it is written."""
    refused = refusal(REFUSED / "mistake_in_a_base.py")
    assert refused.message.startswith("Door does not fit Person")
