"""What a run did to its dataset: what is left of the shortcuts, and the shares of the labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import TypeAdapter

from augkit.core.json_files import naming_damage
from augkit.core.results import SURVEY_ADVICE, SURVEY_FILE, read_survey
from augkit.core.types import value
from augkit.evaluation.statistics.intervals import ALPHA
from augkit.text.printable import counted, printable

_SHOWN = 3
_MOST_SHIFT = 0.05
"""Greatest change of a label's share that is not worth a caveat."""
_FEWEST_ROWS = 100
"""Rows whose shares of labels mean something."""

Fate = Literal["", "left", "reversed", "gone", "new"]
"""What became of a shortcut; "" where its finder does not say."""


@value
class Occurrence:
    """The rows that hold a feature, and the share of them that has its label.

    Attributes:
        share: The share of the rows that has the label.
        rows: How many they are.
        base: The label's share of all rows.
    """

    share: float
    rows: int = 0
    base: float | None = None

    @property
    def is_absent(self) -> bool:
        """Whether no row holds the feature."""
        return self.rows == 0 and self.share == 0


@value
class Shortcut:
    """A feature that predicts a label: in the originals and after, or new in the result.

    Attributes:
        counts: Where it was found: in the originals, or in the result where it is new.
        after: The same feature in the result.
        name: As people read it.
        fate: What became of it.
        now: Of one that is reversed: the label that it goes with in the result.
        shortcut: Whether it is judged to be one; else it is a word of the task.
    """

    feature: str
    label: str
    counts: Occurrence
    after: Occurrence | None = None
    field: str = ""
    name: str = ""
    fate: Fate = ""
    now: str = ""
    shortcut: bool = True

    def title(self, *, with_field: bool) -> str:
        """The feature in words; with its field where the texts have several.

        >>> counts = Occurrence(0.9)
        >>> Shortcut("not", "no", counts, name="'not'", field="claim").title(with_field=True)
        "'not' in claim"
        >>> Shortcut("word in capitals", "no", counts).title(with_field=False)  # your own finder
        'word in capitals'
        """
        return f"{self.name or self.feature}{f' in {self.field}' if with_field else ''}"


def read_shortcuts(rows: Sequence[Mapping[str, Any]]) -> list[Shortcut]:
    """The rows of a survey that name a feature, a label and a share."""
    names = ("feature", "label", "field", "name", "fate", "now", "shortcut")
    records = [
        {
            **{name: row[name] for name in names if name in row},
            "counts": row,
            "after": row.get("after") or None,
        }
        for row in rows
        if {"feature", "label", "share"} <= row.keys()
    ]
    return TypeAdapter(list[Shortcut]).validate_python(records)


def shortcut_lines(folder: Path) -> list[str]:
    """Lines from the survey of a run folder; none where no shortcut was found.

    Of the originals the three strongest, then of the result the three strongest that are new. A
    finder that does not say what became of its shortcuts has no lines.
    """
    shortcuts = _judged(folder)
    if not shortcuts:
        with naming_damage(folder / "shortcuts" / SURVEY_FILE, SURVEY_ADVICE):
            return list(_choice_lines(folder))
    with_field = len({shortcut.field for shortcut in shortcuts}) > 1
    old = [shortcut for shortcut in shortcuts if shortcut.fate != "new"]
    lines = [
        f"{shortcut.title(with_field=with_field)} ({shortcut.label}): {_change(shortcut)}"
        for shortcut in old[:_SHOWN]
    ]
    lines += [
        f"new: {shortcut.title(with_field=with_field)} ({shortcut.label}): "
        f"{_share(shortcut.counts)}{_base_rate(shortcut.counts)}: predicts it"
        for shortcut in _of_fate(shortcuts, "new")[:_SHOWN]
    ]
    return [printable(line) for line in lines]


def _choice_lines(folder: Path) -> Iterator[str]:
    """Lines for a run on choices: of each kind the strongest feature, at most three; none else."""
    rows = _choice_rows(folder)
    survey = read_survey(folder / "shortcuts")
    alpha = ALPHA if survey is None else float(survey.about.get("alpha", ALPHA))
    strongest = {row["kind"]: row for row in reversed(rows) if not row.get("new")}
    ranked = sorted(strongest.values(), key=lambda row: (-row["association"], row["kind"]))
    for row in ranked[:_SHOWN]:
        after = row["after"]
        change = "too few candidates have it now"
        if after["items"]:
            state = "still significant" if after["q"] <= alpha else "no longer significant"
            change = f"{100 * after['accuracy']:.0f} % of {after['of']:,}: {state}"
        yield printable(
            f"the winner {row['feature']}: alone right in {100 * row['accuracy']:.0f} % of "
            f"{counted(row['of'], 'item')} → {change}"
        )


def _choice_rows(folder: Path) -> list[Mapping[str, Any]]:
    """Features of the survey of a run on choices, the strongest first."""
    survey = read_survey(folder / "shortcuts")
    return [] if survey is None else [row for row in survey.rows if "accuracy" in row]


