# refused: Join does not fit Leave

from checker.language import Int, Model, Optional, Record, action, var


class Refusing(Model):
    """Records of two names are unlike, though their fields are alike: in Python they are never equal."""

    Join = Record(time=Int(0, 3))
    Leave = Record(time=Int(0, 3))
    joined = var(Optional[Join])
    left = var(Optional[Leave])

    @action
    def go(self):
        self.left = self.Join(time=1)  # here
