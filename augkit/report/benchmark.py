"""The result of a bias benchmark, as a table for people or as JSON for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from augkit.report.tables import print_rows


def print_benchmark(record: Mapping[str, Any], *, as_json: bool) -> None:
    """Print what was measured, the scores with their intervals, and the caveats."""
    if as_json:
        sys.stdout.write(json.dumps(record, ensure_ascii=False) + "\n")
        return
    sys.stdout.write(f"{record['benchmark']} ({record['score']}): {record['about']}\n")
    print_rows([_row(score) for score in record["scores"]], json_lines=False)
    for caveat in record["caveats"]:
        sys.stdout.write(f"Caveats: {caveat}\n")


def _row(score: Mapping[str, Any]) -> dict[str, object]:
    """A score that is not an estimate (a p-value, a mean over fixed tests) has no interval."""
    certain = score["low"] == score["value"] == score["high"]
    interval = "" if certain else f"{score['low']:.2f} to {score['high']:.2f}"
    return {
        "score": score["name"],
        "value": f"{score['value']:.3f}",
        "95 % interval": interval,
        "items": f"{score['n']:,}",
    }
