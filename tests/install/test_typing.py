"""Type checkers read model files without an error, with the settings that docs/language.md gives."""

from __future__ import annotations

import inspect
import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from checker.catalogue import in_file
from checker.language.define import define

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")
FILES = ["models", "properties", "docs/first_model.py", "benchmarks/models"]


def settings(language: str) -> str:
    """The last block of the page in a language of settings."""
    return re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)[-1]


@pytest.mark.thorough  # `.ci/run` has mypy read the same models with the same rules, see below
def test_mypy_finds_nothing_in_shipped_models(tmp_path: Path) -> None:
    """The rules that are off are those of the page."""
    pytest.importorskip("mypy")
    (override,) = tomllib.loads(settings("toml"))["tool"]["mypy"]["overrides"]
    configuration = tmp_path / "mypy.ini"
    configuration.write_text("[mypy]\nfollow_imports = silent\nignore_missing_imports = True\n", encoding="utf-8")
    off = [word for code in override["disable_error_code"] for word in ("--disable-error-code", code)]
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--config-file",
        str(configuration),
        "--cache-dir",
        str(tmp_path / "cache"),
    ]
    ran = subprocess.run([*command, *off, *FILES], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout


def test_the_rules_for_this_repository_are_those_of_the_page() -> None:
    """Whoever changes one changes the other."""
    (page,) = tomllib.loads(settings("toml"))["tool"]["mypy"]["overrides"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mypy"]["overrides"]
    (ours,) = [o for o in project if "checker.models.*" in o["module"]]
    assert ours["disable_error_code"] == page["disable_error_code"]


PYRIGHT = shutil.which("pyright") or shutil.which("basedpyright")  # the second has the same checker and its own Node


@pytest.mark.skipif(PYRIGHT is None, reason="pyright is not installed")
def test_pyright_finds_nothing_in_shipped_models(tmp_path: Path) -> None:
    """The same of pyright."""
    rules = {"typeCheckingMode": "standard", **json.loads(settings("json"))}
    configuration = tmp_path / "pyrightconfig.json"
    include = [str(ROOT / name) for name in FILES]
    configuration.write_text(json.dumps({**rules, "include": include, "extraPaths": [str(ROOT)]}), encoding="utf-8")
    command = [str(PYRIGHT), "--pythonpath", sys.executable, "-p", str(configuration)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout


@pytest.mark.parametrize("name", ["models/isis.py", "models/consensus.py", "docs/first_model.py"])
def test_an_editor_completes_what_follows_self(name: str) -> None:
    """Variables, constants, rules, actions and what the base classes have are offered at the first `self.` of a method
    that an action calls them in."""
    jedi = pytest.importorskip("jedi")
    source = (ROOT / name).read_text(encoding="utf-8")
    (entry,) = (e for e in in_file(ROOT / name) if e.main)
    definition = define(entry.cls)
    declared = {v.name for v in definition.variables if "." not in v.name} | {a.name for a in definition.actions}
    lines, first = inspect.getsourcelines(entry.cls)
    line, found = next((n, m) for n, text in enumerate(lines, first) if (m := re.search(r"self\.(?=\w)", text)))
    project = jedi.Project(str(ROOT), sys_path=[str(ROOT), *sys.path])
    completions = jedi.Script(source, path=str(ROOT / name), project=project).complete(line, found.end())
    offered = {completion.name for completion in completions}
    assert declared - offered == set()
    assert {"processes", "workload"} & set(definition.constants) <= offered
