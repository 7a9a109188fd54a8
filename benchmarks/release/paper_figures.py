"""What the papers report beside what is measured here, as ``papers.yaml`` lists it.

An entry has the paper's table and figure, and ours as a text with names in braces. Each name is a
figure of a stored result: the result, a title of its tables, a row (a value, or all of several
values, of any columns) and the column. So our figures come from the stored results alone. An entry
without ``ours`` was not measured, and its conclusion says why.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.release.results import table_text, value_text

Entry = Mapping[str, Any]
Results = Mapping[str, Mapping[str, Any]]


def paper_rows(entries: Sequence[Entry], results: Results) -> str:
    """A Markdown table of the entries of one paper, and when their results were measured."""
    rows = [
        {
            "table": entry["table"],
            "paper": entry["reports"],
            "ours": ours(entry, results),
            "conclusion": entry["conclusion"],
        }
        for entry in entries
    ]
    names = {place[0] for entry in entries for place in entry.get("figures", {}).values()}
    dates = "; ".join(f"`{name}` {results[name]['date']}" for name in sorted(names))
    return f"{table_text(rows)}\n\nStored results and their dates: {dates}."


def ours(entry: Entry, results: Results) -> str | None:
    """Our figures in their text; a name without a figure, or one that is not used, is an error."""
    if "ours" not in entry:
        return None
    figures = {name: figure(*place, results) for name, place in entry.get("figures", {}).items()}
    unused = [name for name in figures if f"{{{name}}}" not in entry["ours"]]
    if unused:
        raise KeyError(f"{entry['table']}: the text does not use {', '.join(unused)}")
    return str(entry["ours"]).format(**figures)


def figure(result: str, title: str, row: str | Sequence[str], column: str, results: Results) -> str:
    """One figure of a stored result; what is not there is an error."""
    wanted = {row} if isinstance(row, str) else set(row)
    for values in results[result]["tables"][title]:
        if wanted <= {value for value in values.values() if isinstance(value, str)}:
            return value_text(values[column])
    raise KeyError(f"{result}: no row {sorted(wanted)} in '{title}'")
