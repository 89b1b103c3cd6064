# expect: holds distinct=4 transitions=36 depth=2
"""A name that is assigned where a list is read before, in the text, anything is put into it."""

from checker.language import Int, Model, action, var


class AssignedWhileATypeIsUnknown(Model):
    n = var(Int(0, 3), 0)

    @action
    def by_an_if(self, start: Int(0, 2)):
        queue = []
        for i in range(2):
            if i == 1:
                if queue[0] > 0:
                    y = 1
                else:
                    y = 2
                self.n = y
            queue.append(start)

    @action
    def by_a_match(self, start: Int(0, 2)):
        queue = []
        for i in range(2):
            if i == 1:
                match queue[0]:
                    case 0:
                        y = 1
                    case _:
                        y = 2
                z = y
                self.n = z
            queue.append(start)

    @action
    def by_a_loop(self, start: Int(0, 2)):
        queue = []
        k = 0
        while True:
            k += 1
            if k > 1:
                while True:
                    if queue[0] > 0:
                        y = 3
                        break
                    else:
                        y = 2
                        break
                self.n = y
                break
            queue.append(start)
