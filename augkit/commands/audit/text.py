"""What ``augkit audit`` prints, and its page: rates, comparisons, the pairs that differ most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from augkit.commands.audit.statistics import GroupComparison
from augkit.core.json_files import load_json
from augkit.core.results import Score, read_answers
from augkit.evaluation.statistics.intervals import ALPHA
from augkit.evaluation.verdict import points
from augkit.report.page.chart import Bar, chart
from augkit.report.page.templates import write
from augkit.report.terminal import llm_notes, print_lines, print_rows
from augkit.text.printable import counted, shown_p

AUDIT_FILE = "audit.json"


def audit_verdict(comparisons: Sequence[GroupComparison], no_decision: str) -> list[str]:
    """Each alarm; else that there is none, or that nothing is decided.

    ``no_decision`` says that most answers follow the order of the options, or are near 0.5: then a
    missing alarm means nothing. An alarm stands, because both orders count alike in it.
    """
    alarms = [comparison for comparison in comparisons if comparison.alarm]
    if not alarms and no_decision:
        return [f"Not decided: {no_decision}"]
    if not alarms:
        low_p = any(comparison.p_corrected < ALPHA for comparison in comparisons)
        why = " An alarm also needs an interval without 0." if low_p else ""
        return [f"No alarm in {counted(len(comparisons), 'comparison')}.{why}"]
    return [
        f"Alarm: {comparison.axis}: {comparison.second} {points(comparison.difference.value)} "
        f"points against {comparison.first} ({points(comparison.difference.low)} to "
        f"{points(comparison.difference.high)})"
        for comparison in alarms
    ]


def print_audit(record: Mapping[str, Any]) -> None:
    """Print rates by group, comparisons with alarms, caveats, and where the page is."""
    if "comparisons" not in record:
        print_lines("The first scenario, for each group:")
        print_lines(*(f"  {case['group']}: {case['text']}" for case in record["first"]))
        print_lines(
            f"{record['folder']}/questions.jsonl: {record['questions']:,} questions. Write each "
            "'answer', then: augkit audit --answers FILE; or let a model decide: --model llm:..."
        )
        print_lines(*(f"Caveats: {caveat}" for caveat in record["caveats"]))
        return
    print_rows([_group(rates) for rates in record["groups"]])
    for axis, comparisons in groupby(record["comparisons"], itemgetter("axis")):
        rows = []
        for comparison in comparisons:
            gap = comparison["difference"]
            logit = comparison["logit"]
            rows.append(
                {
                    axis: f"{comparison['second']} - {comparison['first']}",
                    "points": points(gap["value"]),
                    "interval": f"{points(gap['low'])} to {points(gap['high'])}",
                    **({} if logit is None else {"logits": f"{logit['value']:+.2f}"}),
                    "flips": f"{100 * comparison['flips']['value']:.1f} %",
                    "corrected": shown_p(comparison["p_corrected"]),
                    "": "alarm" if comparison["alarm"] else "",
                }
            )
        print_rows(rows)
    print_lines(*record["verdict"])
    print_lines(*llm_notes(read_answers(record.get("llm"))))
    print_lines(*(f"Caveats: {caveat}" for caveat in record["caveats"]))
    print_lines(f"{record['folder']}: report.html, audit.json, answers.jsonl")


def _group(rates: Mapping[str, Any]) -> dict[str, str]:
    rate = rates["rate"]
    mean = f"{rates['probability']['value']:.3f}"
    logit = rates["logit"]
    means = {"mean answer": mean}
    if logit is not None:
        means = {"mean probability": mean, "mean logit": f"{logit:+.2f}"}
    return {
        "axis": rates["axis"],
        "group": rates["group"],
        "favourable": f"{100 * rate['value']:.1f} %",
        "95 % interval": f"{100 * rate['low']:.1f} to {100 * rate['high']:.1f}",
        **means,
        "cases": f"{rate['n']:,}",
    }


def write_audit_page(folder: Path, most: int) -> Path:
    """Write the page of an audit; it shows at most ``most`` pairs."""
    advice = "Delete it and repeat augkit audit"
    return load_json(folder / AUDIT_FILE, lambda record: _write_page(folder, record, most), advice)


def _write_page(folder: Path, record: Mapping[str, Any], most: int) -> Path:
    series = "share of favourable decisions"
    bars = [
        Bar.of(f"{rates['axis']}: {rates['group']}", series, Score(**rates["rate"]))
        for rates in record["groups"]
    ]
    rows = []
    for comparison in record["comparisons"]:
        gap, logit = comparison["difference"], comparison["logit"]  # no logit: plain answers
        logits = []
        if logit:
            logits = [f"{logit['value']:+.2f} ({logit['low']:+.2f} to {logit['high']:+.2f})"]
        rows.append(
            (
                comparison["axis"],
                f"{comparison['second']} - {comparison['first']}",
                f"{points(gap['value'])} ({points(gap['low'])} to {points(gap['high'])})",
                *logits,
                f"{100 * comparison['flips']['value']:.1f}\u00a0%",
                shown_p(comparison["p_corrected"]),
                "alarm" if comparison["alarm"] else "",
                f"{gap['n']:,}",
            )
        )
    return write(
        folder,
        "audit.html",
        name=folder.resolve().name,
        found=record,
        subject=record.get("model") or record.get("answers", ""),
        chart=chart("favourable decisions", bars, "with 95 % intervals"),
        comparisons=rows,
        has_logits=record["comparisons"][0]["logit"] is not None,
        pairs=[_pair(*pair) for pair in record["pairs"][:most]],
    )


def _pair(*decisions: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The two decisions, each with the pieces of its text and whether the other differs there."""
    words = [decision["text"].split() for decision in decisions]
    changes = SequenceMatcher(None, words[0], words[1], autojunk=False).get_opcodes()
    sides = []
    for side, decision in enumerate(decisions):
        parts = []
        for tag, *span in changes:
            start, end = span[2 * side : 2 * side + 2]
            if end > start:
                parts.append((" ".join(words[side][start:end]), tag != "equal"))
        sides.append({**decision, "parts": parts, "percent": f"{100 * decision['favourable']:.0f}"})
    return sides
