"""The last step of a run: ``dataset.jsonl`` takes its place, thinned where labels are balanced."""

from __future__ import annotations

import json
from pathlib import Path

from augkit.augmenters.mix import quotas
from augkit.core.types import digest
from augkit.runs.counts import Tally
from augkit.runs.plan import Plan


def finish_dataset(plan: Plan, folder: Path, tally: Tally) -> None:
    """Move the finished dataset to its place in one step."""
    grown, final = folder / "work" / "dataset.jsonl", folder / "dataset.jsonl"
    if plan.mix != "balance":
        grown.replace(final)
        return
    originals = {label or "": count for label, count in plan.survey.labels.items()}
    wanted = quotas(originals, tally.labels)
    surplus = _surplus(folder / "variants.jsonl", wanted, plan.settings.seed)
    thinned = folder / "work" / "dataset.jsonl.new"
    with grown.open("rb") as source, thinned.open("wb") as target:
        target.writelines(line for line in source if json.loads(line)["augkit_id"] not in surplus)
    thinned.replace(final)
    grown.unlink()


def _surplus(variants: Path, wanted: dict[str, int], seed: int) -> set[str]:
    """Ids of the variants that balance does not need, drawn by the seed from the ids."""
    by_label: dict[str, list[tuple[str, str]]] = {}
    with variants.open("rb") as lines:
        for line in lines:
            record = json.loads(line)
            draw = digest(str(seed), record["id"])
            by_label.setdefault(record["label"] or "", []).append((draw, record["id"]))
    return {
        key for label, drawn in by_label.items() for _, key in sorted(drawn)[wanted.get(label, 0) :]
    }
