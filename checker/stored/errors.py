"""Errors of a file that is read back.  Both have a message for the user; the command line ends with exit code 2."""

from __future__ import annotations


class StoredFileError(Exception):
    """A file or directory that the program keeps for later cannot be used: unreadable, damaged, of another version, in
    use.
    """


class Damaged(StoredFileError):
    """A file differs from what was written into it."""
