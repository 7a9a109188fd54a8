"""What a run left of the strongest shortcuts of its originals, in one line each."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from augkit.core.survey import SURVEY_FILE
from augkit.report.page.render import read_json_file
from augkit.report.shortcut_names import shortcut_name
from augkit.text.printable import printable

_SHOWN = 3
_CLEAR_ALONE = 1.96
"""The z from which on a single feature is significant at 0.05."""
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
    alpha = survey.get("about", {}).get("alpha", 0.05)
    shown = list(_distinct(rows))
    lines, left = [], set[str]()
    for row in shown:
        if left.isdisjoint(row["feature"].split()):
            named = [row, *_left(row, rows, alpha)]
            left.update(word for other in named[1:] for word in other["feature"].split())
            lines += [_line(one, alpha, new, several=several) for one in named]
    return [*lines, *(_new_line(row) for row in _strong(new, rows, shown))]


def new_shortcut(folder: Path) -> str:
    """The strongest shortcut that only the result of a run has, if it is a strong one; else "".

    One of the originals that is reversed in the result is not new.
    """
    rows, new = _before_and_new(read_json_file(folder / "shortcuts" / SURVEY_FILE) or {})
    found = _strong(new, rows, list(_distinct(rows)))
    if not found:
        return ""
    return f"{shortcut_name(found[0], several=False)} ({found[0]['label']})"


def reversed_shortcut(folder: Path) -> str:
    """The first shortcut of the lines that now goes with another label; else ""."""
    rows, new = _before_and_new(read_json_file(folder / "shortcuts" / SURVEY_FILE) or {})
    for row in _distinct(rows):
        if label := _turned(row, new):
            name = shortcut_name(row, several=False)
            return f"{name} ({row['label']}) now predicts {label}"
    return ""


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


def _strong(
    new: list[Mapping[str, Any]], rows: list[Mapping[str, Any]], shown: list[Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    """The strongest new shortcut, where it is as strong as the strongest before: a renamed one."""
    strongest = max((row["z"] for row in rows if "z" in row), default=math.inf)
    words = {word for row in shown for word in row["feature"].split()}
    strong = [
        row for row in new if row["z"] >= strongest and not words & set(row["feature"].split())
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
    share = f"{100 * row['share']:.0f} %{_base_rate(row)}"
    name = shortcut_name(row, several=False)
    return printable(f"new: {name} ({row['label']}): {share}: predicts it")


def _turned(row: Mapping[str, Any], new: list[Mapping[str, Any]]) -> str:
    """The other label that a shortcut predicts in the result; else ""."""
    same = ("field", "kind", "feature")
    turned = [other["label"] for other in new if all(other[key] == row[key] for key in same)]
    return turned[0] if turned else ""


def _is_opinion(feature: str) -> bool:
    """Whether a word of the feature judges whatever it is said of.

    >>> _is_opinion("great"), _is_opinion("a great"), _is_opinion("branch"), _is_opinion("long")
    (True, True, False, False)
    """
    from augkit.lexicons.evaluative import KINDS, bundled_lexicon

    found = [bundled_lexicon().find(kind, word) for word in feature.split() for kind in KINDS]
    return any(entry is not None and not entry.conditional for entry in found)


def _line(
    row: Mapping[str, Any], alpha: float, new: list[Mapping[str, Any]], *, several: bool
) -> str:
    after, turned = row["after"], _turned(row, new)
    now = f"{100 * after['share']:.0f} %" if after["rows"] else "almost no such rows"
    verdict = "no longer significant"
    if after.get("z", 0.0) >= _CLEAR_ALONE:
        verdict = "weaker: clear alone, not after correction"
    if after["q"] <= alpha:
        verdict = "still predicts it" + (_OPINION if _is_opinion(row["feature"]) else "")
    verdict = f"now predicts {turned}" if turned else verdict
    shares = f"{100 * row['share']:.0f} % → {now}{_base_rate(row, after)}"
    name = shortcut_name(row, several=several)
    return printable(f"{name} ({row['label']}): {shares}: {verdict}")
