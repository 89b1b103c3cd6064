"""What would need more memory than there is is refused before it is built: the message names the type, its size, the
limit and the constants that were given."""

from __future__ import annotations

import resource
from collections.abc import Callable
from pathlib import Path

import pytest

from checker.catalogue import catalogue
from checker.language.define import define
from checker.language.room import bits
from tests.cli.commands import Ran

Checker = Callable[..., Ran]
Write = Callable[[str, str], str]

HEAD = (
    "from checker.language import Bag, Bool, Ids, Int, Map, Model, Record, Seq, Set, action, anything, const, "
    "derived, invariant, require, var\n\n\nclass Sized(Model):\n    size = const(2)\n"
)
ACTION = "\n    @action\n    def up(self):\n        require(False)\n"
SIZES = {
    "nested maps": (
        "    n = var(Map[Int(1, size), Map[Int(1, size), Bool]], False)\n",
        60_000,
        "a state would take 450,000,000 bytes, of that Sized.n 450,000,000 bytes; the most is 131,072 bytes",
    ),
    "maps of sequences": ("    n = var(Map[Int(1, size), Seq[Int(1, size), size]])\n", 2_000, "a state would take"),
    "many variables": (
        "".join(f"    n{i} = var(Map[Int(1, size), Bool], False)\n" for i in range(20)),
        60_000,
        "a state would take 150,000 bytes",
    ),
    "keys": ("    n = var(Map[Int(1, size), Bool], False)\n", 99_999_999_999, "has 99,999,999,999"),
    "members": (
        '    P = Ids("p", size)\n    n = var(Map[P, Bool], False)\n',
        99_999_999_999,
        "has 99,999,999,999 members, more than 65,536",
    ),
    "names of members": (
        '    P = Ids("p", derived(lambda c: [str(i) for i in range(c.size)]))\n    n = var(Map[P, Bool], False)\n',
        100_000,
        "has 100,000 members, more than 65,536",
    ),
    "capacity": ("    n = var(Seq[Bool, size])\n", 99_999_999_999, "the capacity of a Seq is 99,999,999,999"),
    "negative capacity": ("    n = var(Bag[Bool, size])\n", -1, "the capacity of a Bag is -1"),
    "initial states of one": (
        "    n = var(Map[Int(1, size), Bool], anything)\n",
        40,
        "has more than 2 to the 28 values",
    ),
    "initial states together": (
        "    n = var(Int(1, size), anything)\n    m = var(Int(1, size), anything)\n",
        1 << 20,
        "n, m start as anything: together they have about 2 to the 40 values",
    ),
    "a list of tuples": (
        "    n = var(Record(a=Int(1, size), b=Bool), anything)\n",
        1 << 21,
        "has more than 2 to the 20 values",
    ),
    "derived": (  # large pieces: small ones first fill what this process has freed before, for seconds
        "    long = derived(lambda c: [bytes(1 << 26) for i in range(c.size)])\n    n = var(Bool)\n",
        40,
        "reading the model takes more than 128 MB of memory",
    ),
    "derived at once": (
        "    long = derived(lambda c: (0,) * c.size)\n    n = var(Bool)\n",
        99_999_999_999,
        "reading the model takes more than 128 MB of memory",
    ),
}
PARAMETERS = {
    "one": ("a: Int(1, size)", 99_999_999_999, "parameter a ranges over Int(1, 99999999999)"),
    "several": (
        "a: Int(1, size), b: Int(1, size), c: Int(1, size)",
        1_000,
        "action up has 1,000,000,000 combinations of parameters (1,000 of a * 1,000 of b * 1,000 of c), each "
        "tried in every state; the most is 16,777,216",
    ),
}


@pytest.mark.parametrize("text, size, message", SIZES.values(), ids=SIZES)
def test_what_is_too_large_is_refused(
    checker: Checker, write: Write, monkeypatch: pytest.MonkeyPatch, text: str, size: int, message: str
) -> None:
    """Exit code 2, before any engine is asked; the limit on the address space is what it was."""
    monkeypatch.setattr("checker.language.room.GROWTH", 1 << 27)  # 128 MB are filled sooner than 2 GB
    before = resource.getrlimit(resource.RLIMIT_AS)
    ran = checker("check", write("sized.py", HEAD + text + ACTION), "-D", f"size={size}")
    assert ran.code == 2
    assert message in ran.err
    assert (
        "-D" in ran.err
        or "constants" in ran.err
        or f"size={size}" in ran.err
        or "number from" in ran.err
        or "Give it an initial value" in ran.err
        or "bound the type" in ran.err
    )
    assert resource.getrlimit(resource.RLIMIT_AS) == before


@pytest.mark.parametrize("text, size, message", PARAMETERS.values(), ids=PARAMETERS)
def test_too_many_combinations_of_parameters_are_refused(
    checker: Checker, write: Write, text: str, size: int, message: str
) -> None:
    """Each would be tried in every state, which no limit on time interrupts."""
    body = f"    n = var(Bool)\n\n    @action\n    def up(self, {text}):\n        require(False)\n"
    ran = checker("check", write("sized.py", HEAD + body), "-D", f"size={size}")
    assert (ran.code, message in ran.err, f"size={size}" in ran.err) == (2, True, True), ran.err


def test_a_number_of_many_values_is_no_list_of_them(checker: Checker, write: Write) -> None:
    """A variable may have 37 bits: that costs nothing, in either engine; its members are a range."""
    file = write(
        "sized.py",
        HEAD
        + (
            "    n = var(Int(0, size), 0)\n\n    @action\n    def up(self):\n        self.n = (self.n + 1) % 3\n\n   "
            " @invariant\n    def inside(self):\n        return self.n in self.type_of_n\n\n    type_of_n = "
            "Int(0, size)\n"
        ),
    )
    for engine in ("native", "interpreter"):
        ran = checker("check", file, "-D", "size=99999999999", "--engine", engine)
        assert (ran.code, "3 states" in ran.out) == (0, True), ran.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("isis", "-D", "highest=99999999999"),
        ("isis", "-D", "workload=" + "1," * 100_000),
        ("isis", "-D", "crashes=" + "9" * 4000),
    ],
    ids=["a type", "a list", "digits"],
)
def test_constants_of_shipped_models_are_refused_or_cost_nothing(checker: Checker, arguments: tuple[str, ...]) -> None:
    """The first took all memory before the search began; a message never repeats a list of thousands."""
    ran = checker("check", *arguments, "--max-states", "100")
    assert ran.code in (2, 4)
    assert len(ran.err) < 2_000


def test_no_shipped_model_comes_near_a_limit() -> None:
    """A state of any has less than a fiftieth of the bits that are allowed."""
    entries = catalogue().entries
    assert len(entries) > 50
    assert max(sum(bits(v.domain.ir) for v in define(e.cls).variables) for e in entries if e.main) < (1 << 20) / 50


def test_models_of_the_working_directory_may_use_much_memory_for_a_moment(
    checker: Checker, here: Path, write: Write
) -> None:
    """Two hundred megabytes while a class body runs are no fault."""
    text = "_much = bytearray(200 << 20)\n" + HEAD + "    n = var(Bool)\n" + ACTION
    assert checker("check", write("much.py", text)).code in (0, 3)
