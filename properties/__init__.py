"""Reusable properties of protocols, one idea per file; those of multicast are gathered in checker.properties.multicast.

They are imported as `checker.properties`, as the models are.
"""

from pathlib import Path

__path__ = [str(Path(__file__).resolve().parent)]
