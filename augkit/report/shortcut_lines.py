"""What a run left of the strongest shortcuts of its originals, in one line each."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from augkit.core.results import SURVEY_FILE
from augkit.report.page.render import read_json_file
from augkit.text.printable import counted, printable

_POSITIONS = {"first word", "last word"}


def shortcut_name(row: Mapping[str, Any], *, several: bool) -> str:
    """The feature of a row of a survey; with its field where the texts have several.

    >>> shortcut_name({"kind": "first word", "feature": "not", "field": "claim"}, several=True)
    "first word 'not' in claim"
    >>> shortcut_name({"kind": "length", "feature": "9-16 words", "field": "text"}, several=False)
    'length of 9-16 words'
    >>> shortcut_name({"feature": "word in capitals"}, several=False)  # of a finder of your own
    'word in capitals'
    """
    kind = f"{row['kind']} " if row.get("kind") in _POSITIONS else ""
    where = f" in {row['field']}" if several else ""
    feature = f"'{row['feature']}'" if "kind" in row else row["feature"]
    if row.get("kind") == "length":
        feature = f"length of {row['feature']}"
    return f"{kind}{feature}{where}"


_SHOWN = 3
_ALIKE = 0.8
"""Least share of the rows of one feature that another of the same phrase has."""
_OPINION = " (a word of opinion, which may belong to the label)"


def shortcut_lines(folder: Path) -> list[str]:
    """Lines from the survey of a run folder; none where no shortcut was found beyond chance.

    Features that share a word (``riverside``, ``riverside branch``) are one shortcut: the strongest
    stands for it. Where that one no longer predicts, and a feature of the same phrase still does
    (another name took its place: ``bought at``), this one has a line too. A finder whose rows have
    no corrected p for the result has no lines.
    """
    survey = read_json_file(folder / "shortcuts" / SURVEY_FILE) or {}
    rows, new = _before_and_new(survey)
    several = len({row["field"] for row in rows}) > 1
    alpha = _alpha(survey)
    lines = [_line(row, alpha, new, several=several) for row in _with_left(rows, alpha)]
    return [*lines, *(_new_line(row) for row in _strong(new, rows))]


def shortcut_caveats(folder: Path) -> list[str]:
    """What the result of a run has: a shortcut that is new, reversed, or as it was; one of each.

    A new one is at least half as strong as the strongest of the originals. Words of opinion are
    none.
    """
    survey = read_json_file(folder / "shortcuts" / SURVEY_FILE) or {}
    rows, new = _before_and_new(survey)
    alpha = _alpha(survey)
    caveats = [f"has a new shortcut: {_labelled(row)}" for row in _strong(new, rows)]
    turned = ((row, _turned(row, new)) for row in _distinct(rows))
    caveats += [f"has a shortcut reversed: {_labelled(row)} {now}" for row, now in turned if now][
        :1
    ]
    caveats += [
        f"still has a shortcut of the originals{_weaker(row, row['after'])}: {_labelled(row)}"
        for row in _with_left(rows, alpha)
        if row["after"]["q"] <= alpha and not _turned(row, new) and not _is_opinion(row["feature"])
    ][:1]
    return [printable(caveat) for caveat in caveats]


def _alpha(survey: Mapping[str, Any]) -> float:
    return float(survey.get("about", {}).get("alpha", 0.05))


def _labelled(row: Mapping[str, Any]) -> str:
    return f"{shortcut_name(row, several=False)} ({row['label']})"


def _with_left(rows: list[Mapping[str, Any]], alpha: float) -> Iterator[Mapping[str, Any]]:
    """The distinct rows, each with what is left of its phrase."""
    left = set[str]()
    for row in _distinct(rows):
        if left.isdisjoint(row["feature"].split()):
            others = _left(row, rows, alpha)
            left.update(word for other in others for word in other["feature"].split())
            yield from (row, *others)


def _before_and_new(survey: Mapping[str, Any]) -> tuple[list[Any], list[Any]]:
    """Features of the originals with their figures in the result, and those of the result alone."""
    rows = [row for row in survey.get("rows", ()) if "q" in (row.get("after") or {})]
    return rows, [row for row in survey.get("rows", ()) if rows and row.get("new") and "z" in row]


def _distinct(rows: list[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """The first rows, without those that share a word or all of their rows with one before."""
    words: set[str] = set()
    counts: set[tuple[object, ...]] = set()
    for row in rows:
        own = set(row["feature"].split())
        count = (row["field"], row["label"], row["rows"], row["share"])
        if count in counts:
            words |= own  # another word of the same rows
        elif not own & words:
            yield row
            counts.add(count)
            words |= own
        if len(counts) == _SHOWN:
            return


def _left(
    row: Mapping[str, Any], rows: list[Mapping[str, Any]], alpha: float
) -> list[Mapping[str, Any]]:
    """The strongest feature of the same phrase that still predicts, where this one does not."""
    if row["after"]["q"] <= alpha:
        return []
    near = [
        other
        for other in rows
        if (other["field"], other["label"]) == (row["field"], row["label"])
        and _ALIKE * row["rows"] <= other["rows"] <= row["rows"] / _ALIKE
    ]
    words, grown = set[str](), set(row["feature"].split())
    while words != grown:
        words = set(grown)
        for other in near:
            own = set(other["feature"].split())
            grown |= own if own & words else set()
    same = [other for other in near if set(other["feature"].split()) <= words]
    return [other for other in same if other["after"]["q"] <= alpha][:1]


def _strong(new: list[Mapping[str, Any]], rows: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The strongest new shortcut, if its z is half of the strongest before, or more.

    It may be an old one by another name. One that was half as strong before is not new, and words
    of opinion are none.
    """
    strongest = max((row["z"] for row in rows if "z" in row), default=math.inf)
    words = {word for row in _distinct(rows) for word in row["feature"].split()}
    strong = [
        row
        for row in new
        if row["z"] >= strongest / 2
        and row.get("before", {}).get("z", 0.0) < row["z"] / 2
        and words.isdisjoint(row["feature"].split())
        and not _is_opinion(row["feature"])
    ]
    return sorted(strong, key=lambda row: -row["z"])[:1]


