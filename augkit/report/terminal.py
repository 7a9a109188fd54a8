"""Results on a terminal: sentences and tables for people, JSON for programs."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from shutil import get_terminal_size
from textwrap import TextWrapper, wrap
from typing import Any

from augkit.core.results import Survey
from augkit.report.llm_notes import llm_notes
from augkit.report.training_lines import training_lines
from augkit.text.printable import printable, shown_p

Record = Mapping[str, Any]
_FIGURE = re.compile(r"[+-]?\d[^a-z]*( to |$)|$")
_PADDING = 3
"""Columns of the terminal between two columns of a table."""


def print_rows(
    rows: Sequence[Record], *, json_lines: bool = False, spare: Sequence[str] = ()
) -> None:
    """Print mappings with the same keys; a narrow terminal may leave those of ``spare`` out."""
    if json_lines:
        for row in rows:
            _print_json(row)
        return
    cells = ([printable(str(value)) for value in row.values()] for row in rows)
    _print_table(list(rows[0]) if rows else [], cells, spare)


def print_catalogue(rows: Sequence[Record], *, json_lines: bool) -> None:
    """Print named things with their descriptions; as JSON, with everything about them."""
    if not json_lines:
        shown = ("name", "description", "task", "fields")
        rows = [{key: row[key] for key in shown if key in row} for row in rows]
    print_rows(rows, json_lines=json_lines)


def print_entry(facts: Record, settings: Sequence[Record], *, as_json: bool) -> None:
    """Print everything about one thing of the catalogue, and its settings."""
    if as_json:
        _print_json({**facts, "settings": list(settings)})
        return
    _print_table(["", ""], ([key, printable(str(value))] for key, value in facts.items()))
    if settings:
        print_rows(settings)


def print_benchmark(record: Record, *, as_json: bool) -> None:
    """Print what was measured, the scores with their intervals, and the caveats."""
    if as_json:
        _print_json(record)
        return
    print_lines(f"{record['benchmark']} ({record['score']}): {record['about']}")
    print_rows([_benchmark_row(score) for score in record["scores"]])
    print_lines(*llm_notes(record.get("llm") or {}))
    print_lines(*(f"Caveats: {caveat}" for caveat in record["caveats"]))


def print_survey(survey: Survey, subject: Record, *, as_json: bool) -> None:
    """Print a survey; ``subject`` says of which dataset and by which finder."""
    if as_json:
        _print_json({**subject, **survey.record()})
        return
    print_lines(", ".join(f"{key}: {value}" for key, value in survey.about.items()))
    for table in survey.tables:
        print_lines(f"\n{table.title}")
        if table.rows:
            rows = [dict(zip(table.header, row, strict=True)) for row in table.rows]
            print_rows(rows, spare=table.spare)
        else:
            print_lines("  nothing")
    print_lines(*(f"Note: {warning}" for warning in survey.warnings))


def print_scores(scores: Record, *, as_json: bool) -> None:
    """Print the content of ``scores.json``: the verdict, then a table for each metric and test set.

    As JSON, a single record stands alone.
    """
    records = scores["results"]
    if as_json:
        _print_json(records[0] if len(records) == 1 else scores)
        return
    for heading, sentences in scores["verdict"].items():
        print_lines(*(f"{heading.capitalize()}: {sentence}" for sentence in sentences))
    tables: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        tables.setdefault((record["metric"], record["test"]), []).append(record)
    for (metric, test), own in tables.items():
        print_lines(f"\n{metric} on {test}")
        print_rows([row for record in own for row in _score_rows(record, own)])
        print_lines(*_score_notes(own))


def print_written(files: Sequence[Path]) -> None:
    """Say where results were written; not on the standard output, which may be JSON."""
    for path in files:
        sys.stderr.write(f"Written: {path}\n")


def print_training(record: Record, folder: Path, *, as_json: bool) -> None:
    """Print the content of ``training.json`` as JSON, or a summary."""
    if as_json:
        _print_json(record)
    else:
        print_lines(*training_lines(record, folder))


def print_perturbed(text: str, answer: Record, *, json_line: bool) -> None:
    """Print the new text, then the old one with every edit in brackets; or all of it as JSON."""
    if json_line:
        _print_json(answer)
        return
    print_lines(printable(answer["output"]))
    rejected = answer["rejected"]
    print_lines(printable(f"rejected: {rejected}" if rejected else marked(text, answer["edits"])))


def marked(text: str, edits: list[Record]) -> str:
    """The text with edits as ``[before → after]``.

    >>> marked("He ran.", [{"start": 0, "end": 2, "before": "He", "after": "She"}])
    '[He → She] ran.'
    """
    for edit in sorted(edits, key=lambda edit: -int(edit["start"])):
        change = f"[{edit['before']} → {edit['after']}]"
        text = text[: edit["start"]] + change + text[edit["end"] :]
    return text


def print_lines(*lines: str) -> None:
    """Lines; on a terminal none is wider than it, and no word is broken."""
    width = get_terminal_size().columns if sys.stdout.isatty() else 0
    wrapper = TextWrapper(width, break_long_words=False, break_on_hyphens=False)
    for line in "\n".join(lines).split("\n") if lines else ():
        wrapper.subsequent_indent = line[: len(line) - len(line.lstrip())]
        parts = wrapper.wrap(line) if width else []
        sys.stdout.write("\n".join(parts or [line]) + "\n")


def _print_json(record: Record) -> None:
    sys.stdout.write(json.dumps(record, ensure_ascii=False) + "\n")


def _print_table(
    header: Sequence[str], rows: Iterable[Sequence[str]], spare: Sequence[str] = ()
) -> None:
    """A table; where the longest words do not fit side by side, one block of lines per row.

    Before that, columns of ``spare`` are left out.
    """
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console, listed = Console(emoji=False), [list(row) for row in rows]
    columns = list(zip(header, *listed, strict=True))
    for count in range(len(spare) + 1):
        kept = [column for column in columns if column[0] not in spare[:count]]
        widths = _fitted(kept, console.width - _PADDING * len(kept) + 1)
        if widths is not None:
            break
    else:
        print_lines(*_stacked(header, listed, console.width))
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column, width in zip(kept, widths, strict=True):
        table.add_column(column[0], width=width)
    for row in zip(*(column[1:] for column in kept), strict=True):
        table.add_row(*map(Text, row))
    console.print(table)
    if count:
        print_lines(f"Not shown at this width: {', '.join(spare[:count])} (--json has all)")


def _fitted(columns: Sequence[Sequence[str]], space: int) -> list[int] | None:
    """The widths of columns that fit into the space with whole words; None where they cannot.

    Where the cells do not fit on one line each, the columns with the most to spare are narrowed.

    >>> _fitted([["a", "b"], ["words", "several words"]], 10), _fitted([["longer"]], 5)
    ([1, 9], None)
    """
    from rich.cells import cell_len

    least = [_longest_word(cells) for cells in columns]
    widths = [max(1, *map(cell_len, cells)) for cells in columns]
    while sum(widths) > space:
        spare = [width - low for width, low in zip(widths, least, strict=True)]
        if not any(spare):
            return None
        widths[spare.index(max(spare))] -= 1
    return widths


def _longest_word(cells: Sequence[str]) -> int:
    """The width of the longest word; figures, such as an interval, are one.

    >>> _longest_word(["95 % interval", "+0.1 to +0.2"]), _longest_word(["method", "eda, 3 times"])
    (12, 6)
    """
    from rich.cells import cell_len

    figures = all(_FIGURE.match(cell) for cell in cells[1:])
    words = (word for cell in cells for word in cell.split())
    return max(map(cell_len, (*words, *(cells[1:] if figures else ()))), default=1)


def _stacked(header: Sequence[str], rows: Iterable[Sequence[str]], width: int) -> Iterator[str]:
    """Each row as lines "key  value"; long values go on in the next line, indented."""
    first = max(map(len, header)) + 2
    for row in rows:
        for key, cell in zip(header, row, strict=True):
            if not cell:
                continue
            indent = " " * first
            lines = wrap(cell, max(20, width - first), break_long_words=False) or [""]
            yield f"{key:<{first}}{lines[0]}".rstrip()
            yield from (f"{indent}{line}" for line in lines[1:])
        yield ""


def _benchmark_row(score: Record) -> Record:
    """A score that is not an estimate (a p-value, a mean over fixed tests) has no interval."""
    certain = score["low"] == score["value"] == score["high"]
    return {
        "score": score["name"],
        "value": f"{score['value']:.3f}",
        "95 % interval": "" if certain else f"{score['low']:.2f} to {score['high']:.2f}",
        "items": f"{score['n']:,}",
    }


def _score_rows(record: Record, own: Sequence[Record]) -> Iterator[Record]:
    scores = record.get("scores") or {_difference_title(record, own): record["difference"]}
    for name, score in scores.items():
        yield {
            "model" if "llm" in record else "trained on": record.get("train")
            or f"{record['to']} - {record['from']}",
            "score": name.replace("_", " "),
            "value": f"{score['value']:.4f}",
            "95 % interval": f"{score['low']:.4f} to {score['high']:.4f}",
            "rows": f"{score['n']:,}",
        }


def _difference_title(record: Record, own: Sequence[Record]) -> str:
    """The difference, and of which score where that is not the main one."""
    main = next(iter(own[0]["scores"]), "")
    return "difference" if record["score"] == main else f"difference, {record['score']}"


def _score_notes(records: Sequence[Record]) -> Iterator[str]:
    several = len({record["to"] for record in records if "to" in record}) > 1
    for record in records:
        if seeds := record.get("seeds"):
            values = ", ".join(f"{value:.4f}" for value in seeds["values"])
            yield f"{record['train']}, {seeds['of']}: {values}"
        yield from llm_notes(record.get("llm") or {})
        if "p" in record:
            many = f" ({shown_p(record['p_corrected'])} by Holm)" if "p_corrected" in record else ""
            title = _difference_title(record, records)
            of = f" ({record['to']} - {record['from']})" if several else ""
            yield f"{title}{of}: {shown_p(record['p'])}{many}"
