"""The values of a model object's variables, made from raw values on first access.

The interpreter sets the same state again for every instance of every action, and most instances access few variables or
none.  Setting a state therefore only stores its raw values; a value is converted when a method reads it, and copied for
each instance; a variable without access has the raw value that was set.  States of one search repeat the values of
their variables, so the first different values of each variable are converted once for all states.
"""

from __future__ import annotations

from typing import Any

from checker.language.definition import Definition

KNOWN = 1 << 10
"""The number of values of a variable that are kept in their form as a part of the state: most states repeat a few."""


class Storage(dict[str, Any]):
    """Variables by name.  As a dictionary it contains the variables that were accessed since the state was set; reads:
    how often methods read a variable; listed: the messages of networks in the state that was set.
    """

    def __init__(self, definition: Definition) -> None:
        super().__init__()
        self.domains = {v.name: v.domain for v in definition.variables}
        self.networks = {v.name: v.network for v in definition.variables if v.network is not None}
        self.reads = 0
        self.listed: dict[str, list[Any]] = {}
        self._raw: tuple[Any, ...] | None = None
        self._places = {name: place for place, name in enumerate(self.domains)}
        self._placed: dict[str, Any] = {}
        self._known: dict[str, dict[Any, Any]] = {name: {} for name in self.domains}

    def set(self, raw: tuple[Any, ...]) -> None:
        """Set the state."""
        self.clear()
        if raw is not self._raw:
            self._raw, self._placed, self.listed = raw, {}, {}

    def raw(self) -> tuple[Any, ...]:
        """The state as raw values, in the order of the definition's variables."""
        if self._raw is None:
            return tuple(domain.to_raw(self[name]) for name, domain in self.domains.items())
        if not len(self):
            return self._raw
        raws = list(self._raw)
        for name, value in self.items():
            raws[self._places[name]] = self.domains[name].to_raw(value)
        return tuple(raws)

    def __missing__(self, name: str) -> Any:
        """A copy of the value that was set."""
        if name not in self._placed:
            self._placed[name] = self._value_placed(name)
        value = self[name] = self.domains[name].copied(self._placed[name])
        return value

    def _value_placed(self, name: str) -> Any:
        """The value that was set, in its form as a part of the state.  It is never changed itself, so that equal raw
        values share it.
        """
        place = self._places[name]
        assert self._raw is not None, "no state was set"
        domain, known, raw = self.domains[name], self._known[name], self._raw[place]
        if raw not in known:
            placed = domain.place(domain.from_raw(raw))
            if len(known) == KNOWN:
                return placed
            known[raw] = placed
        return known[raw]

    def __contains__(self, name: object) -> bool:
        return dict.__contains__(self, name) or self._raw is not None and name in self._places

    def get(self, name: str, default: Any = None) -> Any:
        """The value of a variable, if the variable exists and has one."""
        return self[name] if name in self else default