def _base_rate(*figures: Mapping[str, Any]) -> str:
    """The label's share of all rows, before and after; none where the finder does not give it.

    >>> _base_rate({"base": 0.5}, {"base": 0.502}), _base_rate({"base": 0.5}, {"base": 0.4})
    (' (base 50 %)', ' (base 50 → 40 %)')
    """
    shares = dict.fromkeys(f"{100 * one['base']:.0f}" for one in figures if "base" in one)
    return f" (base {' → '.join(shares)} %)" if shares else ""


def _new_line(row: Mapping[str, Any]) -> str:
    return printable(f"new: {_labelled(row)}: {_share(row)}{_base_rate(row)}: predicts it")


def _share(row: Mapping[str, Any]) -> str:
    return f"{100 * row['share']:.0f} % of {counted(row['rows'], 'row')}"


def _turned(row: Mapping[str, Any], new: list[Mapping[str, Any]]) -> str:
    """That a shortcut predicts another label in the result; else ""."""
    same = ("field", "kind", "feature")
    turned = [other for other in new if all(other[key] == row[key] for key in same)]
    return f"now predicts {turned[0]['label']}{_weaker(row, turned[0])}" if turned else ""


def _weaker(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """A word where a share is less than half as far from the label's share of all rows as before.

    >>> _weaker({"share": 0.9, "base": 0.5}, {"share": 0.6, "base": 0.5}), _weaker({}, {})
    (', weaker', '')
    """
    if "base" not in before or "base" not in after:
        return ""
    first, second = (abs(one["share"] - one["base"]) for one in (before, after))
    return ", weaker" if second < first / 2 else ""


def _is_opinion(feature: str) -> bool:
    """Whether a word of the feature judges whatever it is said of.

    >>> _is_opinion("great"), _is_opinion("a great"), _is_opinion("branch"), _is_opinion("long")
    (True, True, False, False)
    """
    from augkit.lexicons.evaluative import bundled_lexicon

    return any(map(bundled_lexicon().judgement, feature.split()))


def _line(
    row: Mapping[str, Any], alpha: float, new: list[Mapping[str, Any]], *, several: bool
) -> str:
    after, turned = row["after"], _turned(row, new)
    now = f"{100 * after['share']:.0f} % of {after['rows']:,}" if after["rows"] else "no such rows"
    verdict = "no longer significant"
    if after.get("p", 1.0) <= alpha:
        verdict = "weaker: clear alone, not after correction"
    if after["q"] <= alpha:
        opinion = _OPINION if _is_opinion(row["feature"]) else ""
        verdict = f"still predicts it{_weaker(row, after)}{opinion}"
    verdict = turned or verdict
    shares = f"{_share(row)} → {now}{_base_rate(row, after)}"
    name = shortcut_name(row, several=several)
    return printable(f"{name} ({row['label']}): {shares}: {verdict}")
