"""The gallery: for every expected violation of every model a folder with the run that shows it, its diagram and a few
lines.

A folder belongs to one class and one property: `isis-TieBySender-TotalOrder`.  Of the configurations that a class
states for a property the smallest is shown (processes, messages and faults together; then fewer processes).  A property
that the run of an earlier one violates too gets no folder of its own, but is named beside it. What only an expectation
marked thorough shows takes long to find; if its run is stored already and the interpreter executes it as it stands, it
is taken from there unless a thorough search is asked for.

The gallery is made from the models alone, so it can be made again byte for byte: the stored traces carry no line
numbers and no versions.  Pictures are the exception: what `dot` draws depends on its version and the fonts.  A picture
is drawn again only if its text has changed, and comparing leaves pictures out.
"""

from __future__ import annotations

import inspect
import shutil
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from checker.analysis.check import check
from checker.analysis.stored_trace import replay
from checker.analysis.verify import cases
from checker.analysis.workers import each_done
from checker.catalogue import catalogue, family, find
from checker.language.define import define
from checker.language.distributed import BUDGETS
from checker.language.errors import UsageError
from checker.report.directory import stored
from checker.report.dot import DotMissing, render
from checker.report.gallery_pages import Exhibit, exhibit_page, folder_name, folder_of, index_page, model_of
from checker.report.lines import Line, line
from checker.report.space_time import space_time
from checker.report.wording import TRACE_FILE
from checker.results.verdict import Verdict
from checker.results.verified import Case
from checker.trace.itf import to_itf
from checker.trace.trace import Trace
from checker.wording import counted, first_paragraph

DIAGRAM, PICTURE, PAGE = "trace.dot", "trace.svg", "README.md"


@frozen
class Changes:
    """What writing a gallery changed, or what comparing found different: paths relative to the gallery, each with what
    is the matter."""

    exhibits: int
    files: tuple[tuple[str, str], ...]
    pictures_missing: bool = False


def exhibits(directory: Path, names: Iterable[str] = (), jobs: int = 1, thorough: bool = False) -> list[Exhibit]:
    """The runs to show of the models named, a name standing for a model with its edits (default: all models); `jobs`
    processes search.

    Runs that take long to find are taken from the directory if they are there and still right, unless the search is to
    be thorough. UsageError if a model cannot be read, or no longer violates what it says it violates.
    """
    references = _references(names)
    of = partial(exhibits_of, kept=None if thorough else directory)
    if jobs == 1:
        return [e for reference in references for e in of(reference)]
    found = {
        reference: exhibits
        for reference, exhibits, _ in each_done(of, {reference: reference for reference in references}, jobs)
    }
    return [e for reference in references for e in found[reference]]


def exhibits_of(reference: str, kept: Path | None = None) -> list[Exhibit]:
    """The runs to show of one class, in the order of its properties; `kept` has stored runs."""
    entry = find(reference)
    chosen = _smallest(cases(entry, thorough=True))
    shown: list[Exhibit] = []
    for name, case in chosen.items():
        if any(name in e.also for e in shown):
            continue
        trace = _kept(case, name, kept) or _run(case, name)
        same = next((i for i, e in enumerate(shown) if _steps(e.trace) == _steps(trace)), None)
        if same is not None:
            shown[same] = evolve(shown[same], also=(*shown[same].also, name))
            continue
        known = {n for e in shown for n in (e.trace.property, *e.also)} | {name}
        also = tuple(n for n, its in chosen.items() if its is case and n not in known and _shows(trace, n, case))
        shown.append(exhibit_of(trace, also, tuple(case.label.removeprefix(reference).split())))
    return shown


