"""Which part may know which: the layers of docs/house.md, held over every import statement of the project.

An import counts wherever it stands: at the top of a file, inside a function, for type checking only, or as a text that
is the name of one of our modules, by which it is imported.
"""

from __future__ import annotations

import ast
import re
import subprocess
from collections import deque
from collections.abc import Iterable, Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import TypeGuard

import pytest
from attrs import frozen

ROOT = Path(__file__).resolve().parent.parent
MOST_LINES = 400
OURS = ("checker", "models", "properties", "benchmarks", "tests", "docs")

GROUND = (
    "checker.version",
    "checker.bound",
    "checker.displayed",
    "checker.extras",
    "checker.wording",
    "checker.assembly",
    "checker.stored",
    "checker.ir",
)
LANGUAGE = (*GROUND, "checker.language")
RESULTS = (*LANGUAGE, "checker.trace", "checker.results")
MACHINES = (
    *RESULTS,
    "checker.contract",
    "checker.importing",
    "checker.project",
    "checker.reading",
    "checker.revisions",
    "checker.sought",
    "checker.catalogue",
    "checker.trust",
    "checker.frontend",
    "checker.backends",
    "checker.search",
)
REPLAY = (*MACHINES, "checker.replay")
ENGINES = (*REPLAY, "checker.validation", "checker.engines")

# part -> what it may import of ours besides itself; a module belongs to the longest part that its name begins with
ALLOWED: dict[str, tuple[str, ...]] = {
    "checker.version": (),
    "checker.bound": (),
    "checker.displayed": (),
    "checker.extras": (),
    "checker.wording": (),
    "checker.assembly": (),
    "checker.stored": ("checker.assembly",),
    "checker.ir": (),
    "checker.language": (
        "checker.displayed",
        "checker.wording",
        "checker.ir.types",
        "checker.ir.values",
        "checker.ir.domain",
        "checker.ir.show",
    ),
    "checker.trace": ("checker.displayed", "checker.wording", "checker.ir.types", "checker.stored"),
    "checker.results": (*LANGUAGE, "checker.trace"),
    "checker.contract": (),
    "checker.importing": ("checker.language.errors", "checker.language.places", "checker.project"),
    "checker.project": (),
    "checker.reading": ("checker.language", "checker.wording", "checker.importing"),
    "checker.revisions": (),
    "checker.sought": (),
    "checker.catalogue": (
        "checker.language",
        "checker.wording",
        "checker.importing",
        "checker.project",
        "checker.reading",
        "checker.sought",
    ),
    "checker.trust": ("checker.language", "checker.reading", "checker.catalogue", "checker.stored"),
    "checker.frontend": ("checker.language", "checker.wording", "checker.ir"),
    "checker.backends": (),
    "checker.backends.interpreter": ("checker.language", "checker.bound", "checker.wording", "checker.ir"),
    "checker.backends.native": ("checker.assembly", "checker.contract", "checker.ir", "checker.stored"),
    "checker.backends.smt": ("checker.wording", "checker.ir", "checker.results.verdict"),
    "checker.search": (
        "checker.bound",
        "checker.extras",
        "checker.wording",
        "checker.assembly",
        "checker.contract",
        "checker.stored",
    ),
    "checker.replay": MACHINES,
    "checker.validation": REPLAY,
    "checker.engines": (*REPLAY, "checker.validation"),
    "checker.analysis": ENGINES,
    "checker.report": (*RESULTS,),
    "checker.editor": (*ENGINES, "checker.analysis", "checker.report"),
    "checker.cli": (*ENGINES, "checker.analysis", "checker.report", "checker.editor"),
    "checker.pytest_plugin": (*ENGINES, "checker.analysis", "checker.report", "checker.cli"),
    "checker.__main__": ("checker.cli",),
    "checker.api": (*ENGINES, "checker.placed", "checker.given", "checker.analysis", "checker.report"),
    "checker.placed": ENGINES,
    "checker.given": ("checker.language", "checker.catalogue"),
    "checker.__init__": ("checker.api", *RESULTS),
    "checker.models": ("checker.language", "checker.properties"),
    "checker.properties": ("checker.language",),
    "benchmarks": (*ENGINES, "checker.analysis", "checker.report", "checker.cli", "checker.models"),
    "tests": OURS,
    "docs": ("checker.language", "checker.properties", "checker.models"),  # models that the pages show
    "checker.frozen": (),
}
# what every part may import, for it knows none of them
ALLOWED |= {part: (*allowed, "checker.frozen") for part, allowed in ALLOWED.items() if part != "checker.frozen"}

