"""Where the checker may come from: a wheel in an environment of its own, or a clone in PYTHONPATH."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = "import sys; from setuptools import build_meta; print(build_meta.build_wheel(sys.argv[1]))"

Python = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from what git knows of this repository."""
    pytest.importorskip("setuptools", minversion="70.1", reason="older ones need another package to build a wheel")
    place = tmp_path_factory.mktemp("build")
    source, dist = place / "source", place / "dist"
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_symlink() or (ROOT / name).exists():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / name).is_symlink():
                (source / name).symlink_to(os.readlink(ROOT / name))
            else:
                (source / name).write_bytes((ROOT / name).read_bytes())
    dist.mkdir()
    subprocess.run([sys.executable, "-c", BUILD, str(dist)], cwd=source, check=True, capture_output=True, env=_plain())
    return next(dist.glob("*.whl"))


@pytest.fixture(scope="session")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with the wheel, and with the libraries of this one."""
    place = tmp_path_factory.mktemp("environment")
    venv.create(place, with_pip=False)
    python = place / "bin" / "python"
    ask = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    site = Path(subprocess.run(ask, capture_output=True, text=True, check=True).stdout.strip())
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(site)
    # a directory that a .pth file adds has its own .pth files ignored, so this clone is not in the path
    (site / "libraries.pth").write_text("\n".join(p for p in sys.path if p.endswith("-packages")))
    return python


@pytest.fixture(params=["wheel", "PYTHONPATH"])
def python(request: pytest.FixtureRequest) -> Python:
    """Runs a Python that has the checker, `python("-m", "checker", ..., cwd=...)`."""
    chosen = request.getfixturevalue("environment") if request.param == "wheel" else sys.executable
    variables = _plain()
    variables.pop("PYTHONDONTWRITEBYTECODE", None)  # else each command compiles what it imports of the wheel
    if request.param == "PYTHONPATH":
        variables["PYTHONPATH"] = str(ROOT)

    def run(*arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
        command = [str(chosen), *map(str, arguments)]
        return subprocess.run(command, cwd=cwd, env=variables, capture_output=True, text=True, check=False)

    return run


def _plain() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
