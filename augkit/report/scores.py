"""What evaluation measured, as a table for people or as JSON for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from augkit.report.tables import print_rows

_PLAIN = frozenset({"accuracy", "changed_rows", "fairscore"})
"""Differences that need no further name."""


def print_scores(scores: Mapping[str, Any], *, as_json: bool) -> None:
    """Print what ``scores.json`` holds: the verdict, then a table; one record alone as it is."""
    records = scores["results"]
    if as_json:
        told = records[0] if len(records) == 1 else scores
        sys.stdout.write(json.dumps(told, ensure_ascii=False) + "\n")
        return
    _print_verdict(scores["verdict"])
    print_rows([row for record in records for row in _rows(record)], json_lines=False)
    for note in _notes(records):
        sys.stdout.write(note + "\n")


def _print_verdict(verdict: Mapping[str, Sequence[str]]) -> None:
    for heading, sentences in verdict.items():
        for sentence in sentences:
            sys.stdout.write(f"{heading.capitalize()}: {sentence}\n")


def _rows(record: Mapping[str, Any]) -> Iterator[dict[str, object]]:
    train = record.get("train") or f"{record['from']} → {record['to']}"
    for what, score in _scores(record):
        yield {
            "metric": record["metric"],
            "train": train,
            "test": record["test"],
            "what": what,
            "value": f"{score['value']:.4f}",
            "95 % interval": f"{score['low']:.4f} to {score['high']:.4f}",
            "rows": f"{score['n']:,}",
        }


def _scores(record: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every score of a record under a name for people."""
    for name, score in record.get("scores", {}).items():
        yield name, score
    if "difference" in record:
        what = record.get("what", record["metric"])
        yield "difference" if what in _PLAIN else f"difference, {what}", record["difference"]
    for name in ("changed_rows", "all_rows"):
        if name in record:
            yield name.replace("_", " "), record[name]
    for group in ("by_axis", "by_pair"):
        for name, score in record.get(group, {}).items():
            yield name, score
    for side, score in record.get("accuracy", {}).items():
        yield f"accuracy, {side}", score
    if control := record.get("control"):
        yield "control: random edits", control
        yield "above control", control["above_control"]


def _notes(records: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for record in records:
        if seeds := record.get("seeds"):
            values = ", ".join(f"{value:.4f}" for value in seeds["values"])
            yield f"{record['metric']}, {record['train']}, {seeds['of']}: {values}"
        if "p" in record:
            what = "" if record.get("what") in {None, *_PLAIN} else f", {record['what']}"
            told = (
                f"{record['test']}, {record['from']} → {record['to']}{what}: p = {record['p']:.4g}"
            )
            many = f" ({record['p_corrected']:.4g} by Holm)" if "p_corrected" in record else ""
            yield told + many