# imports against the layers that are still there; the list may only shrink
OPEN: dict[tuple[str, str], int] = {}


def module_of(file: Path) -> str:
    """The dotted name of a file; a package is named by its `__init__`.  Two folders are imported under our name."""
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(("checker", *parts) if parts[0] in ("models", "properties") else parts)


def part_of(module: str) -> str | None:
    """The entry of ALLOWED that a module belongs to."""
    fitting = [part for part in ALLOWED if module == part or module.startswith(part + ".")]
    return max(fitting, key=len, default=None)


def tracked() -> list[Path]:
    """The Python files of the project that are under version control, or would be."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.py"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [ROOT / name for name in listed.stdout.split() if (ROOT / name).exists()]


@cache
def modules() -> frozenset[str]:
    """The names of the modules in packages of ours."""
    return frozenset(name for name in map(module_of, FILES) if name.startswith("checker."))


@frozen
class Read:
    """What the rules below ask of a file: the modules of ours that it imports, and those that its texts name, with the
    line; the lines that import in functions, that write tables, that compare a verdict with a text; whether it opens
    with a docstring."""

    imports: tuple[tuple[int, str], ...]
    named: tuple[tuple[int, str], ...]
    inside: frozenset[int]
    tables: frozenset[int]
    verdicts: frozenset[int]
    described: bool


@cache
def read(file: Path) -> Read:
    """A file, parsed once for all rules; of tests only imports and names are asked for."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    asked = tuple(node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom | ast.Constant))
    ours = file.parts[len(ROOT.parts)] != "tests"
    return Read(
        tuple(_imports(file, asked)),
        tuple(_named(asked)),
        frozenset(inside_functions(tree) if ours else ()),
        frozenset(rows_of_tables(tree) if ours else ()),
        frozenset(verdicts_as_texts(tree) if ours else ()),
        bool(ast.get_docstring(tree)),
    )


def imports(file: Path) -> tuple[tuple[int, str], ...]:
    """Modules of ours that a file imports, with the line."""
    return read(file).imports


def _imports(file: Path, nodes: Iterable[ast.AST]) -> Iterator[tuple[int, str]]:
    for node in nodes:
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}:{node.lineno}: write imports in full"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from ((node.lineno, name) for name in names if name.split(".")[0] in OURS)


def _named(nodes: Iterable[ast.AST]) -> Iterator[tuple[int, str]]:
    """Modules of ours that a text of a file names: what imports a module by its name, wherever it is."""
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in modules():
            yield node.lineno, node.value


def within(module: str, part: str) -> bool:
    """Whether a module is a part or in it."""
    return module == part or module.startswith(part + ".")


def faults(part: str, file: Path) -> list[str]:
    """Imports of a file that its part may not have."""
    allowed = (part, *ALLOWED[part])
    return [
        f"{file.relative_to(ROOT)}:{line} imports {name}"
        for line, name in (*imports(file), *read(file).named)
        if not any(within(name, a) for a in allowed)
    ]


FILES = tracked()


@pytest.mark.parametrize("part", ALLOWED)
def test_a_part_imports_only_what_it_may_know(part: str) -> None:
    """Each part sees only the layers below it."""
    found = [fault for file in FILES if part_of(module_of(file)) == part for fault in faults(part, file)]
    known = sum(number for (importer, _), number in OPEN.items() if importer == part)
    assert len(found) <= known, "\n".join(found)


def test_the_list_of_open_imports_only_shrinks() -> None:
    """An entry of OPEN whose imports are gone is an error, so nobody can add them again."""
    found: dict[tuple[str, str], int] = {}
    for file in FILES:
        part = part_of(module_of(file)) or ""
        for _line, name in imports(file):
            if not any(within(name, a) for a in (part, *ALLOWED[part])):
                target = part_of(name) or name
                found[part, target] = found.get((part, target), 0) + 1
    assert found == OPEN


def test_each_file_belongs_to_one_part() -> None:
    """No file is outside the rules, and no rule is for nothing."""
    parts = {file: part_of(module_of(file)) for file in FILES}
    assert [str(file.relative_to(ROOT)) for file, part in parts.items() if part is None] == []
    assert set(ALLOWED) - set(parts.values()) == set()


def test_the_rules_have_no_cycle() -> None:
    """Parts form layers: what a part may import never leads back to it."""
    graph = {part: {part_of(a) or a for a in allowed} - {part} for part, allowed in ALLOWED.items() if part != "tests"}
    assert list(TopologicalSorter(graph).static_order())


