"""Is a planted structure found by an induced grammar, and nothing where labels are shuffled?

    OMP_NUM_THREADS=1 python -m lab.grammar_planted [--sentences 4000] [--seed 0]
        [--epochs 8] [--restarts 3] [--shuffles 100]

Texts are drawn from a grammar of ours (``planted_phrases.py``) in which four phrases of two
words go with a label, while no word does ("at night" and "in town" against "at town" and "in
night"). They are written to a file, and ``augkit shortcuts --by grammar`` is run on it: a grammar
is induced from the words alone, and its trees are searched. One JSON line: the first subtrees with
their shares, the ranks of each planted phrase (one for each way in which it was parsed), the rank
of the first subtree without one, how many subtrees are significant and how many of those hold no
planted phrase, and in how many of ``--shuffles`` shuffles of the labels anything is significant (at
0.05 no more than about 5 % may be). ``with_the_true_trees``: the same from the trees that the
texts were drawn with.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from augkit.datasets.load import load_dataset
from augkit.grammars.features.feature_groups import SelectionConfig, select_features
from augkit.grammars.features.mutual_information import LabelledRows
from augkit.grammars.features.subtrees import subtrees
from augkit.grammars.features.survey import SurveyConfig, label_rows, survey_trees
from augkit.grammars.model.corpus import read_corpus
from augkit.grammars.trees import Trees, patterns
from lab.command_line import argument, arguments, print_line
from lab.planted_phrases import LABELS, PLANTED, PlantedCorpus, Planting, plant

PHRASES = {phrase: label for label, some in PLANTED.items() for phrase in some}
ALPHA = 0.05
SETTINGS = {
    "symbols": 8, "leaves": 10, "width": 32, "batch_size": 16, "learning_rate": 5e-3,
    "min_count": 1, "device": "cpu",
}  # fmt: skip


def find(options: argparse.Namespace, planted: PlantedCorpus, folder: Path) -> list[dict[str, Any]]:
    """What the command finds in the texts: all selected subtrees, the most informative first."""
    file = folder / "planted.jsonl"
    rows = zip(planted.sentences, planted.labels.tolist(), strict=True)
    file.write_text(
        "".join(json.dumps({"text": text, "label": LABELS[y]}) + "\n" for text, y in rows), "utf-8"
    )
    settings = SETTINGS | {"epochs": options.epochs, "restarts": options.restarts}
    chosen = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
    command = ["shortcuts", str(file), "--by", "grammar", "--set", f"seed={options.seed}"]
    subprocess.run(
        [sys.executable, "-m", "augkit", *command, *chosen, "--out", str(folder / "found")],
        check=True, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    lines = (folder / "found" / "features.jsonl").read_text("utf-8").splitlines()
    groups = [json.loads(line) for line in lines]
    single = [{**one, "label": group["label"]} for group in groups for one in group["patterns"]]
    return sorted(single, key=lambda one: -one["information"])


def judge(found: list[dict[str, Any]]) -> dict[str, Any]:
    """Where the planted phrases stand among the subtrees, and what else is significant."""
    holds = [any(phrase in one["pattern"] for phrase in PHRASES) for one in found]
    significant = [one["corrected_p"] <= ALPHA for one in found]
    return {
        "top": [(one["pattern"], one["label"], one["count"], one["held_out_share"])
                for one in found[:8]],
        "ranks_of_planted": {
            phrase: [index + 1 for index, one in enumerate(found)
                     if (one["pattern"], one["label"]) == (phrase, label)]
            for phrase, label in PHRASES.items()
        },
        "first_without": holds.index(False) + 1 if False in holds else None,
        "significant": sum(significant),
        "significant_without": sum(s and not h for s, h in zip(significant, holds, strict=True)),
    }  # fmt: skip


def true_trees(planted: PlantedCorpus, seed: int) -> dict[str, Any]:
    """The most telling subtrees of the trees that the texts were drawn with."""
    held = np.random.default_rng(seed).random(len(planted.labels)) < 0.3
    trees = planted.trees
    labelled = LabelledRows(LABELS, planted.labels, held)
    selected = select_features(trees, subtrees(trees), trees.doc, labelled, SelectionConfig())
    names = patterns(selected.trees, planted.vocabulary, paired=False)
    return {
        "ranks_of_planted": {phrase: names.index(phrase) + 1 for phrase in PHRASES},
        "significant": int((selected.statistics.corrected <= ALPHA).sum()),
    }


def false_alarms(folder: Path, shuffles: int) -> int:
    """In how many shuffles of the labels any subtree or group of the same trees is significant."""
    config = SurveyConfig(min_count=1)
    corpus = read_corpus(load_dataset(str(folder / "planted.jsonl")), config)
    vocabulary = corpus.vocabulary(config)
    labelled, trees = label_rows(corpus.examples, config), Trees.load(folder / "found/trees.npz")
    draw = np.random.default_rng(1)
    found = 0
    for _ in range(shuffles):
        shuffled = replace(labelled, numbers=draw.permutation(labelled.numbers))
        again = survey_trees(corpus, vocabulary, trees, shuffled, config)
        corrected = again.selected.statistics.corrected, again.groups.statistics.corrected
        found += any((some <= ALPHA).any() for some in corrected)
    return found


def main() -> None:
    """Print one line."""
    options = arguments(
        __doc__,
        argument("--sentences", type=int, default=4_000),
        argument("--epochs", type=int, default=8),
        argument("--restarts", type=int, default=3),
        argument("--shuffles", type=int, default=100),
        argument("--seed", type=int, default=0),
    )
    planted = plant(options.sentences, Planting(fragments=0.3), seed=options.seed)
    with tempfile.TemporaryDirectory() as folder:
        found = judge(find(options, planted, Path(folder)))
        alarms = false_alarms(Path(folder), options.shuffles)
    record = {
        "sentences": options.sentences,
        "seed": options.seed,
        **found,
        "with_the_true_trees": true_trees(planted, options.seed),
        "shuffles": options.shuffles,
        "shuffles_with_any": alarms,
    }
    print_line(record)


if __name__ == "__main__":
    main()
