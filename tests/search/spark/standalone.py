"""A standalone Spark cluster on the loopback interface: a master and workers, each a process of its own as on real
machines."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from attrs import define, field

LIBRARIES = ("numpy", "numpy.libs", "attr", "attrs", "llvmlite", "llvmlite.libs", "pyarrow", "pyarrow.libs")


def executors_python(directory: Path, libraries: Sequence[str] = LIBRARIES) -> Path:
    """A Python as executors have it: the libraries that are asked for, but neither the checker nor any model."""
    links = directory / "libraries"
    links.mkdir()
    for name in libraries:
        found = next((p / name for p in map(Path, sys.path) if (p / name).exists()), None)
        if found is not None:
            (links / name).symlink_to(found)
    script = directory / "python"
    script.write_text(f'#!/bin/sh\nPYTHONPATH="$PYTHONPATH:{links}" exec {sys.executable} -S "$@"\n')
    script.chmod(0o755)
    return script


@define
class Standalone:
    """The processes of a cluster whose files are in `directory`."""

    directory: Path
    master: str = ""
    workers: list[Any] = field(factory=list)
    _processes: list[Any] = field(factory=list)

    def start(self, *hosts: str) -> None:
        """Start the master, then a worker for each host, and wait until they have found each other."""
        process, log = self._daemon(
            "master", "org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", "0", "--webui-port", "0"
        )
        self.master = _said(process, log, r"Starting Spark master at (spark://\S+)")[1]
        for host in hosts:
            self.add_worker(host)

    def add_worker(self, host: str = "127.0.0.1") -> None:
        """One more worker with room for one executor with one task. Another address of the loopback interface makes it
        another machine to Spark."""
        name = f"worker{len(self.workers)}"
        place = self.directory / name
        process, log = self._daemon(
            name,
            "org.apache.spark.deploy.worker.Worker",
            "--host",
            host,
            "--webui-port",
            "0",
            "--cores",
            "1",
            "--memory",
            "1g",
            "--work-dir",
            str(place),
            self.master,
        )
        self.workers.append(process)
        _said(process, log, r"Successfully registered with master")

    def _daemon(self, name: str, *arguments: str) -> tuple[Any, Path]:
        import pyspark

        home = Path(pyspark.__file__).parent
        log, place = self.directory / f"{name}.log", self.directory / name
        place.mkdir()
        with log.open("w") as output:
            process = subprocess.Popen(
                [str(home / "bin" / "spark-class"), *arguments],
                cwd=place,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                env={**os.environ, "SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1"},
            )
        self._processes.append(process)
        return process, log

    def stop(self) -> None:
        """End all processes of the cluster, executors with their workers."""
        for process in reversed(self._processes):
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
                process.wait(30)


def _said(process: Any, log: Path, pattern: str) -> re.Match[str]:
    """Wait until a log says something."""
    deadline = time.monotonic() + 180
    while time.monotonic() < deadline and process.poll() is None:
        found = re.search(pattern, log.read_text())
        if found:
            return found
        time.sleep(0.1)
    raise RuntimeError(f"the cluster does not start: {log.read_text()[-2000:]}")
