"""What the papers report beside what is measured here, as ``papers.yaml`` lists it.

An entry names the paper's table and figure, and where ours is: a stored result, a title of its
tables, the row (a value of any column) and the column. ``ours`` may also be a list of these. An
entry without it was not measured and says why. Our figures come from the stored results alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.release.results import table_text, value_text

Results = Mapping[str, Mapping[str, Any]]


def paper_rows(entries: Sequence[Mapping[str, Any]], results: Results) -> str:
    """A Markdown table for each paper."""
    parts = []
    for paper in dict.fromkeys(entry["paper"] for entry in entries):
        rows = [
            {
                "table": entry["table"],
                "paper": entry["reports"],
                "augkit": ours(entry.get("ours"), results),
                "verdict": entry["verdict"],
            }
            for entry in entries
            if entry["paper"] == paper
        ]
        parts += [f"### {paper}", table_text(rows)]
    return "\n\n".join(parts)


def ours(places: Any, results: Results) -> str | None:
    """Our figures at these places, joined; a place that is not there is an error."""
    if places is None:
        return None
    if isinstance(places, Mapping):
        places = [places]
    return "; ".join(f"{one.get('says', '')} {figure(one, results)}".strip() for one in places)


def figure(place: Mapping[str, Any], results: Results) -> str:
    """One figure of a stored result."""
    if place["result"] not in results:
        return "not measured"
    rows = results[place["result"]]["tables"][place["title"]]
    for row in rows:
        if place["row"] in row.values():
            return value_text(row[place["column"]])
    raise KeyError(f"{place['result']}: no row '{place['row']}' in '{place['title']}'")
