# refused: message may be a collection that was changed since it got this name

from checker.language import Int, Model, Optional, Record, Set, Union, action, var


class Refusing(Model):
    """The set inside a variant is the one that was put in: in Python the message changes with it."""

    Wire = Union(Data=Record(items=Set[Int(0, 3)]), End=Record())
    held = var(Set[Int(0, 3)])
    last = var(Optional[Wire])

    @action
    def go(self):
        message = self.Wire.Data(items=self.held)
        self.held.add(1)
        self.last = message  # here