def shortcut_caveats(folder: Path) -> list[str]:
    """What the result of a run has: a shortcut that is new, reversed, or as it was; one of each."""
    shortcuts = _judged(folder)
    new = [f"has a new shortcut: {_labelled(cue)}" for cue in _of_fate(shortcuts, "new")]
    turned = [
        f"has a shortcut reversed: {_labelled(cue)} now predicts '{cue.now}'"
        for cue in _of_fate(shortcuts, "reversed")
    ]
    left = [
        f"still has a shortcut of the originals: {_labelled(cue)}{_weaker(cue)}"
        for cue in _of_fate(shortcuts, "left")
    ]
    return [printable(caveat) for caveat in (*new[:1], *turned[:1], *left[:1])]


Replacement = Literal["", "renamed", "reversed"]
"""What took the place of a shortcut: another one, or the same one with another label."""


def replacement(folder: Path) -> Replacement:
    """What took the place of a shortcut in the result of a run; "" for nothing, or no survey.

    A new one takes the place of those that are gone where it is in at least half as many rows as
    one of them was. Of choices, a feature of winners that is new and at least half as strong as the
    strongest was.
    """
    shortcuts = _judged(folder)
    gone = [cue.counts.rows for cue in _of_fate(shortcuts, "gone")]
    new = [cue.counts.rows for cue in _of_fate(shortcuts, "new")]
    is_renamed = bool(gone) and bool(new) and 2 * max(new) >= min(gone)
    if is_renamed or _has_new_winners(folder):
        return "renamed"
    return "reversed" if _of_fate(shortcuts, "reversed") else ""


def _has_new_winners(folder: Path) -> bool:
    old = [0.0]
    new = [0.0]
    for row in _choice_rows(folder):
        (new if row.get("new") else old).append(row["association"])
    return max(new) > 0 and max(new) >= max(old) / 2


def _judged(folder: Path) -> list[Shortcut]:
    """The shortcuts of which it is known what became of them; words of the task are none."""
    survey = read_survey(folder / "shortcuts")
    if survey is None:
        return []
    with naming_damage(folder / "shortcuts" / SURVEY_FILE, SURVEY_ADVICE):
        shortcuts = read_shortcuts(survey.rows)
    return [shortcut for shortcut in shortcuts if shortcut.fate and shortcut.shortcut]


def _of_fate(shortcuts: Sequence[Shortcut], fate: Fate) -> list[Shortcut]:
    return [shortcut for shortcut in shortcuts if shortcut.fate == fate]


def _change(shortcut: Shortcut) -> str:
    """The shares before and after, and what became of the shortcut."""
    outcome = "no longer predicts it"
    if shortcut.fate == "left":
        outcome = f"still predicts it{_weaker(shortcut)}"
    elif shortcut.fate == "reversed":
        outcome = f"now predicts '{shortcut.now}'"
    after = shortcut.after or Occurrence(0.0)
    result = f"{100 * after.share:.0f} % of {after.rows:,}" if after.rows else "no such rows"
    base = _base_rate(shortcut.counts, after)
    return f"{_share(shortcut.counts)} → {result}{base}: {outcome}"


def _labelled(shortcut: Shortcut) -> str:
    return f"{shortcut.title(with_field=False)} ({shortcut.label})"


def _share(counts: Occurrence) -> str:
    return f"{100 * counts.share:.0f} % of {counted(counts.rows, 'row')}"


def _base_rate(*occurrences: Occurrence) -> str:
    """The label's share of all rows, before and after; none where the finder does not give it.

    >>> _base_rate(Occurrence(0.9, base=0.5), Occurrence(0.9, base=0.502))
    ' (base 50 %)'
    >>> _base_rate(Occurrence(0.9, base=0.5), Occurrence(0.9, base=0.4))
    ' (base 50 → 40 %)'
    """
    bases = [occurrence.base for occurrence in occurrences]
    shares = dict.fromkeys(f"{100 * base:.0f}" for base in bases if base is not None)
    return f" (base {' → '.join(shares)} %)" if shares else ""


def _weaker(shortcut: Shortcut) -> str:
    """A word where a share is less than half as far from the label's share of all rows as before.

    >>> _weaker(Shortcut("x", "a", Occurrence(0.9, base=0.5), Occurrence(0.6, base=0.5)))
    ', but less strongly'
    """
    before = shortcut.counts
    after = shortcut.after
    if after is None or before.base is None or after.base is None:
        return ""
    halved = abs(after.share - after.base) < abs(before.share - before.base) / 2
    return ", but less strongly" if halved else ""


def label_shift(before: Mapping[str, int], after: Mapping[str, int], mix: str) -> list[str]:
    """A caveat where the share of a label changed by more than five points; else none.

    ``before`` and ``after`` count the rows of each label. Of fewer than 100 rows nothing is said,
    nor where the labels are balanced.

    >>> label_shift({"neg": 400, "pos": 400}, {"neg": 787, "pos": 575}, "append")[0].split(":")[0]
    'neg was 50 % of the rows and is 58 %'
    """
    rows = sum(before.values())
    result_rows = sum(after.values())
    if rows < _FEWEST_ROWS or not result_rows or mix == "balance":
        return []
    shares = {
        label: (count / rows, after.get(label, 0) / result_rows) for label, count in before.items()
    }
    label, (was, is_now) = max(shares.items(), key=lambda item: abs(item[1][1] - item[1][0]))
    if abs(is_now - was) <= _MOST_SHIFT:
        return []
    shift = f"was {100 * was:.0f} % of the rows and is {100 * is_now:.0f} %"
    return [f"{printable(label)} {shift}: --mix balance evens labels out"]
