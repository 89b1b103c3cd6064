# expect: error 17, assert 23, error 30, error 37, error 47, error 55, error 69, error 77, error 86, error 98, error 105, error 111, error 117 distinct=1 transitions=15 depth=1
"""An error is reported at the first line of its statement, wherever in it Python was."""

from checker.language import Ids, Int, Map, Model, Optional, Seq, Set, action, require, var


class StatementsOfSeveralLines(Model):
    P = Ids("p", 3)
    n = var(Int(0, 3), 0)
    q = var(Seq[Int(0, 3), 2])
    s = var(Set[Int(0, 3)])
    o = var(Optional[P])
    m = var(Map[Int(1, 3), Int(0, 3)], 0)
    held = var(Map[P, Optional[Int(0, 3)]])

    def entry(self, k):
        return self.m[
            k
        ]

    @action
    def asserted(self):
        assert (
            self.n == 0
            and self.o is not None
        )

    @action
    def assigned(self, k: Int(3, 4)):
        self.n = (
            k
            + 1
        )

    @action
    def appended(self):
        (
            self
            .q
            .append(
                self.n + 4
            )
        )

    @action
    def entered(self, k: Int(0, 1)):
        self.m[
            k - 1
        ] = (
            k
        )

    @action
    def read(self):
        self.n = self.m[
            1
        ] + self.m[
            self.n
        ]

    @action
    def called(self):
        self.n = self.entry(
            self.n
        )

    @action
    def tested(self):
        if (
            self.m[1] == 0
            and self.m[self.n] == 0
        ):
            self.n = 0

    @action
    def looped(self):
        for _ in range(
            self.q[
                0
            ]
        ):
            self.n = 0

    @action
    def required(self):
        require(
            all(
                self.q[x]
                == 0
                for x in range(
                    2
                )
            )
        )

    @action
    def divided(self):
        self.n = (
            3
            // self.n
        )

    @action
    def unwrapped(self):
        self.held[
            self.o
        ] = 1

    @action
    def taken(self):
        self.s.remove(
            self.n
        )

    @action
    def several(self):
        self.n, self.o = (
            self.n,
            self.P[
                self.n + 3
            ],
        )
