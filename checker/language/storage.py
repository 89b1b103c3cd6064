"""The values of a model object's variables, made from raw values on first access.

The interpreter sets the same state again for every instance of every action, and most instances access few variables or
none.  Setting a state therefore only stores its raw values; a value is converted when a method reads it, once for all
instances, and copied for each; a variable without access has the raw value that was set.  Where it stops: raw values
count as the same state only if they are the same tuple.
"""

from __future__ import annotations

from typing import Any

from checker.language.definition import Definition


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
        self._raws: dict[str, Any] = {}
        self._placed: dict[str, Any] = {}

    def set(self, raw: tuple[Any, ...]) -> None:
        """Set the state."""
        self.clear()
        if raw is not self._raw:
            self._raw, self._raws, self._placed, self.listed = raw, dict(zip(self.domains, raw)), {}, {}

    def raw(self) -> tuple[Any, ...]:
        """The state as raw values, in the order of the definition's variables."""
        if self._raw is not None and not len(self):
            return self._raw
        return tuple(
            domain.to_raw(self[name]) if dict.__contains__(self, name) else self._raws[name]
            for name, domain in self.domains.items()
        )

    def __missing__(self, name: str) -> Any:
        """A copy of the value that was set."""
        domain = self.domains[name]
        if name not in self._placed:
            self._placed[name] = domain.place(domain.from_raw(self._raws[name]))
        value = self[name] = domain.copied(self._placed[name])
        return value

    def __contains__(self, name: object) -> bool:
        return dict.__contains__(self, name) or name in self._raws

    def get(self, name: str, default: Any = None) -> Any:
        """The value of a variable, if the variable exists and has one."""
        return self[name] if name in self else default
