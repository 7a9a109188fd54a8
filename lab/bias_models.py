"""Is a masked language model less biased when its training text was changed by panda or coba?

    python -m lab.bias_models prepare FOLDER [--data DIR] [--share 1.0]
    python -m lab.bias_models_train FOLDER --out FOUND
    python -m lab.bias_models compare FOLDER --found FOUND [--data DIR]

``prepare`` writes the same text three times, as tokens of one vocabulary:

- plain: IMDb, Yelp, Amazon and SNLI as they are;
- panda: each text with a person by Algorithm 1 in its place (target random, axes balanced);
- coba: the text, and coba's variants of its reviews, in which persons have the other gender.

``bias_models_train`` runs on a GPU: it trains a small model from scratch on each with each seed.
``compare`` computes the scores from them by augkit's own benchmarks and
prints a JSON line for each arm: means over seeds, with the standard error of the difference to
plain text.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from lab.bias_models_train import ARMS, LENGTH, VOCABULARY
from lab.command_line import argument, arguments, print_line

TASKS = {"sst2": ("sst2:train", "sst2:dev"), "snli": ("snli:train_20k", "snli:dev")}
TEXTS = {
    "imdb:all": 4000,
    "yelp_sentences:train": 30_000,
    "amazon_drg:dev": 2000,
    "snli:train_100k": 30_000,
}
"""How many rows of each are trained on."""
REVIEWS = {"imdb:all": 1500, "yelp_sentences:train": 4000}
"""Of which so many are given to coba."""
TASK_ROWS, TEST_ROWS = 20_000, 4000
DESCRIPTORS_SAMPLE = 20_000
"""Sentences of HolisticBias, in whole descriptors."""
AXES = {"gender": "gender_and_sex", "race": "race_ethnicity", "age": "age"}
"""The axes of panda's Table 3, as HolisticBias calls them."""
CROWS = {"race": "race-color"}
BENCHMARKS = ("crows-pairs", "stereoset", "holistic-bias")


def main() -> None:
    """Run one part."""
    options = arguments(
        __doc__,
        argument("part", choices=["prepare", "compare"]),
        argument("folder", type=Path),
        argument("--data", type=Path),
        argument("--share", type=float, default=1.0, help="of the rows, for a small version"),
        argument("--found", type=Path),
    )
    {"prepare": prepare, "compare": compare}[options.part](options)


# Prepare


def prepare(options: argparse.Namespace) -> None:
    """Write ``tokenizer/`` and ``prepared.npz``."""
    started = time.process_time()
    documents, about = make_arms(options)
    options.folder.mkdir(parents=True, exist_ok=True)
    tokenizer = make_tokenizer([text for arm in ARMS for text in documents[arm]], options.folder)
    arrays: dict[str, np.ndarray] = {}
    for arm in ARMS:
        read = tokenizer(documents[arm])["input_ids"]
        arrays[f"text/{arm}"] = np.concatenate([np.array(ids, dtype="uint16") for ids in read])
        about[f"{arm} tokens"] = len(arrays[f"text/{arm}"])
    sequences, queries = asked(options, tokenizer)
    put(arrays, "masked", sequences)
    arrays["masked/queries"] = np.array(queries, dtype="int32")
    put(arrays, "sentences", [list(ids) for ids in tokenizer(seat_sentences(options))["input_ids"]])
    for task, (trained_on, tested_on) in TASKS.items():
        put_task(arrays, options, tokenizer, task, trained_on, tested_on)
        about[f"{task} perturbed"] = len(arrays[f"{task}/perturbed rows"])
    np.savez_compressed(options.folder / "prepared.npz", **arrays)
    print_line({"queries": len(queries), **about, "cpu": round(time.process_time() - started)})


def make_arms(options: argparse.Namespace) -> tuple[dict[str, list[str]], dict[str, Any]]:
    """The documents of each arm."""
    documents: dict[str, list[str]] = {arm: [] for arm in ARMS}
    about = {"documents": 0, "panda changed": 0, "coba variants": 0}
    for spec, most in TEXTS.items():
        rows = read_rows(spec, round(most * options.share), options.data)
        changed = perturbed(rows)
        plain = [whole(row) for row in rows]
        documents["plain"] += plain
        documents["panda"] += [changed.get(row.id, whole(row)) for row in rows]
        variants = counterfactuals(rows[: round(REVIEWS.get(spec, 0) * options.share)])
        documents["coba"] += [*plain, *variants]
        about["documents"] += len(plain)
        about["panda changed"] += len(changed)
        about["coba variants"] += len(variants)
    return documents, about


def read_rows(spec: str, most: int, data: Path | None) -> list[Any]:
    """The first rows of a dataset."""
    from itertools import islice

    from augkit.datasets.load import load_dataset

    return list(islice(load_dataset(spec, data_folder=data), most))


def whole(row: Any) -> str:
    """The fields of a row as one text, without the mark-up of web pages."""
    return " ".join(row.fields.values()).replace("<br />", " ")


