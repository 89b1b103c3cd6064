"""A comparison as one page: the report of the terminal, and the diagram of each run, linked to its own page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from importlib import resources
from pathlib import Path

from checker.report.compare.configurations import beyond, differing, not_looked_at, unchanged, verdict_text
from checker.report.compare.text import VERDICTS, WORDS, Line, sections
from checker.results.configurations import FamilyComparison


def comparison_html(f: FamilyComparison, runs: Mapping[str, Sequence[Path]], directory: Path) -> str:
    """The page, for a directory; `runs` are the files written for each run, by its title."""
    c = f.shown
    title = f"{c.before} against {c.after}"
    body = [
        f"<h1>{escape(title)}</h1>",
        f'<p><span class="{VERDICTS[f.verdict]}">{WORDS[f.verdict]}</span> {escape(verdict_text(f))}</p>',
        f"<pre>{''.join(map(_line, _configurations(f)))}</pre>",
    ]
    for number, (heading, lines) in enumerate(sections(c)):
        above = f"<h2>{escape(heading)}</h2>\n" if number else ""
        body.append(f"{above}<pre>{''.join(map(_line, lines))}</pre>")
    for name, files in runs.items():
        body.append(_run(name, [f.relative_to(directory) for f in files]))
    style = (resources.files("checker.report") / "comparison.css").read_text(encoding="utf-8")
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    head += f"<title>{escape(title)}</title><style>{style}</style>"
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>\n' + "\n".join(body) + "\n</body></html>\n"


def _configurations(f: FamilyComparison) -> Iterator[Line]:
    """What differs in each, if there are several, and what is known of larger ones."""
    if len(f.looked) + len(f.passed) > 1:
        yield from (((f"{where}: {what}", VERDICTS[verdict]),) for where, what, verdict in differing(f))
        for key, text in (("no difference", unchanged(f)), ("not looked at", not_looked_at(f))):
            if text:
                yield ((f"{key}: {text}", ""),)
    yield from (((f"beyond: {text}", "yellow" if f.beyond else ""),) for text in beyond(f))


def _line(line: Line) -> str:
    parts = (f'<span class="{style}">{escape(text)}</span>' if style else escape(text) for text, style in line)
    return "".join(parts) + "\n"


def _run(name: str, files: Sequence[Path]) -> str:
    """The picture of a run, if it was drawn, and a link to its page."""
    page = next((f for f in files if f.suffix == ".html"), None)
    picture = next((f for f in files if f.suffix == ".svg"), None)
    image = "" if picture is None else f'<img src="{escape(picture.as_posix())}" alt="space-time diagram">'
    inside = image or escape(name)
    linked = inside if page is None else f'<a href="{escape(page.as_posix())}">{inside}</a>'
    return f"<h2>{escape(name)}</h2>\n{linked}"
