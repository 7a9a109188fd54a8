"""Records and tables of ``augkit shortcuts --by attribution``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from augkit.attribution.majority_vote import Agreement, Vote
from augkit.core.results import Table
from augkit.core.types import Example
from augkit.models.ensembles.crossfit import CrossFitted
from augkit.shortcuts.pos_ratio import CLASSES
from augkit.text.tokens import words as words_of

PosRatios = Mapping[str, Mapping[str, float]]
"""Whose words → part of speech → share."""


def word_rows(examples: Sequence[Example], votes: Sequence[Vote]) -> list[dict[str, Any]]:
    """A record for each word, kind and label: how many rows name it, and how many contain it."""
    counts: Counter[tuple[str, str, str]] = Counter()
    holding: Counter[tuple[str, str]] = Counter()
    for row, one in zip(examples, votes, strict=True):
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


@dataclass(frozen=True)
class Figures:
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
                {"kind": "classifier", **asdict(one), "error": self.errors[one.member]}
                for one in self.ensemble.held_out
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
        return (
            _members_table(self.ensemble, self.errors),
            _agreement_table(self.agreed, self.ensemble.members),
            *([_classes_table(self.tagged)] if self.tagged else []),
            _words_table("Most frequent principal words", words, "principal", top),
            _words_table("Most frequent spurious words", words, "spurious", top),
        )


def _members_table(ensemble: CrossFitted, errors: Mapping[str, str]) -> Table:
    return Table(
        "The classifiers, on rows that each did not see",
        ("classifier", "accuracy", "commonest label", "error of its explanations"),
        [
            (one.member, f"{one.accuracy:.1%}", f"{one.chance:.1%}", errors[one.member])
            for one in ensemble.held_out
        ],
    )


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


def _classes_table(tagged: PosRatios) -> Table:
    return Table(
        "Important words by part of speech",
        ("by", *CLASSES),
        [(name, *(f"{mix[one]:.1%}" for one in CLASSES)) for name, mix in tagged.items()],
    )


def _words_table(title: str, rows: Sequence[Mapping[str, Any]], kind: str, top: int) -> Table:
    chosen = [row for row in rows if row["kind"] == kind][:top]
    return Table(
        title,
        ("word", "label", "rows", "of those with it"),
        [(row["word"], row["label"], f"{row['rows']:,}", f"{row['of']:,}") for row in chosen],
    )
