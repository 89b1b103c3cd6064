# refused: draw.aside('append'): there is no such variable

from __future__ import annotations

from checker.language import Bool, Distributed, Int, Map, Model, Process, Seq, Set, action, draw, var


class Small(Distributed):
    x = var(Int(0, 3), 0)
    log = var(Seq[Process, 3])
    vote = var(Map[Process, Bool])
    picture = [draw.aside("append")]  # here

    @action
    def step(self, p: Process):
        self.log.append(p)
        self.emit.wrote(p)
