"""Reference models whose state counts independent tools agree on."""

from pathlib import Path


def path_of(model: str) -> str:
    """What the checker takes for a model: one of this folder by the path of its file, any other as it is named."""
    file = Path(__file__).with_name(f"{model}.py")
    return str(file) if file.exists() else model


TWO_PHASE_COMMIT = path_of("two_phase_commit")
