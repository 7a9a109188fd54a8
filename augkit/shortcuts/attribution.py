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
from typing import Any

from pydantic import Field

from augkit.attribution.agreement import Overlap, overlap
from augkit.attribution.ensemble import (
    VoteBy,
    explain_each,
    important_words,
    is_exact,
    vote_weights,
)
from augkit.attribution.explanation import Explanation, top_words
from augkit.attribution.finder import AttributionFinder
from augkit.attribution.majority_vote import Vote, vote
from augkit.attribution.methods import Method, explainer
from augkit.core.config import StrictModel
from augkit.core.survey import Survey, Table
from augkit.core.types import Example, digest
from augkit.models.ensembles.crossfit import CrossFitted, train_crossfitted
from augkit.models.ensembles.recipes import load_ensemble
from augkit.shortcuts.pos_ratio import CLASSES, word_classes
from augkit.text.tokens import words as words_of

_NOTE = (
    "a principal word may decide the label by right, and a spurious one is what few classifiers "
    "rely on: these are candidates, and whether they should be relied on is for you to judge"
)


class AttributionConfig(StrictModel):
    """Who votes, how words are weighed, and what is shown."""

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
    folds: int | None = Field(
        None, ge=2, le=50, description="parts of the cross-fitting; none: those of the ensemble"
    )
    tagged: int = Field(
        1000, ge=0, description="rows, at most, whose words are told by part of speech; 0: none"
    )
    top: int = Field(20, ge=1, description="rows of a table; JSON has all")
    seed: int = Field(0, description="of the folds, of draws, and of methods that draw")


@dataclass(frozen=True)
class Voted:
    """The examples, the important words of each by every member, and the votes."""

    examples: Sequence[Example]
    ensemble: CrossFitted
    lists: Sequence[Sequence[Sequence[str]]]
    votes: Sequence[Vote]
    errors: Mapping[str, str]
    """What each member's explanations say of their own error."""


class AttributionWay:
    """Words that a cross-fitted ensemble relies on: principal by vote, or spurious."""

    Config = AttributionConfig

    @staticmethod
    def survey(
        examples: Sequence[Example], config: AttributionConfig, folder: Path | None
    ) -> Survey:
        """The words that decide labels, the most frequent first; how far classifiers agree."""
        ensemble = _train(examples, config)
        voted = _vote(examples, ensemble, config)
        if folder is not None:
            ensemble.save(folder / "ensemble")
            _write_votes(voted, folder / "votes.jsonl")
        agreed = overlap(voted.lists)
        rows = _word_rows(voted)
        tagged = _tagged(voted, config)
        return Survey(
            rows=[*_figures(voted, agreed, tagged), *rows],
            tables=(
                _members_table(voted),
                _overlap_table(agreed, ensemble.members),
                *([_classes_table(tagged)] if tagged else []),
                _words_table("Most frequent principal words", rows, "principal", config.top),
                _words_table("Most frequent spurious words", rows, "spurious", config.top),
            ),
            warnings=(*ensemble.warnings, _NOTE),
            about={
                "rows": len(examples),
                "ensemble": config.ensemble,
                "words of each": config.words,
                "vote": config.vote,
            },
        )

    @staticmethod
    def finder(examples: Sequence[Example], config: AttributionConfig) -> AttributionFinder:
        """Train on the examples and give a ``Finder`` for any rewriter."""
        return AttributionFinder(
            _train(examples, config), config.words, config.vote, config.spurious, config.method
        )


def _train(examples: Sequence[Example], config: AttributionConfig) -> CrossFitted:
    recipe = load_ensemble(config.ensemble)
    changed = {"folds": config.folds or recipe.folds, "seed": config.seed}
    return train_crossfitted(examples, recipe.model_copy(update=changed))


def _vote(examples: Sequence[Example], ensemble: CrossFitted, config: AttributionConfig) -> Voted:
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
    votes = [vote(each, weights, config.spurious) for each in lists]
    return Voted(examples, ensemble, lists, votes, errors)


def _error(explanations: Sequence[Explanation]) -> str:
    """The mean error of explanations, and what it measures."""
    measures = " or ".join(sorted({one.measure for one in explanations}))
    return f"{fmean(one.error for one in explanations):.3g} ({measures})"


