"""A language client as small as can be: messages over the standard streams of a server, in order.

It says what an editor says (open, change, save, ask), and keeps what the server publishes.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from attrs import define, field


@define
class Client:
    """A server and what it has published, by file."""

    process: subprocess.Popen[bytes]
    published: dict[str, list[dict[str, Any]]] = field(factory=dict)
    texts: dict[str, str] = field(factory=dict)
    _number: int = 0

    @classmethod
    def start(cls, folder: Path) -> Client:
        """`checker lsp` in a folder, initialized as an editor does."""
        command = [sys.executable, "-m", "checker", "lsp"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        client = cls(subprocess.Popen(command, cwd=folder, env=os.environ, **pipes))  # type: ignore[call-overload]
        found = client.ask("initialize", {"processId": None, "rootUri": folder.as_uri(), "capabilities": {}})
        assert {"hoverProvider", "codeActionProvider", "textDocumentSync"} <= set(found["capabilities"])
        client.tell("initialized", {})
        return client

    def stop(self) -> int:
        """The exit code after a proper end."""
        self.ask("shutdown", None)
        self.tell("exit", None)
        return self.process.wait(20)

    def tell(self, method: str, params: Any) -> None:
        """A notification."""
        self._write({"method": method, "params": params})

    def ask(self, method: str, params: Any) -> Any:
        """A request and its result."""
        self._number += 1
        self._write({"id": self._number, "method": method, "params": params})
        while True:
            message = self._read()
            if message.get("id") == self._number and "method" not in message:
                assert "error" not in message, message
                return message["result"]

    def open(self, file: Path) -> list[dict[str, Any]]:
        """What is wrong with a file once it is open."""
        self.texts[file.as_uri()] = text = file.read_text(encoding="utf-8")
        document = {"uri": file.as_uri(), "languageId": "python", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})
        return self.next(file)

    def save(self, file: Path, text: str) -> list[dict[str, Any]]:
        """What is wrong with a file once this text is saved."""
        self.change(file, text)
        file.write_text(text, encoding="utf-8")
        self.tell("textDocument/didSave", {"textDocument": {"uri": file.as_uri()}})
        return self.next(file)

    def change(self, file: Path, text: str) -> None:
        """Another text, not saved."""
        self.texts[file.as_uri()] = text
        changed = {"textDocument": {"uri": file.as_uri(), "version": 2}, "contentChanges": [{"text": text}]}
        self.tell("textDocument/didChange", changed)

    def next(self, file: Path) -> list[dict[str, Any]]:
        """The diagnostics of a file when its next check has ended, which the server logs."""
        while not self._read().get("params", {}).get("message", "").startswith(f"checked {file.name}: "):
            pass
        return self.published[file.as_uri()]

    def hover(self, file: Path, words: str, name: str) -> str:
        """What is said of a name, in the first line that has these words; "" if nothing is."""
        lines = self.texts[file.as_uri()].splitlines()
        line = next(n for n, text in enumerate(lines) if words in text)
        place = {"line": line, "character": lines[line].index(name, lines[line].index(words))}
        found = self.ask("textDocument/hover", {"textDocument": {"uri": file.as_uri()}, "position": place})
        return "" if found is None else str(found["contents"]["value"])

    def fixes(self, file: Path, problem: dict[str, Any]) -> dict[str, str]:
        """The text after each fix that is offered for a problem, by its title."""
        context = {"diagnostics": [problem]}
        asked = {"textDocument": {"uri": file.as_uri()}, "range": problem["range"], "context": context}
        offered = self.ask("textDocument/codeAction", asked)
        return {o["title"]: self._after(file, o["edit"]["changes"][file.as_uri()]) for o in offered}

    def _after(self, file: Path, edits: list[dict[str, Any]]) -> str:
        lines = self.texts[file.as_uri()].splitlines(keepends=True)

        def offset(place: dict[str, int]) -> int:
            return len("".join(lines[: place["line"]])) + place["character"]

        text = "".join(lines)
        for edit in sorted(edits, key=lambda e: offset(e["range"]["start"]), reverse=True):
            text = text[: offset(edit["range"]["start"])] + edit["newText"] + text[offset(edit["range"]["end"]) :]
        return text

    def _write(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def _read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        length = 0
        while (line := self.process.stdout.readline().strip()) or not length:
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
            assert line or self.process.poll() is None, "the server has ended"
        message: dict[str, Any] = json.loads(self.process.stdout.read(length))
        if message.get("method") == "textDocument/publishDiagnostics":
            self.published[message["params"]["uri"]] = message["params"]["diagnostics"]
        return message
