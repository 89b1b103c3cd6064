"""What else is asked of a model's methods: what they range over, name and tell, where compiled code holds less."""

from __future__ import annotations

from checker.frontend.lower import noted
from checker.language import Ids, Int, Map, Model, Network, action, on, var
from checker.language.define import define


class Mailing(Model):
    """A network between processes of a model without crashes: it has no variable `crashed`."""

    Process = Ids("p", 2)
    Letter = Int(0, 3)
    net = var(Network[Process, Letter])
    last = var(Map[Process, Letter], 0)

    @action
    def post(self, p: Process) -> None:
        for q in self.Process:
            self.net.send(p, q, 1)

    @on(net)
    def read(self, p: Process, q: Process, n: Letter) -> None:
        self.last[p] = n


def test_a_network_without_crashes_asks_nobody_whether_the_target_has_crashed() -> None:
    """No such variable is looked for, whatever is asked of the model."""
    definition = define(Mailing)
    whole, model = noted(definition)
    assert [domain.text for domain in whole.domains] == ["q in self.Process"]
    assert all(v.name != "crashed" for v in model.variables)
    assert set(whole.changed) >= {"last"}
    assert set(whole.emitted) == {"send", "receive"}
    assert whole.limits == {}
