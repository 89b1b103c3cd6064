"""From emitted functions to machine code in memory, by way of a cache of object code on disk.

Building the seen set takes some 60 ms, a noticeable part of checking a small model; loading it from the cache takes
one or two. A cached file is named by everything its content depends on (the emitting sources, what is asked for, LLVM
and the processor) and begins with a checksum, so a stale or damaged one is never used. A cache that cannot be read or
written is no error.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from attrs import frozen
from llvmlite import binding as llvm
from llvmlite import ir


@frozen(eq=False)
class Library:
    """Compiled functions by name. Holds the engine, without which their code would be freed.

    Calling a function releases Python's lock. Arguments are addresses and integers.
    """

    engine: Any
    functions: dict[str, Callable[..., int]]

    def __getitem__(self, name: str) -> Callable[..., int]:
        return self.functions[name]

    def address(self, name: str) -> int:
        """Where a function's code begins."""
        return int(self.engine.get_function_address(name))


def version_of(*modules: ModuleType) -> str:
    """A hash of the sources of modules. To be taken when they are imported: a file that is edited later is not what runs."""
    digest = hashlib.sha256()
    for module in modules:
        digest.update(Path(str(module.__file__)).read_bytes())
    return digest.hexdigest()


def compiled(what: str, emit: Callable[[], ir.Module], version: str, signatures: dict[str, str]) -> Library:
    """The functions of the module that `emit` makes, built for this machine unless the cache has them.

    `what` names the module, with its parameters; `version` the sources that decide what is emitted; `signatures`
    gives each function's arguments, p(ointer) or i(nteger). All functions return an integer.
    """
    path = _directory() / f"{_key(what, version)}.o"
    code = _recall(path)
    if code is None:
        code = _object_code(emit())
        _remember(path, code)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine())
    engine.add_object_file(llvm.object_file.ObjectFileRef.from_data(code))
    engine.finalize_object()
    functions: dict[str, Callable[..., int]] = {}
    for name, arguments in signatures.items():
        types = [ctypes.c_void_p if letter == "p" else ctypes.c_int64 for letter in arguments]
        functions[name] = ctypes.CFUNCTYPE(ctypes.c_int64, *types)(engine.get_function_address(name))
    return Library(engine, functions)


def _object_code(module: ir.Module) -> bytes:
    machine = _machine()
    module.triple = llvm.get_default_triple()
    module.data_layout = str(machine.target_data)
    compiled = llvm.parse_assembly(str(module))
    options = llvm.create_pipeline_tuning_options(speed_level=2)
    options.loop_unrolling = options.loop_vectorization = options.slp_vectorization = False  # no gain, and slow to build
    passes = llvm.create_pass_builder(machine, options)
    passes.getModulePassManager().run(compiled, passes)
    return bytes(machine.emit_object(compiled))


@cache
def _initialize() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


def _machine() -> Any:
    _initialize()
    features = llvm.get_host_cpu_features().flatten()
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(cpu=llvm.get_host_cpu_name(), features=features, opt=2, jit=True)


def _key(what: str, version: str) -> str:
    _initialize()
    host = f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()} {llvm.llvm_version_info}"
    return hashlib.sha256(f"{what} {version} {host}".encode()).hexdigest()


def _directory() -> Path:
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(os.devnull if home.startswith("~") else home) / "checker" / "search"  # who has no home has no cache


def _recall(path: Path) -> bytes | None:
    try:
        data = path.read_bytes()
    except OSError:
        return None
    checksum, code = data[:32], data[32:]
    return code if hashlib.sha256(code).digest() == checksum else None


def _remember(path: Path, code: bytes) -> None:
    """Write whole or not at all, also when several processes do it at once."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(hashlib.sha256(code).digest() + code)
        os.replace(temporary, path)
    except OSError:
        return
