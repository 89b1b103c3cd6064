"""Freedom from deadlock, for protocols that are meant to run for ever."""

from checker.language import Quiescence


class DeadlockFree(Quiescence):
    """Some action other than a fault is always enabled."""

    def holds(self) -> bool:
        return False

    def explain(self) -> str:
        return "nothing but a fault can happen any more."
