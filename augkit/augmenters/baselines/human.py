"""Human counterfactuals: revisions of rows that people wrote, joined from a file.

Reference: kaushik2020learning. Nothing is generated: the file holds one row for each revision, with
a column (``pair_id``) that names the row it revises. Where a dataset has
them, they are the upper bound for generated counterfactuals.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pydantic import Field

from augkit.augmenters.base import Augmenter, Traits
from augkit.core.config import MethodConfig
from augkit.core.errors import DataError
from augkit.core.protocols import Tools
from augkit.core.types import Contract, Example, Variant, refused
from augkit.datasets.load import load_examples


class HumanConfig(MethodConfig):
    """Where the revisions are, and which column joins them to the rows."""

    file: Path = Field(description="the file of revisions: jsonl, csv, tsv or parquet")
    key: str = Field(
        "pair_id", min_length=1, description="the column, of both, that names the row revised"
    )


class HumanCounterfactuals(Augmenter[HumanConfig]):
    """Give each row the revisions that people wrote of it; they carry their own labels.

    The label is the one the file states: kept, or flipped to it. ``copies`` is the most revisions
    of one row, in the order of the file.
    """

    name = "human"
    Config = HumanConfig
    traits = Traits(reads_locked=True)

    def __init__(self, config: HumanConfig, tools: Tools | None = None) -> None:
        """Read the file at once, so that a wrong one is reported before any work."""
        super().__init__(config, tools)
        self._revisions = read_revisions(config.file, config.key)

    def propose(self, batch: Sequence[Example]) -> Iterator[Variant]:
        """The revisions of each row."""
        for parent in batch:
            key = parent.columns.get(self.config.key)
            revisions = self._revisions.get(str(key), ())
            if key is None:
                yield refused(parent, "no key", f"the row has no column '{self.config.key}'")
            elif not revisions:
                yield refused(parent, "no revision in the file", str(key))
            for copy, revision in enumerate(revisions[: self.config.copies]):
                yield _joined(parent, revision, copy)


def read_revisions(file: Path, key: str) -> Mapping[str, Sequence[Example]]:
    """The rows of a file by their key, in order; raises ``DataError`` where none has it."""
    revisions: dict[str, list[Example]] = {}
    for row in load_examples(file):
        value = row.columns.get(key)
        if value is not None and not row.fault:
            revisions.setdefault(str(value), []).append(row)
    if not revisions:
        raise DataError(
            f"{file}: no row has a value in the column '{key}', which joins revisions to the rows "
            "they revise. Name the right one with --set key=COLUMN"
        )
    return revisions


def _joined(parent: Example, revision: Example, copy: int) -> Variant:
    """A draft in the fields of the row: a file may call them by other names in the same order."""
    if len(revision.fields) != len(parent.fields):
        detail = f"the row has {', '.join(parent.fields)}; the file {', '.join(revision.fields)}"
        return refused(parent, "other fields", detail, copy)
    same_names = set(revision.fields) == set(parent.fields)
    texts = [revision.fields[name] for name in parent.fields] if same_names else None
    fields = dict(zip(parent.fields, texts or revision.fields.values(), strict=True))
    contract: Contract = "kept" if revision.label == parent.label else "flipped"
    return Variant(parent, fields, revision.label, contract, copy, about={"by": "people"})
