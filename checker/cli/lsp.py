"""`checker lsp`: a language server on standard input and output, for editors."""

from __future__ import annotations

from checker.extras import are_missing, install, missing
from checker.language.errors import UsageError
from checker.results.exit_codes import HOLDS


def lsp(max_seconds: float) -> int:
    lacking = missing("pygls", "lsprotocol")
    if lacking:
        what = f"a language server needs packages of which {are_missing(lacking)}"
        raise UsageError(what, remedy=install("editor"))
    from checker.editor.server import serve

    serve(max_seconds)
    return HOLDS
