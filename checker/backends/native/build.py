"""LLVM: from assembly to machine code in memory, with a cache of object code on disk.

The cache is keyed by the text of the model's IR, the version of this package's emitters, LLVM and the host's processor. A cached kernel
is loaded without emitting or optimising anything.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
from attrs import asdict, frozen

from checker.backends.native.findings import Finding
from checker.backends.native.runtime import SMALL
from checker.ir import domain
from checker.ir.model import Model


@frozen(eq=False)
class Code:
    """Machine code in memory.  The engine owns it and must stay alive."""

    engine: Any
    findings: tuple[Finding, ...]

    def address(self, name: str) -> int:
        """Address of a function."""
        return int(self.engine.get_function_address(name))


@cache
def _initialized() -> bool:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return True


WITHOUT = "bmi"
"""Instructions that LLVM 22 is not to use: with `andn`, its selection of instructions never comes to an end on some kernels (ISIS with a loss on FIFO channels).  Searches are no faster by them."""


def _machine(level: int = 2) -> Any:
    _initialized()
    target = llvm.Target.from_default_triple()
    features = ",".join(f"-{WITHOUT}" if f == f"+{WITHOUT}" else f for f in llvm.get_host_cpu_features().flatten().split(","))
    return target.create_target_machine(cpu=llvm.get_host_cpu_name(), features=features, opt=level)


LARGE = 3000
"""Kernels of more lines of assembly are optimised by few passes: -O2 takes two to three times as long, and a search gains 5 to 20 percent by it."""


def object_code(text: str, few_passes: bool = False, quick: bool = False) -> bytes:
    """Optimised object code of a kernel's assembly; with few passes if it is large or to be used for a short time; quick: as soon as can be, for a very short time."""
    few_passes = few_passes or quick or text.count("\n") > LARGE
    machine = _machine(0 if quick else 2)
    module = llvm.parse_assembly(f"{text}\nattributes {SMALL} = {{ {'alwaysinline' if few_passes else 'nounwind'} }}\n")
    module.triple = llvm.get_default_triple()
    if few_passes:
        _few_passes(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options()))
    else:
        _all_passes(module, machine)
    return bytes(machine.emit_object(module))


def _few_passes(module: Any, builder: Any) -> None:
    """What the emitted code needs most: slots into registers, constant guards folded.

    Not NewGVN, which would remove repeated loads: on some kernels it ends the process ("Value number changed after main loop completed"), and searches are no faster by it.
    """
    passes = llvm.create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    passes.add_sroa_pass()
    passes.add_simplify_cfg_pass()
    passes.add_instruction_combine_pass()
    passes.add_jump_threading_pass()
    passes.add_dead_store_elimination_pass()
    passes.add_simplify_cfg_pass()
    passes.add_instruction_combine_pass()
    passes.run(module, builder)


def _all_passes(module: Any, machine: Any) -> None:
    options = llvm.create_pipeline_tuning_options(speed_level=2)
    options.loop_unrolling = False
    options.loop_vectorization = False
    options.slp_vectorization = False
    builder = llvm.create_pass_builder(machine, options)
    passes = builder.getModulePassManager()
    passes.run(module, builder)


def load(code: bytes, findings: tuple[Finding, ...]) -> Code:
    """Object code made executable."""
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine())
    engine.add_object_file(llvm.object_file.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return Code(engine, findings)


# -- cache on disk -----------------------------------------------------------------------------------------------------------


def _emitters() -> str:
    """Hash of the source of this package and of the IR, so that a changed emitter never finds old code."""
    digest = hashlib.sha256()
    for package in (Path(__file__).parent, Path(domain.__file__).parent):
        for path in sorted(package.glob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()


_EMITTERS = _emitters()  # of what is imported: a file that is edited while this runs is not what runs


def key(model: Model, *purpose: str) -> str:
    """Name of a model's kernel in the cache; `purpose` tells other kernels of the model from the one for searches."""
    _initialized()
    host = f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()} {llvm.llvm_version_info}"
    return hashlib.sha256("\0".join([repr(model), _EMITTERS, host, *purpose]).encode()).hexdigest()


def directory() -> Path:
    """Where kernels are cached."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(os.devnull if home.startswith("~") else home) / "checker" / "kernels"  # who has no home has no cache


def recall(name: str) -> Code | None:
    """The cached kernel of that name."""
    path = directory() / f"{name}.o"
    try:
        findings = json.loads(path.with_suffix(".json").read_text())
        return load(path.read_bytes(), tuple(Finding(**f) for f in findings))
    except (OSError, ValueError, TypeError):
        return None


def remember(name: str, code: bytes, findings: tuple[Finding, ...]) -> None:
    """Put a kernel into the cache; a cache that cannot be written is no error."""
    path = directory() / f"{name}.o"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path, code)
        _write(path.with_suffix(".json"), json.dumps([asdict(f) for f in findings]).encode())
    except OSError:
        return


def _write(path: Path, data: bytes) -> None:
    """Write whole or not at all, also with several processes at once."""
    handle, temporary = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    os.replace(temporary, path)
