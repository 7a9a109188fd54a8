"""``augkit shortcuts --by attribution``: words that classifiers rely on, and where they differ.

An ensemble is cross-fitted, every row is explained by models that did not see it, and the members
vote: words that most of them name are principal, words that few name are spurious.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, Literal

from pydantic import Field
from typing_extensions import Self

from augkit.attribution.ensemble import (
    Ensemble,
    Method,
    SingleClassifier,
    VoteBy,
    explain_each,
    explainer,
    important_words,
    is_exact,
    vote_weights,
)
from augkit.attribution.explanation import Explanation, top_words
from augkit.attribution.majority_vote import Vote, agreement, majority_vote
from augkit.core.config import FinderConfig, load
from augkit.core.errors import DataError
from augkit.core.protocols import RegisteredFinder, SavedClassifier, Target, Tools
from augkit.core.results import Survey
from augkit.core.types import Example, digest
from augkit.english.parser import SpacyParser
from augkit.models.ensembles.crossfit import CrossFitted, load_ensemble, train_crossfitted
from augkit.models.saved import load_classifier
from augkit.shortcuts.attribution_tables import Figures, word_rows
from augkit.shortcuts.label_features import strongest_first
from augkit.shortcuts.pos_ratio import pos_ratio, word_classes
from augkit.text.tokens import word_spans

_NOTE = (
    "these are candidates: a principal word may be a good reason for its label, a spurious word "
    "is one that few classifiers rely on, and whether they should is for you to judge"
)
_SETTINGS, _ENSEMBLE, _CLASSIFIER = "attribution.yaml", "ensemble", "classifier"


class AttributionConfig(FinderConfig):
    """Which classifiers vote, how words are weighted, and what is shown or marked."""

    ensemble: str = Field(
        "linear-five",
        description="linear-five, linear-three, coba-five-backbones, or a YAML file of your own",
    )
    method: Method = Field(
        "auto",
        description="auto: exact for linear models, integrated-gradients for transformers, else "
        "lime; or one of exact, lime, integrated-gradients, shapley",
    )
    words: int = Field(5, ge=1, description="important words taken of each classifier (K)")
    vote: VoteBy = Field(
        "majority", description="all classifiers count alike, or weighted by held-out accuracy"
    )
    spurious: tuple[str, ...] = Field((), description="words of yours that count as spurious")
    mark: Literal["both", "principal", "spurious"] = Field(
        "both", description="which words --find marks"
    )
    folds: int | None = Field(
        None, ge=2, le=50, description="folds of the cross-fitting; none: those of the ensemble"
    )
    tagged: int = Field(
        1000, ge=0, description="rows, at most, whose words are tagged by part of speech; 0: none"
    )
    top: int = Field(20, ge=1, description="rows of a table; JSON has all")
    seed: int = Field(0, description="of the folds, of samples, and of methods that sample")

    @property
    def loads_model(self) -> bool:
        """Whether its classifiers may be transformers."""
        return not self.ensemble.startswith("linear")


@dataclass(frozen=True)
class AttributionFinder(RegisteredFinder):
    """Words that a cross-fitted ensemble relies on: principal by vote, or spurious.

    The strength of a target is the share of the classifiers that name its word. With a classifier
    of the user's, its own words are marked: all that it names are principal.
    """

    name = "attribution"
    Config = AttributionConfig
    uses = frozenset({"classifier"})

    ensemble: Ensemble
    config: AttributionConfig

    @classmethod
    def fit(cls, examples: Sequence[Example], config: AttributionConfig, tools: Tools) -> Self:
        """Cross-fit the ensemble, or take the given classifier."""
        if tools.classifier is None:
            return cls(_train(examples, config), config)
        if unknown := {str(row.label) for row in examples} - set(tools.classifier.labels):
            raise DataError(
                f"the classifier was not trained on the labels {', '.join(sorted(unknown))}: it "
                f"knows {', '.join(tools.classifier.labels)}"
            )
        return cls(SingleClassifier(tools.classifier), config)

    def find(self, examples: Sequence[Example]) -> list[list[Target]]:
        """Where the important words of each row's label occur; a row without a label has none."""
        labelled = [row for row in examples if row.label is not None]
        config = self.config
        lists = important_words(self.ensemble, labelled, config.words, config.method)
        found = iter(lists)
        return [[] if row.label is None else self._targets(row, next(found)) for row in examples]

    def save(self, folder: Path) -> None:
        """Write the settings and the models as plain files."""
        text = self.config.model_dump_json(indent=1)  # JSON is YAML
        (folder / _SETTINGS).write_text(text + "\n", encoding="utf-8")
        if isinstance(self.ensemble, CrossFitted):
            self.ensemble.save(folder / _ENSEMBLE)
        elif isinstance(self.ensemble, SingleClassifier):
            _saved(self.ensemble.classifier, folder / _CLASSIFIER)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what ``save`` wrote."""
        ensemble: Ensemble
        if (folder / _CLASSIFIER).is_dir():
            ensemble = SingleClassifier(load_classifier(folder / _CLASSIFIER))
        else:
            ensemble = CrossFitted.load(folder / _ENSEMBLE)
        return cls(ensemble, load(AttributionConfig, folder / _SETTINGS))

    @staticmethod
    def survey(
        examples: Sequence[Example], config: AttributionConfig, folder: Path | None
    ) -> Survey:
        """The words that decide labels, the most frequent first; how far classifiers agree."""
        ensemble = _train(examples, config)
        voted = _vote(examples, ensemble, config)
        if folder is not None:
            ensemble.save(folder / _ENSEMBLE)
            _write_votes(voted, folder / "votes.jsonl")
        figures = Figures(ensemble, voted.errors, agreement(voted.lists), _tagged(voted, config))
        rows = word_rows(examples, voted.votes)
        return Survey(
            rows=[*figures.rows(), *rows],
            tables=figures.tables(rows, config.top),
            warnings=(*ensemble.warnings, _NOTE),
            about={
                "rows": len(examples),
                "ensemble": config.ensemble,
                "words of each": config.words,
                "vote": config.vote,
            },
        )

    def _targets(self, example: Example, lists: Sequence[Sequence[str]]) -> list[Target]:
        weights = vote_weights(self.ensemble, self.config.vote)
        voted = majority_vote(lists, weights, self.config.spurious)
        kinds = dict.fromkeys(voted.principal, "principal")
        kinds |= dict.fromkeys(voted.spurious, "spurious")
        targets = []
        for field, text in example.fields.items():
            for start, end in word_spans(text):
                word = text[start:end].casefold()
                if word in kinds and self.config.mark in {"both", kinds[word]}:
                    share = sum(word in words for words in lists) / len(lists)
                    targets.append(Target(field, start, end, f"{kinds[word]} word", share))
        return strongest_first(targets)


def _train(examples: Sequence[Example], config: AttributionConfig) -> CrossFitted:
    recipe = load_ensemble(config.ensemble)
    changed = {"folds": config.folds or recipe.folds, "seed": config.seed}
    return train_crossfitted(examples, recipe.model_copy(update=changed))


def _saved(classifier: Any, folder: Path) -> None:
    saved: SavedClassifier = classifier
    if not hasattr(saved, "save"):
        raise DataError("a classifier that cannot be saved cannot be used in a run")
    folder.mkdir()
    saved.save(folder)


@dataclass(frozen=True)
class _Voted:
    """The examples, the important words of each by every member, and the votes."""

    examples: Sequence[Example]
    ensemble: CrossFitted
    lists: Sequence[Sequence[Sequence[str]]]
    votes: Sequence[Vote]
    errors: Mapping[str, str]
    """The error that each member's explanations report."""


