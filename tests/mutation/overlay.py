"""One module of the program replaced by a changed one, in this process only: no file is touched."""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType


class Overlay(MetaPathFinder, Loader):
    """Finds one module and executes this tree for it; `inspect` and tracebacks read the file as it is."""

    def __init__(self, module: str, file: Path, tree: ast.Module) -> None:
        self.module, self.file, self.tree = module, file, tree

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """This module's own specification; None for any other."""
        if fullname != self.module:
            return None
        within = [str(self.file.parent)] if self.file.name == "__init__.py" else None
        return spec_from_file_location(fullname, self.file, loader=self, submodule_search_locations=within)

    def create_module(self, spec: ModuleSpec) -> None:
        """As modules are created."""

    def exec_module(self, module: ModuleType) -> None:
        """Execute the changed tree; nothing is written beside the file."""
        exec(compile(self.tree, str(self.file), "exec"), module.__dict__)


def lay(module: str, file: Path, tree: ast.Module) -> None:
    """From now on, importing that module executes this tree.  It must not have been imported."""
    assert module not in sys.modules, f"{module} is imported before it is changed"
    sys.meta_path.insert(0, Overlay(module, file, tree))
