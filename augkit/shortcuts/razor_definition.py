"""``augkit shortcuts --by razor-definition``: Definition 1 and Lemma 1 of the paper.

A set of words d̂ of a text d is a shortcut for a classifier f where (yang2024razor, Eq. 1-3)

    f(d̂) = f(d),   f(d) ≠ the label of d,   |d̂| ≤ |d without d̂|

Lemma 1 says that then H(d̂)/|d̂| ≥ H(d without d̂)/|d without d̂| with H the length of the sum of the
attributions. Errors are those of a classifier on rows that it was not trained on; the attributions
are exact where it is linear, and those of integrated gradients, LIME or Shapley values otherwise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import Field
from typing_extensions import Self

from augkit.attribution.ensemble import Method, explainer
from augkit.attribution.explanation import Explainer, WordWeight
from augkit.core.config import FinderConfig
from augkit.core.protocols import Classifier, Tools
from augkit.core.results import MarkedText, Survey, Table, WordMark
from augkit.core.types import Example, digest
from augkit.models.classifiers.settings import ClassifierConfig, LinearConfig
from augkit.models.ensembles.crossfit import CrossFitted, EnsembleConfig, train_crossfitted
from augkit.shortcuts.label_features import LabelFeature, LabelFeatureFinder
from augkit.text.features.kinds import TOKEN

Row = dict[str, Any]
_SHOWN = 3
"""Texts whose words are marked."""

_NOTE = (
    "a set is shown for what the classifier got wrong: which words it leans on where it is right, "
    "the definition does not say"
)


class DefinitionConfig(FinderConfig):
    """The classifier, and how many of its errors are examined."""

    model: ClassifierConfig = Field(default_factory=LinearConfig, description="the classifier")
    method: Method = Field(
        "auto",
        description="auto: exact for linear models, integrated-gradients for transformers, else "
        "lime; or one of exact, lime, integrated-gradients, integrated-gradients-l2, shapley",
    )
    folds: int = Field(5, ge=2, le=50, description="folds; a row is judged by a model of others")
    most: int = Field(1000, ge=1, description="errors examined, sampled by the seed")
    fewest: int = Field(3, ge=1, description="shortcut sets that a word must be in to be listed")
    top: int = Field(20, ge=1, description="words in the table or marked by --find; JSON has all")
    seed: int = Field(0, description="of the folds, of the sample, and of methods that sample")

    @property
    def loads_model(self) -> bool:
        """Whether the classifier may be a transformer."""
        return not isinstance(self.model, LinearConfig)


@dataclass(frozen=True)
class ShortcutSet:
    """The smallest set of most important words that keeps a wrong prediction, if one is small."""

    row: Example
    predicted: str
    words: tuple[WordWeight, ...]
    remaining: tuple[WordWeight, ...]

    @property
    def holds(self) -> bool:
        """Lemma 1: the words of the set weigh more, on the mean, than the others."""
        return _mean(self.words) >= _mean(self.remaining)


class RazorDefinition(LabelFeatureFinder):
    """Sets of words that keep a wrong prediction: Definition 1 and Lemma 1 of RAZOR."""

    name = "razor-definition"
    Config = DefinitionConfig

    @classmethod
    def fit(cls, examples: Sequence[Example], config: DefinitionConfig, tools: Tools) -> Self:  # noqa: ARG003 - it uses none
        """Keep the words of the most shortcut sets, with the label that they lead to."""
        rows = _word_rows(_examine(examples, config).sets, config.fewest)
        return cls(
            tuple(
                LabelFeature(row["field"], TOKEN, row["word"], row["predicted"], row["sets"])
                for row in rows[: config.top]
            )
        )

    @staticmethod
    def survey(
        examples: Sequence[Example],
        config: DefinitionConfig,
        folder: Path | None,  # noqa: ARG004 - it writes no files of its own
    ) -> Survey:
        """The words that are in shortcut sets most often, and whether the lemma holds."""
        examined = _examine(examples, config)
        rows = _word_rows(examined.sets, config.fewest)
        sizes = [len(shortcut.words) for shortcut in examined.sets]
        lemma_holds = sum(shortcut.holds for shortcut in examined.sets)
        header = ("field", "word", "predicted", "shortcut sets")
        lines = [
            (row["field"], row["word"], row["predicted"], str(row["sets"]))
            for row in rows[: config.top]
        ]
        return Survey(
            rows=rows,
            tables=(Table("Words in the most shortcut sets", header, lines),),
            marked=[_marked(shortcut) for shortcut in examined.sets[:_SHOWN]],
            warnings=(_NOTE,),
            about={
                "rows": len(examples),
                "accuracy out of fold": round(examined.accuracy, 4),
                "errors": examined.errors,
                "examined": examined.examined,
                "with a shortcut set": len(sizes),
                "mean size": round(sum(sizes) / max(len(sizes), 1), 2),
                "lemma 1 holds": f"{lemma_holds} of {len(sizes)}",
            },
        )


@dataclass(frozen=True)
class _Examined:
    """A classifier's errors, how many of them were examined, and the shortcut sets in those."""

    accuracy: float
    errors: int
    examined: int
    sets: Sequence[ShortcutSet]


