"""An edit tagger trained on PANDA, measured on its dev part: metrics, and tags to be written.

    python -m benchmarks.research.panda_tagger --base ENCODER --out DIR [--data DIR] [--seeds N]
        [--limit N]
    python -m benchmarks.release.panda people --tags DIR/dev-seed0.jsonl.gz

The first command wants a GPU (about six minutes a seed on one) and writes ``metrics.json`` and, for
each seed, the probabilities of the words of the dev part. The second one needs none: ``choice`` is
what the tags alone say, each tagged word counted as changed; the rest of its line is about the
texts that the rules write from the tags.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from augkit.models.language_models.edit_tagger import TaggerInput, WordTag
from augkit.models.language_models.perturber import read_pairs, split_pairs
from augkit.models.language_models.tagger_training import (
    LabelledText,
    TaggerSettings,
    fit_tagger,
    labelled_texts,
)
from augkit.text.tokens import word_spans
from benchmarks.command_line import argument, arguments, print_line
from benchmarks.release.panda_counts import Row, Tally

LEAST = 0.05
"""Probabilities below it are not written down."""


class RecordedTagger:
    """The tags of a file in the place of a model."""

    def __init__(self, path: Path) -> None:
        """Read the thresholds of the first line, and the tags of the others."""
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            first, *rows = map(json.loads, lines)
        self.thresholds: dict[str, float] = first["thresholds"]
        self.axes = tuple(self.thresholds)
        keys = ("text", "word", "axis", "target")
        self._tags = {tuple(row[key] for key in keys): row["tags"] for row in rows}

    def threshold(self, axis: str) -> float:
        """The probability from which on a word of an axis changes."""
        return self.thresholds[axis]

    def tag(self, inputs: Sequence[TaggerInput]) -> list[list[WordTag]]:
        """All words of the texts; those that are not in the file have probability 0."""
        found = []
        for each in inputs:
            known = {
                (t[0], t[1]): t for t in self._tags[each.text, each.word, each.axis, each.target]
            }
            found.append(
                [
                    WordTag(*span, *known.get(span, (0, 0, 0.0, 0.0))[2:])
                    for span in word_spans(each.text)
                ]
            )
        return found

    def choice(self, rows: Iterable[Row]) -> dict[str, Any]:
        """Precision, recall and F1 of the tagged words, by axis and in all."""
        tallies = {axis: Tally() for axis in (*self.axes, "all")}
        for row in rows:
            tags = self._tags[row.request]
            chosen = [tag for tag in tags if tag[2] >= self.thresholds[row.axis]]
            rest = row.text
            for start, end, *_ in sorted(chosen, reverse=True):
                rest = f"{rest[:start]} {rest[end:]}"
            for axis in (row.axis, "all"):
                tallies[axis].add(row, rest)
        return {
            axis: tally.result(interval=True) for axis, tally in tallies.items() if tally.counts
        }


def write_tags(
    path: Path, thresholds: dict[str, float], texts: Sequence[LabelledText], tags: Sequence[Any]
) -> None:
    """A file for ``RecordedTagger``."""
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write(json.dumps({"thresholds": thresholds}) + "\n")
        for text, some in zip(texts, tags, strict=True):
            row: dict[str, Any] = text.input._asdict() | {"word": text.input.word}
            row["tags"] = [
                [t.start, t.end, round(t.replace, 3), round(t.insert, 3)]
                for t in some
                if max(t.replace, t.insert) >= LEAST
            ]
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def train(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Train each seed, write its tags and metrics."""
    import torch

    torch.set_float32_matmul_precision("high")
    folder = options.data / "panda"
    pairs, dev = (read_pairs(folder / f"{part}.jsonl.gz") for part in ("train", "dev"))
    kept, held_out = split_pairs(pairs[: options.limit or None], 0.05, 0)
    train, chosen, measured = map(labelled_texts, (kept, held_out, dev[: options.limit or None]))
    rows = [
        Row(
            p.original,
            p.perturbed,
            p.selected_word,
            axis[p.target_attribute],
            p.target_attribute,
            "",
        )
        for axis in [{text.input.target: text.input.axis for text in measured}]
        for p in dev[: options.limit or None]
    ]
    results = []
    for seed in range(options.seeds):
        settings = TaggerSettings(epochs=options.epochs, seed=seed)
        tagger, epochs, best = fit_tagger(
            train,
            chosen,
            options.base,
            settings,
            lambda e: print(json.dumps(asdict(e)), flush=True),
        )
        path = options.out / f"dev-seed{seed}.jsonl.gz"
        write_tags(path, tagger.thresholds, measured, tagger.tag([t.input for t in measured]))
        found = RecordedTagger(path).choice(rows)
        results.append({"seed": seed, "best_epoch": best, "epochs": len(epochs), "choice": found})
        (options.out / "metrics.json").write_text(json.dumps(results, indent=1), encoding="utf-8")
    return results


def main() -> None:
    """Train and measure."""
    folder = os.environ.get("AUGKIT_DATA") or Path(__file__).parents[3] / "shared/data"
    options = arguments(
        __doc__,
        argument("--data", type=Path, default=Path(folder)),
        argument("--base", required=True, help="an encoder's folder, or hub id"),
        argument("--out", type=Path, required=True, help="a folder for what is written"),
        argument("--seeds", type=int, default=1),
        argument("--epochs", type=int, default=TaggerSettings().epochs),
        argument("--limit", type=int, default=0, help="pairs of each part; 0: all"),
    )
    options.out.mkdir(parents=True, exist_ok=True)
    print_line({"benchmark": "panda-tagger", "seeds": train(options)})


if __name__ == "__main__":
    main()
