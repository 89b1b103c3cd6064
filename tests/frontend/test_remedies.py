"""A remedy that shows code is accepted when it is written: what can be put in place of the refused fragment
mechanically is put there, and the model is lowered."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable
from pathlib import Path

from checker.frontend.lower import lower
from checker.frontend.refusal import Refused
from checker.language.define import define

FILES = sorted((Path(__file__).parent / "refused").glob("*.py"))

# A remedy, and what it makes of the refused fragment.
FORMS: list[tuple[str, Callable[[re.Match[str], str], str]]] = [
    (r"Write (self\.[\w.\[\]]+|[A-Z]\w*\.\w+)(\.$|: the members)", lambda found, _: found[1]),
    (r"Write ==\.", lambda _, fragment: fragment.replace(" is ", " == ")),
    (r"Did you mean (\w+)\?", lambda found, fragment: re.sub(r"\w+$", found[1], fragment)),
    (
        r"(?:Write|A set has no order: write|Loop over) (set|list|sorted)\(\.\.\.\)( around it)?(\.| of " r"it)",
        lambda found, fragment: f"{found[1]}({fragment})",
    ),
    (r"Loop over a copy: for \.\.\. in (.*\))\.", lambda found, fragment: found[1]),
    (r"The variable of the state is (self\.\w+)\.", lambda found, fragment: re.sub(r"^\w+", found[1], fragment)),
    (r".* or at every key: (.*)\.$", lambda found, _: found[1]),
    (r"Write 1 if \.\.\. else 0\.", lambda _, fragment: f"1 if {fragment} else 0"),
    (r"Write x is not None\.", lambda _, fragment: f"{fragment} is not None"),
    (r"Write a comparison, such as x != 0\.", lambda _, fragment: f"{fragment} != 0"),
    (r"Write \.add\(x\) or \.update\(x\)\.", lambda _, fragment: fragment.replace(".append", ".add")),
    (r".*write \[\.\.\.\] for its items\.", lambda _, fragment: f"([{fragment.removeprefix('(').removesuffix(')')}])"),
    (r".*write s = s \| \{\.\.\.\}", lambda _, fragment: re.sub(r"(\w+) \|= (.*)", r"\1 = \1 | \2", fragment)),
    (r".*write t = t \+ \(\.\.\.\)", lambda _, fragment: re.sub(r"(\w+) \+= (.*)", r"\1 = \1 + \2", fragment)),
]


def refused(text: str, file: Path, name: str) -> Refused | None:
    """What is refused in a text, if anything is."""
    file.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    try:
        lower(define(module.Refusing))
    except Refused as error:
        return error
    return None


def test_remedies_with_code_are_accepted_when_written(tmp_path: Path) -> None:
    """The line with the remedy in place of the fragment is no longer refused, for each refusal whose remedy can be put
    there mechanically; these are many."""
    wrong, applied = [], 0
    for file in FILES:
        lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
        error = refused("".join(lines), tmp_path / f"{file.stem}_0.py", f"{file.stem}_0")
        assert error is not None and error.line is not None
        form = next(
            ((found, make) for pattern, make in FORMS if (found := re.match(pattern, error.remedy or ""))), None
        )
        if form is None:
            continue
        here = lines[error.line - 1]
        fragment = error.fragment if error.fragment in here else error.fragment.removeprefix("(").removesuffix(")")
        assert fragment in here, file.stem
        lines[error.line - 1] = here.replace(fragment, form[1](form[0], fragment), 1)
        applied += 1
        again = refused("".join(lines), tmp_path / f"{file.stem}_1.py", f"{file.stem}_1")
        if again is not None:
            wrong.append(
                f"{file.stem}: {error.remedy!r} was written, {lines[error.line - 1].strip()}, and is refused: {again}"
            )
    assert not wrong
    assert applied >= 25
