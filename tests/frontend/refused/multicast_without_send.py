# refused: send is called and not defined

from checker.language import Network, on, var
from checker.language.multicast import Message, Multicast, Process


class Refusing(Multicast):  # here
    net = var(Network[Process, Message])

    @on(net)
    def receive(self, p, q, m):
        self.deliver(p, m)
