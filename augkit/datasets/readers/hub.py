"""Datasets of the Hugging Face hub: in memory, in the local cache, or downloaded."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from augkit.core.errors import DataError, MissingExtra
from augkit.core.pretrained import hub_answers
from augkit.datasets.readers.arrow import other_types, table_blocks
from augkit.datasets.readers.blocks import ROWS_AT_ONCE, Block


@dataclass(frozen=True, slots=True)
class HubPart:
    """A split of a ``datasets.Dataset``: mapped from disk, never whole in memory."""

    source: str
    split: Any

    def blocks(self, start: int) -> Iterator[Block]:
        """The rows in blocks."""
        tables = self.split.with_format("arrow").iter(ROWS_AT_ONCE)
        return table_blocks(self.source, start, tables)

    def other_types(self) -> dict[str, str]:
        """Column → what it holds, for bytes, dates and the like."""
        return other_types(self.split.features.arrow_schema)

    def label_names(self) -> dict[str, tuple[str, ...]]:
        """Column → label names, for the columns that declare them."""
        names = {}
        for column, kind in self.split.features.items():
            label = getattr(kind, "feature", kind)  # of a list, the kind of its items
            if hasattr(label, "names"):
                names[column] = tuple(label.names)
        return names


def fetch(repository: str, subset: str | None, cache_folder: Path | None) -> tuple[str, Any]:
    """All splits of a hub dataset and their source: from the local cache, or from the hub.

    The library waits half a minute for a hub that cannot be reached; this checks first.
    """
    try:
        import datasets
        from huggingface_hub.constants import ENDPOINT
    except ImportError as error:
        raise MissingExtra("data", f"reading '{repository}' from the hub") from error
    try:
        return _from_cache(repository, subset, cache_folder)
    except (ValueError, OSError) as error:
        not_cached = _first_line(error)
    if datasets.config.HF_HUB_OFFLINE or not hub_answers():
        raise DataError(
            f"'{repository}' is not in the local cache ({not_cached}), "
            f"and the hub ({ENDPOINT}) cannot be reached"
        )
    try:
        splits = datasets.load_dataset(repository, subset, cache_dir=_text(cache_folder))
    except Exception as error:
        # The library raises many kinds of errors; all of them mean the same here.
        raise DataError(
            f"'{repository}' cannot be read from the hub: {_first_line(error)}"
        ) from error
    # Where the library records what was downloaded, the source names its commit.
    files = " ".join(next(iter(splits.values())).info.download_checksums or {})
    commit = re.search(r"@[0-9a-f]{40}", files)
    return f"hub {repository}{commit.group() if commit else ''}", splits


def is_split(spec: object) -> bool:
    """Whether this is a ``datasets.Dataset``; nothing is imported to find out."""
    library = sys.modules.get("datasets")
    return library is not None and isinstance(spec, library.Dataset)


def _from_cache(repository: str, subset: str | None, cache_folder: Path | None) -> tuple[str, Any]:
    """The copy in the local cache, without network."""
    from datasets.packaged_modules.cache.cache import Cache

    builder = Cache(
        cache_dir=_text(cache_folder),
        dataset_name=repository.rsplit("/", maxsplit=1)[-1],
        repo_id=repository,
        config_name=subset,
        version="auto",
        hash="auto",
    )
    return f"hub {repository}@{builder.hash}", builder.as_dataset()


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)


def _text(folder: Path | None) -> str | None:
    return None if folder is None else str(folder)
