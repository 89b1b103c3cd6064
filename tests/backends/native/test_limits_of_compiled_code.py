"""Where compiled code holds less than Python, a model that comes there is refused: the limit is no error of the model,
and no verdict."""

from __future__ import annotations

from pathlib import Path

import pytest

from checker.analysis.check import check
from checker.catalogue import in_file
from checker.language.errors import UsageError

HEAD = '''from checker.language import Int, Model, action, require, var


class Limit(Model):
    """A local that grows in a loop."""

    n = var(Int(0, 400), 0)

    @action
    def step(self):
        require(self.n == 0)
'''
BODIES = {
    "a number of more than 32 bits": ("x = 1\nfor _ in range(40):\n    x = x * 2\nself.n = x % 7", "x = x * 2"),
    "a list of more than 256 items": ("x = []\nwhile len(x) < 300:\n    x.append(1)\nself.n = len(x)", "x.append(1)"),
}


@pytest.mark.parametrize("what", BODIES)
def test_a_local_beyond_the_limits_of_compiled_code_is_refused_with_its_line(what: str, tmp_path: Path) -> None:
    """The interpreter has no such limit: the native engine names the line and what to write instead."""
    body, guilty = BODIES[what]
    file = tmp_path / "limit.py"
    file.write_text(HEAD + "\n".join("        " + line for line in body.splitlines()) + "\n")
    (entry,) = in_file(file)
    assert check(entry.cls, str(file), engine="interpreter").verdict == "holds"
    with pytest.raises(UsageError) as caught:
        check(entry.cls, str(file))
    assert caught.value.fragment == guilty and caught.value.line is not None and "Keep" in (caught.value.remedy or "")