def exhibit_of(trace: Trace, also: tuple[str, ...] = (), constants: tuple[str, ...] = ()) -> Exhibit:
    """A run with what its class says of itself, first paragraph (the edit, the reading, the protocol as printed), and
    what its property says."""
    cls = find(trace.reference).cls
    own = next((p for p in getattr(cls, "properties", []) if p.__name__ == trace.property), None)
    meaning = inspect.getdoc(getattr(cls, trace.property, None)) if own is None else vars(own).get("__doc__")
    return Exhibit(trace, _paragraph(vars(cls).get("__doc__")), _paragraph(meaning), also, constants)


def _paragraph(text: str | None) -> str:
    return first_paragraph(inspect.cleandoc(text or ""))


def _steps(trace: Trace) -> tuple[Any, ...]:
    return trace.constants, trace.loop, *((step.action, step.args) for step in trace.steps)


def _references(names: Iterable[str]) -> list[str]:
    names = list(names)
    if names:
        return list(dict.fromkeys(e.reference for name in names for e in family(name)))
    found = catalogue()
    if found.problems:
        raise found.problems[0]
    return [e.reference for e in found.entries]


def _smallest(stated: Iterable[Case]) -> dict[str, Case]:
    """For each property that some case expects to be violated the smallest such case; in the order in which the class
    lists its properties."""
    found: dict[str, tuple[tuple[int, ...], Case]] = {}
    order: list[str] = []
    for number, case in enumerate(stated):
        definition = define(case.cls, case.expectation.at)
        order = order or [p.name for p in definition.properties]
        for name in case.expectation.violated:
            size = (case.expectation.thorough, *_size(definition.constants), number)
            if name not in found or size < found[name][0]:
                found[name] = (size, case)
    return {name: found[name][1] for name in sorted(found, key=lambda n: order.index(n) if n in order else len(order))}


def _size(constants: Mapping[str, Any]) -> tuple[int, int, int]:
    """Processes, messages and faults together; processes; processes and messages."""
    processes, messages = constants.get("processes", 0), sum(constants.get("workload", ()))
    return processes + messages + sum(constants.get(name, 0) for name in BUDGETS), processes, processes + messages


def _kept(case: Case, name: str, directory: Path | None) -> Trace | None:
    """The stored run of a case marked thorough, if it is still one."""
    folder = None if directory is None else directory / folder_name(case.reference, name)
    if folder is None or not case.expectation.thorough or not (folder / TRACE_FILE).exists():
        return None
    trace = stored(str(folder))
    same = dict(trace.constants) == dict(define(case.cls, case.expectation.at, [name]).constants)
    return (
        trace
        if same and (trace.reference, trace.property) == (case.reference, name) and replay(trace).confirmed
        else None
    )


def _run(case: Case, name: str) -> Trace:
    """The shortest run that violates the property, without what changes when only a file is edited around it."""
    report = check(case.cls, case.reference, case.expectation.at, only=[name], count_outcomes=False)
    found = next((p.trace for p in report.properties if p.name == name and p.verdict is Verdict.VIOLATED), None)
    if found is None:
        raise UsageError(
            f"{case.label} should violate {name}, but does not",
            str(case.file),
            remedy=f"checker verify {case.reference}",
        )
    return evolve(found, steps=[evolve(step, source=None) for step in found.steps], version="")


def _shows(trace: Trace, name: str, case: Case) -> bool:
    """Whether the run violates another property as well, as far as its states tell."""
    kind = define(case.cls, case.expectation.at, [name]).properties[0].kind
    return kind != "leads-to" and replay(evolve(trace, property=name, kind=kind)).confirmed


# Files


def write_gallery(directory: Path, names: Iterable[str] = (), jobs: int = 1, thorough: bool = False) -> Changes:
    """Write the folders of the models named (default: all) and the index, and remove folders that nothing asks for any
    more."""
    wanted, texts = _texts(directory, names, jobs, thorough)
    changed: list[tuple[str, str]] = []
    for path, text in texts.items():
        file = directory / path
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            changed.append((path, "written"))
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
            if file.name == DIAGRAM:
                file.with_name(PICTURE).unlink(missing_ok=True)
    for folder in _surplus(directory, wanted, names):
        shutil.rmtree(directory / folder)
        changed.append((folder, "removed"))
    drawn = _draw(directory)
    return Changes(len(wanted), tuple(changed), not drawn)


