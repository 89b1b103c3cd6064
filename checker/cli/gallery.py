"""`checker gallery`: for every expected violation of every model a run and its picture, and for each model a page.

A run belongs to one class and one property: `isis/TieBySender-TotalOrder`.  The gallery is made from the models alone,
so it can be made again byte for byte.  Pictures are the exception: the output of `dot` depends on its version and the
fonts.  A picture is drawn again only if its diagram has changed, and comparing a picture means comparing its diagram.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from attrs import frozen

from checker.catalogue import find
from checker.cli.exhibits import exhibit_of, exhibits, references
from checker.cli.gallery_runs import PICTURE, RUN_PAGE, outdated_pages, write_pages
from checker.cli.output import Output
from checker.report.directory import stored
from checker.report.dot import NotDrawn
from checker.report.gallery_pages import (
    RUN,
    Exhibit,
    diagram_of,
    index_page,
    is_picture_of,
    model_of,
    model_page,
    picture,
    section,
    sections,
)
from checker.report.lines import Line, line
from checker.report.markdown import escape
from checker.results.exit_codes import HOLDS, VIOLATED
from checker.trace.itf import to_itf
from checker.trace.trace import Trace
from checker.wording import counted

PAGE = "README.md"


@frozen
class Changes:
    """The changes by writing a gallery, or the differences found by comparing: paths relative to the gallery, each with
    the kind of change; undrawn: why pictures are missing.
    """

    exhibits: int
    files: tuple[tuple[str, str], ...]
    undrawn: str = ""


def gallery(
    names: tuple[str, ...], out: Path, compare_only: bool, jobs: int, thorough: bool, json_file: str | None
) -> int:
    changes = (compare_gallery if compare_only else write_gallery)(out, names, jobs, thorough)
    code, output = VIOLATED if compare_only and changes.files else HOLDS, Output(json_file)
    output.print(change_lines(changes, str(out), compare_only))
    files = [{"path": path, "what": what} for path, what in changes.files]
    output.write(lambda: {"directory": str(out), "runs": changes.exhibits, "changes": files, "exit_code": code})
    return code


def write_gallery(directory: Path, names: Iterable[str] = (), jobs: int = 1, thorough: bool = False) -> Changes:
    """Write the runs and pages of the named models (default: all) and the index, and remove runs without an
    expectation.
    """
    wanted, texts, surplus = _texts(directory, names, jobs, thorough)
    changed: list[tuple[str, str]] = []
    for path in _outdated(directory, texts):
        changed.append((path, "written"))
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_text(texts[path], encoding="utf-8")
    for path in surplus:
        (directory / path).unlink()
        changed.append((path, "removed"))
        if not list((directory / path).parent.iterdir()):
            (directory / path).parent.rmdir()
    undrawn = ""
    try:
        for path, diagram in _undrawn(directory, wanted):
            (directory / path).write_bytes(picture(diagram))
            changed.append((path, "drawn"))
    except NotDrawn as error:
        undrawn = str(error)
    changed += [(path, "written") for path in write_pages(directory, wanted)]
    return Changes(len(wanted), tuple(changed), undrawn=undrawn)


def compare_gallery(directory: Path, names: Iterable[str] = (), jobs: int = 1, thorough: bool = False) -> Changes:
    """The changes that `write_gallery` would make; a missing picture is no difference, because `dot` may be missing."""
    wanted, texts, surplus = _texts(directory, names, jobs, thorough)
    found = [(p, "differs" if (directory / p).exists() else "missing") for p in _outdated(directory, texts)]
    found += [(path, "nothing asks for it any more") for path in surplus]
    found += [(p, "shows another diagram") for p, _ in _undrawn(directory, wanted) if (directory / p).exists()]
    found += outdated_pages(directory, wanted)
    return Changes(len(wanted), tuple(found))


def _outdated(directory: Path, texts: Mapping[str, str]) -> Iterator[str]:
    """The paths whose files are missing or have other contents."""
    for path, text in texts.items():
        file = directory / path
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            yield path


def _texts(
    directory: Path, names: Iterable[str], jobs: int, thorough: bool
) -> tuple[list[Exhibit], dict[str, str], list[str]]:
    """The runs of the named models, the contents of the files of the gallery by path, and the superfluous files.  Pages
    take runs of other models from their stored files.
    """
    wanted = exhibits(directory, names, jobs, thorough)
    named, places = set(references(names)), {e.place for e in wanted}
    surplus, others = [], []
    for file, trace in _stored(directory):
        if trace.reference not in named and names:
            others.append(exhibit_of(trace))
        elif f"{file.parent.name}/{file.name.removesuffix(RUN)}" not in places:
            surplus += [f"{file.parent.name}/{f.name}" for f in (file, *_beside(file)) if f.exists()]
    ranks = {reference: number for number, reference in enumerate(references(()))}
    shown = sorted(wanted + others, key=lambda e: (ranks.get(e.trace.reference, len(ranks)), e.place))
    summaries = {model: find(model).summary for model in map(model_of, shown)}
    texts = {e.place + RUN: to_itf(e.trace) for e in wanted} | {PAGE: index_page(shown, summaries)}
    for model, summary in summaries.items():
        own = [e for e in shown if model_of(e) == model]
        page = f"{own[0].place.partition('/')[0]}/{PAGE}"
        old = sections((directory / page).read_text(encoding="utf-8")) if (directory / page).exists() else {}
        texts[page] = model_page(
            model,
            summary,
            [section(e) if e.trace.reference in named else old.get(escape(e.heading), section(e)) for e in own],
        )
    surplus += [f"{d.name}/{PAGE}" for d in _folders(directory) if f"{d.name}/{PAGE}" not in texts]
    return wanted, texts, surplus


def _stored(directory: Path) -> Iterator[tuple[Path, Trace]]:
    """The stored runs, with their files."""
    for folder in _folders(directory):
        for file in sorted(folder.glob(f"*{RUN}")):
            yield file, stored(str(file))


def _folders(directory: Path) -> list[Path]:
    """The folders that contain a page, runs, and only files that the gallery writes; no other folder may be changed."""
    return [
        page.parent
        for page in sorted(directory.glob(f"*/{PAGE}"))
        if any(page.parent.glob(f"*{RUN}"))
        and all(f.name == PAGE or f.name.endswith((RUN, PICTURE, RUN_PAGE)) for f in page.parent.iterdir())
    ]


def _beside(run: Path) -> list[Path]:
    """The picture and the page of a run."""
    return [run.with_name(run.name.removesuffix(RUN) + ending) for ending in (PICTURE, RUN_PAGE)]


def _undrawn(directory: Path, wanted: Iterable[Exhibit]) -> Iterator[tuple[str, str]]:
    """The pictures that are missing or show another diagram: path and diagram."""
    for exhibit in wanted:
        path, diagram = exhibit.place + PICTURE, diagram_of(exhibit)
        if not (directory / path).exists() or not is_picture_of((directory / path).read_bytes(), diagram):
            yield path, diagram


def change_lines(changes: Changes, directory: str, compared: bool) -> Iterator[Line]:
    """The lines about written files, or differences."""
    for path, what in changes.files:
        yield line(f"  {what}: {directory}/{path}", "red" if compared else "")
    if changes.undrawn:
        yield line(changes.undrawn)
    number = len(changes.files)
    many = "as the models have it"
    if number:
        many = f"{number} {'differences' if compared else 'files changed'}"
    wrong = compared and number > 0
    yield line(f"{directory}: {counted(changes.exhibits, 'run')}, {many}", "bold red" if wrong else "bold green")
