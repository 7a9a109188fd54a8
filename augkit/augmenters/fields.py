"""Which text field of a row a method works on."""

from __future__ import annotations

from collections.abc import Iterable

from augkit.core.errors import ConfigError


def chosen_field(fields: Iterable[str], name: str | None) -> str:
    """The field that the setting ``field`` names; without one the last.

    Raises ``ConfigError`` where there is no such field.

    >>> chosen_field({"premise": "A dog runs.", "hypothesis": "It runs."}, None)
    'hypothesis'
    """
    names = list(fields)
    if name is None:
        return names[-1]
    if name not in names:
        raise ConfigError(f"field: no field '{name}' in this dataset; choose: {', '.join(names)}")
    return name