def _examine(examples: Sequence[Example], config: DefinitionConfig) -> _Examined:
    members = EnsembleConfig(members=(config.model,), folds=config.folds, seed=config.seed)
    ensemble = train_crossfitted(examples, members)
    wrong = errors(ensemble, examples)
    sample = sorted(wrong, key=lambda error: digest(str(config.seed), error[0].id))[: config.most]
    explain = explainer(config.method, config.seed)
    found = [
        shortcut_set(ensemble.classifiers_for(row)[0], row, label, explain) for row, label in sample
    ]
    sets = [shortcut for shortcut in found if shortcut is not None]
    return _Examined(ensemble.held_out[0].accuracy, len(wrong), len(sample), sets)


def errors(ensemble: CrossFitted, examples: Sequence[Example]) -> list[tuple[Example, str]]:
    """The rows that models which did not see them label wrongly, with that label (Eq. 2)."""
    answers = ensemble.predict(examples).argmax(axis=1).tolist()
    predicted = zip(examples, (ensemble.labels[number] for number in answers), strict=True)
    return [(row, label) for row, label in predicted if label != row.label]


def shortcut_set(
    model: Classifier, row: Example, predicted: str, explain: Explainer
) -> ShortcutSet | None:
    """The most important words, as few as keep the prediction; None where half are not enough.

    Words are taken by their attributions, the largest first; sets are tried by size. Any classifier
    will do, with any function that explains it.
    """
    (explanation,) = explain(model, [row], [predicted])
    ranked = sorted(explanation.words, key=lambda word: (-word.weight, word.field, word.start))
    sizes = range(1, len(ranked) // 2 + 1)
    if not sizes:
        return None
    answers = model.predict([_only(row, ranked[:size]) for size in sizes]).argmax(axis=1)
    for size, answer in zip(sizes, answers.tolist(), strict=True):
        if model.labels[answer] == predicted:
            return ShortcutSet(row, predicted, tuple(ranked[:size]), tuple(ranked[size:]))
    return None


def _only(row: Example, words: Sequence[WordWeight]) -> Example:
    """The row with these words alone, in their order."""
    ordered = sorted(words, key=lambda word: word.start)
    fields = {
        name: " ".join(text[word.start : word.end] for word in ordered if word.field == name)
        for name, text in row.fields.items()
    }
    return replace(row, fields=fields)


def _marked(shortcut: ShortcutSet) -> MarkedText:
    """The text of a wrong prediction with the words of its shortcut."""
    marks = [
        WordMark(word.field, word.start, word.end, shortcut.predicted) for word in shortcut.words
    ]
    note = f"{shortcut.row.label}, predicted {shortcut.predicted}"
    return MarkedText(note, shortcut.row.fields, tuple(marks))


def _mean(words: Sequence[WordWeight]) -> float:
    """H / n, with H the length of the summed attributions, which are numbers here."""
    return abs(sum(word.weight for word in words)) / max(len(words), 1)


def _word_rows(sets: Sequence[ShortcutSet], fewest: int) -> list[Row]:
    counts = Counter(
        (weight.field, weight.word, shortcut.predicted)
        for shortcut in sets
        for weight in shortcut.words
    )
    ranked = sorted(counts.items(), key=lambda counted: (-counted[1], counted[0]))
    return [
        {"field": field, "word": word, "predicted": label, "sets": count}
        for (field, word, label), count in ranked
        if count >= fewest
    ]
