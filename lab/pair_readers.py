"""What helps a fine-tuned reader of pairs where one text gives the label away?

    python -m lab.pair_readers prepare FOLDER --encoder DIR [--made NAME=VARIANTS.jsonl ...]
        [--whole NAME=DATASET.jsonl ...] [--corpus snli] [--data DIR]
    python -m lab.pair_readers train FOLDER [--seeds 0 1 2 3 4] [--epochs 3] [--treatments NAME ...]
    python -m lab.pair_readers compare LINES.jsonl

``prepare`` writes the rows of a corpus as numbers of tokens, with what each treatment trains on:

- as it is; a random part of the size that AFLite keeps; the rows repeated, to as many as the most
  that a method adds;
- weights P(label) / P(label | what the second text alone predicts, and how surely), at most 5;
- AFLite: rows that the second text gives away most often leave, until it is right for 5 points more
  than the most frequent label;
- a product of experts with the second text's classifier;
- pairs that a method made, added to all rows (``--made``);
- the rows as a method left them, in place of all rows (``--whole``), as razor's.

``train`` fine-tunes a small encoder on each, on a GPU, with the same seeds, and prints a JSON line
for each treatment and seed: balanced accuracy on ordinary rows, on those that the second text alone
gives away (easy) and the others (hard), and on people's tests. ``compare`` prints the differences
to the rows as they are, with the standard error over seeds and rows.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from lab.command_line import argument, arguments, print_line

FOLDS = 5
MOST_WEIGHT = 5.0
STEP, OVER = 0.07, 0.05
"""Of the rows, AFLite leaves out so many a round, until so much over the most frequent label."""
MOST_ROWS = 6000
"""Of a test set."""
MOST_TOKENS = 128
BATCH = 64
CORPORA: dict[str, dict[str, str]] = {
    "snli": {
        "train": "snli:train_20k",
        "ordinary": "snli:test",
        "SNLI-hard": "snli:test_hard",
        "revised hypothesis": "nli_cad:revised_hypothesis_train",
        "revised premise": "nli_cad:revised_premise_train",
        "breaking NLI": "breaking_nli:test",
    },
    "fever": {
        "train": "fever:test",
        "ordinary": "fever:dev",
        "FEVER-Symmetric": "fever_symmetric:dev",
        "VitaminC": "vitaminc:all",
        "FoolMeTwice": "fm2:dev",
    },
}
RANDOM, REPEATED = "random rows", "rows repeated"
WEIGHTS, AFLITE, EXPERTS = "weights", "aflite", "product of experts"


class Row(NamedTuple):
    """Two texts and their label."""

    first: str
    second: str
    label: str


class Treatment(NamedTuple):
    """Which rows are trained on, and how much each counts; or what else the loss is told."""

    rows: np.ndarray
    weights: np.ndarray
    experts: bool = False


def main() -> None:
    """Run one part."""
    options = arguments(
        __doc__,
        argument("part", choices=["prepare", "train", "compare"]),
        argument("folder", type=Path),
        argument("--corpus", choices=list(CORPORA), default="snli"),
        argument("--encoder", type=Path),
        argument("--made", action="append", default=[], metavar="NAME=VARIANTS.jsonl"),
        argument("--whole", action="append", default=[], metavar="NAME=DATASET.jsonl"),
        argument("--data", type=Path),
        argument("--seeds", type=int, nargs="+", default=[0, 1, 2, 3, 4]),
        argument("--epochs", type=int, default=3),
        argument("--treatments", nargs="+"),
    )
    {"prepare": prepare, "train": train, "compare": compare}[options.part](options)


# Prepare


def prepare(options: argparse.Namespace) -> None:
    """Write ``CORPUS.npz`` and the encoder with the words that occur."""
    specs = dict(CORPORA[options.corpus])
    rows = read(specs.pop("train"), options.data)
    labels = sorted({row.label for row in rows})
    targets = np.array([labels.index(row.label) for row in rows])
    premises = {row.first for row in rows}
    tests = {}
    for name, spec in specs.items():
        # A revised pair whose first text was trained on says less about new texts.
        kept = [row for row in read(spec, options.data) if row.label in labels]
        kept = [row for row in kept if row.first not in premises]
        tests[name] = random.Random(0).sample(kept, min(MOST_ROWS, len(kept)))
    made = {}
    for name, path in by_name(options.made):
        made[name] = [row for row in variants(Path(path)) if row.label in labels]
    whole = {name: result(Path(path)) for name, path in by_name(options.whole)}
    groups = np.unique([row.first for row in rows], return_inverse=True)[1]
    alone = crossfit([row.second for row in rows], targets, groups, len(labels))
    everything = [*rows]
    for some in (*made.values(), *whole.values()):
        everything += some
    treatments = treat(alone, targets, [row.second for row in rows], groups, len(labels))
    most = len(rows) + max(map(len, made.values()), default=0)
    treatments[REPEATED] = Treatment(np.resize(np.arange(len(rows)), most), np.ones(most))
    start = len(rows)
    for name, some in made.items():
        chosen = np.r_[np.arange(len(rows)), start : start + len(some)]
        treatments[name] = Treatment(chosen, np.ones(len(chosen)))
        start += len(some)
    for name, some in whole.items():
        treatments[name] = Treatment(np.arange(start, start + len(some)), np.ones(len(some)))
        start += len(some)
    blind = fit_alone([row.second for row in rows], targets)
    save(options, everything, labels, treatments, alone, tests, blind)


def by_name(given: Sequence[str]) -> list[tuple[str, str]]:
    """Each NAME=FILE in two parts."""
    pairs = [one.partition("=") for one in given]
    return [(name, path) for name, _, path in pairs]


def read(spec: str, data: Path) -> list[Row]:
    """The rows of a dataset."""
    from augkit.datasets.load import load_dataset

    return [Row(*row.fields.values(), row.label) for row in load_dataset(spec, data_folder=data)]


def result(path: Path) -> list[Row]:
    """The whole dataset that a run left, with both texts first in each line."""
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [Row(*list(record.values())[:2], record["label"]) for record in records]


def variants(path: Path) -> list[Row]:
    """The variants of a run."""
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [Row(*record["fields"].values(), record["label"]) for record in records]


def fit_alone(texts: Sequence[str], targets: np.ndarray) -> Any:
    """A classifier of the second text alone: text → probabilities."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    words = TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True)
    return make_pipeline(words, LogisticRegression(C=4.0, max_iter=300)).fit(texts, targets)


