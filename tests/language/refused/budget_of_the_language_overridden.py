# refused: A.budget_left: this name is used by every model object

from checker.language import Bool, Distributed, action, var


class A(Distributed):
    ok = var(Bool)

    def budget_left(self):  # here
        return True

    @action
    def down(self):
        self.ok = False