def test_an_import_against_the_rules_is_found(tmp_path: Path) -> None:
    """The rules are not vacuous: an import that breaks one is reported."""
    file = ROOT / "checker" / "report" / "text.py"
    assert faults("checker.trace", file) != []


# files of checker whose functions import from checker, and why; everywhere else imports stand at the top
INSIDE: dict[str, str] = {
    "cli/entry.py": "start-up: Ctrl-C while modules are loaded is answered in one line",
    "cli/failed.py": "a command that ends well writes no error",
    "api.py": "a program that only checks loads no prover, no comparison and no sweep",
    "pytest_plugin.py": "pytest loads it in every run, also where no model is tested",
    "trust.py": "start-up: every command reads it, those that name no model read no catalogue",
    "cli/checking.py": "start-up: what is asked besides a verdict; a profile, and how to resume, after a limit",
    "analysis/check.py": "start-up: runs that break a leads-to property, the base of a violation, growth after a limit",
    "language/notebook.py": "start-up: every model file loads it, and only a notebook shows a model",
    "backends/native/emit.py": "start-up: stubborn sets, for --reduce",
    "engines/native.py": "start-up: the graph of a search, for leads-to properties",
    "replay/replay.py": "start-up: causes and other orders, where something is violated",
    "replay/traced.py": "start-up: blocked guards, where a run stops or repeats",
    "cli/lsp.py": "pygls may be missing, which is told before it is loaded",
    "cli/check.py": "start-up: tables, for --keep-graph; comparisons, for a check of `watch`",
    "cli/verify.py": "start-up: comparisons, for --comment; what a change disables or no longer claims, for --since",
    "cli/output.py": "start-up: what explains a run, where there is one",
    "report/directory.py": "start-up: pages and diagrams, for --out; the reader of stored traces, where one is named",
    "analysis/emptied.py": "z3 may be missing, and most changes touch no property",
    "analysis/prove/known.py": "z3 may be missing",
    "analysis/prove/prove.py": "z3 may be missing, which is told before it is loaded",
    "analysis/prove/vacuity.py": "z3 may be missing",
    "analysis/vacuity/unedited.py": "start-up: comparisons, for an edit that repeats all that it overrides",
    "analysis/compare/rules.py": "z3 may be missing, and most comparisons find no rule to decide",
    "engines/fitting.py": "start-up: walks and lengths, for searches of many states",
    "search/spark/bootstrap.py": "runs on executors, where the package is found only after it has been unpacked",
}


def inside_functions(tree: ast.Module) -> set[int]:
    """The lines in functions at which modules of checker are imported."""
    outside, found = deque[ast.AST]([tree]), set[int]()
    while outside:  # each function is walked once, by the outermost one around it
        node = outside.popleft()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            found.update(inner.lineno for inner in ast.walk(node) if _of_checker(inner))
        else:
            outside.extend(ast.iter_child_nodes(node))
    return found


def _of_checker(node: ast.AST) -> TypeGuard[ast.Import | ast.ImportFrom]:
    if isinstance(node, ast.ImportFrom):
        return (node.module or "").split(".")[0] == "checker"
    return isinstance(node, ast.Import) and any(alias.name.split(".")[0] == "checker" for alias in node.names)


def test_imports_stand_at_the_top_but_for_a_reason() -> None:
    """What a module needs is seen where it begins.  An entry of the table whose imports are gone is an error."""
    found = {
        file.relative_to(ROOT / "checker").as_posix(): lines
        for file in FILES
        if file.is_relative_to(ROOT / "checker") and (lines := read(file).inside)
    }
    assert {name: sorted(lines) for name, lines in found.items() if name not in INSIDE} == {}
    assert set(INSIDE) - set(found) == set()


def test_an_import_inside_a_function_is_found() -> None:
    """In a method and below a condition too; one at the top, for types or of another package is none."""
    program = """
import checker.trust
if TYPE_CHECKING:
    from checker.catalogue import Entry
def f():
    import json
class C:
    def g(self):
        if self:
            from checker.catalogue import find
def h():
    import checker.trust as trust
"""
    assert inside_functions(ast.parse(program)) == {10, 12}


