# expect: error 45, error 49, error 55, error 61, error 66, error 71, error 80, error 85 distinct=7 transitions=17 depth=5
"""Python evaluates from left to right, the value before the target, arguments in the order of the call, and all of a display, list or argument even if it is not used."""

from checker.language import Int, Map, Model, Optional, Record, Seq, Set, action, choose, require, rule, var


class Order(Model):
    Pair = Record(x=Int(0, 3), y=Int(0, 3))
    n = var(Int(0, 3), 0)
    out = var(Int(0, 9), 0)
    queue = var(Seq[Int(0, 3), 3], [2, 1])
    rows = var(Map[Int(0, 3), Int(0, 3)], 1)
    held = var(Set[Int(0, 3)], {1})
    owner = var(Optional[Int(0, 3)], None)

    @rule
    def part(self, x, y):
        return x // y

    def keep(self, x, y):
        self.out = 2 * x + y

    @action
    def value_before_target(self):
        require(self.out == 0)
        self.rows[self.queue.pop(0)] = len(self.queue)
        self.out = 1

    @action
    def arguments_as_they_are_called(self):
        require(self.out == 1)
        self.keep(y=self.queue.pop(0), x=len(self.queue) + 1)

    @action
    def several_at_once(self):
        require(self.out == 3)
        self.held |= {len(self.held), len(self.held) + 1}
        self.queue += [len(self.queue), len(self.queue)]
        self.held.update({len(self.held), 0})
        self.out = 4

    @action
    def default_in_any_case(self, d: Int(0, 1)):
        require(self.out == 4)
        self.out = max(self.held, default=1 // d)

    @action
    def members_in_any_case(self, d: Int(0, 1)):
        require(self.out == 4 and self.n in (0, 1 // d))
        self.out = 5

    @action
    def list_to_its_end(self, d: Int(0, 1)):
        require(self.out == 4)
        require(any([1 // x >= 0 for x in [1, d]]) and 9 not in range(1 // d))
        self.out = 6

    @action
    def count_in_any_case(self, d: Int(0, 1)):
        require(self.out == 4)
        self.out = len([1 // x for x in range(d, 3)])

    @action
    def failing_before_choosing(self):
        require(self.out == 4)
        self.out = self.owner + choose(self.held)

    @action
    def entry_before_value(self):
        require(self.out == 4)
        self.queue[2] += choose(self.held)

    @action
    def comparison_in_part(self):
        require(self.out == 2 and 1 < self.n < 1 // self.n)

    @action
    def arguments_fail_as_they_are_called(self):
        require(self.out == 4)
        self.keep(y=self.queue[2], x=self.part(1, self.n))

    @action
    def fields_fail_as_they_are_given(self):
        require(self.out == 4)
        self.out = self.Pair(y=self.queue[2], x=self.part(1, self.n)).x