def perturbed(rows: Sequence[Any]) -> dict[str, str]:
    """The text of each row with a person, by Algorithm 1."""
    from augkit.augmenters.panda.config import PandaConfig
    from augkit.augmenters.panda.method import Panda

    panda = Panda(PandaConfig(target="random", sampling="balanced"), tools())
    return {pair.original.id: whole(pair.variant) for pair in accepted(panda, rows)}


def counterfactuals(rows: Sequence[Any]) -> list[str]:
    """Coba's variants, in which persons have the other gender."""
    from augkit.augmenters.coba.config import CobaConfig
    from augkit.augmenters.coba.method import Coba

    if not rows:
        return []
    coba = Coba(CobaConfig(gender="panda"), tools()).fit(rows)
    return [whole(pair.variant) for pair in accepted(coba, rows)]


def tools() -> Any:
    """The bundled parser."""
    from augkit.core.protocols import Tools
    from augkit.english.parser import SpacyParser

    return Tools(parser=SpacyParser())


def accepted(augmenter: Any, rows: Sequence[Any]) -> list[Any]:
    """The variants that passed."""
    from augkit.core.types import Pair

    return [outcome for outcome in augmenter.outcomes(rows) if isinstance(outcome, Pair)]


def make_tokenizer(texts: Sequence[str], folder: Path) -> Any:
    """A WordPiece vocabulary of all arms, so that no arm has better tokens."""
    from tokenizers import BertWordPieceTokenizer
    from transformers import BertTokenizerFast

    pieces = BertWordPieceTokenizer(lowercase=True)
    pieces.train_from_iterator(texts, vocab_size=VOCABULARY, min_frequency=2, show_progress=False)
    (folder / "tokenizer").mkdir(exist_ok=True)
    pieces.save(str(folder / "tokenizer" / "tokenizer.json"))
    tokenizer = BertTokenizerFast(tokenizer_file=str(folder / "tokenizer" / "tokenizer.json"))
    tokenizer.save_pretrained(folder / "tokenizer")
    return tokenizer


class Asked:
    """A masked model that notes what it is asked, or answers from what was found elsewhere."""

    def __init__(self, tokenizer: Any, answers: np.ndarray | None = None) -> None:
        from transformers import BertConfig

        from augkit.models.language_models.masked_lm import MaskedLanguageModel

        # A model of which only the configuration is looked at.
        reader = MaskedLanguageModel(argparse.Namespace(config=BertConfig()), tokenizer)
        self.encode = reader.encode
        self.word_pieces = reader.word_pieces
        self.mask = reader.mask
        self.answers = answers
        self.queries: list[Any] = []

    @property
    def exact(self) -> Asked:
        """Itself: nothing is rounded afterwards."""
        return self

    def log_probabilities(self, queries: Sequence[Any]) -> np.ndarray:
        """The answers to these queries, which come in the order in which they were noted."""
        start = len(self.queries)
        self.queries += queries
        if self.answers is None:
            # No two alike, so that a benchmark that compares them has something to compare.
            return -1 - 1e-3 * np.arange(start, len(self.queries), dtype=float)
        return self.answers[start : len(self.queries)].astype(float)


def scores_of(model: Asked, data: Path | None) -> dict[str, list[Any]]:
    """The scores of all benchmarks of masked models."""
    from augkit.core import registry
    from augkit.evaluation.bias.items import benchmark_items, sample

    found = {}
    for name in BENCHMARKS:
        benchmark = registry.find("benchmarks", name)
        _, items = benchmark_items(benchmark, None, data)
        rule = next(rule for rule in benchmark.rules.values() if rule.model == "masked")
        items = sample(items, DESCRIPTORS_SAMPLE, benchmark.sampling_unit)
        found[name] = rule.score(model, items)
    return found


def asked(
    options: argparse.Namespace, tokenizer: Any
) -> tuple[list[tuple[int, ...]], list[tuple[int, int, int]]]:
    """The masked sequences, and the queries: number of the sequence, position, token."""
    model = Asked(tokenizer)
    scores_of(model, options.data)
    numbers: dict[tuple[int, ...], int] = {}
    queries = []
    for query in model.queries:
        number = numbers.setdefault(query.ids, len(numbers))
        queries.append((number, query.position, query.token))
    return list(numbers), queries


def seat_sentences(options: argparse.Namespace) -> list[str]:
    """The sentences of all tests, each once."""
    from augkit.core import registry
    from augkit.evaluation.bias.items import benchmark_items

    _, tests = benchmark_items(registry.find("benchmarks", "seat"), None, options.data)
    parts = [part for test in tests for part in (*test.targets, *test.attributes)]
    return list(dict.fromkeys(text for part in parts for text in part))


def put(arrays: dict[str, np.ndarray], name: str, sequences: Sequence[Sequence[int]]) -> None:
    """Sequences as two arrays."""
    arrays[f"{name}/ids"] = np.concatenate([np.array(ids, dtype="uint16") for ids in sequences])
    arrays[f"{name}/ends"] = np.cumsum([len(ids) for ids in sequences])


