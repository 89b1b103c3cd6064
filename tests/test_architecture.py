"""Which part may know which: the dependency rules, held over every import statement of the project."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
OURS = ("checker", "models", "properties", "benchmarks")
LANGUAGE, IR, STORED = "checker.language", "checker.ir", "checker.stored"

# part -> what it may import of ours besides itself; the longest part that fits a module counts
ALLOWED: dict[str, tuple[str, ...]] = {
    "checker.stored": (),
    "checker.ir": (),
    "checker.language": ("checker.ir.types", "checker.ir.values", "checker.ir.domain"),
    "checker.frontend": (LANGUAGE, IR),
    "checker.backends.interpreter": (LANGUAGE, IR),
    "checker.backends.native": (IR, STORED),
    "checker.backends.evaluator": (IR,),
    "checker.backends.smt": (IR,),
    "checker.search": (STORED,),
    "checker.trace": ("checker.ir.types", STORED),
    "checker.report": ("checker.trace", "checker.wording", STORED),
    "models": (LANGUAGE, "properties"),
    "properties": (LANGUAGE,),
    "benchmarks.models": (LANGUAGE, "properties"),
    "checker.engines": (
        IR,
        LANGUAGE,
        STORED,
        "checker.frontend",
        "checker.backends",
        "checker.search",
        "checker.trace",
        "checker.catalogue",
        "checker.trust",
        "checker.compare.base",
        "checker.compare.cause",
        "checker.wording",
    ),
    "checker.cli": OURS,
    "checker": OURS,
}


def imports(file: Path) -> Iterator[tuple[int, str]]:
    """Modules of ours that a file imports, with the line."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}:{node.lineno}: write imports in full"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from ((node.lineno, name) for name in names if name.split(".")[0] in OURS)


def within(module: str, part: str) -> bool:
    """Whether a module is a part or in it."""
    return module == part or module.startswith(part + ".")


def faults(part: str, file: Path) -> list[str]:
    """Imports of a file that its part may not have."""
    allowed = (part, *ALLOWED[part])
    return [
        f"{file.relative_to(ROOT)}:{line} imports {name}"
        for line, name in imports(file)
        if not any(within(name, a) for a in allowed)
    ]


def files_of(part: str) -> list[Path]:
    """Files of a part that belong to no smaller part."""
    directory = ROOT / part.replace(".", "/")
    files = [directory.with_suffix(".py")] if directory.with_suffix(".py").exists() else sorted(directory.rglob("*.py"))
    modules = {file: ".".join(file.relative_to(ROOT).with_suffix("").parts) for file in files}
    return [f for f, m in modules.items() if not any(p != part and within(p, part) and within(m, p) for p in ALLOWED)]


@pytest.mark.parametrize("part", [part for part in ALLOWED if (ROOT / part.replace(".", "/")).exists()])
def test_a_part_imports_only_what_it_may_know(part: str) -> None:
    """Each part sees only its neighbours."""
    assert [fault for file in files_of(part) for fault in faults(part, file)] == []


def test_an_import_against_the_rules_is_found(tmp_path: Path) -> None:
    """The rules are not vacuous: an import that breaks one is reported."""
    file = ROOT / "checker" / "report" / "text.py"
    assert faults("checker.trace", file) != []


def test_every_module_says_what_idea_it_holds() -> None:
    """Each module opens with a docstring."""
    files = [f for part in OURS for f in (ROOT / part).rglob("*.py") if f.read_text(encoding="utf-8").strip()]
    assert [
        str(f.relative_to(ROOT)) for f in files if not ast.get_docstring(ast.parse(f.read_text(encoding="utf-8")))
    ] == []


def test_continuous_integration_runs_the_readme_test_command() -> None:
    """The second command of the README is a line of .ci/run."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    command = next(line for line in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines() if "pytest" in line)
    assert command in readme.splitlines()
