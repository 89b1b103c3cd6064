"""The pages of the gallery, in Markdown: one beside each stored run, and the index with all pictures.

A page says what was edited, what goes wrong, the cause if one was computed, and the command that finds the run again.
All of it comes from the trace and the docstrings of the model and the property.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import groupby

from attrs import frozen

from checker.report.markdown import escape
from checker.report.wording import title, witness
from checker.trace.trace import Trace

ABOUT = """The shortest runs that violate what the models of this repository say is violated, one folder for each class and property: the run
(`trace.itf.json`), its diagram (`trace.dot`, `trace.svg`) and a few lines. [How to read a counterexample](../docs/reading_a_counterexample.md);
[what the runs say about the published protocols](../docs/findings.md).

`checker gallery` makes the gallery again from the models, `checker gallery --check` compares it with them (not the pictures: what `dot` draws depends on its
version and the fonts), `checker replay counterexamples/FOLDER` executes a run again."""  # noqa: E501


@frozen
class Exhibit:
    """A run to show.  about, meaning: what its class and its property say of themselves; also: the other properties
    that it violates too; constants: those it was found with, as NAME=VALUE."""

    trace: Trace
    about: str
    meaning: str = ""
    also: tuple[str, ...] = ()
    constants: tuple[str, ...] = ()

    @property
    def folder(self) -> str:
        """Model, edit and property: isis-TieBySender-TotalOrder."""
        return folder_of(self.trace)


def folder_of(trace: Trace) -> str:
    """The name of a run's folder."""
    return folder_name(trace.reference, trace.property)


def folder_name(reference: str, property: str) -> str:
    """The name of the folder of a class and a property."""
    return re.sub(r"[^\w.-]+", "-", f"{reference}-{property}")


def command(exhibit: Exhibit) -> str:
    """What finds the run again."""
    constants = "".join(f" -D {given}" for given in exhibit.constants)
    return f"checker check {exhibit.trace.reference}{constants} --property {exhibit.trace.property} --out report"


def exhibit_page(exhibit: Exhibit) -> str:
    """The page of one run."""
    trace = exhibit.trace
    parts = [f"# {escape(trace.reference)} violates {escape(trace.property)}", escape(exhibit.about)]
    parts.append(
        f"**{escape(title(trace))}.** {escape(witness(trace))}"
        + (f" (What is asked: {escape(exhibit.meaning)})" if exhibit.meaning else "")
    )
    parts.append(f"![space-time diagram]({'trace.svg'})")
    parts += filter(None, [_cause(trace)])
    if exhibit.also:
        parts.append(f"The same run violates {escape(', '.join(exhibit.also))}.")
    parts.append(f"Found again by\n\n```sh\n{command(exhibit)}\n```")
    parts.append(
        "and executed again, in the directory above this one, by\n\n"
        + (f"```sh\nchecker replay {folder_of(trace)}\n```")
    )
    return "\n\n".join(parts) + "\n"


def index_page(exhibits: Iterable[Exhibit], summaries: Mapping[str, str]) -> str:
    """The index: the pictures by model, in the order given; summaries: a line about each model."""
    shown = list(exhibits)
    parts = ["# Counterexamples", ABOUT]
    models = {model: list(of) for model, of in groupby(shown, key=model_of)}
    parts.append("\n".join(f"- [{escape(m)}](#{m}): {len(of)} — {escape(summaries[m])}" for m, of in models.items()))
    for model, of in models.items():
        parts.append(f"## {escape(model)}")
        parts += [_entry(exhibit) for exhibit in of]
    return "\n\n".join(parts) + "\n"


def _entry(exhibit: Exhibit) -> str:
    trace, folder = exhibit.trace, exhibit.folder
    head = f"### [{escape(trace.reference)} violates {escape(trace.property)}]({folder}/README.md)"
    picture = f'<a href="{folder}/README.md"><img src="{folder}/trace.svg" width="480" alt="{folder}"></a>'
    return f"{head}\n\n{escape(exhibit.about)}\n{escape(witness(trace))}\n\n{picture}"


def model_of(exhibit: Exhibit) -> str:
    """The model that the run is of, whatever the edit."""
    return exhibit.trace.reference.split(":")[0]


def _cause(trace: Trace) -> str:
    """Where the run leaves the protocol before the edit."""
    step = next((s for s in trace.steps if s.cause), None)
    if step is not None:
        return (
            f"Cause: step {step.number} is the first that the protocol before the edit does not allow. "
            f"{escape(_sentence(step.note))}"
        )
    note = trace.steps[-1].note if trace.steps else ""
    return escape(_sentence(note)) if note else ""


def _sentence(note: str) -> str:
    return note[:1].upper() + note[1:] + ("" if note.endswith(".") else ".") if note else ""
