"""The page of ``augkit audit``: rates by group, comparisons, and the pairs that differ most."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from augkit.core.results import Score, read_json_file
from augkit.report.page.chart import Bar, chart
from augkit.report.page.templates import write
from augkit.text.printable import shown_p

AUDIT_FILE = "audit.json"
_SERIES, _CAPTION = "share of favourable decisions", "with 95 % intervals"


def write_audit_page(folder: Path, most: int) -> Path:
    """Write the page of an audit; it shows at most ``most`` pairs."""
    record = read_json_file(folder / AUDIT_FILE)
    bars = [
        Bar.of(f"{rates['axis']}: {rates['group']}", _SERIES, Score(**rates["rate"]))
        for rates in record["groups"]
    ]
    return write(
        folder,
        "audit.html",
        name=folder.resolve().name,
        found=record,
        subject=record.get("model") or record.get("answers", ""),
        chart=chart("favourable decisions", bars, _CAPTION),
        comparisons=[_comparison(comparison) for comparison in record["comparisons"]],
        has_logits=record["comparisons"][0]["logit"] is not None,
        pairs=[_pair(*pair) for pair in record["pairs"][:most]],
    )


def _comparison(comparison: Mapping[str, Any]) -> tuple[str, ...]:
    points = [f"{100 * comparison['difference'][key]:+.1f}" for key in ("value", "low", "high")]
    logit = comparison["logit"]  # none: plain answers
    return (
        comparison["axis"],
        f"{comparison['second']} - {comparison['first']}",
        f"{points[0]} ({points[1]} to {points[2]})",
        *(
            [f"{logit['value']:+.2f} ({logit['low']:+.2f} to {logit['high']:+.2f})"]
            if logit
            else []
        ),
        f"{100 * comparison['flips']['value']:.1f}\u00a0%",
        shown_p(comparison["p_corrected"]),
        "alarm" if comparison["alarm"] else "",
        f"{comparison['difference']['n']:,}",
    )


def _pair(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[dict[str, Any]]:
    words = [decision["text"].split() for decision in (first, second)]
    changes = SequenceMatcher(None, words[0], words[1], autojunk=False).get_opcodes()
    sides = []
    for side, decision in enumerate((first, second)):
        parts = []  # pieces of the text, and whether the other text has something else there
        for tag, *span in changes:
            start, end = span[2 * side : 2 * side + 2]
            if end > start:
                parts.append((" ".join(words[side][start:end]), tag != "equal"))
        percent = f"{100 * decision['favourable']:.0f}"
        sides.append({**decision, "parts": parts, "percent": percent})
    return sides