def crossfit(
    texts: Sequence[str], targets: np.ndarray, groups: np.ndarray, labels: int, seed: int = 0
) -> np.ndarray:
    """The probabilities of the second text alone, by classifiers that saw no row of the group."""
    fold = np.random.default_rng(seed).integers(0, FOLDS, groups.max() + 1)[groups]
    probabilities = np.zeros((len(texts), labels))
    for number in range(FOLDS):
        seen = np.flatnonzero(fold != number)
        left = np.flatnonzero(fold == number)
        model = fit_alone([texts[row] for row in seen], targets[seen])
        probabilities[np.ix_(left, model.classes_)] = model.predict_proba([texts[r] for r in left])
    return probabilities


def treat(
    alone: np.ndarray, targets: np.ndarray, texts: Sequence[str], groups: np.ndarray, labels: int
) -> dict[str, Treatment]:
    """The treatments that choose or weigh rows."""
    everything = np.arange(len(targets))
    same = np.ones(len(targets))
    kept = filtered(targets, texts, groups, labels)
    by_chance = np.sort(np.random.default_rng(0).permutation(len(targets))[: len(kept)])
    return {
        "as it is": Treatment(everything, same),
        RANDOM: Treatment(by_chance, same[by_chance]),
        WEIGHTS: Treatment(everything, cell_weights(alone, targets, labels)),
        AFLITE: Treatment(kept, same[kept]),
        EXPERTS: Treatment(everything, same, experts=True),
    }


