"""Names to things, through entry points: augkit's own parts are registered as a plug-in's are.

A package registers in its ``pyproject.toml``::

    [project.entry-points."augkit.augmenters"]
    shout = "shouting:Shout"

Nothing is imported until it is looked up by name.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from augkit.core.errors import ConfigError, NameClash, UnknownName

GROUPS = {
    "augmenters": "method",
    "llms": "LLM back end",
    "gates": "gate",
    "finders": "finder",
    "metrics": "metric",
    "benchmarks": "benchmark",
}
"""Group of entry points → what one member is called in messages."""


def names(group: str) -> list[str]:
    """All names registered in a group, without importing any of them."""
    return sorted(_registered(group))


def find(group: str, name: str) -> Any:
    """The thing registered under a name, imported now; an unknown name says the nearest one."""
    require_name(group, name)
    return _registered(group)[name].load()


def require_name(group: str, name: str) -> None:
    """Raise where no such name is registered; nothing is imported."""
    registered = _registered(group)
    if name not in registered:
        raise UnknownName(GROUPS[group], name, registered, from_packages=True)


def check_uses(method: Any, tool: str) -> None:
    """Raise where a method would ignore a tool; the error names the methods that use it."""
    if tool not in method.uses:
        users = [name for name in names("augmenters") if tool in find("augmenters", name).uses]
        raise ConfigError(
            f"'{method.name}' does not use a {tool}. Methods that do: {', '.join(users) or 'none'}"
        )


def _registered(group: str) -> Mapping[str, EntryPoint]:
    """The entries of a group; read again when a package was installed or the path changed."""
    return _read(group, tuple((folder, _changed_at(folder)) for folder in sys.path))


def _changed_at(folder: str) -> int | None:
    try:
        return Path(folder).stat().st_mtime_ns
    except OSError:
        return None


@lru_cache(maxsize=64)
def _read(
    group: str,
    _path: tuple[tuple[str, int | None], ...],  # what the answer depends on
) -> Mapping[str, EntryPoint]:
    entries: dict[str, EntryPoint] = {}
    for entry in entry_points(group=f"augkit.{group}"):
        rival = entries.setdefault(entry.name, entry)
        # A package that is found twice on the path lists the same entry twice: no clash.
        if rival.value != entry.value:
            raise NameClash(
                f"two packages register the {GROUPS[group]} '{entry.name}': "
                f"{_owner(rival)} ({rival.value}) and {_owner(entry)} ({entry.value}). "
                "Uninstall one of them, or ask its author for another name"
            )
    return entries


def _owner(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist else "unknown package"
