"""Collections of constants: a word of the code, or memory that the code brings along.

The sender of a message, the destinations of a process: what a model knows from its constants is a tuple, of which a
rule reads one place.  Written item by item into a temporary, a tuple of 94 items took 95 stores for each read.

Where it stops: a collection with one item that is computed is written item by item.
"""

from __future__ import annotations

from checker.assembly import signed
from checker.backends.native import codec
from checker.backends.native.context import Big, Context, Value
from checker.backends.native.packing import is_atom
from checker.ir import expressions as e
from checker.ir.facts import constant_raw


def known(f: Context, node: e.MakeSeq | e.MakeSet) -> Value | None:
    """The value of a collection of constants, which is never written; None if some part is computed."""
    raw = constant_raw(node)
    if raw is None:
        return None
    if is_atom(node.type):
        return signed(codec.pack(node.type, raw))
    layout = f.module.temporary(node.type)
    words = [0] * layout.words
    codec.write(words, node.type, layout.nodes[""], 0, raw)
    return Big(node.type, layout.nodes[""], f.module.constant(tuple(map(signed, words))), 0)
