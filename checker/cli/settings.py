"""`[tool.checker]` in pyproject.toml: defaults for the options of commands.

The nearest pyproject.toml with such a table counts, from the working directory up to the root of its repository;
outside a repository only that of the working directory.  A key is an option's name; it applies to every command with
this option.  `models` lists the models that `checker verify` verifies without a name, as paths from the file's folder.
Settings that change a verdict, such as constants, belong to the expectations of a model, where each reader sees them.
An unknown key or a wrong value ends every command: a misspelt limit must not be ignored.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from checker.cli.arguments import MEMORY, SECONDS, Number
from checker.language.errors import UsageError, near

FILE = "pyproject.toml"
MOST_AT_ONCE = 1024  # threads, processes
KEYS: dict[str, click.ParamType] = {
    "jobs": click.IntRange(1, MOST_AT_ONCE),
    "threads": click.IntRange(1, MOST_AT_ONCE),
    "max-seconds": SECONDS,
    "max-memory": MEMORY,
    "max-states": Number(1),
    "models": click.UNPROCESSED,
}


def defaults() -> dict[str, Any]:
    """The settings as options of a command, by the names of parameters.  Raises UsageError for an unknown setting."""
    return {name.replace("-", "_"): value for name, value in _settings(Path.cwd()).items() if name != "models"}


def setting(name: str) -> Any:
    """The value of one setting, None if there is none."""
    return _settings(Path.cwd()).get(name)


def models(of_name: Callable[[str], Path], gone: Callable[[str], bool] = lambda item: False) -> tuple[str, ...]:
    """The models that `checker verify` verifies without a name; none without such a setting.  Raises UsageError, with
    its line, for an item that does not exist; `of_name` gives the file of a name, or a UsageError.  gone: whether an
    item that does not exist is known as one that was deleted.
    """
    named = list(setting("models") or ())
    if named:
        file, text, table = next(_tables(Path.cwd()))
        for number, item in enumerate(table["models"]):
            place = os.path.relpath(file.parent / item)
            if gone(place):
                named[number] = place
            else:
                _there(file, text, item, of_name)
    return tuple(named)


def former_models(text_of: Callable[[Path], str]) -> tuple[str, ...] | None:
    """What `models` named when the files had other texts ("" for a file that was not there), as paths from the working
    directory; none without such a setting, None if the settings were wrong.
    """
    for place in _places(Path.cwd()):
        text = text_of(place / FILE)
        try:
            table = _table(place / FILE, text) if "checker" in text else None
            named = () if table is None else table.get("models", ())
            _value(place / FILE, text, "models", named or [FILE])
        except UsageError:
            return None
        if table is not None:
            return tuple(os.path.relpath(place / item) for item in named)
    return ()


def _settings(directory: Path) -> dict[str, Any]:
    for file, text, table in _tables(directory):
        return {key: _value(file, text, key, value) for key, value in table.items()}
    return {}


def _tables(directory: Path) -> Iterator[tuple[Path, str, dict[str, Any]]]:
    """The tables of settings, the nearest first, each with its file and the text of the file."""
    for place in _places(directory):
        file = place / FILE
        text = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
        if "checker" in text and (table := _table(file, text)) is not None:
            yield file, text, table


def _places(directory: Path) -> Sequence[Path]:
    """The folders whose file may count: the models in `models` are executed, so folders above a repository are never
    read.
    """
    places = (directory, *directory.parents)
    root = next((number for number, place in enumerate(places) if (place / ".git").exists()), 0)
    return places[: root + 1]


def _table(file: Path, text: str) -> dict[str, Any] | None:
    """The table of settings in a file; None if it has none."""
    import tomllib  # most repositories have no such table

    try:
        tool = tomllib.loads(text).get("tool", {})
    except tomllib.TOMLDecodeError as error:
        if not re.search(r"^\s*\[\s*tool\s*\.\s*checker\s*\]", text, re.MULTILINE):
            return None  # another program's file, of which nobody knows that it speaks of the checker
        line = re.search(r"line (\d+)", str(error))
        raise UsageError(f"not TOML: {error}", str(file), int(line[1]) if line else len(text.splitlines())) from None
    table = tool.get("checker") if isinstance(tool, dict) else tool
    if table is None or isinstance(table, dict):
        return table
    name = "tool.checker" if isinstance(tool, dict) else "tool"
    raise UsageError(f"{name} = {table!r} is no table", str(file), None, 'Write [tool.checker], then models = ["..."].')


def _value(file: Path, text: str, key: str, value: Any) -> Any:
    found = _line_of(text, rf"\s*\"?{re.escape(key)}\b")
    if key not in KEYS:
        remedy = f"{near(key, KEYS)} It takes {', '.join(KEYS)}.".strip()
        raise UsageError(f"[tool.checker] has no key {key}", str(file), found, remedy)
    if key == "models":
        if not (isinstance(value, list) and value and all(isinstance(item, str) for item in value)):
            remedy = 'Write a list of files and folders: models = ["protocols"].'
            raise UsageError(f"[tool.checker] models = {value!r} is no list of paths", str(file), found, remedy)
        return tuple(_path(file.parent, item) for item in value)
    try:
        if isinstance(value, bool):
            raise click.BadParameter(f"{value!r} is not a value of it")
        return KEYS[key].convert(value, None, None)
    except click.BadParameter as error:
        raise UsageError(f"[tool.checker] {key} = {value!r}: {error.message}", str(file), found) from None


def _there(file: Path, text: str, item: str, of_name: Callable[[str], Path]) -> None:
    """Raise UsageError for an item of `models` that names nothing."""
    name = item.partition(":")[0]
    path = file.parent / name
    if path.exists():
        return
    try:
        if not ("/" in name or name.endswith(".py")):
            of_name(item)
            return
    except UsageError:
        pass
    beside = [f.name for f in path.parent.glob("*") if f.is_dir() or f.suffix == ".py"]
    line = _line_of(text, rf".*[\"']{re.escape(item)}[\"']") or _line_of(text, r"\s*\"?models\b")
    remedy = near(path.name, beside) or "Write files and folders as seen from this file, or names of models."
    raise UsageError(f"[tool.checker] models: there is no file, folder or model {item}", str(file), line, remedy)


def _line_of(text: str, pattern: str) -> int | None:
    """The first line of a text that begins with a pattern."""
    return next((n for n, line in enumerate(text.splitlines(), 1) if re.match(pattern, line)), None)


def _path(folder: Path, item: str) -> str:
    """A file or folder as a path from the working directory; a name of a model is unchanged."""
    path = folder / item.partition(":")[0]
    if not path.exists():
        return item
    seen = os.path.relpath(path)
    folder_named = f"./{seen}" if path.is_dir() and "/" not in seen else seen
    return folder_named + item.removeprefix(item.partition(":")[0])
