# refused: `is` compares only with None

from checker.language import Bool, Ids, Model, Optional, action, require, var


class Refusing(Model):
    P = Ids("p", 3)
    owner = var(Optional[P])
    done = var(Bool)

    @action
    def finish(self, p: P):
        require(self.owner is p)  # here
        self.done = True