def cell_weights(alone: np.ndarray, targets: np.ndarray, labels: int) -> np.ndarray:
    """P(label) / P(label | prediction and third of its certainty), at most ``MOST_WEIGHT``."""
    predicted, certainty = alone.argmax(1), alone.max(1)
    third = np.searchsorted(np.quantile(certainty, [1 / 3, 2 / 3]), certainty)
    cell = 3 * predicted + third
    counts = np.zeros((3 * labels, labels))
    np.add.at(counts, (cell, targets), 1)
    given = counts[cell, targets] / counts[cell].sum(1)
    base = np.bincount(targets, minlength=labels)[targets] / len(targets)
    weights = np.minimum(MOST_WEIGHT, base / given)
    return weights / weights.mean()


def filtered(
    targets: np.ndarray, texts: Sequence[str], groups: np.ndarray, labels: int
) -> np.ndarray:
    """The rows that AFLite keeps."""
    kept = np.arange(len(targets))
    for turn in range(20):
        some = [texts[row] for row in kept]
        group = np.unique(groups[kept], return_inverse=True)[1]
        right = np.zeros(len(kept))
        for seed in (2 * turn, 2 * turn + 1):
            found = crossfit(some, targets[kept], group, labels, seed)
            right += found[np.arange(len(kept)), targets[kept]]
        correct = float((found.argmax(1) == targets[kept]).mean())
        if correct <= np.bincount(targets[kept]).max() / len(kept) + OVER:
            break
        leaving = np.argsort(-right)[: int(STEP * len(kept))]
        kept = np.delete(kept, leaving)
    return kept


def save(  # noqa: PLR0913, PLR0917 - one file of all that was prepared
    options: argparse.Namespace,
    rows: Sequence[Row],
    labels: Sequence[str],
    treatments: Mapping[str, Treatment],
    alone: np.ndarray,
    tests: Mapping[str, Sequence[Row]],
    blind: Any,
) -> None:
    """Write all as numbers, and the encoder without the words that no row has."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(options.encoder)
    parts = {"train": rows, **tests}
    codes = {name: encode(tokenizer, some) for name, some in parts.items()}
    used = np.unique(np.concatenate([ids for ids, _, _ in codes.values()]))
    arrays: dict[str, np.ndarray] = {"labels": np.array(labels), "alone": alone.astype("float32")}
    for name, (ids, kinds, ends) in codes.items():
        arrays[f"{name}/ids"] = np.searchsorted(used, ids).astype("uint16")
        arrays[f"{name}/kinds"] = kinds
        arrays[f"{name}/ends"] = ends
        arrays[f"{name}/targets"] = np.array([labels.index(row.label) for row in parts[name]])
    easy = blind.predict([row.second for row in tests["ordinary"]])
    arrays["easy"] = easy == arrays["ordinary/targets"]
    for name, treatment in treatments.items():
        arrays[f"rows/{name}"] = treatment.rows
        arrays[f"weights/{name}"] = treatment.weights.astype("float32")
        arrays[f"experts/{name}"] = np.array(treatment.experts)
    options.folder.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(options.folder / f"{options.corpus}.npz", **arrays)
    encoder = AutoModel.from_pretrained(options.encoder, dtype=torch.float16)
    words = encoder.get_input_embeddings().weight.data[used].clone()
    encoder.set_input_embeddings(torch.nn.Embedding.from_pretrained(words, freeze=False))
    encoder.config.vocab_size = len(used)
    encoder.save_pretrained(options.folder / options.corpus)
    correct = alone.argmax(1) == arrays["train/targets"][: len(alone)]
    print_line(
        {
            "corpus": options.corpus,
            "rows": {name: len(treatment.rows) for name, treatment in treatments.items()},
            "tests": {name: len(some) for name, some in tests.items()},
            "second text alone": round(float(correct.mean()), 3),
            "easy": round(float(arrays["easy"].mean()), 3),
        }
    )


def encode(tokenizer: Any, rows: Sequence[Row]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The tokens of all rows one after another, of which text each is, and where rows end."""
    found = tokenizer(
        [row.first for row in rows],
        [row.second for row in rows],
        truncation="only_first",
        max_length=MOST_TOKENS,
    )
    ends = np.cumsum([len(ids) for ids in found["input_ids"]])
    ids = np.concatenate(found["input_ids"])
    kinds = np.concatenate(found["token_type_ids"]).astype("uint8")
    return ids, kinds, ends


