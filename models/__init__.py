"""Protocols: one file each, the printed rule first, then its readings, repairs and edits with their verdicts.

They are imported as `checker.models`.  In the repository that is a symbolic link to this folder, which editors, type
checkers and packagers follow; Python looks into the folder itself, so that every file has one path.
"""

from pathlib import Path

__path__ = [str(Path(__file__).resolve().parent)]
