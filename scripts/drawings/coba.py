"""CoBA in one review: its triples, what the vote says of their words, the edit, and the effect."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from augkit.english.decompose import decompose
from augkit.english.parser import SpacyParser
from drawings.runs import finished, rows
from drawings.svg import Picture, Run

_COMMAND = "augkit run reviews-demo --method coba"
_REVIEW = "She acts opposite Dorian Vale in a predictable drama that bored my whole family."
_GIVEAWAYS = ["Dorian Vale", "opening night"]


def collect() -> dict[str, Any]:
    """Run coba on the bundled reviews; keep one variant and the labels of the giveaways."""
    with finished(_COMMAND) as folder:
        dataset = rows(folder / "dataset.jsonl")
        variants = rows(folder / "variants.jsonl")
    row = next(row for row in dataset if row["text"] == _REVIEW)
    variant = next(it for it in variants if it["parents"] == [row["augkit_id"]])
    return {
        "command": _COMMAND,
        "text": row["text"],
        "label": row["label"],
        "triples": triples(row["text"]),
        "principal": variant["about"]["principal"].split(", "),
        "spurious": variant["about"]["spurious"].split(", "),
        "variant": variant["fields"]["text"],
        "new_label": variant["label"],
        "edits": [[edit["before"], edit["after"]] for edit in variant["edits"]],
        "giveaways": {words: _labels(dataset, words) for words in _GIVEAWAYS},
    }


def triples(text: str) -> list[list[str]]:
    """Subject, predicate and object of every triple of a text."""
    (analysis,) = SpacyParser().parse([text])
    return [[element.text for element in it.elements] for it in decompose(analysis)]


def draw(data: dict[str, Any]) -> str:
    """The review, its triples, its variant, and the giveaways' labels before and after."""
    picture = Picture(
        "coba flips what decides the label and keeps what only goes with it",
        f"The {data['label']} review “{data['text']}” becomes the {data['new_label']} review "
        f"“{data['variant']}”. The words {', '.join(data['spurious'])} stay. "
        + " ".join(_sentence(words, sets) for words, sets in data["giveaways"].items()),
    )
    marks = dict.fromkeys(data["principal"], "principal")
    marks |= dict.fromkeys(data["spurious"], "spurious")
    picture.heading(f"A {data['label']} review")
    picture.paragraph(marked(data["text"], marks))
    picture.arrow("decompose into triples; five classifiers vote on the words")
    for triple in data["triples"]:
        picture.paragraph(_triple(triple, marks))
    picture.space(4)
    picture.paragraph([("principal", "principal"), (" decides the label, is edited", "faint")])
    picture.paragraph([("spurious", "spurious"), (" only goes with the label, stays", "faint")])
    picture.arrow("edit the principal words, reconstruct, verify")
    picture.heading(f"Its {data['new_label']} variant")
    kept = dict.fromkeys(data["spurious"], "spurious")
    after = {word: "edited" for _, new in data["edits"] for word in words_of(new)}
    picture.paragraph(marked(data["variant"], {**kept, **after}))
    picture.space(14)
    picture.heading("What the shortcut says about the label")
    for words, sets in data["giveaways"].items():
        _bars(picture, words, sets)
    return picture.svg()


def marked(text: str, marks: dict[str, str]) -> list[Run]:
    """The text with the class of every marked word."""
    pieces = re.split(r"([A-Za-z'-]+)", text)
    return [(piece, marks.get(piece.lower(), "")) for piece in pieces if piece]


def words_of(text: str) -> list[str]:
    """The words of a text in lower case."""
    return re.findall(r"[a-z'-]+", text.lower())


def _triple(triple: list[str], marks: dict[str, str]) -> list[Run]:
    """One triple, its parts between bars."""
    return marked("   |   ".join(part or "∅" for part in triple), marks)


def _bars(picture: Picture, words: str, sets: dict[str, dict[str, int]]) -> None:
    """For the rows with these words, the share of each label before and after."""
    picture.paragraph([("rows with ", "faint"), (words, "spurious")])
    for name, counts in sets.items():
        total = sum(counts.values())
        picture.shares(name, [(label, count / total) for label, count in counts.items()])


def _sentence(words: str, sets: dict[str, dict[str, int]]) -> str:
    """What the bars show, in words."""
    shares = {name: it["negative"] / sum(it.values()) for name, it in sets.items()}
    return (
        f"Of the rows with “{words}” {shares['before']:.0%} are negative before and "
        f"{shares['after']:.0%} after."
    )


def _labels(dataset: list[dict[str, Any]], words: str) -> dict[str, dict[str, int]]:
    """How often rows with these words have each label, without and with the variants."""
    found = [row for row in dataset if words.lower() in row["text"].lower()]
    originals = [row for row in found if row["augkit_origin"] == "original"]
    return {"before": _counts(originals), "after": _counts(found)}


def _counts(chosen: list[dict[str, Any]]) -> dict[str, int]:
    """Rows by label."""
    return dict(sorted(Counter(row["label"] for row in chosen).items()))
