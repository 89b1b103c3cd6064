"""The language server: a file is examined when it is opened and when it is saved, by a separate process.

The protocol is the Language Server Protocol 3.17 over standard input and output, with pygls and lsprotocol
(https://microsoft.github.io/language-server-protocol/).  A check that is running when its file is saved again is ended
and started anew.  All results refer to the saved file: a fix whose text has changed since is not offered, and a hover
says that the text has changed.

Reading a model file executes it, which is not expected of opening a file in an editor.  A file is therefore examined
only if it imports the modelling language, or a file beside it that does, and if it is part of the project around the
directory in which the editor has started the server (`checker.trust`); for other files a message says so.
"""

from __future__ import annotations

import asyncio
import os
import re
from asyncio.subprocess import PIPE, Process
from pathlib import Path

from attrs import define, field
from lsprotocol import types as lsp
from pygls import uris
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

from checker.editor.answer import ERROR, WARNING, Answer, Problem
from checker.editor.source import Edit, Source
from checker.importing import command_of
from checker.trust import is_trusted
from checker.version import VERSION

IMPORTS = re.compile(r"^[ \t]*(?:from|import)[ \t]+([\w.]+)", re.MULTILINE)
LANGUAGE = ("checker.language", "checker.models", "checker.properties")
NAME = re.compile(r"[^\W\d]\w*")
STRANGE = "reading a model executes it, and this file is not part of the project around {}"
LONGEST_ANSWER = 1 << 26
"""The largest answer about one class, in bytes."""
LAST_WORDS = 2000
"""How many characters of the last output of a failed check are shown."""


def serve(seconds: float) -> None:
    """Serve one editor on standard input and output, with a time limit in seconds for each search.  All other output
    goes to standard error, because an editor would read it as a message.
    """
    asked, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    made(seconds).start_io(asked, answers)


@define
class _Open:
    """The open files: the running check, the results of the last check with the text that it examined, and the files
    for which it published problems.
    """

    running: dict[str, Process] = field(factory=dict)
    answers: dict[str, Answer] = field(factory=dict)
    texts: dict[str, str] = field(factory=dict)
    shown: dict[str, set[str]] = field(factory=dict)


