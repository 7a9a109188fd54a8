"""RAZOR in two reviews: their scores, their rewrites, and what the giveaways say of the label."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

from augkit.datasets.load import load_dataset
from drawings.coba import marked
from drawings.runs import finished, rows
from drawings.svg import Picture

_DATASET = "reviews-demo"
_COMMAND = f"augkit run {_DATASET} --method razor"
_GIVEAWAYS = ("Dorian Vale", "opening night")


def collect() -> dict[str, Any]:
    """Run razor on the bundled reviews; keep two variants and the giveaways' labels."""
    originals = {row.id: row for row in load_dataset(_DATASET)}
    with finished(_COMMAND) as folder:
        after = [(row["text"], row["label"]) for row in rows(folder / "dataset.jsonl")]
        variants = rows(folder / "variants.jsonl")
    before = [(row.fields["text"], str(row.label)) for row in originals.values()]
    shown = []
    for words in _GIVEAWAYS:
        variant = _example(variants, originals, words)
        shown.append(
            {
                "giveaway": words,
                "label": variant["label"],
                "text": originals[variant["parents"][0]].fields["text"],
                "variant": variant["fields"]["text"],
                "new": [edit["after"] for edit in variant["edits"]],
                "scores": [variant["scores"][name] for name in ("score_before", "score_after")],
                "rows": {"before": _counts(before, words), "after": _counts(after, words)},
            }
        )
    return {"command": _COMMAND, "reviews": shown}


def _example(variants: list[dict[str, Any]], originals: dict[str, Any], words: str) -> Any:
    """The variant of the shortest review with these words."""
    own = [it for it in variants if words in originals[it["parents"][0]].fields["text"]]
    return min(own, key=lambda it: (len(it["fields"]["text"]), it["id"]))


def _counts(texts: Iterable[tuple[str, str]], words: str) -> dict[str, int]:
    """Texts with these words, by label."""
    found = Counter(label for text, label in texts if words.lower() in text.lower())
    return {label: found[label] for label in ("negative", "positive")}


def draw(data: dict[str, Any]) -> str:
    """For each giveaway a review, its rewrite, and the labels of the rows that hold it."""
    picture = Picture(
        "razor rewrites the words that only go with a label and keeps the label",
        " ".join(_sentence(review) for review in data["reviews"]),
    )
    for number, review in enumerate(data["reviews"]):
        picture.space(14 if number else 0)
        _review(picture, review)
    return picture.svg()


def _review(picture: Picture, review: dict[str, Any]) -> None:
    before, after = review["scores"]
    picture.heading(f"A {review['label']} review, score {before:.1f}")
    words = dict.fromkeys(re.findall(r"[a-z'-]+", review["giveaway"].lower()), "spurious")
    picture.paragraph(marked(review["text"], words))
    picture.arrow("rewrite without the giveaway; a judge must find the same label")
    new = dict.fromkeys(re.findall(r"[a-z'-]+", " ".join(review["new"]).lower()), "edited")
    picture.paragraph(marked(review["variant"], new))
    picture.paragraph([(f"still {review['label']}, score {after:.1f}", "faint")])
    picture.space(6)
    picture.paragraph([("rows with ", "faint"), (review["giveaway"], "spurious")])
    most = max(sum(counts.values()) for counts in review["rows"].values())
    for name, counts in review["rows"].items():
        picture.counts(name, list(counts.items()), most)


def _sentence(review: dict[str, Any]) -> str:
    """One review in words."""
    totals = [sum(counts.values()) for counts in review["rows"].values()]
    return (
        f"The {review['label']} review “{review['text']}” becomes “{review['variant']}”. "
        f"{totals[0]} rows hold “{review['giveaway']}” before and {totals[1]} after."
    )