def _vote(examples: Sequence[Example], ensemble: CrossFitted, config: AttributionConfig) -> _Voted:
    errors = dict.fromkeys(ensemble.members, "exact")
    if is_exact(ensemble, examples, config.method):
        lists = important_words(ensemble, examples, config.words, config.method)
    else:
        explained = explain_each(ensemble, examples, explainer(config.method, config.seed))
        lists = [[top_words(one, config.words) for one in each] for each in explained]
        columns = zip(*explained, strict=True)
        errors = {
            name: _error(column) for name, column in zip(ensemble.members, columns, strict=True)
        }
    weights = vote_weights(ensemble, config.vote)
    votes = [majority_vote(each, weights, config.spurious) for each in lists]
    return _Voted(examples, ensemble, lists, votes, errors)


def _error(explanations: Sequence[Explanation]) -> str:
    """The mean error of explanations, and what it measures."""
    measures = " or ".join(sorted({one.measure for one in explanations}))
    return f"{fmean(one.error for one in explanations):.3g} ({measures})"


def _tagged(voted: _Voted, config: AttributionConfig) -> dict[str, dict[str, float]]:
    """The mix of word classes of every member's words, and of principal and spurious ones."""
    keys = sorted(
        (digest(str(config.seed), row.id, *row.fields.values()), index)
        for index, row in enumerate(voted.examples)
    )
    sample = sorted(index for _, index in keys[: config.tagged])
    if not sample:
        return {}
    classes = word_classes([voted.examples[index] for index in sample], SpacyParser())
    named: dict[str, list[Iterable[str]]] = {
        member: [voted.lists[index][number] for index in sample]
        for number, member in enumerate(voted.ensemble.members)
    }
    named["principal"] = [voted.votes[index].principal for index in sample]
    named["spurious"] = [voted.votes[index].spurious for index in sample]
    named["all words"] = list(classes)
    return {name: pos_ratio(lists, classes) for name, lists in named.items()}


def _write_votes(voted: _Voted, path: Path) -> None:
    with path.open("w", encoding="utf-8") as file:
        for row, lists, one in zip(voted.examples, voted.lists, voted.votes, strict=True):
            record = {
                "id": row.id,
                "label": row.label,
                "words": dict(zip(voted.ensemble.members, lists, strict=True)),
                "principal": one.principal,
                "spurious": one.spurious,
            }
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