def compare_gallery(directory: Path, names: Iterable[str] = (), jobs: int = 1, thorough: bool = False) -> Changes:
    """What `write_gallery` would change; pictures are not looked at."""
    wanted, texts = _texts(directory, names, jobs, thorough)
    found: list[tuple[str, str]] = []
    for path, text in texts.items():
        file = directory / path
        if not file.exists():
            found.append((path, "missing"))
        elif file.read_text(encoding="utf-8") != text:
            found.append((path, "differs"))
    found += [(folder, "nothing asks for it any more") for folder in _surplus(directory, wanted, names)]
    return Changes(len(wanted), tuple(found))


def _texts(directory: Path, names: Iterable[str], jobs: int, thorough: bool) -> tuple[list[Exhibit], dict[str, str]]:
    """What the files of the gallery should hold, by path; of models not named what they hold now goes into the
    index."""
    wanted = exhibits(directory, names, jobs, thorough)
    texts: dict[str, str] = {}
    for exhibit in wanted:
        folder = exhibit.folder
        texts[f"{folder}/{TRACE_FILE}"] = to_itf(exhibit.trace)
        texts[f"{folder}/{DIAGRAM}"] = space_time(exhibit.trace)
        texts[f"{folder}/{PAGE}"] = exhibit_page(exhibit)
    others = [exhibit_of(trace) for trace in _stored(directory, names)] if names else []
    ranks = {reference: number for number, reference in enumerate(_references(()))}
    everything = sorted(wanted + others, key=lambda e: (ranks.get(e.trace.reference, len(ranks)), e.folder))
    texts[PAGE] = index_page(everything, {model: find(model).summary for model in map(model_of, everything)})
    return wanted, texts


def _stored(directory: Path, names: Iterable[str]) -> Iterator[Trace]:
    """The stored traces of models that are not named."""
    named = set(_references(names))
    for folder in _folders(directory):
        trace = stored(str(folder))
        if trace.reference not in named:
            yield trace


def _surplus(directory: Path, wanted: Iterable[Exhibit], names: Iterable[str]) -> list[str]:
    """Folders of the models named (default: all) that hold no wanted run."""
    kept = {e.folder for e in wanted}
    if names:
        kept |= {folder_of(trace) for trace in _stored(directory, names)}
    return [folder.name for folder in _folders(directory) if folder.name not in kept]


def _folders(directory: Path) -> list[Path]:
    """The folders that hold a run and nothing but what the gallery writes; any other is not ours to remove."""
    ours = {TRACE_FILE, DIAGRAM, PICTURE, PAGE}
    return [
        file.parent
        for file in sorted(directory.glob(f"*/{TRACE_FILE}"))
        if {f.name for f in file.parent.iterdir()} <= ours
    ]


def _draw(directory: Path) -> bool:
    """Draw the pictures that are missing; False without the `dot` program."""
    for file in sorted(directory.glob(f"*/{DIAGRAM}")):
        picture = file.with_name(PICTURE)
        if not picture.exists():
            try:
                picture.write_bytes(render(file.read_text(encoding="utf-8")))
            except DotMissing:
                return False
    return True


def change_lines(changes: Changes, directory: str, compared: bool) -> Iterator[Line]:
    """What was written, or what differs."""
    for path, what in changes.files:
        yield line(f"  {what}: {directory}/{path}", "red" if compared else "")
    if changes.pictures_missing:
        yield line("no pictures drawn: the program 'dot' is not on PATH (install the graphviz package)")
    number = len(changes.files)
    many = "as the models have it"
    if number:
        many = f"{number} {'differences' if compared else 'files or folders changed'}"
    wrong = compared and number > 0
    yield line(f"{directory}: {counted(changes.exhibits, 'run')}, {many}", "bold red" if wrong else "bold green")
