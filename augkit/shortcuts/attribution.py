"""``augkit shortcuts --by attribution``: words that classifiers rely on, and where they differ.

An ensemble is cross-fitted, every row is explained by models that did not see it, and the members
vote: words that most of them name are principal, words that few name are spurious.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
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
from augkit.attribution.explanation import top_words
from augkit.attribution.majority_vote import Agreement, Vote, agreement, majority_vote
from augkit.core.config import FinderConfig, load
from augkit.core.errors import DataError
from augkit.core.protocols import Parser, RegisteredFinder, Target, Tools
from augkit.core.results import MarkedText, Survey, Table, WordMark
from augkit.core.types import Example, digest
from augkit.english.parser import SpacyParser
from augkit.models.classifiers.settings import is_linear_ensemble
from augkit.models.ensembles.crossfit import CrossFitted, load_ensemble, train_crossfitted
from augkit.models.saved import load_classifier
from augkit.shortcuts.label_features import strongest_first
from augkit.text.tokens import word_spans
from augkit.text.tokens import words as words_of

_NOTE = (
    "these are candidates: a principal word may be a good reason for its label, a spurious word "
    "is one that few classifiers rely on, and whether they should is for you to judge"
)
_SHOWN = 3
"""Texts whose words are marked."""
_SETTINGS = "attribution.yaml"
_ENSEMBLE = "ensemble"
_CLASSIFIER = "classifier"

_CLASSES = ("noun", "verb", "adjective or adverb", "other")
_CLASS_OF_TAG = {
    "NOUN": "noun",
    "PROPN": "noun",
    "VERB": "verb",
    "AUX": "verb",
    "ADJ": "adjective or adverb",
    "ADV": "adjective or adverb",
}
"""The four classes of Table 2 of the CoBA paper. Reference: jin2025coba."""

PosRatios = Mapping[str, Mapping[str, float]]
"""Whose words → part of speech → share."""


class AttributionConfig(FinderConfig):
    """Which classifiers vote, how words are weighted, and what is shown or marked."""

    ensemble: str = Field(
        "linear-five",
        description="linear-five, linear-three, coba-five-backbones, or a YAML file of your own",
    )
    method: Method = Field(
        "auto",
        description="auto: exact for linear models, integrated-gradients for transformers, else "
        "lime; or one of exact, lime, integrated-gradients, integrated-gradients-l2, shapley",
    )
    words: int = Field(5, ge=1, description="important words taken of each classifier (K)")
    vote: VoteBy = Field(
        "majority",
        description="all classifiers count alike (literal: more than τ of them must name a word, "
        "as the CoBA paper prints it), or weighted by held-out accuracy",
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
        return not is_linear_ensemble(self.ensemble)


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
        lists_of_rows = iter(lists)
        return [
            [] if row.label is None else self._targets(row, next(lists_of_rows)) for row in examples
        ]

    def save(self, folder: Path) -> None:
        """Write the settings and the models as plain files."""
        text = self.config.model_dump_json(indent=1)  # JSON is YAML
        (folder / _SETTINGS).write_text(text + "\n", encoding="utf-8")
        if isinstance(self.ensemble, CrossFitted):
            self.ensemble.save(folder / _ENSEMBLE)
        elif isinstance(self.ensemble, SingleClassifier):
            classifier = self.ensemble.classifier
            if not hasattr(classifier, "save"):
                raise DataError("a classifier that cannot be saved cannot be used in a run")
            (folder / _CLASSIFIER).mkdir()
            classifier.save(folder / _CLASSIFIER)

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
        figures = _Figures(ensemble, voted.errors, agreement(voted.lists), _tagged(voted, config))
        rows = _word_rows(examples, voted.votes)
        return Survey(
            rows=[*figures.rows(), *rows],
            tables=figures.tables(rows, config.top),
            warnings=(*ensemble.warnings, _NOTE),
            marked=[_marked(row, vote) for row, vote in _first(examples, voted.votes, config)],
            about={
                "rows": len(examples),
                "ensemble": config.ensemble,
                "words of each": config.words,
                "vote": config.vote,
            },
        )

    def _targets(self, example: Example, lists: Sequence[Sequence[str]]) -> list[Target]:
        weights = vote_weights(self.ensemble, self.config.vote)
        literal = self.config.vote == "literal"
        voted = majority_vote(lists, weights, self.config.spurious, literal=literal)
        kinds = dict.fromkeys(voted.principal, "principal")
        kinds |= dict.fromkeys(voted.spurious, "spurious")
        targets = []
        for field, text in example.fields.items():
            for start, end in word_spans(text):
                word = text[start:end].casefold()
                if word in kinds and self.config.mark in {"both", kinds[word]}:
                    share = sum(word in words for words in lists) / len(lists)
                    kind = kinds[word]
                    is_principal = kind == "principal"
                    targets.append(
                        Target(field, start, end, f"{kind} word", share, principal=is_principal)
                    )
        return strongest_first(targets)


def _train(examples: Sequence[Example], config: AttributionConfig) -> CrossFitted:
    recipe = load_ensemble(config.ensemble)
    changed = {"folds": config.folds or recipe.folds, "seed": config.seed}
    return train_crossfitted(examples, recipe.model_copy(update=changed))


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
        lists = [
            [top_words(explanation, config.words) for explanation in of_members]
            for of_members in explained
        ]
        columns = zip(*explained, strict=True)
        for name, column in zip(ensemble.members, columns, strict=True):
            measures = " or ".join(sorted({explanation.measure for explanation in column}))
            mean_error = fmean(explanation.error for explanation in column)
            errors[name] = f"{mean_error:.3g} ({measures})"
    weights = vote_weights(ensemble, config.vote)
    literal = config.vote == "literal"
    votes = [
        majority_vote(of_members, weights, config.spurious, literal=literal) for of_members in lists
    ]
    return _Voted(examples, ensemble, lists, votes, errors)


def _first(
    examples: Sequence[Example], votes: Sequence[Vote], config: AttributionConfig
) -> list[tuple[Example, Vote]]:
    """Some rows and their votes, drawn by the seed."""
    rows = list(zip(examples, votes, strict=True))
    rows.sort(key=lambda voted: digest(str(config.seed), voted[0].id, *voted[0].fields.values()))
    return rows[:_SHOWN]


def _marked(row: Example, vote: Vote) -> MarkedText:
    """A text with its principal and its spurious words."""
    kinds = dict.fromkeys(vote.principal, "principal") | dict.fromkeys(vote.spurious, "spurious")
    marks = []
    for name, text in row.fields.items():
        for start, end in word_spans(text):
            kind = kinds.get(text[start:end].casefold())
            if kind:
                marks.append(WordMark(name, start, end, kind))
    return MarkedText(str(row.label), row.fields, tuple(marks))


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
        for row, lists, vote in zip(voted.examples, voted.lists, voted.votes, strict=True):
            record = {
                "id": row.id,
                "label": row.label,
                "words": dict(zip(voted.ensemble.members, lists, strict=True)),
                "principal": vote.principal,
                "spurious": vote.spurious,
            }
            file.write(json.dumps(record, ensure_ascii=False) + "\n")


def _word_rows(examples: Sequence[Example], votes: Sequence[Vote]) -> list[dict[str, Any]]:
    """A record for each word, kind and label: how many rows name it, and how many contain it."""
    counts: Counter[tuple[str, str, str]] = Counter()
    holding: Counter[tuple[str, str]] = Counter()
    for row, vote in zip(examples, votes, strict=True):
        label = str(row.label)
        held = {word.casefold() for text in row.fields.values() for word in words_of(text)}
        holding.update((word, label) for word in held)
        counts.update((word, "principal", label) for word in vote.principal)
        counts.update((word, "spurious", label) for word in vote.spurious)
    ranked = sorted(counts.items(), key=lambda counted: (-counted[1], counted[0]))
    return [
        {"kind": kind, "word": word, "label": label, "rows": count, "of": holding[word, label]}
        for (word, kind, label), count in ranked
    ]


@dataclass(frozen=True)
class _Figures:
    """The classifiers, the error of their explanations, their agreement, and parts of speech."""

    ensemble: CrossFitted
    errors: Mapping[str, str]
    agreed: Agreement
    tagged: PosRatios

    def rows(self) -> list[dict[str, Any]]:
        """A record for each figure."""
        members = self.ensemble.members
        shares = {key: figure for key, figure in asdict(self.agreed).items() if key != "pairs"}
        return [
            *(
                {"kind": "classifier", **asdict(score), "error": self.errors[score.member]}
                for score in self.ensemble.held_out
            ),
            {"kind": "agreement", **shares},
            *(
                {"kind": "agreement of two", "first": members[a], "second": members[b], "share": n}
                for a, b, n in self.agreed.pairs
            ),
            *({"kind": "parts of speech", "by": name, **mix} for name, mix in self.tagged.items()),
        ]

    def tables(self, words: Sequence[Mapping[str, Any]], top: int) -> tuple[Table, ...]:
        """The figures as tables, then the commonest of the words of each kind."""
        tables = [
            Table(
                "The classifiers, on rows that each did not see",
                ("classifier", "accuracy", "commonest label", "error of its explanations"),
                [
                    (
                        score.member,
                        f"{score.accuracy:.1%}",
                        f"{score.chance:.1%}",
                        self.errors[score.member],
                    )
                    for score in self.ensemble.held_out
                ],
            ),
            _agreement_table(self.agreed, self.ensemble.members),
        ]
        if self.tagged:
            lines = [
                (name, *(f"{mix[word_class]:.1%}" for word_class in _CLASSES))
                for name, mix in self.tagged.items()
            ]
            title = "Important words by part of speech"
            tables.append(Table(title, ("by", *_CLASSES), lines))
        for kind in ("principal", "spurious"):
            commonest = [row for row in words if row["kind"] == kind][:top]
            lines = [
                (row["word"], row["label"], f"{row['rows']:,}", f"{row['of']:,}")
                for row in commonest
            ]
            header = ("word", "label", "rows", "of those with it")
            tables.append(Table(f"Most frequent {kind} words", header, lines))
        return tuple(tables)


def _agreement_table(agreed: Agreement, members: Sequence[str]) -> Table:
    named = [
        ("of the words: named by all", agreed.by_all),
        ("of the words: by two or more, not all", agreed.by_several),
        ("of the words: by one alone", agreed.by_one),
        ("of the rows: one word at least is named by all", agreed.rows_with_common),
        *((f"{members[a]} and {members[b]}", share) for a, b, share in agreed.pairs),
    ]
    return Table(
        "How far they agree on the important words",
        ("share", "%"),
        [(name, f"{share:.1%}") for name, share in named],
    )


def pos_ratio(
    lists: Sequence[Iterable[str]], classes: Sequence[Mapping[str, str]]
) -> dict[str, float]:
    """The share of each class among the listed words of all rows: Table 2 of the CoBA paper.

    ``lists`` holds words of each row, ``classes`` what ``word_classes`` gives for it.

    >>> pos_ratio([["film", "ran"]], [{"film": "noun", "ran": "verb"}])["verb"]
    0.5
    """
    counts = Counter(
        class_of[word]
        for words, class_of in zip(lists, classes, strict=True)
        for word in words
        if word in class_of
    )
    return {name: counts[name] / max(1, counts.total()) for name in _CLASSES}


def word_classes(examples: Sequence[Example], parser: Parser) -> list[dict[str, str]]:
    """For each example its words, lower-cased, and the class that each has where it first occurs.

    A compound ("well-made") has the class of its last part, a contraction ("don't") of its first.
    """
    texts = [text for row in examples for text in row.fields.values()]
    analyses = iter(parser.parse(texts))
    classes = []
    for row in examples:
        class_of: dict[str, str] = {}
        for text in row.fields.values():
            analysis = next(analyses)
            for start, end in word_spans(text):
                word = text[start:end]
                token = analysis.token_at(end - 1 if "-" in word else start)
                tag = token.upos if token else ""
                class_of.setdefault(word.casefold(), _CLASS_OF_TAG.get(tag, "other"))
        classes.append(class_of)
    return classes
