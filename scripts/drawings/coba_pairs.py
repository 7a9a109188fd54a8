"""CoBA for pairs: one pair, its variant for every label, and what a hypothesis alone still says."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from drawings.runs import finished, rows
from drawings.svg import Picture, Run

_COMMAND = "augkit run nli-demo --method coba"
_PREMISE = "A guard is standing at the palace gate."
_FIELDS = ("premise", "hypothesis")


def collect() -> dict[str, Any]:
    """Run coba on the bundled pairs; keep one pair with its variants, and count hypotheses."""
    with finished(_COMMAND) as folder:
        dataset = rows(folder / "dataset.jsonl")
        variants = rows(folder / "variants.jsonl")
    row = next(row for row in dataset if row["premise"] == _PREMISE)
    originals = [row for row in dataset if row["augkit_origin"] == "original"]
    return {
        "command": _COMMAND,
        **{field: row[field] for field in _FIELDS},
        "label": row["label"],
        "variants": [_shown(it) for it in variants if it["parents"] == [row["augkit_id"]]],
        "one_label": {"before": one_label(originals), "after": one_label(dataset)},
    }


def _shown(variant: dict[str, Any]) -> dict[str, Any]:
    """What the picture needs of a variant."""
    return {
        "label": variant["label"],
        "rule": variant["about"]["rule"],
        "fields": variant["fields"],
        "edits": [[it["field"], it["start"], it["end"], it["after"]] for it in variant["edits"]],
    }


def one_label(dataset: list[dict[str, Any]]) -> float:
    """The share of rows whose hypothesis occurs with their label alone."""
    labels = defaultdict(set)
    for row in dataset:
        labels[row["hypothesis"]].add(row["label"])
    return round(sum(len(labels[row["hypothesis"]]) == 1 for row in dataset) / len(dataset), 4)


def draw(data: dict[str, Any]) -> str:
    """The pair, then each variant with what was edited."""
    shares = data["one_label"]
    picture = Picture(
        "coba changes one text of a pair so that another label holds",
        f"The pair “{data['premise']}” and “{data['hypothesis']}” is {data['label']}. "
        + " ".join(_sentence(variant) for variant in data["variants"])
        + f" Hypotheses with one label only: {shares['before']:.0%} of the rows before, "
        f"{shares['after']:.0%} after.",
    )
    picture.heading(f"A pair: {data['label']}")
    _pair(picture, [[(data[field], "")] for field in _FIELDS])
    picture.arrow("one change for each label; the pair is parsed again to verify it")
    for variant in data["variants"]:
        kept = "label kept" if variant["label"] == data["label"] else "label flipped"
        rule = (f"   {kept}; rule: {variant['rule']}", "faint")
        picture.paragraph([(variant["label"], "heading"), rule])
        _pair(picture, [edited(data[field], field, variant["edits"]) for field in _FIELDS])
        picture.space(8)
    picture.space(6)
    picture.heading("Labels that a hypothesis occurs with")
    for name, share in shares.items():
        picture.shares(name, [("one", share), ("several", 1 - share)])
    return picture.svg()


def edited(text: str, field: str, edits: list[list[Any]]) -> list[Run]:
    """The text of a field after its edits, with what is new marked."""
    runs, end = [], 0
    for where, start, stop, after in edits:
        if where == field:
            runs += [(text[end:start], ""), (after, "edited")]
            end = stop
    return [*runs, (text[end:], "")]


def _pair(picture: Picture, fields: list[list[Run]]) -> None:
    """Both texts, each behind its letter."""
    for letter, runs in zip("PH", fields, strict=True):
        picture.paragraph([(f"{letter}  ", "faint"), *runs])


def _sentence(variant: dict[str, Any]) -> str:
    """A variant in words."""
    premise, hypothesis = (variant["fields"][field] for field in _FIELDS)
    return f"“{premise}” and “{hypothesis}” is {variant['label']}."
