"""``augkit shortcuts --by tokens``: words, n-grams and positions that give the label away."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import Field
from typing_extensions import Self

from augkit.core.arrays import Ints
from augkit.core.config import FinderConfig
from augkit.core.protocols import Tools
from augkit.core.results import Survey, Table
from augkit.core.types import Example
from augkit.shortcuts.cues import Cue, Findings
from augkit.shortcuts.find import find_shortcuts
from augkit.shortcuts.label_features import LabelFeature, LabelFeatureFinder
from augkit.text.features.document_counts import (
    DocumentCounts,
    LabelledTexts,
    band_counts,
    ngram_counts,
    position_counts,
    token_counts,
)
from augkit.text.features.kinds import Feature
from augkit.text.features.numbering import label_numbers
from augkit.text.features.statistics import Correction, corrected, p_values, z_scores

Row = dict[str, Any]
Key = tuple[str, str, str, str]
"""Field, kind, feature and label."""

_NOTE = (
    "these are candidates: a word may be a good reason for its label, and whether a classifier "
    "should rely on it is for you to judge"
)


class TokensConfig(FinderConfig):
    """What is counted, and what is shown or marked."""

    ngrams: int = Field(
        2,
        ge=1,
        le=5,
        description="longest n-gram, at most 5: longer ones mostly occur once, and each length is "
        "as large as the dataset; all shorter ones count",
    )
    positions: bool = Field(
        default=True, description="also the first word, the last word and the length"
    )
    min_count: int = Field(5, ge=1, description="a feature must be in this many rows")
    correction: Correction = Field(
        "benjamini-hochberg", description="for the number tried: benjamini-hochberg or holm"
    )
    alpha: float = Field(0.05, gt=0, lt=1, description="largest corrected p that is listed")
    top: int = Field(
        20,
        ge=1,
        description="strongest features in a table or marked by --find; JSON has all significant",
    )


@dataclass(frozen=True)
class Tried:
    """Every feature and label that was tried: one row each, by its key; and the labels' shares."""

    rows: dict[Key, Row]
    base: dict[str, float]

    def significant(self, alpha: float) -> list[Row]:
        """The rows whose corrected p is small enough, the largest z first, words before lengths."""
        return sorted(
            (row for row in self.rows.values() if row["q"] <= alpha and row["z"] > 0),
            key=lambda row: (-row["z"], row["kind"] == "length", row["feature"], row["label"]),
        )


class TokenFinder(LabelFeatureFinder):
    """Words, n-grams and positions, each with its z-score, corrected for the number tried."""

    name = "tokens"
    Config = TokensConfig

    @classmethod
    def fit(cls, examples: Sequence[Example], config: TokensConfig, tools: Tools) -> Self:  # noqa: ARG003 - it uses none
        """Keep the strongest significant features that have a span; the length has none."""
        significant = tried_features(examples, config).significant(config.alpha)
        marked = [row for row in significant if row["kind"] != "length"][: config.top]
        return cls(tuple(LabelFeature(*_key(row), row["z"]) for row in marked))

    @staticmethod
    def survey(
        examples: Sequence[Example],
        config: TokensConfig,
        folder: Path | None,  # noqa: ARG004 - it writes no files of its own
    ) -> Survey:
        """The likely shortcuts, the words of the task, and every feature, the strongest first."""
        tried = tried_features(examples, config)
        significant = tried.significant(config.alpha)
        found = find_shortcuts(examples)
        title = f"Strongest of {len(significant):,} significant features"
        judged = {
            (feature.field, feature.kind, feature.name, cue.label): cue
            for cue in found.cues
            for feature in cue.features
        }
        return Survey(
            rows=[_with_judgement(row, judged.get(_key(row))) for row in significant],
            tables=(
                *_cue_tables(found, config.top),
                _table(title, significant[: config.top]),
            ),
            about=_about(examples, tried, config),
        )

    @staticmethod
    def compare(
        before: Sequence[Example],
        after: Sequence[Example],
        config: TokensConfig,
        folder: Path | None,  # noqa: ARG004 - it writes no files of its own
    ) -> Survey:
        """What gave the label away before and what it does now; then what is new."""
        first = tried_features(before, config)
        strongest = first.significant(config.alpha)
        keys = {_key(row) for row in strongest}
        second = tried_features(after, config, keys)
        strongest_after = second.significant(config.alpha)
        new = [row for row in strongest_after if _key(row) not in keys]
        rows = [{**row, "after": _figures_in(second, row)} for row in strongest]
        return Survey(
            rows=[
                *rows,
                *({**row, "new": True, "before": _figures_in(first, row)} for row in new),
            ],
            tables=(
                _compared("Strongest before, and the same now", rows[: config.top]),
                _table(f"Significant now and not before: {len(new):,}", new[: config.top]),
            ),
            warnings=(_NOTE,),
            about={
                **_about(before, first, config),
                "rows after": len(after),
                "tests after": len(second.rows),
                "significant": len(strongest),
                "significant after": len(strongest_after),
            },
        )


