"""Rows as a table for people or as JSON lines for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence

from augkit.text.printable import printable


def print_rows(rows: Sequence[Mapping[str, object]], *, json_lines: bool) -> None:
    """Print mappings with the same keys."""
    if json_lines:
        for row in rows:
            sys.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")
        return
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for key in rows[0] if rows else ():
        table.add_column(key, overflow="fold")
    for row in rows:
        table.add_row(*(Text(printable(str(value))) for value in row.values()))
    Console(emoji=False).print(table)
