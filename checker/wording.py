"""How numbers of things are said, on every page and line.  It imports nothing: whoever prints may use it."""


def counted(number: int, noun: str) -> str:
    """A number of things: "1 step", "1,200 steps"."""
    return f"{number:,} {noun}{'s' * (number != 1)}"
