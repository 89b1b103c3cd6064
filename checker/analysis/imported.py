"""Which loaded modules the import statements of a file name.

A loaded module does not show its imports: an imported number has no reference to its module.  A name is looked up among
the files beside the model (`importing.places_of`), because modules of several projects may have one name, and among the
loaded modules, including those that were renamed for another project.  Where it stops: imports by a call
(`importlib.import_module`) are not found.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from types import ModuleType

from attrs import define, field

from checker.importing import in_packages, places_of, resolved
from checker.language.places import is_own

ENVIRONMENT = Path(sys.prefix).resolve()


def file_of(module: ModuleType | None) -> Path | None:
    """The file of a module, if it is Python's."""
    file = getattr(module, "__file__", None)
    return resolved(file) if file and file.endswith(".py") else None


@define(slots=False)
class Imports:
    """The loaded modules, and which of them files below a folder import.  An environment inside of the folder does not
    count, wherever it is: its packages import thousands of modules and change with their versions alone.
    """

    below: Path
    _found: dict[Path, tuple[ModuleType, ...]] = field(factory=dict)
    _reached: dict[int, tuple[ModuleType | None, ...]] = field(factory=dict)

    @cached_property
    def _loaded(self) -> dict[Path, ModuleType]:
        files = ((file_of(module), module) for module in list(sys.modules.values()))
        return {file: module for file, module in files if file is not None}

    def covers(self, file: Path) -> bool:
        """Whether a file (resolved) is below the folder and not installed in the environment of this process."""
        installed = in_packages(file) and file.is_relative_to(ENVIRONMENT)
        return file.is_relative_to(self.below) and not installed

    def of(self, file: Path) -> tuple[ModuleType, ...]:
        """The loaded modules that a file (resolved) imports; none for a file elsewhere."""
        if not self.covers(file):
            return ()
        if file not in self._found:
            names = _names(ast.parse(file.read_text(encoding="utf-8")), file)
            called = _by_name()
            found = (m for places, name in names for m in (*self._beside(places, name), *called.get(name, ())))
            self._found[file] = tuple({id(module): module for module in found}.values())
        return self._found[file]

    def reached(self, module: ModuleType) -> tuple[ModuleType | None, ...]:
        """The modules whose contents a module holds, and those that its file imports; none of the standard library and
        of the checker itself, which import no model.
        """
        if id(module) not in self._reached:
            file, known = file_of(module), list[ModuleType | None]()
            if not _imports_no_model(module.__name__) and file is not None:
                held = vars(module).values()
                of = {v.__name__ if isinstance(v, ModuleType) else str(getattr(v, "__module__", "")) for v in held}
                known = [*(sys.modules.get(name) for name in sorted(of)), *self.of(file)]
            self._reached[id(module)] = tuple(known)
        return self._reached[id(module)]

    def _beside(self, places: list[Path], name: str) -> Iterator[ModuleType]:
        parts = name.split(".")
        for place in places:
            path = place.joinpath(*parts)
            for file in (path.with_name(f"{path.name}.py"), path / "__init__.py"):
                if (module := self._loaded.get(file)) is not None:
                    yield module


def _imports_no_model(name: str) -> bool:
    """A module of the checker holds hundreds of others, each of which every model would be said to depend on."""
    return name.partition(".")[0] in sys.stdlib_module_names or is_own(name)


def _by_name() -> dict[str, list[ModuleType]]:
    """The loaded modules of each name, those that were renamed for another project too.  For a relative import another
    module may have that name; examining it too has no effect.
    """
    found: dict[str, list[ModuleType]] = {}
    for known, module in list(sys.modules.items()):
        found.setdefault(known.rpartition(": ")[2], []).append(module)
    return found


def _names(tree: ast.Module, file: Path) -> Iterator[tuple[list[Path], str]]:
    """The names that may be modules, each with the places where a file of it may be."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from ((places_of(file), name) for name in _with_packages(alias.name))
        elif isinstance(node, ast.ImportFrom):
            places = [file.parents[node.level - 1]] if node.level else places_of(file)
            if node.level:
                yield [places[0].parent], places[0].name  # the package itself, whose __init__ may define the name
            above = [node.module] if node.module else []
            yield from ((places, name) for module in above for name in _with_packages(module))
            yield from ((places, ".".join([*above, alias.name])) for alias in node.names)


def _with_packages(name: str) -> Iterator[str]:
    """A module and the packages that it is in, each of which is executed before it."""
    parts = name.split(".")
    yield from (".".join(parts[:end]) for end in range(1, len(parts) + 1))
