"""Machine code: made executable in memory, and kept on disk from one run to the next.

This is the one cache of machine code.  A file is named by a hash of everything that determines its content: what is
compiled, the sources of the emitters, LLVM and the processor.  It is sealed under that name, so the executed code is,
byte for byte, what this program wrote for the same purpose; a damaged, exchanged or truncated file counts as absent and
is written again.  It is executed only if it belongs to the user of this process (`owned`).  A cache that cannot be read
or written is no error.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
from attrs import field

from checker import assembly
from checker.frozen import frozen
from checker.stored.errors import StoredFileError
from checker.stored.owned import own_directory, read_own, warn_once
from checker.stored.sealed import seal, unseal
from checker.stored.shape import parsed
from checker.stored.whole import write_whole

FORMAT = 1
_KIND = "machine-code"


@frozen(eq=False)
class Code:
    """Machine code in memory, and the notes that were stored with it.  The engine owns the code and must stay alive.
    size: bytes of the object file."""

    engine: Any
    notes: Any = None
    size: int = 0
    _addresses: dict[str, int] = field(init=False, factory=dict)

    def address(self, name: str) -> int:
        """Address of a function.  LLVM is asked only once, because a call waits while LLVM compiles something else."""
        if name not in self._addresses:
            self._addresses[name] = int(self.engine.get_function_address(name))
        return self._addresses[name]


@cache
def _initialize() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


@cache
def _processor() -> tuple[str, str]:
    """Name and features of the processor, which LLVM determines anew at every call."""
    return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


def target_machine(level: int = 2, jit: bool = False, without: str = "") -> Any:
    """The target machine of LLVM for this machine; `without` a feature of its processor."""
    _initialize()
    name, features = _processor()
    chosen = ",".join(f"-{without}" if f == f"+{without}" else f for f in features.split(","))
    return llvm.Target.from_default_triple().create_target_machine(cpu=name, features=chosen, opt=level, jit=jit)


@cache
def gathers_bits() -> bool:
    """Whether the processor quickly gathers the bits of a mask (BMI2; before Zen 3, it takes hundreds of cycles)."""
    name, features = _processor()
    return "+bmi2" in features.split(",") and name not in ("znver1", "znver2")


def tuning() -> Any:
    """-O2, without passes that take long and gain nothing here."""
    options = llvm.create_pipeline_tuning_options(speed_level=2)
    options.loop_unrolling = options.loop_vectorization = options.slp_vectorization = False
    return options


def optimise(module: Any, machine: Any) -> None:
    """Run the passes of -O2."""
    builder = llvm.create_pass_builder(machine, tuning())
    builder.getModulePassManager().run(module, builder)


def loaded(objects: bytes, machine: Any, notes: Any = None) -> Code:
    """Object code made executable."""
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.object_file.ObjectFileRef.from_data(objects))
    engine.finalize_object()
    return Code(engine, notes, len(objects))


# ---- the cache


def version_of(files: Iterable[Path | str]) -> str:
    """A hash of source files.  Call it when they are imported: a file that is edited later is not the running code."""
    return hashlib.sha256(b"".join(Path(file).read_bytes() for file in files)).hexdigest()


_OWN = version_of([__file__, assembly.__file__])  # for what processor code is made, and how all of it is written


def name_of(*parts: str) -> str:
    """The name of machine code that depends on these texts, and on this machine."""
    _initialize()
    host = f"{' '.join(_processor())} {llvm.llvm_version_info}"
    return hashlib.sha256("\0".join([*parts, _OWN, host]).encode()).hexdigest()


def directory() -> Path | None:
    """Where machine code is kept.  A user without a home directory has no cache."""
    home = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(home):  # by the XDG specification it counts for nothing then
        home = os.path.expanduser("~/.cache")
    return Path(home) / "checker" / "code" if os.path.isabs(home) else None


def recall(name: str, machine: Any) -> Code | None:
    """The machine code of that name; None if it is absent, or differs from what was written."""
    place = directory()
    if place is None:
        return None
    path = place / f"{name}.o"
    try:
        data = read_own(path) if own_directory(place) else None
        if data is None:
            return None
        notes, _, objects = unseal(_KIND, FORMAT, name, data, str(path)).partition(b"\n")
        return loaded(objects, machine, parsed(notes))
    except (OSError, StoredFileError, ValueError):
        return None


def remember(name: str, objects: bytes, notes: Any = None) -> None:
    """Keep object code, with notes about it: JSON data."""
    place = directory()
    if place is None:
        return
    try:
        if own_directory(place, make=True):
            content = json.dumps(notes).encode() + b"\n" + objects
            write_whole(place / f"{name}.o", seal(_KIND, FORMAT, name, content), durable=False, mode=0o600)
    except OSError as error:
        warn_once(place, f"keeps no code, and each run compiles it again: {error.strerror or error}")
