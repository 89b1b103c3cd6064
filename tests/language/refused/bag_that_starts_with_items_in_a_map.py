# refused: a bag inside the initial value of M.x is not empty

from checker.language import Bag, Bool, Int, Map, Model, action, var


class M(Model):
    x = var(Map[Bool, Bag[Int(0, 3), 2]], (1, 1))  # here

    @action
    def go(self):
        pass
