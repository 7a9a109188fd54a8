"""What a grammar finds in a dataset, beside the tables of friedman2022finding.

    augkit shortcuts FILE --by grammar [--set trees=TREES.npz] --out FOLDER
    python -m lab.grammar_tables imdb|subj|snli|qqp FOLDER [--top 10]

Each row of the paper's table has a pattern ("how can/how can"), or several to try in turn; ours is
the strongest group that holds it, whatever else is in the group, or none. A pattern "by hand" is
not the paper's: it was added after looking at our groups. One JSON line: ``rows`` for these, with
the pattern alone on held-out rows, and ``top`` for the strongest groups. A group has the rows that
selected it and their share of its label, the same on held-out rows, the same words as n-grams on
held-out rows (of both texts for pairs, Table 10), and a linear classifier's accuracy on held-out
rows with the group's label and with another (Table 6).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from lab.command_line import argument, arguments, print_line

SHOWN = 5
PAPER = Path(__file__).with_name("grammar_tables.yaml")


def described(group: Mapping[str, Any], rank: int) -> dict[str, Any]:
    """One group in a flat record, shares in per cent."""
    ngrams = next(iter(group.get("as", {}).values()), {})
    linear = group.get("linear", {})
    return {
        "rank": rank,
        "root": group["root"],
        "label": group["label"],
        "patterns": " · ".join(one["pattern"] for one in group["patterns"][:SHOWN]),
        "rows": group["count"],
        "share": percent(group["share"]),
        "held_out_rows": group["held_out_count"],
        "held_out_share": percent(group["held_out_share"]),
        "corrected_p": float(f"{group['corrected_p']:.1g}"),
        "ngram_rows": ngrams.get("held_out_count"),
        "ngram_share": percent(ngrams.get("held_out_share")),
        "supporting": percent(linear.get("supporting_accuracy")),
        "counter": percent(linear.get("counter_accuracy")),
    }


def alone(pattern: Mapping[str, Any]) -> dict[str, Any]:
    """The figures of one subtree, without its group."""
    return {
        "pattern_rows": pattern["held_out_count"],
        "pattern_share": percent(pattern["held_out_share"]),
    }


def percent(share: float | None) -> float | None:
    """A share in per cent, with one digit."""
    return None if share is None or share != share else round(100 * share, 1)  # noqa: PLR0124 - NaN


def beside(groups: Sequence[Mapping[str, Any]], row: Sequence[Any]) -> dict[str, Any]:
    """A row of the paper, and the first group with its pattern, of the same label if there is."""
    name, wanted, label, count, share, *by_hand = row
    paper = {"name": name, "paper_label": label, "paper_rows": count}
    paper["paper_share"] = percent(share)
    patterns = wanted if isinstance(wanted, list) else [wanted]
    for pattern in [*patterns, *by_hand]:
        holding = [
            described(group, rank) | alone(one)
            for rank, group in enumerate(groups, 1)
            for one in group["patterns"]
            if one["pattern"] == pattern
        ]
        if holding:
            same = [one for one in holding if one["label"] == label]
            mark = " (by hand)" if pattern in by_hand else ""
            return {**paper, "pattern": pattern + mark, **(same or holding)[0]}
    none = described(groups[0], 1) | alone(groups[0]["patterns"][0])
    return {**paper, "pattern": patterns[0], **dict.fromkeys(none)}


def main() -> None:
    """Print one line."""
    options = arguments(
        __doc__,
        argument("dataset", choices=("imdb", "subj", "snli", "qqp")),
        argument("folder", type=Path),
        argument("--top", type=int, default=10),
    )
    lines = (options.folder / "features.jsonl").read_text(encoding="utf-8").splitlines()
    groups = [json.loads(line) for line in lines]
    paper = yaml.safe_load(PAPER.read_text("utf-8"))[options.dataset]
    rows = [beside(groups, row) for row in paper]
    record = {
        "dataset": options.dataset,
        "groups": len(groups),
        "significant_groups": sum(group["corrected_p"] <= 0.05 for group in groups),
        "rows": rows,
        "top": [described(group, rank) for rank, group in enumerate(groups[: options.top], 1)],
    }
    print_line(record)


if __name__ == "__main__":
    main()
