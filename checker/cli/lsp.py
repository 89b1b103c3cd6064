"""`checker lsp`: a language server on standard input and output, for editors."""

from __future__ import annotations

from importlib.util import find_spec

from checker.language.errors import UsageError
from checker.results.exit_codes import HOLDS


def lsp(max_seconds: float) -> int:
    missing = [package for package in ("pygls", "lsprotocol") if find_spec(package) is None]
    if missing:
        what = (
            f"the language server needs {' and '.join(missing)}, which {'is' if len(missing) == 1 else 'are'} missing"
        )
        raise UsageError(what, remedy="pip install 'spacetime-checker[editor]'")
    from checker.editor.server import serve

    serve(max_seconds)
    return HOLDS
