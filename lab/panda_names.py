"""Whether all mentions of a name change alike, and the names of other persons stay."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from augkit.augmenters.panda.references import find_hits
from augkit.commands.perturb import segments
from augkit.core.edits import Edit
from augkit.lexicons.demographics.axes import BUNDLED
from augkit.lexicons.demographics.names import look_up
from lab.panda_counts import Row

_BEFORE = re.compile(r"(?<=\w )([A-Z][\w'-]+) $")
_AFTER = re.compile(r" ([A-Z][\w-]+)")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a system wrote, or the text and why it was rejected."""

    text: str
    rejected: str = ""
    source: str = ""
    edits: tuple[Edit, ...] = ()


Answers = Mapping[tuple[str, str, str, str], Answer]


def name_checks(rows: Iterable[Row], answers: Answers) -> dict[str, Any]:
    """Whether mentions of a name change alike, and names of persons of another gender stay."""
    counts, half, strangers = Counter[str](), [], []
    for key in dict.fromkeys(row.request for row in rows):
        text, word, axis, _ = key
        answer = answers[key]
        if answer.rejected or axis == "age":
            continue
        if is_name(word) and len(_places(text, word)) > 1:
            after = new_names(text, word, answer.edits)
            agree = len(set(after)) == 1 and word not in after
            counts["multi_mention"] += 1
            counts["agree"] += agree
            counts[f"{axis}_name_stays"] += set(after) == {word}
            half += [(text[:80], word, sorted(set(after)))] * (not agree and set(after) != {word})
        if axis == "gender":
            strangers += [(word, *pair) for pair in _strangers(answer)]
    counts["half_changed"], counts["other_gender_renamed"] = len(half), len(strangers)
    return {**counts, "examples": [*half[:5], *strangers[:5]]}


def is_name(word: str) -> bool:
    """Whether a selected word is a name, as far as the word lists say: no pronoun, title, people.

    >>> is_name("Nadia"), is_name("He"), is_name("Queen"), is_name("nadia")
    (True, False, False, False)
    """
    hits = [hit for axis in BUNDLED for hit in find_hits(axis, word)]
    return word.istitle() and all(hit.pos == "name" for hit in hits)


def _places(text: str, word: str) -> list[tuple[int, int]]:
    """Where a name stands, without the mentions by which another person with it is named.

    >>> len(_places("Zoe Hill met Zoe Lee. Zoe Hill left, and so did Rachel Zoe.", "Zoe"))
    2
    """
    found = [m.span() for m in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", text)]
    before = [m[1] if (m := _BEFORE.search(text[:start])) else "" for start, _ in found]
    after = [m[1] if (m := _AFTER.match(text, end)) else "" for _, end in found]
    return [
        place
        for place, first, last in zip(found, before, after, strict=True)
        if first in {"", before[0]} and last in {"", after[0]}
    ]


def new_names(text: str, word: str, edits: Sequence[Edit]) -> list[str]:
    """What each mention of a name became; a mention without an edit stays.

    >>> edits = [Edit("0", 0, 8, "Ann Shaw", "Mei Wong"), Edit("0", 14, 18, "Shaw", "Wong")]
    >>> new_names("Ann Shaw sat. Shaw left. Shaw!", "Shaw", edits)
    ['Wong', 'Wong', 'Shaw']
    """
    found = []
    for start, end in _places(text, word):
        over = [e for e in edits if _begin(text, e) <= start < _begin(text, e) + len(e.before)]
        before, after = (over[0].before.split(), over[0].after.split()) if over else ([], [])
        index = len(text[_begin(text, over[0]) : start].split()) if over else 0
        whole = over[0].after if over else text[start:end]
        found.append(after[index] if over and len(before) == len(after) else whole)
    return [name.removesuffix("'s").strip(".,;:!?") for name in found]


def _begin(text: str, edit: Edit) -> int:
    return segments(text).starts[edit.field] + edit.start


def _strangers(answer: Answer) -> list[tuple[str, str]]:
    """Edits of first names that belong to another gender than the changed person's."""
    other = {"man": "woman", "woman": "man"}.get(answer.source)
    found = []
    for edit in answer.edits:
        name = look_up(edit.before)
        if other and name is not None and edit.before.istitle() and name.is_clear:
            gender = "man" if name.women <= 1 else "woman" if name.women >= 99 else ""
            if gender == other:
                found.append((edit.before, edit.after))
    return found