def made(seconds: float) -> LanguageServer:
    """The server and its answers."""
    server, known = LanguageServer("checker", VERSION), _Open()

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    async def opened(ls: LanguageServer, params: lsp.DidOpenTextDocumentParams) -> None:
        await _examine(ls, known, params.text_document.uri, seconds)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    async def saved(ls: LanguageServer, params: lsp.DidSaveTextDocumentParams) -> None:
        await _examine(ls, known, params.text_document.uri, seconds)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(ls: LanguageServer, params: lsp.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        await _end(known.running.pop(uri, None))
        known.answers.pop(uri, None)
        _show(ls, known, uri, ())

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hover(ls: LanguageServer, params: lsp.HoverParams) -> lsp.Hover | None:
        uri = params.text_document.uri
        text = _hover(ls.workspace.get_text_document(uri), known.answers.get(uri), params.position)
        if not text:
            return None
        since = ls.workspace.get_text_document(uri).source != known.texts.get(uri)
        note = "\n\n*Of the file as it was saved.*" if since else ""
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text + note))

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix]))
    def actions(ls: LanguageServer, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        uri = params.text_document.uri
        document, told = ls.workspace.get_text_document(uri), known.answers.get(uri, Answer())
        lines = range(params.range.start.line + 1, params.range.end.line + 2)
        near = [p for p in told.problems if p.fixes and p.line in lines and p.file == _path(uri)]
        return [action for p in near for action in _actions(document, p)]

    return server


async def _examine(ls: LanguageServer, known: _Open, uri: str, seconds: float) -> None:
    """Check a file, and publish the results of each class when they are known, unless another check of the file has
    begun.
    """
    file = _path(uri)
    if file is None or not is_model(Path(file)):
        return
    await _end(known.running.pop(uri, None))
    if not is_trusted(Path(file)):
        known.answers.pop(uri, None)
        _show(ls, known, uri, (Problem(file, 1, WARNING, f"not examined: {STRANGE.format(Path.cwd())}"),))
        return
    text = Source.read(Path(file)).text
    command = [*command_of("checker.editor"), file, str(seconds)]
    nothing = asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(
        *command, stdin=nothing, stdout=PIPE, stderr=PIPE, limit=LONGEST_ANSWER
    )
    assert process.stdout is not None and process.stderr is not None
    await _end(known.running.get(uri))  # one that was begun while this one was
    known.running[uri], answer = process, Answer()
    said = asyncio.create_task(process.stderr.read())

    def show(more: Answer) -> Answer:
        whole = answer.joined(more)
        known.answers[uri], known.texts[uri] = whole, text
        _show(ls, known, uri, whole.problems)
        return whole

    async for line in process.stdout:
        if known.running.get(uri) is not process:
            return
        answer = show(Answer.read(line.decode("utf-8")))
    words, code = (await said).decode(errors="replace")[-LAST_WORDS:].strip(), await process.wait()
    if known.running.get(uri) is not process:
        return
    del known.running[uri]
    if code:
        answer = show(Answer((Problem(file, 1, ERROR, f"the check ended with exit code {code}\n{words}"),)))
    summary = "; ".join(c.text.replace("`", "") for c in answer.classes) or "cannot be read"
    ls.window_log_message(lsp.LogMessageParams(lsp.MessageType.Info, f"checked {Path(file).name}: {summary}"))


async def _end(process: Process | None) -> None:
    if process is not None and process.returncode is None:
        process.terminate()
        await process.wait()


def is_model(file: Path) -> bool:
    """Whether a Python file imports the modelling language, or a file beside it that does."""
    return file.suffix == ".py" and _imports_language(file, set())


def _imports_language(file: Path, seen: set[Path]) -> bool:
    seen.add(file)
    try:
        names = IMPORTS.findall(file.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return False
    if any(name == known or name.startswith(f"{known}.") for name in names for known in LANGUAGE):
        return True
    beside = {file.parent / f"{name.rpartition('.')[2]}.py" for name in names}
    return any(_imports_language(other, seen) for other in beside - seen if other.exists())


def _show(ls: LanguageServer, known: _Open, uri: str, problems: tuple[Problem, ...]) -> None:
    """Publish the problems of one check, file by file; problems published before for other files are withdrawn."""
    found: dict[str, list[lsp.Diagnostic]] = {other: [] for other in {uri, *known.shown.get(uri, ())}}
    for problem in problems:
        where = uri if problem.file == _path(uri) else uris.from_fs_path(problem.file) or uri
        found.setdefault(where, []).append(_diagnostic(ls.workspace.get_text_document(where), problem))
    known.shown[uri] = {other for other, diagnostics in found.items() if diagnostics}
    for other, diagnostics in found.items():
        ls.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(other, diagnostics))


def _diagnostic(document: TextDocument, problem: Problem) -> lsp.Diagnostic:
    lines = document.lines
    text = lines[problem.line - 1].rstrip() if problem.line <= len(lines) else ""
    start = lsp.Position(problem.line - 1, len(text) - len(text.lstrip()))
    severity = lsp.DiagnosticSeverity.Error if problem.severity == ERROR else lsp.DiagnosticSeverity.Warning
    place = _range(document, start, lsp.Position(problem.line - 1, len(text)))
    return lsp.Diagnostic(place, problem.text, severity, code=problem.code or None, source="checker")


def _range(document: TextDocument, first: lsp.Position, last: lsp.Position) -> lsp.Range:
    """A stretch of the text in the units of the editor."""
    return document.position_codec.range_to_client_units(document.lines, lsp.Range(first, last))


def _actions(document: TextDocument, problem: Problem) -> list[lsp.CodeAction]:
    """The fixes of a problem whose text is unchanged."""
    source, found = Source.of(document.source), []
    for fix in problem.fixes:
        if all(_stands(source, edit) for edit in fix.edits):
            edits = [_text_edit(document, edit) for edit in fix.edits]
            found.append(
                lsp.CodeAction(
                    fix.title,
                    lsp.CodeActionKind.QuickFix,
                    [_diagnostic(document, problem)],
                    is_preferred=len(problem.fixes) == 1,
                    edit=lsp.WorkspaceEdit({document.uri: edits}),
                )
            )
    return found


def _stands(source: Source, edit: Edit) -> bool:
    return edit.first[0] <= len(source.lines) and source.between(edit.first, edit.last) == edit.old


def _text_edit(document: TextDocument, edit: Edit) -> lsp.TextEdit:
    first, last = (lsp.Position(line - 1, column) for line, column in (edit.first, edit.last))
    return lsp.TextEdit(_range(document, first, last), edit.new)


def _hover(document: TextDocument, told: Answer | None, position: lsp.Position) -> str:
    """The text about the name at a place, in the class around it."""
    place = document.position_codec.position_from_client_units(document.lines, position)
    source = Source.of(document.source)
    if told is None or place.line >= len(source.lines):
        return ""
    line = source.lines[place.line]
    word = next((m for m in NAME.finditer(line) if m.start() <= place.character <= m.end()), None)
    if word is None:
        return ""
    if known := told.known(word[0]):
        return known.text
    around = told.known(source.class_at(place.line + 1))
    if around is None:
        return ""
    before = line[: word.start()]
    attribute = re.search(r"(\w+)\.$", before)
    if attribute and attribute[1] not in ("self", "before", around.name):
        return ""  # a field, or another object's
    method = source.method_at(place.line + 1)
    own = None if attribute else around.names.get(f"{method}.{word[0]}")
    return own or around.names.get(word[0], "")


def _path(uri: str) -> str | None:
    path = uris.to_fs_path(uri)
    return None if path is None else os.path.realpath(path)
