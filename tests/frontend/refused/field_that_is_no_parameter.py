# refused: w is not defined

from checker.language import Bool, Distributed, Network, Process, Record, Union, on, var


class Refusing(Distributed):
    Wire = Union(Data=Record(v=Bool, w=Bool))
    net = var(Network[Process, Wire])
    done = var(Bool)

    @on(net, Wire.Data)
    def receive(self, p, q, v):
        self.done = w  # here
