"""Which text field of a row a method works on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from augkit.core.config import MethodConfig
from augkit.core.errors import ConfigError, UnknownName


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


def with_text(fields: Mapping[str, str], name: str | None, text: str) -> dict[str, str]:
    """The fields with another text in the chosen one.

    >>> with_text({"premise": "A dog runs.", "hypothesis": "It runs."}, None, "It sleeps.")
    {'premise': 'A dog runs.', 'hypothesis': 'It sleeps.'}
    """
    return {**fields, chosen_field(fields, name): text}


def chosen_fields(fields: Mapping[str, str], names: Sequence[str]) -> Sequence[str]:
    """The fields that the setting ``fields`` names, all of them where it is empty."""
    for name in names:
        if name not in fields:
            raise UnknownName("field", name, fields)
    return names or tuple(fields)


def not_a_pair(method: str, fields: Sequence[str]) -> str:
    """What to say where a method that reads pairs of texts is given something else; "" else.

    >>> not_a_pair("crossaug", ["evidence", "claim"])
    ''
    """
    if len(fields) == 2:
        return ""
    count = "one text" if len(fields) == 1 else f"{len(fields)} texts ({', '.join(fields)})"
    return (
        f"'{method}' reads pairs of texts, and here a row has {count}. Name both columns of a "
        "pair with --text-column A --text-column B, or choose another method"
    )


def check_field_settings(config: MethodConfig, fields: Mapping[str, str]) -> None:
    """Raise where ``field`` or ``fields`` of a method, or of one of its steps, is not there."""
    chosen_field(fields, getattr(config, "field", None))
    chosen_fields(fields, getattr(config, "fields", ()))
    for step in getattr(config, "steps", ()):
        check_field_settings(step.config(config.seed), fields)
