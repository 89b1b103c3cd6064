"""`checker watch`: check again whenever a file is saved, and print only the differences from the check before.

Each check is a separate process, so imported Python modules are never stale; a check that is running when a file is
saved again is stopped and started anew.  The CAUSE of a violation is sought in the last save (`checker.cli.watched`).
The Python files in the directories of the model, its bases and its properties are watched by time and size, several
times a second.  What is checked is said at once; on a terminal the seconds of a check are shown until its verdict.
Where it stops: a save that keeps time and size, and files elsewhere, are not noticed.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from attrs import evolve, field, frozen
from click.core import ParameterSource

from checker.catalogue import find
from checker.cli.output import Output
from checker.cli.watched import begin, end, told_by
from checker.importing import command_of
from checker.language.constants import written
from checker.language.errors import UsageError
from checker.language.places import is_own
from checker.report.diagnostics import diagnostic
from checker.report.wording import reasons, witness
from checker.results.exit_codes import INTERRUPTED
from checker.results.profile import Growth
from checker.results.vacuity import DECIDING, NEVER, Vacuity, told
from checker.results.verdict import Verdict
from checker.search.progress import TerminalProgress
from checker.trace.read_itf import from_itf
from checker.wording import counted, listed

BEGUN, ENDED = "checking", "checked"
PAUSE = 0.3  # seconds between two looks at the files
Line = tuple[str, str]  # text, style


def watch(name: str, properties: tuple[str, ...], everything: bool, lines: bool, **options: Any) -> int:
    passed = [word for constant, value in options.pop("constants") for word in ("-D", f"{constant}={written(value)}")]
    passed += [word for text in properties for word in ("--property", text)] + ["--all"] * everything
    given = [
        option
        for option in options
        if click.get_current_context().get_parameter_source(option) is ParameterSource.COMMANDLINE
    ]
    passed += [word for option in given for word in (f"--{option.replace('_', '-')}", str(options[option]))]
    try:
        keep_checking(name, passed, Output().line, lines=lines)
    except KeyboardInterrupt:  # how a person ends it: no result is missing
        return INTERRUPTED
    return 0


@frozen
class CheckSummary:
    """The result of one check: its verdict, the verdict of each property in words, the counts; or the error that
    prevented them; and the problems as lines for an editor.
    """

    verdict: str
    properties: dict[str, str] = field(factory=dict)
    counts: dict[str, int] = field(factory=dict)
    warnings: tuple[str, ...] = ()
    deciding: tuple[str, ...] = ()  # of the warnings those that make the verdict vacuous whatever was asked for
    never: tuple[str, ...] = ()  # of the warnings those about actions and branches that never happened
    error: str = ""
    why: dict[str, tuple[str, ...]] = field(factory=dict)  # of violated properties: the CAUSE, what stays disabled
    lines: tuple[str, ...] = ()
    changed: tuple[str, ...] | None = None  # the parts of the source that the last save changed; None if nobody knows
    growing: Growth | None = None  # what still grew when a limit ended the search
    complete: bool = True  # whether the counts are of every reachable state

    @property
    def style(self) -> str:
        """The colour of the verdict."""
        if self.verdict == Verdict.HOLDS and self.never:
            return "bold yellow"
        return {"holds": "bold green", "violated": "bold red", "error": "bold red"}.get(self.verdict, "bold yellow")


def verdict_of(data: dict[str, Any], lines: tuple[str, ...] = ()) -> CheckSummary:
    """The verdict in the JSON of a check; lines: its lines for an editor."""
    if "error" in data:
        error = data["error"]
        text = "\n".join(map(_as_told, (error, *error["others"])))
        placed = (diagnostic(error["file"], error["line"] or 1, error["message"]),) if error["file"] else ()
        return CheckSummary("error", error=text, lines=placed)
    properties = {p["name"]: _words(p) for p in data["properties"]}
    counts = {"states": data["distinct"], "transitions": data["transitions"], "levels": data["depth"]}
    traces = {p["name"]: p["trace"] for p in data["properties"] if p["trace"] and p["verdict"] == Verdict.VIOLATED}
    why = {name: tuple(reasons(from_itf(json.dumps(trace)))) for name, trace in traces.items()}
    deciding = tuple(f["text"] for f in data["findings"] if f["kind"] in DECIDING)
    findings = [Vacuity(f["kind"], f["subject"], f["text"]) for f in data["findings"]]
    never = tuple(f.text for f in told(findings) if f.kind in NEVER)
    found, growing = data.get("growing"), None
    if found is not None:
        lists = {name: tuple(value) for name, value in found.items() if isinstance(value, list)}
        growing = Growth(**{**found, **lists})
    warned = tuple(data["warnings"]), deciding, never
    return CheckSummary(data["verdict"], properties, counts, *warned, lines=lines, why=why, growing=growing)


def _as_told(error: Mapping[str, Any]) -> str:
    """An error as `check` prints it: its place, the message, and the remedy."""
    what = {key: error[key] for key in ("message", "file", "line", "remedy", "fragment")}
    return str(UsageError(**what))


def _words(property: dict[str, Any]) -> str:
    steps = f" in {counted(property['steps'], 'step')}" if property["steps"] is not None else ""
    sentence = (
        witness(from_itf(json.dumps(property["trace"])))
        if property["trace"] and property["verdict"] == Verdict.VIOLATED
        else ""
    )
    return f"{property['verdict']}{steps}" + (f": {sentence}" if sentence else "")


def differences(before: CheckSummary | None, after: CheckSummary) -> Iterator[Line]:
    """What to print: at first everything, then the changes, or a line that nothing changed."""
    if before is None or (before.error and not after.error):
        before = CheckSummary("" if before is None else before.verdict, error="" if before is None else before.error)
    said = []
    if after.error:
        said = [after.error] if after.error != before.error else []
    else:
        shown = (*before.warnings, *after.deciding, *after.never)
        decides = [text for text in after.deciding if text not in before.warnings]
        said += [f"warning: {text}" for text in decides]
        known = {_unplaced(text) for text in before.never}
        new = "new " * (before.verdict == Verdict.HOLDS)
        said += [f"{new}warning: {text}" for text in after.never if _unplaced(text) not in known]
        said += _changed(before, after)
        said += _growth(before.growing, after.growing)
        said += [
            f"{name}: {before.counts[name]:,} → {n:,}"
            for name, n in after.counts.items()
            if before.counts.get(name, n) != n and before.complete and after.complete
        ]
        said += [f"warning: {text}" for text in after.warnings if text not in shown]
        still = {_unplaced(text) for text in after.never}
        gone = (text for text in before.warnings if text not in after.warnings and _unplaced(text) not in still)
        said += [f"no longer: {text}" for text in gone]
    if after.changed:
        since = f"since the last save{' without an error' * bool(before.error)}"
        yield f"  {since}: {'; '.join(after.changed)}", ""
    yield from ((f"  {text}", "") for text in said)
    states = f", {counted(after.counts['states'], 'state')}" if after.counts else ""
    states += " until the search ended" * (bool(after.counts) and not after.complete)
    states += (
        f", but {counted(len(after.never), 'warning')} above" if after.verdict == Verdict.HOLDS and after.never else ""
    )
    if after.verdict != before.verdict:
        former = f"{before.verdict} → " if before.verdict else ""
        yield f"{former}{after.verdict}{states}", after.style
    else:
        yield f"still {after.verdict}{states}" + ("" if said or after.changed else "; nothing changed"), after.style


def _growth(before: Growth | None, after: Growth | None) -> Iterator[str]:
    """What grows without end, if that is another variable or another action than before."""
    kept = before is not None and after is not None and before.grown_by == after.grown_by
    if after is not None and not kept:
        yield f"growth: {after.sentence}"
    if before is not None and after is None:
        yield f"no longer: {before.grown_by[0]} grows"


def _unplaced(text: str) -> str:
    """A warning without the number of its line, which other edits change."""
    return re.sub(r":\d+\)", ")", text)


def _changed(before: CheckSummary, after: CheckSummary) -> Iterator[str]:
    """The properties whose verdict differs, a violated one with its reasons.  If a search ended at a violation, the
    undecided properties are one line.
    """
    undecided = [name for name, words in after.properties.items() if words == Verdict.UNKNOWN]
    ended = after.verdict == Verdict.VIOLATED
    for name, words in after.properties.items():
        if ended and words == Verdict.UNKNOWN:
            continue
        if name not in before.properties:
            yield f"{name}: {words}"
        elif before.properties[name] != words and not (
            before.properties[name] == Verdict.UNKNOWN and words == Verdict.HOLDS
        ):
            yield f"{name}: {before.properties[name].partition(':')[0]} → {words}"
        if before.properties.get(name) != words or before.why.get(name) != after.why.get(name):
            yield from (f"  {text}" for text in after.why.get(name, ()))
    yield from (f"{name}: no longer checked" for name in before.properties if name not in after.properties)
    if ended and undecided and any(before.properties.get(name) != Verdict.UNKNOWN for name in undecided):
        yield f"{', '.join(undecided)}: not decided{' any more' * bool(before.properties)} (--all decides them)"


def directories(reference: str) -> list[Path]:
    """The directories whose files matter for a model.  A model that cannot be read at present is watched by the
    directory of its own file.
    """
    try:
        entry = find(reference)
    except UsageError as error:
        if error.file is None or not Path(error.file).exists():
            raise
        return [Path(error.file).resolve().parent]
    classes = [*entry.cls.__mro__, *(base for p in entry.cls.properties for base in p.__mro__)]
    files = {
        Path(str(getattr(sys.modules.get(c.__module__), "__file__", None) or entry.file)).resolve()
        for c in classes
        if not is_own(c.__module__)
    }
    outside = {f.parent for f in files if f.suffix == ".py"}
    return sorted(d for d in outside if not d.is_relative_to(sys.base_prefix) or d == entry.file.resolve().parent)


def snapshot(watched: Sequence[Path]) -> dict[Path, tuple[int, int]]:
    """Time and size of every Python file in the directories."""
    found = {}
    for directory in watched:
        for file in directory.glob("*.py"):
            try:
                status = file.stat()
            except OSError:  # being replaced by the editor
                continue
            found[file] = (status.st_mtime_ns, status.st_size)
    return found


def saved(before: dict[Path, tuple[int, int]], after: dict[Path, tuple[int, int]]) -> list[str]:
    """Names of the files that changed."""
    return sorted(f.name for f in before.keys() | after.keys() if before.get(f) != after.get(f))


def keep_checking(
    reference: str,
    options: Sequence[str],
    say: Callable[[str, str], None],
    times: int | None = None,
    lines: bool = False,
) -> None:
    """Check now and after every save, for ever (or the given number of times), until KeyboardInterrupt.  lines: print,
    for an editor, all problems each time, between a line for the beginning of the check and one for its end.
    """
    with tempfile.TemporaryDirectory(prefix="checker-") as folder:
        _keep_checking(reference, options, say, times, lines, Path(folder))


def _keep_checking(
    reference: str,
    options: Sequence[str],
    say: Callable[[str, str], None],
    times: int | None,
    lines: bool,
    folder: Path,
) -> None:
    watched = directories(reference)
    before: CheckSummary | None = None
    if lines:
        say(f"{BEGUN} {reference}", "")
    else:
        say(
            f"{BEGUN} {reference} now, and after every save in {listed(list(map(str, watched)))}; Ctrl-C ends it", "dim"
        )
    while times is None or times > 0:
        state = snapshot(watched)
        with TerminalProgress(ticking=True) if not lines else TerminalProgress(enabled=False) as shown:
            shown.say(f"{BEGUN} {reference}")
            verdict = run(reference, options, watched, state, folder)
        if verdict is not None:
            end(folder)
            verdict = _with_former_reasons(before, verdict)
            for text, style in for_editor(verdict) if lines else differences(before, verdict):
                say(text, style)
            before = verdict
            times = None if times is None else times - 1
            if times == 0:
                return
            while snapshot(watched) == state:
                time.sleep(PAUSE)
        say(f"{BEGUN} {reference}" if lines else f"saved {', '.join(saved(state, snapshot(watched)))}", "dim")


def _with_former_reasons(before: CheckSummary | None, after: CheckSummary) -> CheckSummary:
    """A save that changes no part of the model leaves the reasons of its violations as they were."""
    if before is None or after.changed != ():
        return after
    return evolve(after, why={name: before.why.get(name, why) for name, why in after.why.items()})


def for_editor(verdict: CheckSummary) -> Iterator[Line]:
    """The problems, and a line for their end; an error without a place is printed as it is."""
    yield from ((text, "") for text in verdict.lines or filter(None, [verdict.error]))
    yield f"{ENDED}: {verdict.verdict}", ""


def run(
    reference: str, options: Sequence[str], watched: Sequence[Path], since: dict[Path, tuple[int, int]], folder: Path
) -> CheckSummary | None:
    """One check in a process of its own; None if a file was saved before it ended.  folder: what checks keep."""
    begin(folder)
    with tempfile.TemporaryDirectory(prefix="checker-") as directory:
        result, lines = Path(directory) / "result.json", Path(directory) / "lines"
        wanted = ["--json", str(result), "--lines", str(lines), "--watched", str(folder)]
        command = [*command_of("checker"), "check", reference, *options, *wanted]
        with open(Path(directory) / "said", "w+", encoding="utf-8") as said:
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=said)
            try:
                while process.poll() is None:
                    if snapshot(watched) != since:
                        return None
                    time.sleep(PAUSE / 3)
            finally:
                if process.poll() is None:
                    process.terminate()
                    process.wait()
            if snapshot(watched) != since:
                return None
            said.seek(0)
            if not result.exists():
                return CheckSummary(
                    "error", error=said.read().strip() or (f"the check ended with exit code {process.returncode}")
                )
        wrong = lines.read_text(encoding="utf-8").splitlines() if lines.exists() else ()
        found = verdict_of(json.loads(result.read_text(encoding="utf-8")), tuple(wrong))
        parts, complete = told_by(folder)
        return evolve(found, changed=parts, complete=complete)
