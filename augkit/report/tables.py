"""Rows as a table for people or as JSON lines for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence

from augkit.text.printable import printable

Row = Mapping[str, object]


def print_rows(rows: Sequence[Row], *, json_lines: bool) -> None:
    """Print mappings with the same keys."""
    if json_lines:
        for row in rows:
            sys.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")
        return
    cells = ([printable(str(value)) for value in row.values()] for row in rows)
    _print_table(list(rows[0]) if rows else [], cells)


def print_catalogue(rows: Sequence[Row], *, json_lines: bool) -> None:
    """Print named things: beside the name the description, and all other facts below it."""
    if json_lines or not rows or "description" not in rows[0]:
        print_rows(rows, json_lines=json_lines)
        return
    _print_table(["name", "description"], map(_entry, rows))


def _entry(row: Row) -> list[str]:
    name, description, *facts = [(key, printable(str(value))) for key, value in row.items()]
    details = "; ".join(f"{key}: {value}" for key, value in facts)
    return [name[1], f"{description[1]}\n{details}" if details else description[1]]


def _print_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for key in header:
        table.add_column(key, overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    Console(emoji=False).print(table)
