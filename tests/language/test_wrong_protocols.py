"""Three protocols as a newcomer would write them, each with the slips that newcomers make: what the message says, and
where."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import frozen

from checker.catalogue import in_file
from checker.frontend.lower import lower
from checker.language import UsageError
from checker.language.define import define

PROTOCOLS = Path(__file__).parent / "protocols"


@frozen
class Slip:
    """A piece of a protocol written wrong: what the message says is wrong, and what it says to write."""

    protocol: str
    right: str
    wrong: str
    message: str
    remedy: str


SLIPS = {
    # Raft's election
    "collection compared with a number": Slip(
        "raft_election",
        "len(self.votes[p]) >= self.majority",
        "self.votes[p] >= self.majority",
        "Set[Process] is compared with 2",
        "Write len(...) for the number of items.",
    ),
    "a map sent instead of an entry": Slip(
        "raft_election",
        "self.Wire.Ask(self.term[p])",
        "self.Wire.Ask(self.term)",
        "Map[Process, Int(0, 2)] does not fit Int(0, 2)",
        "Take the value at one key: self.term[k], with k of type Process.",
    ),
    "none without Optional": Slip(
        "raft_election",
        "Map[Process, Optional[Process]])",
        "Map[Process, Process], None)",
        "None is not in Process",
        "Declare Optional[Process] if there may be none.",
    ),
    "a rule as a part of a process": Slip(
        "raft_election", "if self.won(p)", "if p.won", "Process has no won", "Write self.won(p)."
    ),
    "a map by process as a part of it": Slip(
        "raft_election", "len(self.votes[p]) >=", "len(p.votes) >=", "Process has no votes", "Write self.votes[p]."
    ),
    "message without its union": Slip(
        "raft_election", "self.Wire.Vote(term))", "Vote(term))", "Vote is not defined", "Write self.Wire.Vote(...)."
    ),
    "message without sender": Slip(
        "raft_election",
        "self.net.send(p, q, self.Wire.Vote(term))",
        "self.net.send(q, self.Wire.Vote(term))",
        "self.net.send takes (source, target, body)",
        "net.send(p, q, body)",
    ),
    "handler of a record": Slip(
        "raft_election",
        "def asked(self, p, q, term):",
        "def asked(self, p, q, message):",
        "its parameters must be (receiver, sender, term)",
        "def asked(self, p, q, term)",
    ),
    "rule not called": Slip(
        "raft_election", "if self.won(p):", "if self.won:", "self.won is a method", "Call it: self.won(p)."
    ),
    "actor forgotten": Slip(
        "raft_election",
        "def stand(self, p: Process):",
        "def stand(self):",
        "p is not defined",
        "def stand(self, p: Type)",
    ),
    "enumeration without Enum": Slip(
        "raft_election",
        "class Role(Enum):",
        "class Role:",
        "Role is a plain Python class, not a type",
        "Derive it from Enum",
    ),
    # two-phase commit
    "or of a value": Slip(
        "two_phase_commit",
        "if self.state[p] == State.working:",
        "if self.state[p] == State.working or State.prepared:",
        "State is used as a condition",
        "Write self.state[p] in (State.working, State.prepared)",
    ),
    "key forgotten": Slip(
        "two_phase_commit",
        "self.state[p] = State.aborted",
        "self.state = State.aborted",
        "State does not fit Map[Process, State]",
        "x[k] = State.aborted",
    ),
    "dictionary as an empty set": Slip(
        "two_phase_commit",
        "yes = var(Set[Process])",
        "yes = var(Set[Process], {})",
        "{} is not in Set[Process]",
        "Leave the initial value out: it starts empty.",
    ),
    "value instead of type": Slip(
        "two_phase_commit",
        "asked = var(Bool)",
        "asked = var(False)",
        "False is a value, not a type",
        "The type comes first",
    ),
    "comprehension over a type in the class": Slip(
        "two_phase_commit",
        "Map[Process, State], State.working)",
        "Map[Process, State], {p: State.working for p in Process})",
        "the members of Process are not known in the class body",
        "var(Map[K, V], value)",
    ),
    "member of a type in the class": Slip(
        "two_phase_commit",
        "    asked = var(Bool)",
        "    coordinator = Process[0]\n    asked = var(Bool)",
        "the members of Process are not known in the class body",
        "Write self.Process[0] in the methods that use it.",
    ),
    "message not constructed": Slip(
        "two_phase_commit",
        "self.Wire.Vote(True)",
        "self.Wire.Vote",
        "self.Wire.Vote is not a value",
        "Construct one: self.Wire.Vote(yes).",
    ),
    "a set counted up": Slip(
        "two_phase_commit",
        "self.yes.add(q)",
        "self.yes += 1",
        "Set[Process] + 1 has no meaning",
        "A set changes by .add(x)",
    ),
    "two handlers of one name": Slip(
        "two_phase_commit",
        "def count(self, p, q, yes):",
        "def vote(self, p, q, yes):",
        "TwoPhaseCommit.vote is defined twice",
        "give one of them another name",
    ),
    # a lock server
    "queue of the library": Slip(
        "lock_server", "self.queue.pop(0)", "self.queue.popleft()", "has no .popleft(...)", "Write .pop(0)."
    ),
    "helper not called": Slip(
        "lock_server",
        "self.serve(p)\n\n    @on(net, Wire.Grant)",
        "self.serve\n\n    @on(net, Wire.Grant)",
        "an expression without effect",
        "Call it: self.serve(p).",
    ),
    "sum over the keys": Slip(
        "lock_server",
        "sum(self.holding[p] for p in self.Process)",
        "sum(self.holding)",
        "Process is no number",
        "m[k] is the value",
    ),
    "number for a process": Slip(
        "lock_server", "p != self.Process[0]", "p != 0", "Process is compared with 0", "Write self.Process[0]"
    ),
    "union of Python types": Slip(
        "lock_server",
        "var(Optional[Process])",
        "var(Process | None)",
        "Process | None is no type",
        "Write Optional[Process].",
    ),
    "rule without return": Slip(
        "raft_election",
        "return len(self.votes[p]) >= self.majority",
        "len(self.votes[p]) >= self.majority",
        "an expression without effect",
        "uses won as a value: write return before it.",
    ),
    "invariant without return": Slip(
        "lock_server",
        "return sum(self.holding[p] for p in self.Process) <= 1",
        "sum(self.holding[p] for p in self.Process) <= 1",
        "an expression without effect",
        "Write return before it.",
    ),
    "random number": Slip(
        "lock_server",
        "self.holding[p] = False",
        "self.holding[p] = randint(0, 1) == 1",
        "randint is not",
        "choose(...)",
    ),
    "annotation with a Python type": Slip(
        "lock_server",
        "holding = var(Map[Process, Bool])",
        "closed: bool = False\n    holding = var(Map[Process, Bool])",
        "an annotation declares no variable",
        "Write closed = var(Bool, False).",
    ),
    "property not imported": Slip(
        "lock_server",
        "    processes = const(3)\n",
        "    properties = [UniformAgreement]\n    processes = const(3)\n",
        "name 'UniformAgreement' is not defined",
        "from checker.properties.agreement import UniformAgreement",
    ),
    "message for its field": Slip(
        "lock_server",
        "    @action\n    def release(",
        "    Note = Record(n=Bool)\n    notes = var(Network[Process, Note])\n\n"
        "    @on(notes)\n    def read(self, p, q, n):\n        require(n == self.holding[p])\n\n"
        "    @action\n    def release(",
        "Note is compared with",
        "Compare a field: x.n.",
    ),
    "comparison for an assignment": Slip(
        "lock_server",
        "self.holding[p] = False",
        "self.holding[p] == False",
        "an expression without effect",
        "Write = to assign",
    ),
    "claim of another kind of property": Slip(
        "lock_server",
        "def then(self)",
        "def holds(self)",
        "Served has no method then",
        "when and then instead of holds",
    ),
    "expectation not made": Slip(
        "lock_server", "expect = holds()", "expect = holds", "holds is a function", "Call it: expect = holds(...)."
    ),
    "variant without its union": Slip(
        "lock_server", "@on(net, Wire.Ask)", "@on(net, Ask)", "name 'Ask' is not defined", "@on(net, Wire.Ask)"
    ),
    "parameter of a Python type": Slip(
        "lock_server",
        "def ask(self, p: Process)",
        "def ask(self, p: int)",
        "parameter p: int is a Python type",
        "write Int(lo, hi)",
    ),
    "property without return": Slip(
        "two_phase_commit",
        "        return all(self.state[p] in",
        "        all(self.state[p] in",
        "all(...) has no effect here",
        "Write return all(...).",
    ),
    "number without bounds": Slip(
        "raft_election",
        "Term = Int(0, terms)",
        "Term = Record(n=Int)",
        "Int by itself is not a type",
        "Write Int(lo, hi).",
    ),
    "function of the language not imported": Slip(
        "lock_server",
        "self.owner = None",
        "self.owner = choose(self.Process)",
        "choose is not defined",
        "from checker.language import choose",
    ),
    "property misspelt in the expectation": Slip(
        "lock_server",
        "expect = holds()",
        "expect = holds(only=[Serve])",
        "name 'Serve' is not defined",
        "Did you mean Served",
    ),
    "variant of the model instead of its union": Slip(
        "lock_server",
        "self.Wire.Release())",
        "self.Release())",
        "the model has no Release",
        "Write self.Wire.Release(...).",
    ),
    "one type of message with a variant": Slip(
        "lock_server",
        "@on(net, Wire.Ask)",
        "@on(net, Wire)",
        "is a variant of a union",
        "@on(net) if all messages are of one type",
    ),
    "constant of the base class": Slip(
        "lock_server",
        "    owner = var(",
        "    mine = crashes\n    owner = var(",
        "name 'crashes' is not defined",
        "Write Distributed.crashes: a class body does not see",
    ),
    "event without a name": Slip(
        "lock_server", "self.holding[p] = True", "self.emit(p)", "self.emit cannot be called", "Name the event"
    ),
}


@pytest.mark.parametrize("case", SLIPS)
def test_a_slip_is_named_with_its_line_and_what_to_write(case: str, tmp_path: Path) -> None:
    """The message says what is wrong, at the line of the slip or at the heading of what lacks something, and what to
    write instead."""
    slip = SLIPS[case]
    text = (PROTOCOLS / f"{slip.protocol}.py").read_text(encoding="utf-8")
    assert slip.right in text
    file = tmp_path / f"{slip.protocol}.py"
    file.write_text(text.replace(slip.right, slip.wrong, 1), encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        lower(define(in_file(file)[0].cls))
    error = caught.value
    assert slip.message in error.message
    assert slip.remedy in (error.remedy or "")
    assert error.file == str(file) and error.line is not None and error.fragment


@pytest.mark.parametrize("file", sorted(PROTOCOLS.glob("*.py")), ids=lambda f: f.stem)
def test_the_protocol_itself_is_accepted(file: Path) -> None:
    """So it is the slip that is refused."""
    assert lower(define(in_file(file)[0].cls)).actions


def test_a_type_that_the_base_of_an_edit_has_made_its_own_is_not_to_be_imported(tmp_path: Path) -> None:
    """The base's processes have names of their own: those of the language would be others."""
    file = tmp_path / "own.py"
    file.write_text(
        '"""Two of them."""\n\nfrom checker.language import Distributed, Ids, action\n\n\nclass Pair(Distributed):\n'
        '    """Two."""\n\n    Process = Ids("p", ("left", "right"))\n\n\nclass Other(Pair):\n'
        '    """EDIT: one step."""\n\n'
        "    @action\n    def step(self, p: Process):\n        pass\n",
        encoding="utf-8",
    )
    with pytest.raises(UsageError, match="name 'Process' is not defined") as raised:
        in_file(file)
    assert str(raised.value.remedy).startswith("Write Pair.Process: a class body does not see the names of its base")
