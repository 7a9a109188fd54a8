"""What a run did to its dataset: what is left of the shortcuts, and the shares of the labels."""

from __future__ import annotations

import math
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
_ALIKE = 0.8
"""Least share of the rows of one feature that another of the same phrase has."""
_MOST_SHIFT = 0.05
"""Greatest change of a label's share that is not worth a caveat."""
_FEWEST_ROWS = 100
"""Rows whose shares of labels mean something."""
_POSITIONS = frozenset({"first word", "last word"})


@value
class Occurrence:
    """The rows that hold a feature, and the share of them that has its label.

    Attributes:
        share: The share of the rows that has the label.
        rows: How many they are.
        base: The label's share of all rows.
        z: The strength of the association.
        p: Its p-value.
        q: Its p-value corrected for the number of features.
    """

    share: float
    rows: int = 0
    base: float | None = None
    z: float | None = None
    p: float = 1.0
    q: float | None = None

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
        z_before: Of a new one, its strength in the originals.
    """

    feature: str
    label: str
    counts: Occurrence
    after: Occurrence | None = None
    field: str = ""
    kind: str = ""
    is_new: bool = False
    z_before: float = 0.0

    @property
    def words(self) -> set[str]:
        """The words of the feature."""
        return set(self.feature.split())

    def title(self, *, with_field: bool) -> str:
        """The feature in words; with its field where the texts have several.

        >>> counts = Occurrence(0.9)
        >>> Shortcut("not", "no", counts, kind="first word", field="claim").title(with_field=True)
        "first word 'not' in claim"
        >>> Shortcut("9-16 words", "no", counts, kind="length").title(with_field=False)
        'length of 9-16 words'
        >>> Shortcut("word in capitals", "no", counts).title(with_field=False)  # your own finder
        'word in capitals'
        """
        feature = f"'{self.feature}'" if self.kind else self.feature
        if self.kind == "length":
            feature = f"length of {self.feature}"
        position = f"{self.kind} " if self.kind in _POSITIONS else ""
        return f"{position}{feature}{f' in {self.field}' if with_field else ''}"


def read_shortcuts(rows: Sequence[Mapping[str, Any]]) -> list[Shortcut]:
    """The rows of a survey that name a feature, a label and a share."""
    records = [
        {
            **{key: row[key] for key in ("feature", "label", "field", "kind") if key in row},
            "counts": row,
            "after": row.get("after") or None,
            "is_new": bool(row.get("new")),
            "z_before": row.get("before", {}).get("z", 0.0),
        }
        for row in rows
        if {"feature", "label", "share"} <= row.keys()
    ]
    return TypeAdapter(list[Shortcut]).validate_python(records)


def shortcut_lines(folder: Path) -> list[str]:
    """Lines from the survey of a run folder; none where no shortcut was found beyond chance.

    Features that share a word (``riverside``, ``riverside branch``) are one shortcut: the strongest
    stands for it. Where that one no longer predicts, and a feature of the same phrase still does
    (another name took its place: ``bought at``), this one has a line too. A finder whose rows have
    no corrected p for the result has no lines.
    """
    changed, new, alpha = _read_changes(folder)
    if not changed:
        with naming_damage(folder / "shortcuts" / SURVEY_FILE, SURVEY_ADVICE):
            return list(_choice_lines(folder, alpha))
    with_field = len({shortcut.field for shortcut, _ in changed}) > 1
    lines = [
        f"{shortcut.title(with_field=with_field)} ({shortcut.label}): "
        f"{_change(shortcut, after, alpha, new)}"
        for shortcut, after in _with_left(changed, alpha)
    ]
    lines += [
        f"new: {_labelled(shortcut)}: {_share(shortcut.counts)}{_base_rate(shortcut.counts)}: "
        "predicts it"
        for shortcut in _strong(new, changed)
    ]
    return [printable(line) for line in lines]


def _choice_lines(folder: Path, alpha: float) -> Iterator[str]:
    """Lines for a run on choices: of each kind the strongest feature, at most three; none else."""
    rows = _choice_rows(folder)
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
    """What the result of a run has: a shortcut that is new, reversed, or as it was; one of each.

    A new one is at least half as strong as the strongest of the originals. Words of opinion are
    none.
    """
    changed, new, alpha = _read_changes(folder)
    caveats = [f"has a new shortcut: {_labelled(shortcut)}" for shortcut in _strong(new, changed)]
    reversals = [
        f"has a shortcut reversed: {_labelled(shortcut)} {reversal}"
        for shortcut, _ in _distinct(changed)
        if (reversal := _reversal(shortcut, new))
    ]
    left = [
        f"still has a shortcut of the originals: {_labelled(shortcut)}"
        f"{_weaker(shortcut.counts, after)}"
        for shortcut, after in _with_left(changed, alpha)
        if _predicts(after, alpha)
        and not _reversal(shortcut, new)
        and not _is_opinion(shortcut.feature)
    ]
    return [printable(caveat) for caveat in (*caveats, *reversals[:1], *left[:1])]


Replacement = Literal["", "renamed", "reversed"]
"""What took the place of a shortcut: another one, or the same one with another label."""


def replacement(folder: Path) -> Replacement:
    """What took the place of a shortcut in the result of a run; "" for nothing, or no survey.

    Of choices, a feature of winners that is new and at least half as strong as the strongest was.
    """
    changed, new, _ = _read_changes(folder)
    if _strong(new, changed) or _has_new_winners(folder):
        return "renamed"
    is_reversed = any(_reversal(shortcut, new) for shortcut, _ in _distinct(changed))
    return "reversed" if is_reversed else ""


def _has_new_winners(folder: Path) -> bool:
    old, new = [0.0], [0.0]
    for row in _choice_rows(folder):
        (new if row.get("new") else old).append(row["association"])
    return max(new) > 0 and max(new) >= max(old) / 2


Changed = tuple[Shortcut, Occurrence]
"""A shortcut of the originals, and its figures in the result."""


def _read_changes(folder: Path) -> tuple[list[Changed], list[Shortcut], float]:
    """Shortcuts of the originals, those of the result alone, and the level of significance."""
    survey = read_survey(folder / "shortcuts")
    if survey is None:
        return [], [], ALPHA
    with naming_damage(folder / "shortcuts" / SURVEY_FILE, SURVEY_ADVICE):
        shortcuts, alpha = read_shortcuts(survey.rows), float(survey.about.get("alpha", ALPHA))
    changed = [
        (shortcut, shortcut.after)
        for shortcut in shortcuts
        if shortcut.after is not None and shortcut.after.q is not None
    ]
    new = [
        shortcut
        for shortcut in shortcuts
        if changed and shortcut.is_new and shortcut.counts.z is not None
    ]
    return changed, new, alpha


def _predicts(after: Occurrence, alpha: float) -> bool:
    return after.q is not None and after.q <= alpha


def _with_left(changed: Sequence[Changed], alpha: float) -> Iterator[Changed]:
    """The distinct shortcuts, each with what is left of its phrase and was not there before."""
    left_words = set[str]()
    listed: list[Shortcut] = []
    for shortcut, after in _distinct(changed):
        if left_words.isdisjoint(shortcut.words):
            listed.append(shortcut)
            yield shortcut, after
            if not _predicts(after, alpha):
                for left, left_after in _left(shortcut, changed, alpha):
                    left_words |= left.words
                    if left not in listed:
                        listed.append(left)
                        yield left, left_after


def _distinct(changed: Sequence[Changed]) -> Iterator[Changed]:
    """The first shortcuts, without those that share a word or all of their rows with one before."""
    words: set[str] = set()
    row_counts: set[tuple[object, ...]] = set()
    for shortcut, after in changed:
        counts = shortcut.counts
        row_count = (shortcut.field, shortcut.label, counts.rows, counts.share)
        if row_count in row_counts:
            words |= shortcut.words  # another word of the same rows
        elif not shortcut.words & words:
            yield shortcut, after
            row_counts.add(row_count)
            words |= shortcut.words
        if len(row_counts) == _SHOWN:
            return


def _left(shortcut: Shortcut, changed: Sequence[Changed], alpha: float) -> list[Changed]:
    """The strongest feature of the same phrase that still predicts."""
    rows = shortcut.counts.rows
    near = [
        (candidate, after)
        for candidate, after in changed
        if (candidate.field, candidate.label) == (shortcut.field, shortcut.label)
        and _ALIKE * rows <= candidate.counts.rows <= rows / _ALIKE
    ]
    phrase, grown = set[str](), shortcut.words
    while phrase != grown:
        phrase = set(grown)
        for candidate, _ in near:
            if candidate.words & phrase:
                grown |= candidate.words
    return [
        (candidate, after)
        for candidate, after in near
        if candidate.words <= phrase and _predicts(after, alpha)
    ][:1]


def _strong(new: Sequence[Shortcut], changed: Sequence[Changed]) -> list[Shortcut]:
    """The strongest new shortcut, if its z is half of the strongest before, or more.

    It may be an old one by another name. One that was half as strong before is not new, and words
    of opinion are none.
    """
    strengths = [shortcut.counts.z for shortcut, _ in changed if shortcut.counts.z is not None]
    strongest = max(strengths, default=math.inf)
    words = {word for shortcut, _ in _distinct(changed) for word in shortcut.words}
    strong = [
        (z, shortcut)
        for shortcut in new
        if (z := shortcut.counts.z or 0.0) >= strongest / 2
        and shortcut.z_before < z / 2
        and words.isdisjoint(shortcut.words)
        and not _is_opinion(shortcut.feature)
    ]
    return [shortcut for _, shortcut in sorted(strong, key=lambda pair: -pair[0])[:1]]


def _change(shortcut: Shortcut, after: Occurrence, alpha: float, new: Sequence[Shortcut]) -> str:
    """The shares before and after, and what became of the shortcut."""
    outcome = "no longer significant"
    if after.p <= alpha:
        outcome = "much weaker; what remains may be chance"
    if _predicts(after, alpha):
        outcome = f"still predicts it{_weaker(shortcut.counts, after)}"
        if _is_opinion(shortcut.feature):
            outcome += " (a word of opinion, which may belong to the label)"
    outcome = _reversal(shortcut, new) or outcome
    result = f"{100 * after.share:.0f} % of {after.rows:,}" if after.rows else "no such rows"
    shares = f"{_share(shortcut.counts)} → {result}{_base_rate(shortcut.counts, after)}"
    return f"{shares}: {outcome}"


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


def _reversal(shortcut: Shortcut, new: Sequence[Shortcut]) -> str:
    """That a shortcut predicts another label in the result; else ""."""
    same = (shortcut.field, shortcut.kind, shortcut.feature)
    for reverse in new:
        if (reverse.field, reverse.kind, reverse.feature) == same:
            return f"now predicts '{reverse.label}'{_weaker(shortcut.counts, reverse.counts)}"
    return ""


def _weaker(before: Occurrence, after: Occurrence) -> str:
    """A word where a share is less than half as far from the label's share of all rows as before.

    >>> _weaker(Occurrence(0.9, base=0.5), Occurrence(0.6, base=0.5))
    ', but less strongly'
    """
    if before.base is None or after.base is None:
        return ""
    halved = abs(after.share - after.base) < abs(before.share - before.base) / 2
    return ", but less strongly" if halved else ""


def _is_opinion(feature: str) -> bool:
    """Whether a word of the feature judges whatever it is said of.

    >>> _is_opinion("great"), _is_opinion("a great"), _is_opinion("branch"), _is_opinion("long")
    (True, True, False, False)
    """
    from augkit.lexicons.evaluative import bundled_lexicon

    return any(map(bundled_lexicon().judgement, feature.split()))


def label_shift(before: Mapping[str, int], after: Mapping[str, int], mix: str) -> list[str]:
    """A caveat where the share of a label changed by more than five points; else none.

    ``before`` and ``after`` count the rows of each label. Of fewer than 100 rows nothing is said,
    nor where the labels are balanced.

    >>> label_shift({"neg": 400, "pos": 400}, {"neg": 787, "pos": 575}, "append")[0].split(":")[0]
    'neg was 50 % of the rows and is 58 %'
    """
    rows, result_rows = sum(before.values()), sum(after.values())
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