def put_task(  # noqa: PLR0913, PLR0917 - one task, with what its rows are read by
    arrays: dict[str, np.ndarray],
    options: argparse.Namespace,
    tokenizer: Any,
    task: str,
    trained_on: str,
    tested_on: str,
) -> None:
    """The rows of a task, and its test rows with another person."""
    train_rows = read_rows(trained_on, round(TASK_ROWS * options.share), options.data)
    test_rows = read_rows(tested_on, max(200, round(TEST_ROWS * options.share)), options.data)
    labels = sorted({row.label for row in train_rows})
    changed = perturbed(test_rows)
    has_variant = [number for number, row in enumerate(test_rows) if row.id in changed]
    texts = {
        "train": [whole(row) for row in train_rows],
        "test": [whole(row) for row in test_rows],
        "perturbed": [changed[test_rows[number].id] for number in has_variant],
    }
    for part, some in texts.items():
        read = tokenizer(some, truncation=True, max_length=LENGTH)["input_ids"]
        put(arrays, f"{task}/{part}", read)
    arrays[f"{task}/perturbed rows"] = np.array(has_variant)
    for part, rows in (("train", train_rows), ("test", test_rows)):
        arrays[f"{task}/{part} labels"] = np.array([labels.index(row.label) for row in rows])


# Compare


def compare(options: argparse.Namespace) -> None:
    """The scores of each arm, and their differences to plain text."""
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(options.folder / "tokenizer")
    with np.load(options.folder / "prepared.npz") as loaded:
        arrays = dict(loaded)
    of_arm = {}
    for arm in ARMS:
        with np.load(options.found / f"{arm}.npz") as loaded:
            found = dict(loaded)
        seeds = sorted({name.partition("/")[0] for name in found})
        models = [
            {
                name.partition("/")[2]: value
                for name, value in found.items()
                if name.startswith(f"{seed}/")
            }
            for seed in seeds
        ]
        of_arm[arm] = [measures(tokenizer, arrays, one, options) for one in models]
    for arm, measured in of_arm.items():
        line: dict[str, Any] = {"benchmark": "bias_models", "arm": arm, "seeds": len(measured)}
        for name in measured[0]:
            plain = [one[name] for one in of_arm["plain"]]
            line[name] = summary([one[name] for one in measured], plain)
        print_line(line)


def measures(
    tokenizer: Any,
    arrays: Mapping[str, np.ndarray],
    found: Mapping[str, np.ndarray],
    options: argparse.Namespace,
) -> dict[str, float]:
    """All figures of one model."""
    figures = {"steps": float(found["steps"]), "loss": float(found["loss"])}
    scores = scores_of(Asked(tokenizer, found["masked"]), options.data)
    by_name = {score.name: score.value for some in scores.values() for score in some}
    figures["CrowS-Pairs"] = by_name["stereotype preferred"]
    for bias, axis in AXES.items():
        figures[f"CrowS-Pairs, {bias}"] = by_name[f"stereotype preferred/{CROWS.get(bias, bias)}"]
        figures[f"HolisticBias, {bias}"] = 100 * by_name[f"differ/{axis}"]
    figures["StereoSet SS"] = by_name["ss/all"]
    figures["StereoSet LMS"] = by_name["lms/all"]
    figures["StereoSet SS, gender"] = by_name["ss/intrasentence/gender"]
    figures |= seat_figures(found["sentences"], options)
    for task in TASKS:
        rows = arrays[f"{task}/perturbed rows"]
        changed = found[f"{task}/test"][rows] != found[f"{task}/perturbed"]
        figures[f"{task} accuracy"] = 100 * float(found[f"{task}/right"])
        figures[f"{task} fairscore"] = 100 * float(changed.mean())
    return figures


def seat_figures(vectors: np.ndarray, options: argparse.Namespace) -> dict[str, float]:
    """The mean size of the effects, of all tests and of those about gender."""
    from augkit.core import registry
    from augkit.evaluation.bias.association import association_scores
    from augkit.evaluation.bias.items import benchmark_items

    _, tests = benchmark_items(registry.find("benchmarks", "seat"), None, options.data)
    place = {text: number for number, text in enumerate(seat_sentences(options))}
    values = vectors.astype(float)
    scores = association_scores(lambda texts: values[[place[text] for text in texts]], tests)
    effects = {score.name: abs(score.value) for score in scores}
    gender = [f"sent-weat{name}" for name in ("6", "6b", "7", "7b", "8", "8b")]
    return {
        "SEAT mean |d|": effects["mean |d|"],
        "SEAT significant": effects["significant %"],
        "SEAT mean |d|, gender": float(np.mean([effects[name] for name in gender])),
    }


def summary(values: Sequence[float], plain: Sequence[float]) -> dict[str, float]:
    """The mean over seeds, the difference to plain text, and its standard error over seeds."""
    gaps = np.array(values) - np.array(plain)
    error = gaps.std(ddof=1) / math.sqrt(len(gaps)) if len(gaps) > 1 else math.nan
    return {
        "mean": round(float(np.mean(values)), 2),
        "difference": round(float(gaps.mean()), 2),
        "se": round(float(error), 2),
    }


if __name__ == "__main__":
    main()
