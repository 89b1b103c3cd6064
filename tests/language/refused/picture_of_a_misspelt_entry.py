# refused: draw.label: there is no such entry of a picture

from __future__ import annotations

from checker.language import Bool, Distributed, Int, Map, Model, Process, Seq, Set, action, draw, var


class Small(Distributed):
    x = var(Int(0, 3), 0)
    log = var(Seq[Process, 3])
    vote = var(Map[Process, Bool])
    picture = [draw.label("step", "x")]  # here

    @action
    def step(self, p: Process):
        self.x = 1
