"""LLVM: from assembly to optimised object code, and back from the cache of machine code.

The cache is keyed by the text of the model's IR, the version of this package's emitters, LLVM and the host's processor.
A cached kernel is loaded without emitting or optimising anything.  Its findings are stored with it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
from attrs import asdict, evolve

from checker.backends.native.context import Findings
from checker.backends.native.runtime import SMALL
from checker.contract import Finding
from checker.ir import domain
from checker.ir.model import Model
from checker.stored import machine_code
from checker.stored.machine_code import Code
from checker.stored.shape import WrongShape, array, record, text, whole

WITHOUT = "bmi"
"""Instructions that LLVM 22 must not use: with `andn`, its instruction selection does not terminate for some kernels
(ISIS with a loss on FIFO channels).  Searches are not faster with them.
"""


def _machine(level: int = 2) -> Any:
    return machine_code.target_machine(level, without=WITHOUT)


LARGE = 3000
"""Kernels of at most this many lines of assembly are optimised as a whole (-O2), which takes half as long again and
gains 5 to 30 percent; larger ones function by function, because the inliner of -O2 does not make their searches faster.
"""


def object_code(assembly: str, by_function: bool = False, quick: bool = False) -> bytes:
    """Optimised object code of a kernel's assembly; function by function if the kernel is large or used only for a
    short time.  quick: compile in a tenth of the time; the code takes up to three times as long.
    """
    by_function = by_function or assembly.count("\n") > LARGE
    machine = _machine(0 if quick else 2)
    module = llvm.parse_assembly(
        f"{assembly}\nattributes {SMALL} = {{ {'alwaysinline' if by_function else 'nounwind'} }}\n"
    )
    module.triple = llvm.get_default_triple()
    if quick:
        _quickly(module, machine)
    elif by_function:
        _by_function(module, machine)
    else:
        machine_code.optimise(module, machine)
    return bytes(machine.emit_object(module))


def _quickly(module: Any, machine: Any) -> None:
    """Only move slots into registers: to inline small rules takes longer than the searches that end with this code gain
    by it.
    """
    passes = llvm.create_new_module_pass_manager()
    passes.add_sroa_pass()
    passes.run(module, llvm.create_pass_builder(machine, machine_code.tuning()))


def _by_function(module: Any, machine: Any) -> None:
    """Optimise as -O2 does inside each function, after small rules were inlined and read-only functions were marked."""
    builder = llvm.create_pass_builder(machine, machine_code.tuning())
    passes = llvm.create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    passes.add_sroa_pass()
    passes.add_simplify_cfg_pass()
    passes.add_post_order_function_attributes_pass()
    passes.run(module, builder)
    simplifying = builder.getFunctionPassManager()
    for function in module.functions:
        if not function.is_declaration:
            simplifying.run(function, builder)


# -- the cache


_PACKAGES = (Path(__file__).parent, Path(domain.__file__).parent)
_EMITTERS = machine_code.version_of(file for package in _PACKAGES for file in sorted(package.glob("*.py")))
_FINDINGS = array(record(Finding, {"kind": text, "name": text, "line": whole()}))


def identity(model: Model) -> str:
    """A short identifier of a model (its text is long)."""
    return hashlib.sha256(repr(model).encode()).hexdigest()


def key(identity: str, *purpose: str) -> str:
    """Name of a model's kernel in the cache; `purpose` tells other kernels of the model from the one for searches."""
    return machine_code.name_of(identity, _EMITTERS, *purpose)


def compiled(
    identity: str,
    purpose: tuple[str, ...],
    emitted: Callable[[], tuple[str, Findings]],
    quick: bool,
    by_function: bool = False,
    cache: bool = True,
) -> tuple[Code, bool]:
    """A kernel of a model, from the cache if that is allowed and has it, with its findings as notes; and whether it was
    compiled quickly: if that was requested, and the cache has no optimised code.  emitted: returns its assembly.
    """
    name = key(identity, *purpose)
    code = _recall(name) if cache else None
    quick = quick and code is None
    if quick and cache:
        name = key(identity, "quick", *purpose)
        code = _recall(name)
    if code is None:
        text, findings = emitted()
        objects = object_code(text, by_function, quick)
        code = machine_code.loaded(objects, _machine(), tuple(findings.table))
        if cache:
            machine_code.remember(name, objects, [asdict(f) for f in findings.table])
    return code, quick


def _recall(name: str) -> Code | None:
    """The cached kernel of that name."""
    code = machine_code.recall(name, _machine())
    try:
        return None if code is None else evolve(code, notes=_FINDINGS(code.notes))
    except WrongShape:
        return None