OWNERS: dict[str, tuple[str, ...]] = {
    # a source stops before a row whose successors do not fit: only these loops go on from there
    r"\b(kernel|source)\.expand\(": ("checker/search/expansions.py", "checker/search/spark/shard.py"),
    # states in blocks, each contiguous
    r"ascontiguousarray\(\w+(\.\w+)?\[\w+ : \w+ \+ [A-Za-z]": ("checker/search/blocks.py",),
    # what is doubled where a network proves too small, and the search that starts over
    r"\bexcept TooSmall as\b": ("checker/engines/growing.py",),
    # whose files are trusted
    r"\bgeteuid\b|\bS_IW(GRP|OTH)\b|\bS_IRWX[GO]\b": ("checker/stored/owned.py",),
    # what Spark and Python processes tell in texts only
    r"SPARK-\d|PYTHON_VERSION_MISMATCH|Cannot run program": ("checker/search/spark/failures.py",),
    # what LLVM's language looks like for memory: everybody else says what to read and write
    r"\balloca \[|\bgetelementptr inbounds\b": ("checker/assembly.py",),
    # how a sentence cites the line of what it names
    r"\(\{place_text\(|\bplace_text\(.*\)\}?\)": ("checker/replay/cited.py",),
    # which engine is meant
    r"\bengine(\"\])? == \"": (),
    # how nodes with constant operands are folded; the findings about vacuity ask about conditions as they are written
    r"\be\.(And|Or|Not|Compare)\((?!_|\))": (
        "checker/analysis/vacuity/antecedents.py",
        "checker/analysis/vacuity/domains.py",
        "checker/ir/build.py",
    ),
    r"Const\((build\.)?(BOOL|t\.Bool\(\)), [01]\)": ("checker/ir/build.py",),
    # which line is named of a function or method: its `def` (places.of_function); these find source by the first line
    r"\bco_firstlineno\b|\bgetsourcelines\b": (
        "checker/analysis/compare/failures.py",
        "checker/frontend/source.py",
        "checker/language/places.py",
        "checker/language/rounds.py",
        "checker/language/start.py",
        "checker/replay/rule_bodies.py",
        "checker/replay/refusals.py",
    ),
    # how a class says in its docstring that it changes the one above it
    r"EDIT\|READING": ("checker/replay/base.py",),
    # what Python, Arrow, Spark and the TOML parser say in texts only; messages of our own decide nothing
    r"\bin str\(\w+\)[:)]|\bre\.\w+\(.*, str\(error\)\)|\btext = str\(error\)": (
        "checker/backends/interpreter/interpreter.py",
        "checker/cli/settings.py",
        "checker/reading.py",
        "checker/search/folders.py",
        "checker/search/spark/failures.py",
        "checker/search/spark/session.py",
    ),
}
"""What only these files of `checker` contain: a decision with one owner."""


@cache
def texts_of_checker() -> dict[str, str]:
    """The files of checker, read once for all patterns."""
    files = [f for f in FILES if f.is_relative_to(ROOT / "checker")]
    return {f.relative_to(ROOT).as_posix(): f.read_text(encoding="utf-8") for f in files}


@pytest.mark.parametrize("pattern", OWNERS)
def test_a_decision_has_one_owner(pattern: str) -> None:
    """Nobody else has a copy of it, and an owner that no longer has it is not listed."""
    found = {name for name, text in texts_of_checker().items() if re.search(pattern, text)}
    assert found == set(OWNERS[pattern])


def verdicts_as_texts(tree: ast.Module) -> set[int]:
    """The lines at which a verdict, or the bound of a search, is compared with a text, or looked up by one."""

    def names(node: ast.expr) -> str:
        return getattr(node, "attr", getattr(node, "id", ""))

    def has_text(node: ast.expr) -> bool:
        parts = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
        return any(isinstance(part, ast.Constant) and isinstance(part.value, str) for part in parts)

    return {
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare)
        and (operands := [node.left, *node.comparators])
        and any(names(x).endswith(("verdict", "bound")) for x in operands)
        and any(map(has_text, operands))
    }


def test_no_verdict_is_compared_with_a_text() -> None:
    """`checker.results.verdict` and `checker.bound` have a member for each; a misspelt word would never be equal."""
    files = [f for f in FILES if f.is_relative_to(ROOT / "checker")]
    found = {f.relative_to(ROOT).as_posix(): read(f).verdicts for f in files}
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_a_verdict_compared_with_a_text_is_found() -> None:
    """By equality and membership, of an attribute and of a name; kinds are no verdicts."""
    program = """
a = report.verdict == "holds"
b = verdict in ("holds", "violated")
c = report.verdict is Verdict.HOLDS
d = kind == "reachable"
e = report.bound in (None, "depth")
"""
    assert verdicts_as_texts(ast.parse(program)) == {2, 3, 6}


