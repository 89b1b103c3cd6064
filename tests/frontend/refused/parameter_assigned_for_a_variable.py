# refused: value is a local here, and nothing reads it

from checker.language import Int, Model, action, var


class Refusing(Model):
    Value = Int(0, 3)
    value = var(Value, 0)

    @action
    def set(self, value: Value):
        value += 1  # here
