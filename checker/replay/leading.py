"""Which of the statements executed before another one in the same step let it be executed, or gave it its values.

* A `require` does, wherever it stands: a false one disables the step.
* The test of an `if` or `while` does if the statement, or the call that led to it, stands inside, or if the branch that
  was not taken would have left the method.
* A rule does if it is asked in the statement or in such a call, in the domain of a `for` around one of them, or for a
  local variable that one of these, or a test that led here, reads.  Of the local variables that the statement itself
  reads, or one before it in the same method that writes what the property reads, those count whose value the witness of
  the violation names.

Where it stops: what was computed in a method that had ended before the statement is not followed.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from checker.frozen import frozen
from checker.replay.executed import Done
from checker.trace.values import mentions

LEAVES = (ast.Return, ast.Continue, ast.Break, ast.Raise)


@frozen
class Leading:
    """The conditions of a statement among what was done before it.  sentence: what the witness of the violation says;
    writes: whether a statement writes what the property reads."""

    statement: Done
    before: Sequence[Done]
    sentence: str
    writes: Callable[[Done], bool]

    def conditions(self) -> Iterator[tuple[int, Done]]:
        """What led to the statement, the last first: a test, a `require` or a rule, with its place among what was done
        before."""
        sites = self._sites()
        tested = {call: set[str]() for call in sites}  # the local variables that decide in each method
        data = {call: names_read(site) for call, site in sites.items()}  # those that its statement reads
        for number in range(len(self.before) - 1, -1, -1):
            done = self.before[number]
            call = done.calls[-1] if done.calls else -1
            if is_requirement(done.node):
                yield number, done
            if call not in sites:
                continue
            site, names = sites[call], tested[call]
            if done.effect and call == self.statement.calls[-1] and self.writes(done):
                data[call] |= names_read(done.node)
            match done.node:
                case ast.FunctionDef():
                    if self._takes(number, site, names, data[call]):
                        yield number, done
                case ast.If(test) | ast.While(test) if leads_to(done, site):
                    names |= names_read(test)
                    yield number, done
                case ast.For(iter=domain) if _stands_in(site, done.node):
                    names |= names_read(domain)
                case ast.Expr(ast.Call(args=[test])) if is_requirement(done.node):
                    names |= names_read(test)
                case ast.Assign([ast.Name()], value) | ast.AnnAssign(ast.Name(), _, ast.expr() as value):
                    if self._matters(done, names, data[call]):
                        names |= names_read(value)

    def _sites(self) -> Mapping[int, ast.stmt]:
        """For each method that had not ended the statement of it that led here: its call of the next one, at last the
        statement itself."""
        own = {call: self.statement.node for call in self.statement.calls[-1:]}
        last = {done.calls[-1]: done.node for done in self.before if done.calls and done.within is None}
        return {call: last[call] for call in self.statement.calls[:-1] if call in last} | own

    def _takes(self, number: int, site: ast.stmt, names: Collection[str], data: Collection[str]) -> bool:
        """Whether a rule that a statement asks decides about the statement of the same method that led here."""
        within = self.before[number].within
        match within:
            case ast.Assign([ast.Name()]) | ast.AnnAssign(ast.Name()):
                assigned = next((d for d in reversed(self.before[:number]) if d.node is within), None)
                return assigned is not None and self._matters(assigned, names, data)
            case ast.For():
                return _stands_in(site, within)
        return within is site

    def _matters(self, assigned: Done, names: Collection[str], data: Collection[str]) -> bool:
        """Whether a local variable decides, or gives what is written a value that the witness names."""
        node = assigned.node
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        name = target.id if isinstance(target, ast.Name) else ""
        return name in names or name in data and mentions(self.sentence, assigned.value)


def names_read(node: ast.AST) -> set[str]:
    """The local variables that a statement or an expression reads."""
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


def is_requirement(node: ast.stmt) -> bool:
    """Whether a statement is a guard."""
    match node:
        case ast.Expr(ast.Call(ast.Name("require"))):
            return True
    return False


def leads_to(done: Done, statement: ast.stmt) -> bool:
    """Whether a test may have led to a statement of the same method: it stands around it, or leaves the method, or the
    round of a loop, if it is true."""
    node = done.node
    assert isinstance(node, ast.If | ast.While)
    if _stands_in(statement, node):
        return True
    skipped = node.body if done.value == "False" else node.orelse
    return bool(skipped) and isinstance(skipped[-1], LEAVES)


def _stands_in(statement: ast.stmt, around: ast.stmt) -> bool:
    return any(inner is statement for inner in ast.walk(around))
