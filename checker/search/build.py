"""From emitted functions to machine code in memory, by way of the cache of machine code.

Building the seen set takes 0.2 to 0.4 s, more than checking a small model; without optimisation it takes a third,
loading it from the cache one or two milliseconds.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from types import ModuleType
from typing import Any

from llvmlite import binding as llvm

from checker.frozen import frozen
from checker.stored import machine_code
from checker.stored.machine_code import Code


@frozen(eq=False)
class Library:
    """Compiled functions by name. Holds the code, which would be freed without it.

    Calling a function releases Python's lock. Arguments are addresses and integers.
    """

    code: Code
    functions: dict[str, Callable[..., int]]
    quick: bool
    """Whether it was compiled without optimisation."""

    def __getitem__(self, name: str) -> Callable[..., int]:
        return self.functions[name]

    def address(self, name: str) -> int:
        """Where a function's code begins."""
        return self.code.address(name)


def version_of(*modules: ModuleType) -> str:
    """A hash of the sources of modules.  Call it when they are imported: a file that is edited later is not the running
    code.
    """
    return machine_code.version_of(str(module.__file__) for module in modules)


def compiled(
    what: str, emit: Callable[[], str], version: str, signatures: dict[str, str], quick: bool = False
) -> Library:
    """The functions of the module whose assembly `emit` writes, built for this machine unless the cache has them.

    `what` names the module, with its parameters; `version` the sources that determine the emitted code; `signatures`
    gives each function's arguments, p(ointer) or i(nteger). All functions return an integer.  quick: without
    optimisation, unless the cache has the optimised code.
    """
    name, machine = machine_code.name_of(what, version), machine_code.target_machine(jit=True)
    code = machine_code.recall(name, machine)
    quick = quick and code is None
    if quick:
        name, machine = machine_code.name_of(what, version, "quick"), machine_code.target_machine(0, jit=True)
        code = machine_code.recall(name, machine)
    if code is None:
        objects = _object_code(emit(), machine, quick)
        machine_code.remember(name, objects)
        code = machine_code.loaded(objects, machine_code.target_machine(jit=True))
    kinds = {"p": ctypes.c_void_p, "i": ctypes.c_int64}
    functions: dict[str, Callable[..., int]] = {
        name: ctypes.CFUNCTYPE(ctypes.c_int64, *(kinds[letter] for letter in arguments))(code.address(name))
        for name, arguments in signatures.items()
    }
    return Library(code, functions, quick)


def _object_code(assembly: str, machine: Any, quick: bool) -> bytes:
    module = llvm.parse_assembly(assembly)
    module.triple, module.data_layout = llvm.get_default_triple(), str(machine.target_data)
    if not quick:
        machine_code.optimise(module, machine)
    return bytes(machine.emit_object(module))
