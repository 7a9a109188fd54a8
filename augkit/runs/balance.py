"""The last step of a run: ``dataset.jsonl`` is completed, with labels balanced where asked."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from augkit.augmenters.mix import quotas
from augkit.core.types import digest
from augkit.datasets.writers import write_copy
from augkit.runs.ledger import Counts
from augkit.runs.plan import Plan


def finish_dataset(plan: Plan, folder: Path, counts: Counts) -> None:
    """Move the finished dataset to ``dataset.jsonl`` in one step, after any copy of it."""
    source, final = folder / "work" / "dataset.jsonl", folder / "dataset.jsonl"
    if plan.mix != "balance":
        write_copy(plan.dataset, source, folder)
        source.replace(final)
        return
    quota = quotas(counts.originals, counts.labels)
    surplus = _surplus(folder / "variants.jsonl", quota, plan)
    thinned = folder / "work" / "dataset.jsonl.new"
    with source.open("rb") as lines, thinned.open("wb") as target:
        target.writelines(line for line in lines if json.loads(line)["augkit_id"] not in surplus)
    write_copy(plan.dataset, thinned, folder)
    thinned.replace(final)
    source.unlink()


def added_labels(mix: str, counts: Counts) -> Counter[str]:
    """The variants in ``dataset.jsonl`` by label."""
    if mix == "balance":
        return Counter(quotas(counts.originals, counts.labels))
    return counts.labels


def _surplus(variants: Path, quota: dict[str, int], plan: Plan) -> set[str]:
    """Ids of the variants beyond the quota of their label, chosen by the seed."""
    by_label: dict[str, list[tuple[str, str]]] = {}
    of_row: Counter[str] = Counter()
    with variants.open("rb") as lines:
        for line in lines:
            record = json.loads(line)
            of_row[record["parents"][0]] += 1
            if of_row[record["parents"][0]] <= plan.per_row:
                order = digest(str(plan.settings.seed), record["id"])
                by_label.setdefault(record["label"] or "", []).append((order, record["id"]))
    return {
        key for label, keys in by_label.items() for _, key in sorted(keys)[quota.get(label, 0) :]
    }
