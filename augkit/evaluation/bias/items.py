"""The items of a benchmark: where they are looked up, and samples of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from augkit.core.errors import ConfigError, DataError, UserError
from augkit.core.types import digest
from augkit.datasets.readers.hub import HubPart, fetch
from augkit.evaluation.bias.benchmark import Benchmark, HubSource


def benchmark_items(
    chosen: Benchmark, file: Path | None, data_folder: Path | None, hub_cache: Path | None = None
) -> tuple[str, list[Any]]:
    """The source and the items, looked up as datasets are; the error names all places tried."""
    if file is not None:
        return str(file), chosen.read(file)
    if chosen.bundled:
        return "bundled", chosen.read(Path(__file__).parent / chosen.path)
    tried = []
    if data_folder is not None:
        path = data_folder / "bias" / chosen.path
        if path.exists() or path.with_name(path.name + ".gz").exists():
            return str(path), chosen.read(path)
        tried.append(f"no data at {path}")
    if chosen.hub is not None:
        try:
            return _from_hub(chosen.hub, hub_cache)
        except UserError as error:
            tried.append(str(error))
    where = "; ".join(tried) or "no data folder is given"
    raise ConfigError(
        f"{chosen.name}: its data are not bundled; {where}. "
        f"Put them at FOLDER/bias/{chosen.path} (as published, or .gz) and set "
        "AUGKIT_DATA=FOLDER, or pass --file PATH"
    )


def _from_hub(hub: HubSource, cache: Path | None) -> tuple[str, list[Any]]:
    items: list[Any] = []
    source = ""
    for subset in hub.subsets:
        source, splits = fetch(hub.repository, subset, cache)
        if hub.split not in splits:
            raise DataError(f"'{hub.repository}' has no split '{hub.split}': {', '.join(splits)}")
        items += hub.read(subset, _with_label_names(splits[hub.split]))
    return source, items


def _with_label_names(split: Any) -> list[dict[str, Any]]:
    """The rows, with labels by name instead of number."""
    names = HubPart("", split).label_names()
    return [
        {
            key: names[key][value] if key in names and isinstance(value, int) else value
            for key, value in row.items()
        }
        for row in split
    ]


def sample(items: list[Any], most: int | None, unit: Callable[[Any], str]) -> list[Any]:
    """All items, or at most so many in whole units, by digest: the same ones every time."""
    if most is None or most >= len(items):
        return items
    sizes = Counter(unit(item) for item in items)
    sampled: set[str] = set()
    left = most
    for name in sorted(sizes, key=digest):
        if sizes[name] <= left:
            sampled.add(name)
            left -= sizes[name]
    return [item for item in items if unit(item) in sampled]
