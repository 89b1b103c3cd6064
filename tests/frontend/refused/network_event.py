# refused: send is an event of the networks themselves

from checker.language import Bool, Ids, Model, action, var


class Refusing(Model):
    P = Ids("p", 3)
    x = var(Bool)

    @action
    def go(self, p: P):
        self.emit.send(p, self.x)  # here
