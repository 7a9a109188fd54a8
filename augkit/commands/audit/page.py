"""The page of ``augkit audit``: rates by group, comparisons, and the pairs that differ most."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from augkit.report.page.chart import Bar, chart
from augkit.report.page.render import read_json_file, write
from augkit.text.printable import shown_p

AUDIT_FILE = "audit.json"
_SERIES, _CAPTION = "share of favourable decisions", "with 95 % intervals"


def write_audit_page(folder: Path, most: int) -> Path:
    """Write the page of an audit; it shows at most ``most`` pairs."""
    found = read_json_file(folder / AUDIT_FILE)
    bars = [
        Bar.of(f"{one['axis']}: {one['group']}", _SERIES, one["rate"]) for one in found["groups"]
    ]
    return write(
        folder,
        "audit.html",
        name=folder.resolve().name,
        found=found,
        subject=found.get("model") or found.get("answers", ""),
        chart=chart("favourable decisions", bars, _CAPTION),
        comparisons=[_comparison(one) for one in found["comparisons"]],
        has_logits=found["comparisons"][0]["logit"] is not None,
        pairs=[_pair(*both) for both in found["pairs"][:most]],
    )


def _comparison(one: Mapping[str, Any]) -> tuple[str, ...]:
    points = [f"{100 * one['difference'][key]:+.1f}" for key in ("value", "low", "high")]
    return (
        one["axis"],
        f"{one['second']} - {one['first']}",
        f"{points[0]} ({points[1]} to {points[2]})",
        *_logit(one["logit"]),
        f"{100 * one['flips']['value']:.1f}\u00a0%",
        shown_p(one["p_corrected"]),
        "alarm" if one["alarm"] else "",
        f"{one['difference']['n']:,}",
    )


def _logit(score: Mapping[str, Any] | None) -> list[str]:
    if score is None:
        return []  # plain answers
    return [f"{score['value']:+.2f} ({score['low']:+.2f} to {score['high']:+.2f})"]


def _pair(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[dict[str, Any]]:
    words = [one["text"].split() for one in (first, second)]
    changes = SequenceMatcher(None, words[0], words[1], autojunk=False).get_opcodes()
    sides = []
    for side, one in enumerate((first, second)):
        spans = [(tag, *span[2 * side : 2 * side + 2]) for tag, *span in changes]
        parts = list(_parts(words[side], spans))
        sides.append({**one, "parts": parts, "percent": f"{100 * one['favourable']:.0f}"})
    return sides


def _parts(words: list[str], spans: list[tuple[Any, ...]]) -> Iterator[tuple[str, bool]]:
    """Pieces of a text, and whether the other text has something else there."""
    for tag, start, end in spans:
        if end > start:
            yield " ".join(words[start:end]), tag != "equal"
