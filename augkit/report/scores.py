"""The results of an evaluation: the verdict and tables for people, JSON for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from augkit.report.tables import print_rows

Record = Mapping[str, Any]


def print_scores(scores: Mapping[str, Any], *, as_json: bool) -> None:
    """Print the content of ``scores.json``: the verdict, then a table for each metric and test set.

    As JSON, a single record stands alone.
    """
    records = scores["results"]
    if as_json:
        content = records[0] if len(records) == 1 else scores
        sys.stdout.write(json.dumps(content, ensure_ascii=False) + "\n")
        return
    for heading, sentences in scores["verdict"].items():
        for sentence in sentences:
            sys.stdout.write(f"{heading.capitalize()}: {sentence}\n")
    for (metric, test), own in _by_table(records).items():
        sys.stdout.write(f"\n{metric} on {test}\n")
        print_rows([row for record in own for row in _rows(record, own)], json_lines=False)
        for note in _notes(own):
            sys.stdout.write(note + "\n")


def _by_table(records: Sequence[Record]) -> dict[tuple[str, str], list[Record]]:
    tables: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        tables.setdefault((record["metric"], record["test"]), []).append(record)
    return tables


def _rows(record: Record, own: Sequence[Record]) -> Iterator[dict[str, object]]:
    scores = record.get("scores") or {_title(record, own): record["difference"]}
    for name, score in scores.items():
        yield {
            "trained on": record.get("train") or f"{record['to']} - {record['from']}",
            "score": name.replace("_", " "),
            "value": f"{score['value']:.4f}",
            "95 % interval": f"{score['low']:.4f} to {score['high']:.4f}",
            "rows": f"{score['n']:,}",
        }


def _title(record: Record, own: Sequence[Record]) -> str:
    """The difference, and of which score where that is not the main one."""
    main = next(iter(own[0]["scores"]), "")
    return "difference" if record["score"] == main else f"difference, {record['score']}"


def _notes(records: Sequence[Record]) -> Iterator[str]:
    for record in records:
        if seeds := record.get("seeds"):
            values = ", ".join(f"{value:.4f}" for value in seeds["values"])
            yield f"{record['train']}, {seeds['of']}: {values}"
        if "p" in record:
            many = f" ({record['p_corrected']:.4g} by Holm)" if "p_corrected" in record else ""
            yield f"{_title(record, records)}: p = {record['p']:.4g}{many}"
