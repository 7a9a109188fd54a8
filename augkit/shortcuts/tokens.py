"""``augkit shortcuts --by tokens``: the cues of the one definition, as tables and as targets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import Field
from typing_extensions import Self

from augkit.core.config import FinderConfig
from augkit.core.protocols import Tools
from augkit.core.results import Survey, Table
from augkit.core.types import Example
from augkit.shortcuts.changes import Change, Fate, compare_rows
from augkit.shortcuts.counted_rows import CountedRows, Figures
from augkit.shortcuts.cues import Cue, Feature
from augkit.shortcuts.label_features import LabelFeature, LabelFeatureFinder
from augkit.shortcuts.names import cue_name, feature_name

Row = dict[str, Any]

_TITLES: Mapping[Fate, str] = {
    "left": "Still there",
    "reversed": "Now with another label",
    "gone": "Gone",
    "new": "New",
}
"""What became of a cue → the title of its table."""
_NO_CUES = Table("Cues before and after: 0", (), [])


class TokensConfig(FinderConfig):
    """What is shown or marked."""

    top: int = Field(20, ge=1, description="lines of a table; features that --find marks")


class TokenFinder(LabelFeatureFinder):
    """Likely shortcuts by augkit's one definition: words, phrases, places, signs, lengths."""

    name = "tokens"
    Config = TokensConfig

    @classmethod
    def fit(cls, examples: Sequence[Example], config: TokensConfig, tools: Tools) -> Self:  # noqa: ARG003 - it uses none
        """Keep the strongest features of likely shortcuts that are words."""
        tested = CountedRows.read(examples)
        cues = _by_feature(tested.judge())
        marked = []
        for found in tested.tests.found:
            label = tested.label_name(found)
            cue = cues.get((found.feature, label))
            if cue is not None and cue.is_shortcut and found.feature.words:
                feature = found.feature
                named = (feature.field, feature.kind, feature.name)
                marked.append(LabelFeature(*named, label, found.strength))
        return cls(tuple(marked[: config.top]))

    @staticmethod
    def survey(
        examples: Sequence[Example],
        config: TokensConfig,
        folder: Path | None,  # noqa: ARG004 - it writes no files of its own
    ) -> Survey:
        """Give the likely shortcuts and the words of the task; as rows every feature of them."""
        tested = CountedRows.read(examples)
        cues = tested.judge()
        by_feature = _by_feature(cues)
        rows = []
        for found in tested.tests.found:
            label = tested.label_name(found)
            figures = Figures(found.rows, found.of_label, found.base, found.p)
            cue = by_feature.get((found.feature, label))
            rows.append({**_named(found.feature, label), **_figures(figures), **_judged(cue)})
        return Survey(rows, tuple(_cue_tables(cues, tested, config.top)), (), _about(tested))

    @staticmethod
    def compare(
        before: Sequence[Example],
        after: Sequence[Example],
        config: TokensConfig,
        folder: Path | None,  # noqa: ARG004 - it writes no files of its own
    ) -> Survey:
        """Say what became of each cue, and which are new."""
        compared = compare_rows(before, after)
        with_field = len(compared.before.fields) > 1
        tables = [
            _change_table(fate, compared.changes, config.top, with_field=with_field)
            for fate in _TITLES
        ]
        listed = [table for table in tables if table.rows]
        about = {
            **_about(compared.before),
            "rows after": len(after),
            "features after": compared.after.tests.features,
        }
        rows = [_change_row(change) for change in compared.changes]
        return Survey(rows, listed or [_NO_CUES], (), about)


def _by_feature(cues: Sequence[Cue]) -> Mapping[tuple[Feature, str], Cue]:
    """Feature and label → the cue that they belong to."""
    return {(feature, cue.label): cue for cue in cues for feature in cue.features}


def _named(feature: Feature, label: str) -> Row:
    return {
        "field": feature.field,
        "kind": feature.kind,
        "feature": feature.name,
        "name": feature_name(feature),
        "label": label,
    }


def _figures(figures: Figures) -> Row:
    return {
        "rows": figures.rows,
        "with label": figures.of_label,
        "share": figures.share,
        "base": figures.base,
        "gain": figures.gain,
        "p": figures.p,
    }


def _judged(cue: Cue | None) -> Row:
    """What the cue of a feature is; nothing for the weakest, which are not grouped."""
    if cue is None:
        return {}
    return {"cue": cue_name(cue), "shortcut": cue.is_shortcut, "reason": cue.reason}


def _about(tested: CountedRows) -> Row:
    total = max(len(tested.examples), 1)
    shares = ", ".join(f"{name} {rows / total:.1%}" for name, rows in tested.labels.items())
    return {
        "rows": len(tested.examples),
        "labels": shares,
        "features": tested.tests.features,
        "alpha": tested.alpha,
    }


def _cue_tables(cues: Sequence[Cue], tested: CountedRows, top: int) -> Iterator[Table]:
    """The cues that are likely shortcuts, and those that are words of the task."""
    header = ("cue", "label", "rows", "share", "base", "T", "D", "why")
    with_field = len(tested.fields) > 1
    for title, is_shortcut in (("Likely shortcuts", True), ("Words of the task", False)):
        judged = [cue for cue in cues if cue.is_shortcut == is_shortcut]
        lines = [_cue_line(cue, with_field=with_field) for cue in judged[:top]]
        yield Table(f"{title}: {len(judged):,}", header, lines, ("base", "T", "D", "why"))


def _cue_line(cue: Cue, *, with_field: bool) -> tuple[str, ...]:
    figures = (cue.reads_on, cue.independence)
    return (
        _shown(cue_name(cue), cue.feature, with_field=with_field),
        cue.label,
        f"{cue.rows:,}",
        f"{cue.share:.1%}",
        f"{cue.base:.0%}",
        *("" if figure is None else f"{figure:.2f}" for figure in figures),
        cue.reason,
    )


def _shown(name: str, feature: Feature, *, with_field: bool) -> str:
    return f"{name} ({feature.field})" if with_field else name


def _change_name(change: Change) -> str:
    """The cue, or what is left of it."""
    cue = change.cue
    return cue_name(cue) if change.feature == cue.feature else feature_name(change.feature)


def _change_row(change: Change) -> Row:
    """A change as plain values: the figures are those before, of a new one those after."""
    is_new = change.fate == "new"
    row = {
        **_named(change.feature, change.cue.label),
        "name": _change_name(change),
        **_judged(change.cue),
        "fate": change.fate,
        **_figures(change.after if is_new else change.before),
    }
    if is_new:
        return {**row, "before": _figures(change.before)}
    if change.now:
        row["now"] = change.now
    return {**row, "after": _figures(change.after)}


def _change_table(fate: Fate, changes: Sequence[Change], top: int, *, with_field: bool) -> Table:
    """The cues of which one thing became."""
    header = ("cue", "label", "is", "rows", "share", "rows now", "share now", "base now")
    lines = [
        _change_line(change, with_field=with_field) for change in changes if change.fate == fate
    ]
    return Table(f"{_TITLES[fate]}: {len(lines):,}", header, lines[:top], ("base now", "rows"))


def _change_line(change: Change, *, with_field: bool) -> tuple[str, ...]:
    label = change.cue.label
    return (
        _shown(_change_name(change), change.feature, with_field=with_field),
        f"{label} → {change.now}" if change.now else label,
        "shortcut" if change.cue.is_shortcut else "word of the task",
        f"{change.before.rows:,}",
        f"{change.before.share:.1%}",
        f"{change.after.rows:,}",
        f"{change.after.share:.1%}",
        f"{change.after.base:.0%}",
    )
