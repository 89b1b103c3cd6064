# expect: assert 79 distinct=9 transitions=171 depth=2
"""A name has a value where each way to it has assigned it: by all cases of a match, and at every break of `while
True`."""

from enum import Enum

from checker.language import Bool, Int, Model, Optional, action, require, var


class Colour(Enum):
    RED = 0
    GREEN = 1


class AssignedOnEveryPath(Model):
    n = var(Int(0, 9), 0)

    @action
    def by_truth_values(self, a: Bool, b: Bool):
        match a:
            case True:
                y = 1
            case False:
                match b:
                    case True:
                        y = 2
                    case False:
                        y = 3
        self.n = y

    @action
    def by_cases_and_none(self, colour: Optional[Colour]):
        match colour:
            case None:
                y = 1
            case Colour.RED:
                y = 2
            case Colour.GREEN:
                y = 3
        self.n = y

    @action
    def at_each_break(self, start: Int(0, 3)):
        k = start
        while True:
            k += 1
            if k < 3:
                continue
            y = k
            if y == 3:
                break
            for i in range(2):
                y += i
                break
            z = y
            if z > 3:
                break
        self.n = y

    @action
    def unless_the_step_ends(self, a: Bool, b: Bool):
        while True:
            if a:
                y = 4
                break
            if b:
                return
            y = 5
            break
        self.n = y

    @action
    def unless_it_is_an_error(self, k: Int(0, 2)):
        if k == 0:
            y = 6
        elif k == 1:
            y = 7
        else:
            assert False, "too many"  # noqa: B011 - a model's assertion
        self.n = y

    @action
    def unless_the_guard_fails(self, a: Bool):
        if a:
            y = 8
        else:
            require(False)
        self.n = y
