"""What a run leaves out of its dataset because it would make a new shortcut.

Done once all rows are: what is left out depends on all variants. ``rejected.jsonl`` gets a line for
each at its end, behind what its progress records, so that a resumed run cuts them off again.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from augkit.core.json_files import naming_damage
from augkit.core.types import Example
from augkit.runs.ledger import REJECTED, Counts, recorded_progress
from augkit.runs.manifest import ADVICE
from augkit.runs.plan import Plan
from augkit.runs.records import VariantRecord, read_variants
from augkit.shortcuts.thinning import NEW_SHORTCUT, thin

_MOST_ROWS = 20_000
"""Rows of a run whose report compares the shortcuts before and after."""


def write_thinned(plan: Plan, folder: Path, counts: Counts) -> set[str]:
    """Append the variants that are left out to ``rejected.jsonl``; their ids."""
    path = folder / REJECTED
    with naming_damage(path, ADVICE), path.open("r+b") as file:
        file.truncate(recorded_progress(folder).sizes[1])
    choices = plan.dataset.schema.choice is not None
    if not plan.method.traits.thinned or choices or counts.read > _MOST_ROWS or counts.open:
        return set()
    variants = list(_in_dataset(plan, folder))
    rows = plan.dataset.examples_at(plan.written, plan.scan.repeats)
    originals = [row for row in rows if row.label is not None]
    listed = [Example(v.fields, v.label, v.id) for v in variants if v.label is not None]
    gone = thin(originals, listed)
    number_of = {row.id: number for row, number in zip(rows, plan.written, strict=True)}
    with path.open("ab") as file:
        for variant in variants:
            if variant.id in gone:
                feature, label = gone[variant.id]
                record = {
                    "row": number_of.get(variant.parents[0], 0) + 1,
                    "fields": variant.original,
                    "label": variant.label,
                    "parents": variant.parents,
                    "reason": NEW_SHORTCUT,
                    "detail": f"'{feature}' with {label}: {' | '.join(variant.fields.values())}",
                    "method": variant.method,
                }
                file.write(json.dumps(record, ensure_ascii=False).encode() + b"\n")
    return set(gone)


def _in_dataset(plan: Plan, folder: Path) -> Iterator[VariantRecord]:
    """The variants that are taken: at most so many of a row."""
    of_row: Counter[str] = Counter()
    for record in read_variants(folder):
        of_row[record.parents[0]] += 1
        if of_row[record.parents[0]] <= plan.per_row:
            yield record


def thinned_labels(folder: Path) -> Counter[str]:
    """The labels of the variants that were left out."""
    path = folder / REJECTED
    if not path.exists():
        return Counter()
    with naming_damage(path, ADVICE), path.open("rb") as file:
        file.seek(recorded_progress(folder).sizes[1])
        return Counter(str(json.loads(line)["label"]) for line in file)
