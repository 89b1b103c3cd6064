"""Exact breadth-first search over an abstract source of successors, in the threads of one process."""

from checker.contract import NEVER, Finding, Source
from checker.search.breadth_first import search
from checker.search.limits import Limits
from checker.search.progress import Progress, TerminalProgress
from checker.search.result import ActionCount, Coverage, SearchResult, Violation

__all__ = [
    "NEVER",
    "ActionCount",
    "Coverage",
    "Finding",
    "Limits",
    "Progress",
    "SearchResult",
    "Source",
    "TerminalProgress",
    "Violation",
    "search",
]
