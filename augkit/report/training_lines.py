"""What ``augkit train`` prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

Record = Mapping[str, Any]


def training_lines(record: Record, folder: Path) -> Iterator[str]:
    """The content of ``training.json`` in words."""
    return _pretrained(record, folder) if record["kind"] == "mlm" else _trained(record, folder)


def _trained(record: Record, folder: Path) -> Iterator[str]:
    validation, seeds, robust = record["validation"], record["seeds"], record["robust"]
    spread = validation["deviation"]
    around = "" if spread is None else f" ± {100 * spread:.1f}"
    kind = "plain" if robust is None else robust["method"]
    yield (
        f"{folder}: {record['kind']}, {kind} training on {record['train']['rows']:,} rows of "
        f"{record['train']['name']}, {len(seeds)} seed{'s' * (len(seeds) > 1)}"
    )
    yield (
        f"accuracy {100 * validation['mean']:.1f}{around} % on held-out rows; the best is "
        f"{record['best']}"
    )
    yield f"Evaluate it: augkit evaluate --classifier {folder} --test DATASET"


def _pretrained(record: Record, folder: Path) -> Iterator[str]:
    losses = [one["validation_loss"] for one in record["epochs"]]
    yield (
        f"{folder}: masked language model, {record['trained_on']:,} texts of "
        f"{record['train']['name']}; loss on held-out texts {losses[0]:.4f} → "
        f"{losses[record['best']]:.4f} (epoch {record['best']} of {len(losses) - 1})"
    )
    yield f"Measure it: augkit benchmark crows-pairs --model {folder}"
