# refused: P is compared with None, which it never is

from checker.language import Bool, Ids, Model, action, require, var


class Refusing(Model):
    P = Ids("p", 3)
    done = var(Bool)

    @action
    def finish(self, p: P):
        require(p is not None)  # here
        self.done = True