# Train


class Texts(NamedTuple):
    """The rows of a part, on the GPU."""

    ids: Any
    kinds: Any
    starts: np.ndarray
    ends: np.ndarray
    targets: Any

    def batch(self, rows: np.ndarray) -> dict[str, Any]:
        """Some rows, padded."""
        import torch

        lengths = self.ends[rows] - self.starts[rows]
        places = self.starts[rows][:, None] + np.arange(lengths.max())[None]
        is_token = np.arange(lengths.max())[None] < lengths[:, None]
        index = torch.from_numpy(np.where(is_token, places, self.starts[rows][:, None])).cuda()
        mask = torch.from_numpy(is_token).cuda()
        return {
            "input_ids": self.ids[index],
            "token_type_ids": self.kinds[index],
            "attention_mask": mask.long(),
        }


def train(options: argparse.Namespace) -> None:
    """Fine-tune on each treatment with each seed."""
    import torch

    with np.load(options.folder / f"{options.corpus}.npz") as loaded:
        arrays = dict(loaded)
    names = [name.removesuffix("/ids") for name in arrays if name.endswith("/ids")]
    texts = {}
    for name in names:
        ends = arrays[f"{name}/ends"]
        texts[name] = Texts(
            torch.from_numpy(arrays[f"{name}/ids"].astype("int64")).cuda(),
            torch.from_numpy(arrays[f"{name}/kinds"].astype("int64")).cuda(),
            np.r_[0, ends[:-1]],
            ends,
            torch.from_numpy(arrays[f"{name}/targets"]).cuda(),
        )
    treatments = [name.removeprefix("rows/") for name in arrays if name.startswith("rows/")]
    if options.treatments:
        treatments = [name for name in treatments if name in options.treatments]
    for seed in options.seeds:
        for name in treatments:
            started = time.perf_counter()
            treatment = Treatment(
                *(arrays[f"{part}/{name}"] for part in ("rows", "weights", "experts"))
            )
            reader = fine_tune(options, arrays, texts["train"], treatment, seed)
            scores = {test: predict(reader, texts[test]) for test in names if test != "train"}
            print_line(
                {"benchmark": "pair_readers", "corpus": options.corpus, "treatment": name}
                | {"seed": seed, "rows": len(treatment.rows)}
                | {"seconds": round(time.perf_counter() - started, 1)}
                | {"right": outcomes(scores, texts, arrays["easy"])}
            )


