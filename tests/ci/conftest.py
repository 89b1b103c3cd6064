"""The runner of the command line, and the lock, for tests of what build servers and designers read."""

from tests.command_line.conftest import checker, here, lock, write

__all__ = ["checker", "here", "lock", "write"]
