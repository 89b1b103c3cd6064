"""How long a message waits for running instances of consensus on average: the averages of Section 4.1.1.

Rule: a message comes to its group while an instance runs, and is proposed when that has ended: a decision takes the
rest of one instance and then T. Once decided it goes to the blockers, where the same happens to the empty message that
each of them proposes. A destination delivers when the last blocker has answered.

Source: "Optimistic Atomic Multicast in One Communication Delay", 2011, Section 4.1.1: "as m may go into messages_g
anytime between the worst and the best case with the same probability, the average time needed for deciding m would be
delta + 1.5 T"; best, worst and average case of the delivery: 3 delta + 2 T, 3 delta + 4 T, 3 delta + 3 T.

Below: `parts` of an instance are told apart, and in each group the message comes in the middle of one, each as likely
as any other and as in any other group; times are counted in half parts. The model goes through all of them, one in a
step, and adds up. Instances follow each other without a pause, and nothing else serves as a barrier, as the text has
it.

Found. The average time until the decision holds. That until the delivery holds with one blocker. With more it is
larger, since the slowest counts: by T / 6 with two, T / 4 with three, (b - 1) / (2b + 2) T with b. Best and worst case
hold.
"""

from __future__ import annotations

from checker.language import Int, Model, action, const, derived, holds, invariant, require, var, violates


class WaitingForInstances(Model):
    """Section 4.1.1, with any number of blockers."""

    blockers = const(1, "how many groups have to send a barrier")
    parts = const(2, "how many parts of an instance are told apart")
    delta = const(1, "how long a message takes, in parts")

    runs = derived(lambda c: c.parts ** (c.blockers + 1))
    longest = derived(lambda c: 6 * c.delta + 8 * c.parts)
    Case = Int(0, derived(lambda c: c.runs))

    case = var(Case, 0)  # those gone through
    decided = var(Int(0, derived(lambda c: c.runs * c.longest)), 0)  # the sum of their times until the decision
    delivered = var(Int(0, derived(lambda c: c.runs * c.longest)), 0)  # and until the delivery

    @action
    def go_through(self) -> None:
        """One case: the digits of its number say how much of an instance is over where the message, or the request,
        comes."""
        require(self.case < self.runs)
        rest = self.case
        own = 2 * (rest % self.parts) + 1
        slowest = 0
        for _ in range(self.blockers):
            rest = rest // self.parts
            slowest = max(slowest, 2 * (rest % self.parts) + 1)
        decision = 2 * self.delta + own + 2 * self.parts
        self.decided += decision
        self.delivered += decision + 2 * self.delta + slowest + 2 * self.parts + 2 * self.delta
        self.case += 1

    @invariant
    def decided_on_average(self) -> bool:
        """delta + 1.5 T."""
        return self.case < self.runs or self.decided == self.runs * (2 * self.delta + 3 * self.parts)

    @invariant
    def delivered_on_average(self) -> bool:
        """3 delta + 3 T."""
        return self.case < self.runs or self.delivered == self.runs * (6 * self.delta + 6 * self.parts)

    @invariant
    def no_later_than_the_worst_case(self) -> bool:
        """3 delta + 4 T, on average too."""
        return self.delivered <= self.case * (6 * self.delta + 8 * self.parts)

    @invariant
    def no_sooner_than_the_best_case(self) -> bool:
        """3 delta + 2 T."""
        return self.delivered >= self.case * (6 * self.delta + 4 * self.parts)

    expect = [
        holds(distinct=5),
        holds(at={"parts": 10, "delta": 3}, distinct=101),
        violates("delivered_on_average", at={"blockers": 2}, steps=8),
    ]
