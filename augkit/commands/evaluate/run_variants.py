"""The variants of a run, as the metrics of their quality read them."""

from __future__ import annotations

import json
from collections.abc import Container, Sequence
from pathlib import Path
from typing import Any

from augkit.commands.evaluate.training_sets import run_training_sets
from augkit.core.errors import DataError
from augkit.core.types import Example, digest
from augkit.evaluation.metrics.quality.metric import RunVariants
from augkit.models.classifiers.encoder import EncoderConfig, embed
from augkit.models.classifiers.train import ClassifierConfig
from augkit.models.ensembles.crossfit import load_ensemble, train_crossfitted

_MOST_VARIANTS = 2_000
"""Variants that are looked at: chosen by their content, so that scores do not depend on order."""


def read_run_variants(
    folder: Path, data_folder: Path | None, model: ClassifierConfig
) -> RunVariants:
    """The labelled variants of a run with their first parents, and a judge of labels.

    Vectors are those of the encoder, where ``model`` is one, or TF-IDF features.
    """
    originals, result = run_training_sets(folder, "both", data_folder)
    by_id = {row.id: row for row in originals.examples}
    rows = _variant_rows(folder, by_id)
    judge = train_crossfitted(originals.examples, load_ensemble("linear-three"))

    def encode(examples: Sequence[Example]) -> Any:
        if isinstance(model, EncoderConfig):
            return embed(examples, tuple(examples[0].fields), model)
        return judge.linear[0][0].features(examples)

    return RunVariants(
        originals=[by_id[row["parents"][0]] for row in rows],
        variants=[Example(row["fields"], row["label"], row["id"]) for row in rows],
        about=[row.get("about", {}) for row in rows],
        before=originals.examples,
        after=result.examples,
        judge=judge,
        vectors=encode,
    )


def _variant_rows(folder: Path, known: Container[str]) -> list[dict[str, Any]]:
    with (folder / "variants.jsonl").open(encoding="utf-8") as lines:
        rows = [
            row
            for row in map(json.loads, lines)
            if row["label"] is not None and row["parents"][0] in known
        ]
    if not rows:
        raise DataError(f"{folder}: the run has no labelled variants to measure")
    return sorted(rows, key=lambda row: digest("quality", str(row["id"])))[:_MOST_VARIANTS]
