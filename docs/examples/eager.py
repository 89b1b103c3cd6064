"""ISIS total order, edited: a message is delivered as soon as its timestamp is final."""

from checker.language import rule, violates
from checker.models.isis import Isis
from checker.properties.total_order import GapFreeTotalOrder, TotalOrder, UniformTotalOrder


class Eager(Isis):
    """EDIT: deliver a final message, whatever stands before it in the queue."""

    @rule
    def deliverable(self, p, m):
        mine = self.held[p][m]
        return mine is not None and mine.final

    expect = violates(TotalOrder, UniformTotalOrder, GapFreeTotalOrder, at={"workload": (1, 1)})
