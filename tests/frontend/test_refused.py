"""Python outside the language is refused before anything runs: the message, the line, and what to write instead."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from checker.frontend.lower import lower
from checker.frontend.refusal import Refused
from checker.language.define import define

FILES = sorted((Path(__file__).parent / "refused").glob("*.py"))


@pytest.mark.parametrize("file", FILES, ids=[f.stem for f in FILES])
def test_a_fragment_is_refused_with_its_line_and_a_remedy(file: Path) -> None:
    """The first line of the file states the message; the offending line is marked `# here`."""
    lines = file.read_text().splitlines()
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with pytest.raises(Refused) as caught:
        lower(define(module.Refusing))
    refused = caught.value
    assert lines[0].removeprefix("# refused: ") in refused.message
    assert refused.line is not None and "# here" in lines[refused.line - 1]
    assert str(refused).startswith(f"{refused.file}:{refused.line}: {refused.message}")
    assert refused.fragment and refused.remedy


@pytest.mark.parametrize("name", ["Int", "Ids", "Record", "Union", "Set"])
def test_a_type_constructor_in_a_method_is_to_be_used_in_the_class_body(name: str, tmp_path: Path) -> None:
    """There a type is declared, which the method then names."""
    file = tmp_path / "made_here.py"
    file.write_text(
        f"from checker.language import {name}, Model, Bool, action, var\n\n"
        f"class Refusing(Model):\n    b = var(Bool)\n    @action\n    def go(self):\n        x = {name}\n"
    )
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with pytest.raises(Refused, match=f"{name} is a type, which a method cannot use") as caught:
        lower(define(module.Refusing))
    assert str(caught.value.remedy).startswith("Declare the type in the class body")
