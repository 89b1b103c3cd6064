# expect: holds distinct=2 transitions=1 depth=2

from checker.language import Bool, Model, action, choose, require, var


class Many(Model):
    """Each of two hundred choices leaves one way on: there is one step."""

    done = var(Bool, False)

    @action
    def go(self):
        require(not self.done)
        for _ in range(200):
            require(choose((0, 1)) == 1)
        self.done = True
