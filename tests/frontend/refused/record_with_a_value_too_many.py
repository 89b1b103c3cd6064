# refused: Ack has 1 field, 2 are given

from checker.language import Bool, Model, Record, action, var


class Refusing(Model):
    Ack = Record(yes=Bool)
    last = var(Ack, (False,))
    @action
    def go(self): self.last = self.Ack(True, True)  # here
