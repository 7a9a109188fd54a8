"""The originals of a run and their variants as a test for other harnesses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from importlib import resources
from pathlib import Path
from typing import Any, Literal

from augkit.commands.evaluate.training_sets import run_training_sets
from augkit.core.errors import ConfigError, DataError, OutputExists
from augkit.core.json_files import write_atomically, write_json_lines
from augkit.core.types import Example
from augkit.runs.records import VariantRecord, read_variants

ExportFormat = Literal["jsonl", "lm-eval", "inspect"]
DATA = "counterfactuals.jsonl"
_FILES: dict[str, tuple[tuple[str, str], ...]] = {
    "jsonl": (),
    "lm-eval": (("lm_eval.yaml", "{name}.yaml"), ("lm_eval_metrics.txt", "{name}_metrics.py")),
    "inspect": (("inspect_task.txt", "{name}.py"),),
}
"""Format → the templates of its files, and their names."""
_MOST_LABELS = 26


def export_run(
    folder: Path, out: Path, kind: str = "jsonl", data_folder: Path | None = None
) -> dict[str, Any]:
    """Write the pairs of a run, and the task files of a harness; count what was written."""
    if kind not in _FILES:
        raise ConfigError(f"no format '{kind}': choose {', '.join(_FILES)}")
    if out.exists() and any(out.iterdir()):
        raise OutputExists(f"{out} is not empty. Choose another folder: out=FOLDER")
    rows = list(counterfactual_rows(folder, data_folder))
    if not rows:
        raise DataError(f"{folder}: the run has no variant with a label, so there is no pair")
    name = re.sub(r"\W+", "_", folder.resolve().name).strip("_").lower()
    out.mkdir(parents=True, exist_ok=True)
    write_json_lines(out / DATA, rows)
    for template, target in _FILES[kind]:
        text = (resources.files(__package__) / "templates" / template).read_text(encoding="utf-8")
        write_atomically(out / target.format(name=name), text.replace("NAME", name))
    pairs = len({row["pair_id"] for row in rows})
    return {"folder": str(out), "name": name, "rows": len(rows), "pairs": pairs}


def counterfactual_rows(folder: Path, data_folder: Path | None) -> Iterator[dict[str, Any]]:
    """Each original that has a labelled variant, then its variants; they share a ``pair_id``."""
    (originals,) = run_training_sets(folder, "originals", data_folder)
    by_id = {row.id: row for row in originals.examples}
    labels = sorted({str(row.label) for row in originals.examples})
    if not 2 <= len(labels) <= _MOST_LABELS:
        raise DataError(f"{folder}: a test needs 2 to {_MOST_LABELS} labels, found {len(labels)}")
    variants: dict[str, list[VariantRecord]] = {}
    for row in read_variants(folder):
        if row.label in labels and row.parents[0] in by_id:
            variants.setdefault(row.parents[0], []).append(row)
    for parent, of_parent in variants.items():
        yield _row(by_id[parent], parent, "original", labels)
        for row in of_parent:
            variant = Example(row.fields, row.label, row.id)
            about = {"method": row.method, "contract": row.contract, **row.about}
            yield _row(variant, parent, "variant", labels) | {"about": about}


def _row(example: Example, pair: str, side: str, labels: Sequence[str]) -> dict[str, Any]:
    if len(example.fields) == 1:
        text = "".join(example.fields.values())
    else:
        text = "\n".join(f"{name}: {value}" for name, value in example.fields.items())
    return {
        "id": example.id,
        "pair_id": pair,
        "side": side,
        **{name: value for name, value in example.fields.items() if name not in _RESERVED},
        "label": example.label,
        "question": f"{text}\n\nWhich label fits the text: {', '.join(labels)}?",
        "choices": list(labels),
        "target": labels.index(str(example.label)),
    }


_RESERVED = frozenset({"id", "pair_id", "side", "label", "question", "choices", "target", "about"})
