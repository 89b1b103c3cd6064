# refused: is read and popped in one statement

from checker.language import Bool, Ids, Int, Map, Model, Optional, Record, Seq, Set, Union, action, rule, var


class Refusing(Model):
    P = Ids("p", 3)
    n = var(Int(0, 3), 0)
    held = var(Map[P, Set[Int(0, 3)]])
    queue = var(Seq[Int(0, 3), 3])

    @rule
    def waiting(self):
        return len(self.queue)

    @action
    def go(self, p: P):
        self.n = self.waiting() - self.queue.pop()  # here
