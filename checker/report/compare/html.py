"""A comparison as one page: the report of the terminal, and the diagram of each run, linked to its own page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from checker.report.compare.text import VERDICTS, Line, conclusion, sections
from checker.results.comparison import Comparison

STYLE = """
:root { color-scheme: light dark; --red: #a33b00; --green: #1a6b2f; --yellow: #7a5c00; --dim: #707070; --line: #d0d0d0; }
@media (prefers-color-scheme: dark) { :root { --red: #ff9b5e; --green: #7fd492; --yellow: #e0c060; --dim: #9a9a9a; --line: #444; } }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em; }
h2 { border-bottom: 1px solid var(--line); font-size: 1.1em; margin-top: 2em; }
pre { overflow-x: auto; font: 13px/1.4 ui-monospace, monospace; }
img { max-width: 100%; background: white; }
.red { color: var(--red); } .green { color: var(--green); } .yellow { color: var(--yellow); } .cyan, .dim { color: var(--dim); }
.bold { font-weight: bold; } .italic { font-style: italic; }
"""  # noqa: E501


def comparison_html(c: Comparison, runs: Mapping[str, Sequence[Path]], directory: Path) -> str:
    """The page, to stand in a directory; `runs` are the files written for each run, by its title."""
    title = f"{c.before} against {c.after}"
    body = [
        f"<h1>{escape(title)}</h1>",
        f'<p><span class="{VERDICTS[c.verdict]}">{escape(c.verdict.upper())}</span> {escape(conclusion(c))}</p>',
    ]
    for number, section in enumerate(sections(c)):
        heading = f"<h2>{escape(section.heading)}</h2>\n" if number else ""
        body.append(f"{heading}<pre>{''.join(map(_line, section.lines))}</pre>")
    for name, files in runs.items():
        body.append(_run(name, [f.relative_to(directory) for f in files]))
    head = (
        '<meta charset="utf-8"><meta name="viewport" '
        f'content="width=device-width"><title>{escape(title)}</title><style>{STYLE}</style>'
    )
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>\n' + "\n".join(body) + "\n</body></html>\n"


def _line(line: Line) -> str:
    return (
        "".join(f'<span class="{style}">{escape(text)}</span>' if style else escape(text) for text, style in line)
        + "\n"
    )


def _run(name: str, files: Sequence[Path]) -> str:
    """The picture of a run, if it was drawn, and a link to its page."""
    page = next((f for f in files if f.suffix == ".html"), None)
    picture = next((f for f in files if f.suffix == ".svg"), None)
    image = "" if picture is None else f'<img src="{escape(picture.as_posix())}" alt="space-time diagram">'
    inside = image or escape(name)
    return f"<h2>{escape(name)}</h2>\n" + (
        inside if page is None else (f'<a href="{escape(page.as_posix())}">{inside}</a>')
    )
