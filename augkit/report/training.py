"""The result of a training, as sentences for people or as JSON for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any


def print_training(record: Mapping[str, Any], folder: Path, *, as_json: bool) -> None:
    """Print the content of ``training.json`` as JSON, or a summary."""
    if as_json:
        sys.stdout.write(json.dumps(record, ensure_ascii=False) + "\n")
        return
    for line in (
        _pretrained(record, folder) if record["kind"] == "mlm" else _trained(record, folder)
    ):
        sys.stdout.write(line + "\n")


def _trained(record: Mapping[str, Any], folder: Path) -> Iterator[str]:
    validation, seeds = record["validation"], record["seeds"]
    spread = validation["deviation"]
    around = "" if spread is None else f" ± {100 * spread:.1f}"
    robust = record["robust"]
    kind = "plain" if robust is None else robust["method"]
    yield (
        f"{folder}: {record['kind']}, {kind} training on {record['train']['rows']:,} rows of "
        f"{record['train']['name']}, {len(seeds)} seeds"
    )
    yield (
        f"accuracy {100 * validation['mean']:.1f}{around} % on held-out rows; the best is "
        f"{record['best']}"
    )
    yield f"Evaluate it: augkit evaluate --classifier {folder} --test DATASET"


def _pretrained(record: Mapping[str, Any], folder: Path) -> Iterator[str]:
    losses = [one["validation_loss"] for one in record["epochs"]]
    yield (
        f"{folder}: masked language model, {record['trained_on']:,} texts of "
        f"{record['train']['name']}; loss on held-out texts {losses[0]:.4f} → "
        f"{losses[record['best']]:.4f} (epoch {record['best']} of {len(losses) - 1})"
    )
    yield f"Measure it: augkit benchmark crows-pairs --model {folder}"