def _word_rows(voted: Voted) -> list[dict[str, Any]]:
    """A record for each word, kind and label: the rows that hold it, and those it is so in."""
    counts: Counter[tuple[str, str, str]] = Counter()
    holding: Counter[tuple[str, str]] = Counter()
    for row, one in zip(voted.examples, voted.votes, strict=True):
        label = str(row.label)
        held = {word.casefold() for text in row.fields.values() for word in words_of(text)}
        holding.update((word, label) for word in held)
        counts.update((word, "principal", label) for word in one.principal)
        counts.update((word, "spurious", label) for word in one.spurious)
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [
        {"kind": kind, "word": word, "label": label, "rows": count, "of": holding[word, label]}
        for (word, kind, label), count in ranked
    ]


def _figures(
    voted: Voted, agreed: Overlap, tagged: dict[str, dict[str, float]]
) -> list[dict[str, Any]]:
    """Records of the classifiers, of how far they agree, and of parts of speech."""
    members = voted.ensemble.members
    shares = {key: figure for key, figure in asdict(agreed).items() if key != "pairs"}
    return [
        *(
            {"kind": "classifier", **asdict(one), "error": voted.errors[one.member]}
            for one in voted.ensemble.held_out
        ),
        {"kind": "overlap", **shares},
        *(
            {"kind": "overlap of two", "first": members[a], "second": members[b], "share": share}
            for a, b, share in agreed.pairs
        ),
        *({"kind": "parts of speech", "by": name, **mix} for name, mix in tagged.items()),
    ]


def _tagged(voted: Voted, config: AttributionConfig) -> dict[str, dict[str, float]]:
    """The mix of word classes of every member's words, and of principal and spurious ones."""
    keys = sorted(
        (digest(str(config.seed), row.id, *row.fields.values()), place)
        for place, row in enumerate(voted.examples)
    )
    places = sorted(place for _, place in keys[: config.tagged])
    if not places:
        return {}
    classes = word_classes([voted.examples[place] for place in places])
    named: dict[str, list[Iterable[str]]] = {
        member: [voted.lists[place][number] for place in places]
        for number, member in enumerate(voted.ensemble.members)
    }
    named["principal"] = [voted.votes[place].principal for place in places]
    named["spurious"] = [voted.votes[place].spurious for place in places]
    named["all words"] = list(classes)
    return {name: _mix(lists, classes) for name, lists in named.items()}


def _mix(lists: Sequence[Iterable[str]], classes: Sequence[dict[str, str]]) -> dict[str, float]:
    counts = Counter(
        known[word]
        for words, known in zip(lists, classes, strict=True)
        for word in words
        if word in known
    )
    return {name: counts[name] / max(1, counts.total()) for name in CLASSES}


def _write_votes(voted: Voted, path: Path) -> None:
    with path.open("w", encoding="utf-8") as file:
        for row, lists, one in zip(voted.examples, voted.lists, voted.votes, strict=True):
            told = {
                "id": row.id,
                "label": row.label,
                "words": dict(zip(voted.ensemble.members, lists, strict=True)),
                "principal": one.principal,
                "spurious": one.spurious,
            }
            file.write(json.dumps(told, ensure_ascii=False) + "\n")


def _members_table(voted: Voted) -> Table:
    return Table(
        "Who votes, on rows that each did not see",
        ("classifier", "accuracy", "commonest label", "error of its explanations"),
        [
            (one.member, f"{one.accuracy:.1%}", f"{one.chance:.1%}", voted.errors[one.member])
            for one in voted.ensemble.held_out
        ],
    )


def _overlap_table(agreed: Overlap, members: Sequence[str]) -> Table:
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


def _classes_table(tagged: dict[str, dict[str, float]]) -> Table:
    return Table(
        "Important words by part of speech",
        ("by", *CLASSES),
        [(name, *(f"{mix[one]:.1%}" for one in CLASSES)) for name, mix in tagged.items()],
    )


def _words_table(title: str, rows: Sequence[dict[str, Any]], kind: str, top: int) -> Table:
    chosen = [row for row in rows if row["kind"] == kind][:top]
    return Table(
        title,
        ("word", "label", "rows", "of those with it"),
        [(row["word"], row["label"], f"{row['rows']:,}", f"{row['of']:,}") for row in chosen],
    )
