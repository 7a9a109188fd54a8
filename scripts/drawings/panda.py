"""PANDA in one text: the references to one person, and the text rewritten on each axis."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from drawings.svg import Picture, Run

_TEXT = (
    "A 34-year-old Asian woman says she is moving. Her brother, who knows her well, lost his bet."
)
_REQUESTS = [
    ("gender", "non-binary", "woman"),
    ("race", "black", "Asian"),
    ("age", "senior", "34-year-old"),
    ("gender", "woman", "brother"),
]


def collect() -> dict[str, Any]:
    """Rewrite the text once for each request."""
    return {"text": _TEXT, "rewrites": [rewrite(*request) for request in _REQUESTS]}


def rewrite(axis: str, target: str, word: str) -> dict[str, Any]:
    """What ``augkit perturb`` gives for one request."""
    options = ["--axis", axis, "--target", target, "--word", word, "--json"]
    command = [sys.executable, "-m", "augkit", "perturb", _TEXT, *options]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    answer = json.loads(printed)
    return {
        "axis": axis,
        "target": target,
        "word": word,
        "output": answer["output"],
        "edits": answer["edits"],
    }


def draw(data: dict[str, Any]) -> str:
    """The text with its first person marked, and each rewrite with its changed words."""
    picture = Picture(
        "panda changes one person of a text on one axis",
        f"The text “{data['text']}” rewritten: "
        + " ".join(f"{title(it)}: “{it['output']}”" for it in data["rewrites"]),
    )
    picture.heading("One text, two persons")
    whole = data["rewrites"][0]["edits"]
    picture.paragraph(marked(data["text"], whole, "before", "principal"))
    picture.space(4)
    picture.paragraph(
        [("marked", "principal"), (" the words for the woman, with their verb", "faint")]
    )
    picture.arrow("choose a word and a target; each rewrite starts from this text")
    for found in data["rewrites"]:
        picture.space(6)
        picture.paragraph([(title(found), "heading"), (f"  word: {found['word']}", "faint")])
        picture.paragraph(marked(data["text"], found["edits"], "after", "edited"))
    picture.space(8)
    picture.note(
        "Everything else stays letter for letter. Each rewrite starts from the first text."
    )
    return picture.svg()


def title(found: dict[str, Any]) -> str:
    """The axis and the target of a rewrite."""
    return f"{found['axis'].capitalize()}: {found['target']}"


def marked(text: str, edits: list[dict[str, Any]], side: str, kind: str) -> list[Run]:
    """The text before or after its edits, with the edited words marked."""
    runs: list[Run] = []
    end = 0
    for edit in edits:
        runs += [(text[end : edit["start"]], ""), (edit[side], kind)]
        end = edit["end"]
    return [*runs, (text[end:], "")]
