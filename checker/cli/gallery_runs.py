"""The page of each run of the gallery: the one that `--out` writes, packed into a small file.

To make a page takes a tenth of a second and more, because the interpreter explains each state of the run. So a
comparison makes each EVERY-th page again, and of the others compares what they were made from.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from pathlib import Path

from checker.catalogue import find
from checker.cli.output import model_background
from checker.language.model import Model
from checker.report.gallery_pages import Exhibit, run_file
from checker.report.html import html_report
from checker.report.packed import is_made_from, packed, unpacked
from checker.report.wording import title
from checker.trace.itf import to_itf

RUN_PAGE, PICTURE = ".html", ".svg"
EVERY = 8


def outdated_pages(directory: Path, wanted: Iterable[Exhibit]) -> Iterator[tuple[str, str]]:
    """The pages that are missing or were made from something else, and of each EVERY-th page those with another text:
    path, and "missing" or "differs".
    """
    for number, exhibit in enumerate(wanted):
        page = directory / (exhibit.place + RUN_PAGE)
        if not page.exists():
            yield exhibit.place + RUN_PAGE, "missing"
            continue
        text, picture = page.read_text(encoding="utf-8"), _picture(directory, exhibit)
        if picture and not is_made_from(text, _made_from(exhibit, picture)):
            yield exhibit.place + RUN_PAGE, "differs"
        elif picture and number % EVERY == 0 and unpacked(text) != _page(exhibit, picture):
            yield exhibit.place + RUN_PAGE, "differs"


def write_pages(directory: Path, wanted: Iterable[Exhibit]) -> Iterator[str]:
    """Make all pages, write those that are missing or differ, and return their paths."""
    for exhibit in wanted:
        file, picture = directory / (exhibit.place + RUN_PAGE), _picture(directory, exhibit)
        page, made_from = _page(exhibit, picture), _made_from(exhibit, picture)
        old = file.read_text(encoding="utf-8") if file.exists() else ""
        if unpacked(old) != page or not is_made_from(old, made_from):
            text = packed(page, title(exhibit.trace), run_file(exhibit.place), made_from)
            file.write_text(text, encoding="utf-8")
            yield exhibit.place + RUN_PAGE


def _page(exhibit: Exhibit, picture: str) -> str:
    return html_report(exhibit.trace, picture or None, model_background(exhibit.trace), run_file(exhibit.place))


def _picture(directory: Path, exhibit: Exhibit) -> str:
    """The picture beside the run; "" if it is missing, because `dot` may be missing."""
    file = directory / (exhibit.place + PICTURE)
    return file.read_text(encoding="utf-8") if file.exists() else ""


def _made_from(exhibit: Exhibit, picture: str) -> list[str]:
    """The run, its picture, and the sources of its model."""
    cls = find(exhibit.trace.reference).cls
    models = (c for c in cls.__mro__ if issubclass(c, Model) and not c.__module__.startswith("checker.language"))
    files = dict.fromkeys(inspect.getfile(c) for c in (*models, *cls.properties))
    return [to_itf(exhibit.trace), picture, *(Path(file).read_text(encoding="utf-8") for file in files)]