def rows_of_tables(tree: ast.Module) -> set[int]:
    """The lines with a string that begins a row of a Markdown table or is the line below its head; docstrings are
    not."""
    nodes = tuple(ast.walk(tree))
    prose = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    return {
        node.lineno
        for node in nodes
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in prose
        and re.match(r"\| |:?-{2,}:?\||\|:?-{2,}", node.value)
    }


def test_one_module_writes_tables_in_markdown() -> None:
    """Their spacing, their alignment and where `|` is escaped are decided in `checker.report.tables`."""
    files = [f for f in FILES if f.parts[len(ROOT.parts)] in ("checker", "benchmarks")]
    found = {f.relative_to(ROOT).as_posix(): read(f).tables for f in files}
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_a_table_written_elsewhere_is_found() -> None:
    """As a text, as a text with values, as joined cells, and by the line below its head."""
    program = '''
"""| no table"""
a = "| x | y |"
b = f"| {x} | {y} |"
c = "| " + " | ".join(cells) + " |"
d = "---:|" * 3
e = " | ".join(alternatives)
'''
    assert rows_of_tables(ast.parse(program)) == {3, 4, 5, 6}


def test_every_module_says_what_idea_it_holds() -> None:
    """Each module opens with a docstring."""
    files = [f for f in FILES if f.parts[len(ROOT.parts)] != "tests" and f.read_text(encoding="utf-8").strip()]
    assert [str(f.relative_to(ROOT)) for f in files if not read(f).described] == []


def test_continuous_integration_runs_the_readme_test_command() -> None:
    """The second command of the README is a line of .ci/run."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    command = next(line for line in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines() if "pytest" in line)
    assert command in readme.splitlines()


def test_only_the_visitor_looks_into_the_fields_of_nodes() -> None:
    """`checker.ir.visit` alone knows which fields of an IR node hold nodes; everybody else walks with it."""
    parts = ("ir", "frontend", "backends", "validation", "replay", "analysis")
    files = [f for f in FILES if f.is_relative_to(ROOT / "checker") and f.relative_to(ROOT).parts[1] in parts]
    found = {module_of(f) for f in files if "attrs.fields(" in f.read_text(encoding="utf-8")}
    assert found == {"checker.ir.visit"}


def rings(graph: dict[str, set[str]]) -> set[frozenset[str]]:
    """The sets of nodes that reach each other (R. Tarjan, 1972), without single ones."""
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: set[frozenset[str]] = set()

    def visit(node: str) -> None:
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in graph[node]:
            if other not in number:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == number[node]:
            ring = frozenset(stack[stack.index(node) :])
            del stack[stack.index(node) :]
            if len(ring) > 1:
                found.add(ring)

    for node in graph:
        if node not in number:
            visit(node)
    return found


def test_modules_of_a_package_import_each_other_in_no_ring() -> None:
    """Inside each package the modules form layers too; imports inside functions and for types count."""
    modules = {module_of(f): f for f in FILES if f.is_relative_to(ROOT / "checker") and f.name != "__init__.py"}
    graph = {
        module: {
            name
            for _, full in imports(file)
            for name in (full, full.rpartition(".")[0])
            if name in modules and name != module and name.split(".")[:2] == module.split(".")[:2]
        }
        for module, file in modules.items()
    }
    assert rings(graph) == set()


def test_a_ring_of_modules_is_found() -> None:
    """Through another module, and beside one that only leads into it."""
    graph = {"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set[str]()}
    assert rings(graph) == {frozenset("bc")}


def test_every_package_has_a_folder_of_tests() -> None:
    """tests/ has the folders of checker/, so that a test is found where the code is."""
    packages = {
        path.name
        for path in (ROOT / "checker").iterdir()
        if path.is_dir() and not path.is_symlink() and any(path.glob("*.py"))
    }
    folders = {path.name for path in (ROOT / "tests").iterdir() if any(path.rglob("test_*.py"))}
    assert packages <= folders


def test_no_file_is_longer_than_four_hundred_lines() -> None:
    """A file of the checker has one idea; a longer one has two, and is divided by them.  Models and tests are lists."""
    files = [f for f in FILES if f.is_relative_to(ROOT / "checker") or f.is_relative_to(ROOT / "benchmarks")]
    lengths = {f.relative_to(ROOT).as_posix(): f.read_text(encoding="utf-8").count("\n") for f in files}
    assert {name: length for name, length in lengths.items() if length > MOST_LINES} == {}
