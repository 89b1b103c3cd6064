"""A sealed file: its kind, its format and a SHA-256 over everything in it, so that damage is noticed before anything is
read.

There are two forms.  Binary content follows a line of text.  JSON content stands in an object, so that the whole file
is JSON and other programs can read it:

    checker machine-code 1 8f43...                      {"checker": "level", "format": 2, "sha256": "8f43...",
    "content": ...                                                 {...}
                                                        }

The checksum covers kind, format, the name that reader and writer agree on (which file this is, of which search) and the
content.  So a file of another kind, or the file of another name, is refused as a changed byte is.

The checksum protects against damage.  Whoever may write the file may also compute its checksum: `owned` decides whose
files are trusted.  SHA-256 reads more than 1 GB a second; large files of states have a CRC-32 instead, which is twice
as fast, and stands in a sealed file that names them (`checker.search.workdir`).
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

from checker.stored.errors import Damaged, StoredFileError
from checker.stored.shape import parsed

_LINE = re.compile(rb"checker ([a-z-]+) (\d{1,9}) ([0-9a-f]{64})\n")
_OBJECT = re.compile(rb'\{"checker": "([a-z-]+)", "format": (\d{1,9}), "sha256": "([0-9a-f]{64})", "content":\n')
_END = b"\n}\n"
_UNSEALED = re.compile(rb'\s*\{\s*"format": (\d{1,9})\b')  # how `search.json` began up to format 1


def seal(kind: str, format: int, name: str, content: bytes) -> bytes:
    """A sealed file with binary content."""
    return f"checker {kind} {format} {_digest(kind, format, name, content)}\n".encode() + content


def unseal(kind: str, format: int, name: str, data: bytes, where: str) -> bytes:
    """The content of a sealed file.  Raises StoredFileError, with `where` the file is, if it differs from what was
    written.
    """
    head = _LINE.match(data)
    if head is None:
        raise Damaged(f"{where} is damaged: it does not begin as a file of the checker")
    return _checked(kind, format, name, data[head.end() :], head, where)


def seal_json(kind: str, format: int, name: str, content: Any) -> bytes:
    """A sealed file with JSON content."""
    text = json.dumps(content, indent=1, allow_nan=False).encode()
    head = f'{{"checker": "{kind}", "format": {format}, "sha256": "{_digest(kind, format, name, text)}", "content":\n'
    return head.encode() + text + _END


def unseal_json(kind: str, format: int, name: str, data: bytes, where: str) -> Any:
    """The JSON content of a sealed file.  Raises StoredFileError, with `where` the file is, if it differs from what was
    written.
    """
    head = _OBJECT.match(data)
    if head is None:
        old = _UNSEALED.match(data)
        if old is not None:
            raise other_format(int(old[1]), format, where)
        raise Damaged(f"{where} is damaged: it does not begin as a file of the checker")
    if not data.endswith(_END) or len(data) < head.end() + len(_END):
        raise Damaged(f"{where} is damaged: it is not whole")
    return parsed(_checked(kind, format, name, data[head.end() : -len(_END)], head, where))


def other_format(found: int, wanted: int, where: str) -> StoredFileError:
    """The error that a file was written by another version of the checker."""
    return StoredFileError(
        f"{where} has format {found}, of another version of the checker; this version reads format {wanted}"
    )


def _checked(kind: str, format: int, name: str, content: bytes, head: re.Match[bytes], where: str) -> bytes:
    if head[1].decode() != kind:
        raise Damaged(f"{where} is a file of another kind: {head[1].decode()}, not {kind}")
    if int(head[2]) != format:
        raise other_format(int(head[2]), format, where)
    if _digest(kind, format, name, content) != head[3].decode():
        raise Damaged(f"{where} is damaged, or is another file's content: its checksum does not fit")
    return content


def _digest(kind: str, format: int, name: str, content: bytes) -> str:
    digest = hashlib.sha256(f"{kind} {format} {name}\n".encode())
    digest.update(content)
    return digest.hexdigest()