def tried_features(
    examples: Sequence[Example], config: TokensConfig, always: Collection[Key] = ()
) -> Tried:
    """Count every feature of every field and test it against every label.

    Those of ``always`` count however rare they are. All fields, features and labels together are
    one family of tests.
    """
    import numpy as np

    names, numbers = label_numbers([str(row.label) for row in examples])
    totals = np.bincount(numbers, minlength=len(names))
    rows: dict[Key, Row] = {}
    for field in examples[0].fields:
        labelled = LabelledTexts([row.fields.get(field, "") for row in examples], numbers, totals)
        features = {key[1:3] for key in always if key[0] == field}
        for counted in _counted(labelled, config, features):
            for feature, tests in zip(counted.names, _tests(counted.counts, totals), strict=True):
                for label, test in zip(names, tests, strict=True):
                    key = field, counted.kind, feature, label
                    named = {"field": field, "kind": counted.kind, "feature": feature}
                    rows[key] = {**named, "label": label, **test}
    if rows:
        q = corrected(np.array([row["p"] for row in rows.values()]), config.correction).tolist()
        for row, value in zip(rows.values(), q, strict=True):
            row["q"] = value
    shares = {name: float((numbers == index).mean()) for index, name in enumerate(names)}
    return Tried(rows, shares)


def _counted(
    labelled: LabelledTexts, config: TokensConfig, always: Collection[Feature]
) -> Iterator[DocumentCounts[str]]:
    """The features of a field in enough rows, kind by kind, and those of ``always``."""
    import numpy as np

    least = 1 if always else config.min_count
    counts = [token_counts(labelled, least), *ngram_counts(labelled, least, config.ngrams)]
    if config.positions:
        counts += [*position_counts(labelled, least), band_counts(labelled, least)]
    for counted in counts:
        wanted = [(counted.kind, name) in always for name in counted.names]
        frequent = counted.counts.sum(axis=1) >= config.min_count
        yield counted.only(frequent | np.array(wanted, dtype=bool))


def _tests(counts: Ints, totals: Ints) -> Iterator[list[Row]]:
    """For every feature the figures of its test against each label."""
    z_of, p_of = z_scores(counts, totals).tolist(), p_values(counts, totals).tolist()
    base = (totals / totals.sum()).tolist()
    for held, z_by_label, p_by_label in zip(counts.tolist(), z_of, p_of, strict=True):
        rows = sum(held)
        yield [
            {"rows": rows, "with label": n, "share": n / rows, "base": share, "z": z, "p": p}
            for n, share, z, p in zip(held, base, z_by_label, p_by_label, strict=True)
        ]


def _about(examples: Sequence[Example], tried: Tried, config: TokensConfig) -> dict[str, Any]:
    shares = ", ".join(f"{name} {share:.1%}" for name, share in tried.base.items())
    return {
        "rows": len(examples),
        "labels": shares,
        "tests": len(tried.rows),
        "correction": config.correction,
        "alpha": config.alpha,
    }


def _with_judgement(row: Row, cue: Cue | None) -> Row:
    """A row, and what the cue that it belongs to is."""
    if cue is None:
        return row
    return {**row, "cue": cue.feature.name, "shortcut": cue.is_shortcut, "reason": cue.reason}


def _cue_tables(found: Findings, top: int) -> Iterator[Table]:
    """The cues that are likely shortcuts, and those that are words of the task."""
    header = ("cue", "label", "rows", "share", "base", "T", "D", "why")
    named = {"Likely shortcuts": found.shortcuts, "Words of the task": found.task_words}
    for title, cues in named.items():
        lines = [_cue_line(cue, with_field=len(found.fields) > 1) for cue in cues[:top]]
        if lines:
            yield Table(f"{title}: {len(cues):,}", header, lines, ("base", "T", "D", "why"))


def _cue_line(cue: Cue, *, with_field: bool) -> tuple[str, ...]:
    name = " ".join(cue.phrase) or cue.feature.name
    figures = (cue.reads_on, cue.independence)
    return (
        f"{name} ({cue.feature.field})" if with_field else name,
        cue.label,
        f"{cue.rows:,}",
        f"{cue.share:.1%}",
        f"{cue.base:.0%}",
        *("" if figure is None else f"{figure:.2f}" for figure in figures),
        cue.reason,
    )


def _key(row: Row) -> Key:
    return row["field"], row["kind"], row["feature"], row["label"]


def _figures_in(tried: Tried, row: Row) -> Row:
    """The figures of the same feature and label in another dataset."""
    base = tried.base.get(row["label"], 0.0)
    absent = {"rows": 0, "share": 0.0, "base": base, "z": 0.0, "p": 1.0, "q": 1.0}
    figures = tried.rows.get(_key(row), absent)
    return {name: figures[name] for name in absent}


def _table(title: str, rows: Sequence[Row]) -> Table:
    header = ("field", "kind", "feature", "label", "rows", "share", "z", "corrected p")
    return Table(title, header, [(*_key(row), *_figures(row)) for row in rows])


def _compared(title: str, rows: Sequence[Row]) -> Table:
    header = ("field", "kind", "feature", "label", "rows", "share", "z", "rows now", "share now")
    lines = [
        (*_key(row), *_figures(row)[:3], *_figures(row["after"])[:2], f"{row['after']['z']:.1f}")
        for row in rows
    ]
    one_field = len({row["field"] for row in rows}) == 1
    spare = (*(("field",) if one_field else ()), "rows now", "z", "rows", "kind")
    return Table(title, (*header, "z now"), lines, spare)


def _figures(row: Row) -> tuple[str, str, str, str]:
    p = "< 0.001" if row["q"] < 0.001 else f"{row['q']:.3f}"
    return f"{row['rows']:,}", f"{row['share']:.1%}", f"{row['z']:.1f}", p
