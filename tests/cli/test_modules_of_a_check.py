"""A check waits only for the modules that it needs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

MODEL = """from checker.language import Int, Model, action, var


class Counter(Model):
    n = var(Int(0, 2), 0)

    @action
    def step(self):
        self.n = (self.n + 1) % 3
"""

LISTED = """import atexit, sys
from checker.cli.entry import main
show = lambda: open("modules", "w").write("\\n".join(sys.modules))
sys.argv = ["checker", "check", "counter.py"]
import os
end = os._exit
os._exit = lambda code: (show(), end(code))
atexit.register(show)
main()
"""


def test_a_check_imports_no_results_of_comparisons(tmp_path: Path) -> None:
    """Their classes would be made at each start: 2 percent of a small check."""
    (tmp_path / "counter.py").write_text(MODEL)
    subprocess.run([sys.executable, "-c", LISTED], cwd=tmp_path, check=False, capture_output=True)
    loaded = (tmp_path / "modules").read_text().split()
    assert "checker.analysis.check" in loaded
    unneeded = ("checker.results.comparison", "checker.results.review", "checker.analysis.compare")
    assert not [name for name in loaded if name.startswith(unneeded)]
