"""Emission of what merges symmetric states: the exchanges of neighbours, the order of states, and `canonical`, which
puts the least permuted state in a state's place.

The exchanges are actions of the model's language (`checker.ir.symmetry`), so they are emitted as any action; the loops
around them are the same for every model and are written out here in assembly.  `expand` calls `canonical` on each
successor it keeps, after the step was judged.
"""

from __future__ import annotations

from checker.backends.native.assembly import Assembly
from checker.backends.native.compare import compare
from checker.backends.native.context import Context, ModuleContext
from checker.backends.native.functions import emit_action
from checker.backends.native.judging import noted_elsewhere
from checker.ir import expressions as e
from checker.ir.model import Symmetry


def symmetric(module: ModuleContext) -> list[str]:
    """The functions of a model that merges symmetric states; none for any other."""
    symmetry = module.model.symmetry
    if symmetry is None:
        return []
    exchanges = [emit_action(module, action, f"exchange_{i}").text() for i, action in enumerate(symmetry.generators)]
    return [*exchanges, _smaller(module), _loops(symmetry, module.layout.words)]


def _smaller(module: ModuleContext) -> str:
    """Whether one state comes before another in the canonical order, variable by variable."""
    b = Assembly("smaller", "i64", [("ptr readonly", "%left"), ("ptr readonly", "%right")])
    f = Context(module, b, noted_elsewhere)
    for variable in module.model.variables:
        values = []
        for f.state in ("%left", "%right"):
            values.append(f.evaluate(e.Variable(variable.type, variable.name)))
        left, right = values
        for operator, result in (("<", 1), (">", 0)):
            with f.when(compare(f, operator, variable.type, left, variable.type, right)):
                b.give(f"i64 {result}")
    b.give("i64 0")
    return b.text()


def _loops(symmetry: Symmetry, words: int) -> str:
    state, size = f"[{words} x i64]", 8 * words
    cases = " ".join(f"i64 {i}, label %exchange{i}" for i in range(len(symmetry.generators)))
    calls = "\n".join(
        (f"exchange{i}:\n  call i64 @exchange_{i}(ptr %in, ptr %out, ptr null)\n  ret void")
        for i in range(len(symmetry.generators))
    )
    walk = ", ".join(f"i64 {generator}" for generator in symmetry.walk)
    first, neighbours = (symmetry.sort[0] if symmetry.sort else 0), len(symmetry.sort)
    exchanged = (
        "%target = getelementptr i64, ptr %out, i64 %place\n  call void @exchange(i64 %generator, ptr %state, "
        "ptr %target)"
    )

    def over(name: str, parameters: str, body: str) -> str:
        """A function that does something with each state of a block."""
        return f"""
define void @{name}(ptr %states, i64 %n{parameters}) nounwind {{
  br label %head
head:
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %done
body:
  %place = mul i64 %i, {words}
  %state = getelementptr i64, ptr %states, i64 %place
  {body}
  %next = add i64 %i, 1
  br label %head
done:
  ret void
}}"""

    return f"""
@walk = internal constant [{len(symmetry.walk)} x i64] [{walk}], align 8

define internal void @exchange(i64 %generator, ptr %in, ptr %out) nounwind {{
  switch i64 %generator, label %none [ {cases} ]
none:
  unreachable
{calls}
}}

; Sort the members of the sorted type: exchange neighbours while that makes the state smaller.  A successor is nearly sorted already, so few rounds are taken.
define internal void @sort(ptr %state) nounwind {{
  %trial = alloca {state}, align 8
  br label %round
round:
  %stop = phi i64 [ {neighbours}, %0 ], [ %less, %moved ]
  %over = icmp eq i64 %stop, 0
  br i1 %over, label %done, label %pair
pair:
  %k = phi i64 [ 0, %round ], [ %next, %passed ]
  %changes = phi i1 [ 0, %round ], [ %changed, %passed ]
  %generator = add i64 %k, {first}
  call void @exchange(i64 %generator, ptr %state, ptr %trial)
  %better = call i64 @smaller(ptr %trial, ptr %state)
  %wrong = icmp ne i64 %better, 0
  br i1 %wrong, label %take, label %passed
take:
  call void @llvm.memcpy.p0.p0.i64(ptr %state, ptr %trial, i64 {size}, i1 false)
  br label %passed
passed:
  %changed = or i1 %changes, %wrong
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, %stop
  br i1 %more, label %pair, label %rounded
rounded:
  br i1 %changed, label %moved, label %done
moved:
  %less = sub i64 %stop, 1
  br label %round
done:
  ret void
}}

; Put the least of a state's permutations in its place.
define internal void @canonical(ptr %state) nounwind {{
  %here = alloca {state}, align 8
  %trial = alloca {state}, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr %here, ptr %state, i64 {size}, i1 false)
  call void @sort(ptr %state)
  br label %head
head:
  %i = phi i64 [ 0, %0 ], [ %following, %walked ]
  %more = icmp ult i64 %i, {len(symmetry.walk)}
  br i1 %more, label %step, label %done
step:
  %at = getelementptr i64, ptr @walk, i64 %i
  %generator = load i64, ptr %at
  call void @exchange(i64 %generator, ptr %here, ptr %trial)
  call void @llvm.memcpy.p0.p0.i64(ptr %here, ptr %trial, i64 {size}, i1 false)
  call void @sort(ptr %trial)
  %better = call i64 @smaller(ptr %trial, ptr %state)
  %wrong = icmp ne i64 %better, 0
  br i1 %wrong, label %take, label %walked
take:
  call void @llvm.memcpy.p0.p0.i64(ptr %state, ptr %trial, i64 {size}, i1 false)
  br label %walked
walked:
  %following = add i64 %i, 1
  br label %head
done:
  ret void
}}
{over("canonical_states", "", "call void @canonical(ptr %state)")}
{over("exchange_states", ", i64 %generator, ptr %out", exchanged)}
"""  # noqa: E501
