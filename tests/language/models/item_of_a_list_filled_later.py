# expect: holds distinct=4 transitions=8 depth=3
"""An item is taken where the text says so, though the list gets its items, and so their type, only in a later line."""

from checker.language import Bool, Int, Model, action, var


class ItemOfAListFilledLater(Model):
    flag = var(Bool, False)
    n = var(Int(0, 3), 0)

    @action
    def truth(self):
        truths = []
        for i in range(2):
            if i > 0:
                self.flag = truths[-1]
            truths.append(not self.flag)

    @action
    def walk(self):
        rows = []
        for i in range(2):
            if i > 0:
                self.n = 0
                for x in rows[0]:
                    self.n += x
            rows.append([1, 2])
