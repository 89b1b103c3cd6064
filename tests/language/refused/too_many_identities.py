# refused: the type Node has 100,000 members, more than 65,536

from __future__ import annotations

from checker.language import action, Ids, Model, Set, var


class A(Model):
    Node = Ids("n", 100_000)  # here
    up = var(Set[Node])
    @action
    def start(self, n: Node): self.up.add(n)
