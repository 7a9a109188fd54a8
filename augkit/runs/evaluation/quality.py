"""Quality of a run's variants: do they keep their promise, how small, how fluent, how diverse?"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from augkit.core.errors import DataError, MissingExtra
from augkit.core.types import Example, Score, digest
from augkit.evaluation.metrics.diversity import top_variance
from augkit.evaluation.metrics.edit_size import minimality, similarity
from augkit.evaluation.metrics.fluency import harper, problem_rate
from augkit.evaluation.metrics.lexical_bias import negation_gap, ngram_association, strongest_ngrams
from augkit.evaluation.metrics.ngram_overlap import corpus_bleu, distinct, self_bleu
from augkit.evaluation.statistics.intervals import bootstrap_mean, exact_share
from augkit.models.classifiers.encoder import EncoderConfig, embed
from augkit.models.classifiers.train import ClassifierConfig
from augkit.models.ensembles.config import load_ensemble
from augkit.models.ensembles.crossfit import CrossFitted, train_crossfitted
from augkit.runs.evaluation.predictions import plain
from augkit.runs.evaluation.training_sets import Arm, run_arms
from augkit.text.tokens import words

QUALITY = "quality"
_MOST = 2_000
"""Variants that are looked at: drawn by their content, so that a figure does not hang on order."""
_SPREAD = 1_000
"""Texts of a set whose diversity is measured: the same number before and after."""
_CHECKED = 300
"""Texts whose grammar is checked: it takes a hundredth of a second a text and more."""


@dataclass(frozen=True)
class Variants:
    """Originals and their variants side by side, and what the method said of each."""

    originals: Sequence[Example]
    variants: Sequence[Example]
    about: Sequence[Mapping[str, str]]

    def __len__(self) -> int:
        """How many there are."""
        return len(self.variants)


def quality_records(
    folder: Path, data_folder: Path | None, model: ClassifierConfig
) -> list[dict[str, Any]]:
    """Quality of the variants of a run: label, size, likeness, grammar, diversity, association.

    What cannot be measured is named in ``skipped`` with the reason.
    """
    originals, result = run_arms(folder, "both", data_folder)
    found = read_variants(folder, originals)
    judge = train_crossfitted(originals.examples, load_ensemble("linear-three"))
    vectors = _vectors(judge, model)
    scores: dict[str, Score] = {}
    skipped: dict[str, str] = {}
    parts: list[Callable[[], Iterator[tuple[str, Score]]]] = [
        lambda: _labels(found, judge),
        lambda: _sizes(found, vectors),
        lambda: _spurious(found),
        lambda: _fluency(found),
        lambda: _diversity(found, vectors),
        lambda: _association(originals, result),
    ]
    names = ("label", "size", "spurious words", "grammar", "diversity", "association")
    for name, part in zip(names, parts, strict=True):
        try:
            for key, score in part():  # one by one: what was measured before a stop counts
                scores[key] = score  # noqa: PERF403
        except (DataError, MissingExtra) as error:  # noqa: PERF203 - six parts, once a run
            skipped[name] = str(error)
    return [
        {
            "metric": QUALITY,
            "train": folder.name,
            "test": f"{len(found):,} variants",
            "judge": {"members": judge.held_out_accuracy, "warnings": judge.warnings},
            "scores": {name: plain(score) for name, score in scores.items()},
            "skipped": skipped,
        }
    ]


def read_variants(folder: Path, originals: Arm) -> Variants:
    """The labelled variants of a run with their first parents, at most 2,000 of them."""
    known = {row.id: row for row in originals.examples}
    told = []
    with (folder / "variants.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if row["label"] is not None and row["parents"][0] in known:
                told.append(row)
    if not told:
        raise DataError(f"{folder}: the run has no labelled variant, so there is none to judge")
    told = sorted(told, key=lambda row: digest("quality", row["id"]))[:_MOST]
    return Variants(
        [known[row["parents"][0]] for row in told],
        [Example(row["fields"], row["label"], row["id"]) for row in told],
        [row.get("about", {}) for row in told],
    )


def _labels(found: Variants, judge: CrossFitted) -> Iterator[tuple[str, Score]]:
    """How often models that saw neither the original nor its twins give the variant its label."""
    for name, rows in (("label agreement", found.variants), ("of originals", found.originals)):
        chosen = judge.predict(rows, found.originals).argmax(axis=1).tolist()
        right = [judge.labels[n] == row.label for n, row in zip(chosen, rows, strict=True)]
        key = name if name != "of originals" else "label agreement, originals"
        yield key, exact_share("agreement", sum(right), len(right))


def _sizes(found: Variants, vectors: Vectors) -> Iterator[tuple[str, Score]]:
    pairs = list(zip(_words(found.originals), _words(found.variants), strict=True))
    yield "minimality", minimality(pairs)
    yield "similarity", similarity(vectors(found.originals), vectors(found.variants))
    originals, variants = (list(side) for side in zip(*pairs, strict=True))
    yield "bleu to originals", _exactly("bleu", corpus_bleu(variants, originals), len(pairs))


def _spurious(found: Variants) -> Iterator[tuple[str, Score]]:
    """The share of words that a method holds to be spurious which its variant still has."""
    shares = []
    for row, about in zip(found.variants, found.about, strict=True):
        named = [word.strip().lower() for word in about.get("spurious", "").split(",")]
        named = [word for word in named if word]
        if named:
            there = {word.lower() for word in words(_text(row))}
            shares.append(sum(word in there for word in named) / len(named))
    if not shares:
        raise DataError("the method names no spurious words")
    yield "spurious-word recall", bootstrap_mean("recall", shares)


def _fluency(found: Variants) -> Iterator[tuple[str, Score]]:
    checker = harper()
    for name, rows in (("originals", found.originals), ("variants", found.variants)):
        yield f"grammar, {name}", problem_rate([_text(row) for row in rows[:_CHECKED]], checker)


def _diversity(found: Variants, vectors: Vectors) -> Iterator[tuple[str, Score]]:
    sides = {"originals": _different(found.originals), "variants": _different(found.variants)}
    size = min(_SPREAD, *(len(rows) for rows in sides.values()))
    for name, rows in sides.items():
        drawn = rows[:size]
        texts = _words(drawn)
        yield f"self-BLEU, {name}", self_bleu(texts)
        for n in (1, 2):
            yield f"distinct-{n}, {name}", _exactly("distinct", distinct(texts, n), size)
    for name, rows in sides.items():
        yield f"top-50 variance, {name}", top_variance(vectors(rows[:size]))


def _association(originals: Arm, result: Arm) -> Iterator[tuple[str, Score]]:
    before, after = (_drawn_labelled(arm) for arm in (originals, result))
    for name, rows in (("before", before), ("after", after)):
        yield f"negation gap, {name}", negation_gap(rows)
    telling = strongest_ngrams(before)
    for name, rows in (("before", before), ("after", after)):
        yield f"n-gram association, {name}", ngram_association(rows, telling)


Vectors = Callable[[Sequence[Example]], Any]


def _vectors(judge: CrossFitted, model: ClassifierConfig) -> Vectors:
    """Those of the encoder that was named, or the TF-IDF features of the judge's first member."""
    if isinstance(model, EncoderConfig):
        return lambda rows: embed(rows, tuple(rows[0].fields), model)
    return judge.linear[0][0].features


def _drawn_labelled(arm: Arm) -> list[tuple[str, str]]:
    rows = sorted(arm.examples, key=lambda row: digest("association", row.id))
    return [(_text(row), str(row.label)) for row in rows[: 5 * _SPREAD]]


def _different(rows: Sequence[Example]) -> list[Example]:
    """Each row once."""
    return list({row.id: row for row in rows}.values())


def _words(rows: Sequence[Example]) -> list[list[str]]:
    return [[word.lower() for word in words(_text(row))] for row in rows]


def _text(row: Example) -> str:
    return "\n".join(row.fields.values())


def _exactly(name: str, value: float, n: int) -> Score:
    """A figure of the whole set, which has no interval over rows."""
    return Score(name, value, value, value, n)
