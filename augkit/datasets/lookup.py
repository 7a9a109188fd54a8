"""Where a dataset is: its specification, and the places where a named one is searched.

They are the data folder, the bundled sets, the hub's cache, and the hub.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from augkit.core.errors import DataError, MissingExtra, UnknownName
from augkit.datasets.columns import ColumnHints
from augkit.datasets.dataset import Part, file_part
from augkit.datasets.named import NamedDataset, bundled_folder, bundled_names, known_datasets
from augkit.datasets.readers.files import format_of
from augkit.datasets.readers.hub import HubPart, fetch
from augkit.datasets.settings import ReadOptions

_ENDINGS = (".jsonl", ".jsonl.gz")
_VARIABLE = "AUGKIT_DATA"
"""The environment variable with the data folder, where the options name none."""
_NAME = re.compile(r"[\w.-]+(?P<hub>/[\w.-]+)?")
_SPLIT = re.compile(r"[\w.-]+")
_PATH_LIKE = re.compile(r"[./~]|[A-Za-z]:[\\/]|.*\\|.*/.*/")


@dataclass(frozen=True, slots=True)
class NameSpec:
    """``NAME``, ``NAME:SPLIT`` or ``NAME:A+B``."""

    name: str
    splits: tuple[str, ...]

    @property
    def is_hub_id(self) -> bool:
        """Whether the name has the form of a hub id, ORG/NAME."""
        match = _NAME.fullmatch(self.name)
        return match is not None and match["hub"] is not None


def parse_spec(spec: str) -> Path | NameSpec:
    r"""Parse a specification; a colon in a path does not select a split.

    >>> parse_spec("sst2:train+dev")
    NameSpec(name='sst2', splits=('train', 'dev'))
    >>> isinstance(parse_spec("C:\\data\\rows.jsonl"), Path)
    True
    """
    try:
        path = Path(spec).expanduser()
        is_file = path.is_file()
    except (OSError, ValueError, RuntimeError) as error:
        raise DataError(f"'{spec[:80]}' is neither a dataset nor a path: {error}") from None
    if is_file or format_of(path) or _PATH_LIKE.match(spec):
        _check_no_split(path)
        return path
    name, colon, splits = spec.partition(":")
    if format_of(Path(name)):
        _check_no_split(path)
    if not colon and "." in name and "/" not in name:
        return path
    parsed = NameSpec(name, tuple(splits.split("+")) if colon else ("train",))
    if not _NAME.fullmatch(name) or not all(map(_SPLIT.fullmatch, parsed.splits)):
        raise DataError(
            f"'{spec}' is not a dataset: expected a file, NAME, NAME:SPLIT, NAME:SPLIT+SPLIT, "
            "or a hub id ORG/NAME"
        )
    return parsed


def _check_no_split(path: Path) -> None:
    name, colon, split = path.name.rpartition(":")
    if colon and not path.exists() and format_of(Path(name)):
        raise DataError(
            f"{path}: a file has no splits. Leave out ':{split}', or give the file of that split"
        )


@dataclass(frozen=True, slots=True)
class FoundDataset:
    """The parts of a dataset found by name."""

    name: str
    source: str
    parts: tuple[Part, ...]
    hints: ColumnHints
    task: str = ""


def find_parts(spec: NameSpec, options: ReadOptions) -> FoundDataset:
    """The parts of a named dataset; an error lists every place that was searched."""
    named = _named(spec, options)
    splits = tuple(named.split(split) for split in spec.splits)
    name = f"{spec.name}:{'+'.join(splits)}"
    tried: list[str] = []
    data_folder = _data_folder(options)
    if data_folder and not named.bundled and not (data_folder / spec.name).is_dir():
        tried.append(f"no folder '{spec.name}' in the data folder {data_folder}")
    for source, folder in _folders(spec.name, options):
        candidates = [[folder / f"{split}{ending}" for ending in _ENDINGS] for split in splits]
        paths = [next(filter(Path.is_file, endings), None) for endings in candidates]
        parts = tuple(file_part(path) for path in paths if path)
        if len(parts) == len(splits):
            where = source or " + ".join(part.source for part in parts)
            return FoundDataset(name, where, parts, named, named.task)
        names = _split_names(folder)
        missing = _no_split([split for split in splits if split not in names])
        where = "the bundled data" if source == "bundled" else str(folder)
        tried.append(f"{missing} in {where}; there are: {', '.join(names) or 'none'}")
    if named.hub is None:
        raise DataError(_not_found(named, splits, tried))
    source, hub_parts = _hub_parts(named, splits, options, tried)
    return FoundDataset(name, source, hub_parts, named, named.task)


def local_splits(name: str, options: ReadOptions) -> list[str]:
    """The splits of a named dataset on this machine: in the data folder, or bundled."""
    for _, folder in _folders(name, options):
        return _split_names(folder)
    return []


def _named(spec: NameSpec, options: ReadOptions) -> NamedDataset:
    if spec.name in known_datasets():
        return known_datasets()[spec.name]
    folder = _data_folder(options)
    if (rows := Path(spec.name) / "dataset.jsonl").is_file():
        raise DataError(f"{spec.name}: this is the folder of a run. Give its rows: {rows}")
    if spec.is_hub_id or (folder and (folder / spec.name).is_dir()):
        hub = spec.name if spec.is_hub_id else None
        return NamedDataset(name=spec.name, task="", description="", hub=hub, subset=options.subset)
    if Path(spec.name).is_dir():
        raise DataError(f"{spec.name}: this is a folder. Give one of its files")
    raise UnknownName("dataset", spec.name, known_datasets(), advice=_ways("NAME", "SPLIT"))


def _folders(name: str, options: ReadOptions) -> list[tuple[str, Path]]:
    """Source (empty: the paths themselves) and folder, for each folder on this machine."""
    folders = []
    if (folder := _data_folder(options)) and (folder / name).is_dir():
        folders.append(("", folder / name))
    if name in bundled_names():
        folders.append(("bundled", bundled_folder(name)))
    return folders


def _data_folder(options: ReadOptions) -> Path | None:
    folder = os.environ.get(_VARIABLE)
    return options.data_folder or (Path(folder) if folder else None)


def _split_names(folder: Path) -> list[str]:
    return sorted({path.name.split(".jsonl")[0] for path in folder.glob("*.jsonl*")})


def _no_split(missing: Sequence[str]) -> str:
    return f"no split {' or '.join(repr(split) for split in missing)}"


def _hub_parts(
    named: NamedDataset, splits: Sequence[str], options: ReadOptions, tried: list[str]
) -> tuple[str, tuple[HubPart, ...]]:
    repository = str(named.hub)
    try:
        source, by_split = fetch(repository, options.subset or named.subset, options.hub_cache)
    except MissingExtra as error:
        why = "; ".join([*tried, f"reading '{repository}' from the hub"])
        ways = _ways(named.name, splits[0], download=False)
        raise MissingExtra("data", f"dataset '{named.name}': {why}", ways) from error
    except DataError as error:
        raise DataError(_not_found(named, splits, [*tried, str(error)])) from error
    theirs = [named.splits.get(split, split) for split in splits]
    if missing := [split for split in theirs if split not in by_split]:
        tried = [*tried, f"{_no_split(missing)} in {source}; there are: {', '.join(by_split)}"]
        raise DataError(_not_found(named, splits, tried))
    return source, tuple(HubPart(f"{repository}:{split}", by_split[split]) for split in theirs)


def _not_found(named: NamedDataset, splits: Sequence[str], tried: Sequence[str]) -> str:
    reasons = "; ".join(tried)
    if named.hub is None and not named.bundled:
        only = "it is only read from the data folder"
        reasons = f"{only}: {reasons}" if tried else f"{only}, and is not there"
    choose = f" Choose another split ({named.name}:SPLIT)." if "there are:" in reasons else ""
    ways = _ways(named.name, splits[0], download=named.hub is not None, folder=not named.bundled)
    return f"dataset '{named.name}': {reasons}.{choose} {ways}"


def _ways(name: str, split: str, *, download: bool = True, folder: bool = True) -> str:
    """How to get data: the extra, the data folder, the bundled datasets."""
    ways = []
    if download:
        ways.append("With a network, the extra downloads datasets: pip install 'augkit[data]'")
    if folder:
        ways.append(f"A copy of yours is read from the folder {_VARIABLE}, as {name}/{split}.jsonl")
    ways.append(f"Bundled datasets need no download: {', '.join(bundled_names())}")
    return ". ".join(ways)