def fine_tune(
    options: argparse.Namespace, arrays: dict, texts: Texts, treatment: Treatment, seed: int
) -> Any:
    """An encoder with a linear head on the first token."""
    import torch
    from transformers import AutoModel

    torch.manual_seed(seed)
    encoder = AutoModel.from_pretrained(options.folder / options.corpus, dtype=torch.float32).cuda()
    head = torch.nn.Linear(encoder.config.hidden_size, len(arrays["labels"])).cuda()
    parameters = [*encoder.parameters(), *head.parameters()]
    optimizer = torch.optim.AdamW(parameters, lr=5e-5, weight_decay=0.01, fused=True)
    order = np.random.default_rng(seed)
    batches = [batch for _ in range(options.epochs) for batch in drawn(order, len(treatment.rows))]
    experts = torch.from_numpy(np.log(np.maximum(arrays["alone"], 1e-6))).cuda()
    weights = torch.from_numpy(treatment.weights).cuda()
    warm = max(1, len(batches) // 10)
    for step, places in enumerate(batches):
        rate = 5e-5 * min((step + 1) / warm, (len(batches) - step) / max(1, len(batches) - warm))
        for group in optimizer.param_groups:
            group["lr"] = rate
        rows = treatment.rows[places]
        with torch.autocast("cuda", torch.bfloat16):
            hidden = encoder(**texts.batch(rows)).last_hidden_state[:, 0]
            scores = head(torch.nn.functional.dropout(hidden, 0.1, training=True)).float()
        if treatment.experts:
            scores = scores.log_softmax(1) + experts[torch.from_numpy(rows).cuda()]
        losses = torch.nn.functional.cross_entropy(
            scores, texts.targets[torch.from_numpy(rows).cuda()], reduction="none"
        )
        loss = (losses * weights[torch.from_numpy(places).cuda()]).mean()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
    return encoder.eval(), head.eval()


def drawn(order: np.random.Generator, count: int) -> Iterator[np.ndarray]:
    """The rows of an epoch in a new order."""
    rows = order.permutation(count)
    for start in range(0, count, BATCH):
        yield rows[start : start + BATCH]


def predict(reader: Any, texts: Texts) -> np.ndarray:
    """The predicted class of every row."""
    import torch

    encoder, head = reader
    order = np.argsort(texts.ends - texts.starts)
    predicted = np.zeros(len(order), dtype=int)
    with torch.no_grad(), torch.autocast("cuda", torch.bfloat16):
        for start in range(0, len(order), 512):
            rows = order[start : start + 512]
            hidden = encoder(**texts.batch(rows)).last_hidden_state[:, 0]
            predicted[rows] = head(hidden).argmax(1).cpu().numpy()
    return predicted


def outcomes(
    predicted: Mapping[str, np.ndarray], texts: Mapping[str, Texts], easy: np.ndarray
) -> dict[str, dict[str, list[int]]]:
    """For each test and true class: how many are right, of how many."""
    counts: dict[str, dict[str, list[int]]] = defaultdict(dict)
    for name, found in predicted.items():
        targets = texts[name].targets.cpu().numpy()
        parts = {name: np.ones(len(targets), dtype=bool)}
        if name == "ordinary":
            parts |= {"easy": easy, "hard": ~easy}
        for part, chosen in parts.items():
            for label in np.unique(targets):
                of_label = chosen & (targets == label)
                right = int((found[of_label] == label).sum())
                counts[part][str(label)] = [right, int(of_label.sum())]
    return counts


# Compare


def compare(options: argparse.Namespace) -> None:
    """Differences of balanced accuracy to the rows as they are, in points."""
    records = [json.loads(line) for line in options.folder.read_text().splitlines()]
    of_seed: dict[tuple[str, str], dict[int, dict]] = defaultdict(dict)
    for record in records:
        of_seed[record["corpus"], record["treatment"]][record["seed"]] = record
    for (corpus, treatment), found in of_seed.items():
        base = of_seed[corpus, "as it is"]
        line: dict[str, Any] = {"corpus": corpus, "treatment": treatment, "seeds": len(found)}
        line["rows"] = next(iter(found.values()))["rows"]
        line["tests"] = {
            test: difference(
                [balanced(found[seed]["right"][test]) for seed in sorted(found)],
                [balanced(base[seed]["right"][test]) for seed in sorted(found)],
                found[min(found)]["right"][test],
            )
            for test in next(iter(found.values()))["right"]
        }
        print_line(line)


def balanced(counts: Mapping[str, Sequence[int]]) -> float:
    """The mean over classes of the share that is right."""
    return float(np.mean([right / of for right, of in counts.values() if of]))


def difference(
    new: Sequence[float], old: Sequence[float], counts: Mapping[str, Sequence[int]]
) -> dict[str, float]:
    """The level, the difference, and its standard error.

    The variance is that over seeds, and that of drawing the rows: half of the independent one,
    because both readers answer the same rows.
    """
    gaps = 100 * (np.array(new) - np.array(old))
    over_seeds = gaps.var(ddof=1) / len(gaps) if len(gaps) > 1 else math.nan
    level = float(np.mean(new))
    sizes = [of for _, of in counts.values() if of]
    of_rows = np.mean([level * (1 - level) / of for of in sizes]) / len(sizes) * 1e4
    return {
        "level": round(100 * level, 1),
        "difference": round(float(gaps.mean()), 1),
        "se": round(math.sqrt(over_seeds + of_rows), 1),
    }


if __name__ == "__main__":
    main()
