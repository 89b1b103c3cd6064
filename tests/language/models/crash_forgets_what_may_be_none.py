# expect: holds distinct=72 transitions=270 depth=3
"""A crash gives a variable that starts as anything any value again: none, too, where it may be none.

36 states without a crash: 9 wishes, and who has stepped. 36 with one: either process, 9 wishes, whether the other has
stepped.
"""

from checker.language import Bool, Distributed, Map, Optional, Process, action, anything, const, invariant, require, var


class CrashForgetsWhatMayBeNone(Distributed):
    crashes = const(1, "processes that may crash")
    processes = const(2, "processes")
    wish = var(Map[Process, Optional[Bool]], anything)
    stepped = var(Map[Process, Bool], False)

    @action
    def step(self, p: Process):
        require(not self.stepped[p])
        self.stepped[p] = True

    @invariant
    def wished(self):
        return any(self.wish[p] == w for p in self.Process for w in {None, False, True})
