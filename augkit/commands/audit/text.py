"""What ``augkit audit`` prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from augkit.core.results import read_answers
from augkit.report.terminal import llm_notes, print_lines, print_rows
from augkit.text.printable import counted, shown_p


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
    for _, comparisons in groupby(record["comparisons"], itemgetter("axis")):
        print_rows([_comparison(comparison) for comparison in comparisons])
    print_lines(*record["verdict"])
    print_lines(*llm_notes(read_answers(record.get("llm"))))
    print_lines(*(f"Caveats: {caveat}" for caveat in record["caveats"]))
    print_lines(f"{record['folder']}: report.html, audit.json, answers.jsonl")


def _group(rates: Mapping[str, Any]) -> dict[str, str]:
    rate, mean, logit = rates["rate"], f"{rates['probability']['value']:.3f}", rates["logit"]
    means = {"mean probability": mean} if logit is not None else {"mean answer": mean}
    if logit is not None:
        means["mean logit"] = f"{logit:+.2f}"
    return {
        "axis": rates["axis"],
        "group": rates["group"],
        "favourable": f"{100 * rate['value']:.1f} %",
        "95 % interval": f"{100 * rate['low']:.1f} to {100 * rate['high']:.1f}",
        **means,
        "cases": f"{rate['n']:,}",
    }


def _comparison(comparison: Mapping[str, Any]) -> dict[str, str]:
    gap, logit = comparison["difference"], comparison["logit"]
    return {
        comparison["axis"]: f"{comparison['second']} - {comparison['first']}",
        "points": f"{100 * gap['value']:+.1f}",
        "interval": f"{100 * gap['low']:+.1f} to {100 * gap['high']:+.1f}",
        **({} if logit is None else {"logits": f"{logit['value']:+.2f}"}),
        "flips": f"{100 * comparison['flips']['value']:.1f} %",
        "corrected": shown_p(comparison["p_corrected"]),
        "": "alarm" if comparison["alarm"] else "",
    }


def audit_verdict(comparisons: Sequence[Mapping[str, Any]], no_decision: str) -> list[str]:
    """Each alarm; else that there is none, or that nothing is decided.

    ``no_decision`` says that most answers follow the order of the options, or are near 0.5: then a
    missing alarm means nothing. An alarm stands, because both orders count alike in it.
    """
    alarms = [comparison for comparison in comparisons if comparison["alarm"]]
    if not alarms and no_decision:
        return [f"Not decided: {no_decision}"]
    if not alarms:
        low_p = any(comparison["p_corrected"] < 0.05 for comparison in comparisons)
        why = " An alarm also needs an interval without 0." if low_p else ""
        return [f"No alarm in {counted(len(comparisons), 'comparison')}.{why}"]
    lines = []
    for comparison in alarms:
        points = [f"{100 * comparison['difference'][key]:+.1f}" for key in ("value", "low", "high")]
        groups = f"{comparison['second']} {points[0]} points against {comparison['first']}"
        lines.append(f"Alarm: {comparison['axis']}: {groups} ({points[1]} to {points[2]})")
    return lines
