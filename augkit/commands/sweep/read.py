"""Study files: read, and every name and setting checked; an error names the line and the key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from augkit.commands.sweep.settings import (
    MethodEntry,
    SweepSettings,
    combinations,
    of_method,
    of_run,
)
from augkit.core import registry
from augkit.core.config import SettingsSource, read_yaml, validate
from augkit.core.errors import ConfigError, UserError
from augkit.core.types import EMPTY
from augkit.runs.settings import MethodSettings, misplaced

_MOST_EXTENDS = 10


def read_sweep(
    path: Path, data_folder: Path | None = None, given: Mapping[str, Any] = EMPTY
) -> SweepSettings:
    """Settings from a YAML file and the files it extends, overridden by those ``given``.

    An error names file, line and key.
    """
    values = _extended(path, ())
    if data_folder is not None:
        values.setdefault("data_folder", str(data_folder))
    values |= {key: value for key, value in given.items() if value is not None}
    study = validate(SweepSettings, values, str(path))
    _check_entries(study, str(_file_with("methods", path)))
    return study


def _check_entries(study: SweepSettings, file: str) -> None:
    """Check every combination of every grid; one error lists all problems."""
    problems: dict[str, None] = {}  # in the order of the file, each once
    for number, entry in enumerate(study.methods):
        for tried in combinations(entry):
            problems |= dict.fromkeys(_problems(entry, tried, file, f"methods.{number}"))
    if problems:
        raise ConfigError("\n".join(problems))


def _problems(
    entry: MethodEntry, tried: Mapping[str, Any], file: str, section: str
) -> Iterator[str]:
    method, options = entry.composed
    own = of_method(tried)
    above = _above(section, {"options": options, "grid": own, "": ("method", "steps")})
    yield from _wrong_settings(
        "augmenters", method, {**options, **own}, SettingsSource(file, above)
    )
    in_grid = [key for key in tried if key not in own]
    for_finder = {key.partition(".")[2] for key in in_grid if key.startswith("find.")}
    given = of_run(entry, tried)
    if for_finder and "name" not in given["find"]:
        where = SettingsSource(file).where(f"{section}.grid")
        yield f"{where}: find.{min(for_finder)} is a setting of a finder. Add 'find: NAME'"
        return
    above = _above(section, {"grid": (key.partition(".")[0] for key in in_grid)})
    try:
        find = validate(MethodSettings, given, SettingsSource(file, above)).find
    except ConfigError as error:
        yield from str(error).splitlines()
        return
    if find is not None:
        named = "grid" if "find" in in_grid else ""
        keys = {"find.options": find.options, "grid.find": for_finder, named: ("find",)}
        source = SettingsSource(file, _above(section, keys))
        yield from _wrong_settings("finders", find.name, find.options, source)


def _above(section: str, keys: Mapping[str, Iterable[str]]) -> dict[str, str]:
    """Setting → the key of the file above it; "" → that of the entry."""
    found = {one: f"{section}.{part}".rstrip(".") for part, some in keys.items() for one in some}
    return {"": section, **found}


def _wrong_settings(
    group: str, name: str, values: Mapping[str, Any], source: SettingsSource
) -> Iterator[str]:
    try:
        config = registry.find(group, name).Config
    except UserError as error:
        yield f"{source.where('method' if group == 'augmenters' else 'find')}: {error}"
        return
    others = misplaced(values, config) if group == "augmenters" else []
    for key in others:
        yield (
            f"{source.where(key)}: this is a setting of the run, not of '{name}': write it beside "
            "'method', or its values in 'grid'"
        )
    try:
        values = {key: value for key, value in values.items() if key not in others}
        validate(config, values, source._replace(owner=f"settings of '{name}'"))
    except ConfigError as error:
        yield from str(error).splitlines()


def _extended(path: Path, seen: tuple[Path, ...]) -> dict[str, Any]:
    """The values of a file, completed by those of the file it extends."""
    if path.resolve() in seen or len(seen) > _MOST_EXTENDS:
        raise ConfigError(f"{path}: 'extends' is circular")
    values = read_yaml(path)
    base = values.pop("extends", None)
    if base is None:
        return values
    if not isinstance(base, str):
        raise ConfigError(f"{path}: 'extends' takes the path of another file")
    return _extended(path.parent / base, (*seen, path.resolve())) | values


def _file_with(key: str, path: Path) -> Path:
    """The file that a key is taken from: this one, or one that it extends."""
    values = read_yaml(path)
    if key in values or "extends" not in values:
        return path
    return _file_with(key, path.parent / values["extends"])
