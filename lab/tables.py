"""Markdown tables of the stored results, for the pages of the docs.

A page names a stored result in a paragraph that is only a link. GitHub shows the link; the build of
the docs calls ``fill``, which puts the table in its place:

    [TITLE OF A TABLE](../../lab/results.json#NAME)    one table of the result
    [NAME](../../lab/results.json#NAME)                all tables of the result
    [PAPER](../../lab/papers.yaml#PAPER)               what a paper reports, and ours beside it

This file imports nothing but the standard library and yaml: the build of the docs has no more.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import yaml

RESULTS = Path(__file__).with_name("results.json")
PAPERS = Path(__file__).with_name("papers.yaml")
LINK = re.compile(
    r"(?:^|(?<=\n\n))"
    r"\[(?P<text>[^\n]+)\]\((?P<place>[^()\s]*lab/)(?P<file>results\.json|papers\.yaml)#(?P<name>[^()\s]+)\)"
    r"(?=\n*\Z|\n\n)"
)
"""A link to a stored result that is a paragraph of its own."""
FENCE = re.compile(r"^(?P<fence>`{3,}|~{3,}).*?^(?P=fence)[ ]*$", re.DOTALL | re.MULTILINE)
"""A block of code, in which a link is only text."""
Row = Mapping[str, Any]
Results = Mapping[str, Mapping[str, Any]]
Entry = Mapping[str, Any]


def read_results(path: Path = RESULTS) -> dict[str, dict[str, Any]]:
    """The stored results by name."""
    return json.loads(path.read_text(encoding="utf-8"))["results"]


def read_papers(path: Path = PAPERS) -> list[Entry]:
    """What the papers report, and where ours is stored."""
    return yaml.safe_load(path.read_text(encoding="utf-8"))


# Tables


def value_text(value: Any) -> str:
    """Write a figure as it stands in a cell.

    >>> value_text(0.123456), value_text(12345.6), value_text(None), value_text([1.5, 2])
    ('0.1235', '12,346', '-', '1.5, 2')
    """
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
    if isinstance(value, list | tuple):
        return ", ".join(map(value_text, value))
    return str(value)


def cell_text(value: Any) -> str:
    """Write a value as Markdown: nothing in it is markup but links and code."""
    return re.sub(r"([|*<])", r"\\\1", value_text(value)).replace("\n", " ")


def table_text(rows: Sequence[Row]) -> str:
    """Write rows as a Markdown table; a column that any row has is a column."""
    columns = list(dict.fromkeys(column for row in rows for column in row))
    lines = [[cell_text(column) for column in columns], ["---"] * len(columns)]
    lines += [[cell_text(row.get(column)) for column in columns] for row in rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


# Results


def result_text(name: str, results: Results, title: str | None = None) -> str:
    """Write one table of a result, or all, and below how it was measured."""
    result = _look_up(name, results, "result")
    tables = result["tables"]
    titles = list(tables)
    if title is not None:
        _look_up(title, tables, f"table of '{name}'")
        titles = [title]
    parts = []
    for one in titles:
        parts += [f"**{one}**", table_text(tables[one])]
    parts.append(measured_text(result))
    return "\n\n".join(parts)


def measured_text(result: Mapping[str, Any]) -> str:
    """Say how a result was measured: what a reader needs to repeat it."""
    about = f"Measured {result['date'] or 'before this release'} on {result['machine']}"
    about += f" by `{result['command']}`"
    if result["commit"] is not None:
        about += f" at commit {result['commit']}"
    if result["seed"] is not None:
        about += f", seed {result['seed']}"
    about += "."
    if result["note"] is not None:
        about += f" {result['note']}"
    return about


# Papers


def paper_text(paper: str, papers: Sequence[Entry], results: Results) -> str:
    """Write what a paper reports and ours beside it, and when ours was measured."""
    _look_up(paper, [entry["paper"] for entry in papers], "paper")
    rows = []
    names = set()
    for entry in papers:
        if entry["paper"] == paper:
            shown = {"table": entry["table"], "paper": entry["reports"]}
            shown["ours"] = our_text(entry, results)
            shown["conclusion"] = entry["conclusion"]
            rows.append(shown)
            names |= {place[0] for place in entry.get("figures", {}).values()}
    dates = "; ".join(f"`{name}` {results[name]['date']}" for name in sorted(names))
    return f"{table_text(rows)}\n\nStored results and their dates: {dates}."


def our_text(entry: Entry, results: Results) -> str | None:
    """Put our figures into their text; a figure that is not there or not used is an error."""
    if "ours" not in entry:
        return None
    figures = {}
    for name, place in entry.get("figures", {}).items():
        if f"{{{name}}}" not in entry["ours"]:
            raise KeyError(f"the text of table {entry['table']} does not use {name}")
        figures[name] = stored_figure(*place, results)
    return str(entry["ours"]).format(**figures)


def stored_figure(
    name: str, title: str, row: str | Sequence[str], column: str, results: Results
) -> str:
    """Look up one figure: the row is the first that has this value, or all of these values."""
    tables = _look_up(name, results, "result")["tables"]
    wanted = {row} if isinstance(row, str) else set(row)
    for values in _look_up(title, tables, f"table of '{name}'"):
        if wanted <= {value for value in values.values() if isinstance(value, str)}:
            return value_text(_look_up(column, values, f"column of '{title}'"))
    raise KeyError(f"there is no row {sorted(wanted)} in '{title}' of '{name}'")


# Pages


def fill(text: str, results: Results, papers: Sequence[Entry] | None = None) -> str:
    """Replace each paragraph that is only a link to a result or a paper by its tables.

    KeyError names what is not stored, and what is like it. Blocks of code stay as they are.
    """

    def table(match: re.Match[str]) -> str:
        name = match["name"]
        if match["file"] == PAPERS.name:
            return paper_text(name, read_papers() if papers is None else papers, results)
        return result_text(name, results, None if match["text"] == name else match["text"])

    parts = []
    end = 0
    for code in FENCE.finditer(text):
        parts += [LINK.sub(table, text[end : code.start()]), code[0]]
        end = code.end()
    parts.append(LINK.sub(table, text[end:]))
    return "".join(parts)


def _look_up(name: str, stored: Any, kind: str) -> Any:
    """What is stored under a name; KeyError says which names are like it."""
    if name in stored:
        return stored[name] if isinstance(stored, Mapping) else name
    raise KeyError(f"there is no {kind} '{name}'; {_alike(name, stored)}")


def _alike(name: str, stored: Iterable[str]) -> str:
    known = list(dict.fromkeys(stored))
    alike = get_close_matches(name, known, n=3)
    if alike:
        return f"there is: {', '.join(alike)}"
    return f"there are: {', '.join(known)}" if len(known) <= 10 else "none is like it"
