"""The peak of memory is that of the process itself."""

from __future__ import annotations

import subprocess
import sys

from checker.search.memory import peak_resident

MEGA = 1 << 20


def test_the_peak_of_a_process_is_not_that_of_its_parent() -> None:
    """A small process that a larger one starts: `ru_maxrss` of Linux would be at least the parent's."""
    held = bytearray(300 * MEGA)
    held[:: 1 << 12] = bytes(len(held[:: 1 << 12])).replace(b"\0", b"\1")
    ask = "from checker.search.memory import peak_resident; print(peak_resident())"
    ran = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    assert int(ran.stdout) < 150 * MEGA
    assert peak_resident() > 300 * MEGA and held[0]
