"""The line of progress of a command with several searches."""

from __future__ import annotations

import re

import pytest
from attrs import evolve

from checker.search.progress import Progress, TerminalProgress

SEARCH = Progress(3, 1_234, 5_678, 2e6, 300, 4_000_000, 12.0)


def test_without_a_terminal_a_line_comes_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    """It names what is being done, of a long name its end, how far it is, and since when."""
    shown = TerminalProgress(enabled=False, ticking=True, seldom=0.0)
    shown.say(f"configuration 2 of 3 ({'x' * 50}): searching base")
    shown(SEARCH)
    first, second = capsys.readouterr().err.splitlines()
    assert first.endswith("searching base  0 s")
    assert re.fullmatch(r"…x+\): searching base: level 3, 1,234 states, 4 MB  0 s", second) and len(second) < 80
    never = TerminalProgress(enabled=False, ticking=True, seldom=3600.0)
    never.say("searching base")
    never(SEARCH)
    TerminalProgress(enabled=False)(SEARCH)
    assert capsys.readouterr().err == ""


def test_the_line_of_a_single_search_has_all_its_counts() -> None:
    """Nothing else was said."""
    from checker.search.progress import describe

    assert describe(SEARCH).startswith("level 3  1,234 states  5,678 transitions  2.0 M/s")


def test_a_level_that_grows_is_told_with_its_growth(capsys: pytest.CaptureFixture[str]) -> None:
    """Not where a level had few reports, nor where the level is smaller, nor of another search."""

    def line(level: int, frontier: int, distinct: int) -> str:
        shown(evolve(SEARCH, level=level, frontier=frontier, distinct=distinct))
        return capsys.readouterr().err

    shown = TerminalProgress(enabled=False, seldom=0.0)
    assert all("times" not in line(3, left, 5_000) for left in (1000, 700, 400, 100))
    assert "about 1.5 times the level before" in line(4, 1500, 6_000)
    assert "about 1.5 times the level before" in line(4, 300, 6_500)
    assert all("times" not in line(5, left, 7_000) for left in (9000, 20))  # level 4 had two reports
    assert "times" not in line(6, 30_000, 8_000)
    assert "times" not in line(7, 40_000, 100)  # fewer states: a new search
