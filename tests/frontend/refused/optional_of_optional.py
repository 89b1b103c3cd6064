# refused: has two kinds of None

from checker.language import Bool, Model, Optional, action, var


class Refusing(Model):
    x = var(Optional[Optional[Bool]])  # here

    @action
    def go(self):
        self.x = None
