# expect: error 16, error 20, error 24, error 28, error 32, error 36 distinct=3 transitions=20 depth=2
"""Both ends of a message are processes and its body has the network's type, whoever has crashed and whatever is in flight: None, or what does not fit, is a model error."""

from checker.language import Distributed, Fifo, Int, Network, Optional, Process, action, const, var


class EndsOfMessages(Distributed):
    processes = const(2)
    crashes = const(1)
    net = var(Network[Process, Int(0, 3)])
    queue = var(Fifo[Process, Int(0, 3)])
    nobody = var(Optional[Process], None)

    @action
    def from_nobody(self):
        self.net.send(self.nobody, self.Process[1], 0)

    @action
    def to_nobody(self):
        self.queue.send(self.Process[0], self.nobody, 0)

    @action
    def to_some_and_nobody(self):
        self.net.multicast(self.Process[0], 0, to={self.nobody, self.Process[1]})

    @action
    def from_nobody_to_all(self):
        self.queue.multicast(self.nobody, 0)

    @action
    def between_nobody(self):
        assert len(self.net.between(self.nobody, self.Process[0])) == 0

    @action
    def too_large(self):
        self.net.multicast(self.Process[0], 4 + len(self.crashed))
