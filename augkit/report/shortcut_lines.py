"""What a run left of the strongest shortcuts of its originals, in one line each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from augkit.core.survey import SURVEY_FILE
from augkit.report.page.render import read_json_file
from augkit.text.printable import printable

_SHOWN = 3
_POSITIONS = {"first word", "last word"}


def shortcut_lines(folder: Path) -> list[str]:
    """Lines from the survey of a run folder; none where no shortcut was found beyond chance.

    Features that share a word (``riverside``, ``riverside branch``) are one shortcut: the strongest
    stands for it. A finder whose rows have no corrected p for the result has no lines.
    """
    survey = read_json_file(folder / "shortcuts" / SURVEY_FILE) or {}
    rows = [row for row in survey.get("rows", ()) if "q" in (row.get("after") or {})]
    several = len({row["field"] for row in rows}) > 1
    alpha = survey.get("about", {}).get("alpha", 0.05)
    return [_line(row, alpha, several=several) for row in _distinct(rows)]


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


def _line(row: Mapping[str, Any], alpha: float, *, several: bool) -> str:
    after, kind = row["after"], row["kind"]
    name = f"{kind} '{row['feature']}'" if kind in _POSITIONS else f"'{row['feature']}'"
    where = f" in {row['field']}" if several else ""
    now = f"{100 * after['share']:.1f} % of rows" if after["rows"] else "almost no such rows"
    verdict = "still predicts it" if after["q"] <= alpha else "no longer significant"
    return printable(
        f"{name}{where} ({row['label']}): {100 * row['share']:.1f} % → {now}: {verdict}"
    )
