"""Contexts in which a word speaks of nobody: sayings, fields it is a term of, frames of names."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from augkit.lexicons.load import data_yaml

NEAR = 400
"""Characters to both sides within which a cue counts."""


@cache
def sayings() -> re.Pattern[str]:
    """What finds any of the sayings.

    >>> sayings().search("One man's trash is another man's treasure.").group()
    "One man's trash is another man's"
    """
    return re.compile("|".join(_contexts()["sayings"]), re.IGNORECASE)


@cache
def field_cues() -> Mapping[str, tuple[re.Pattern[str], ...]]:
    """Word in lower case → for each field that it is a term of, what finds the cues.

    >>> [cue.search("the mattress is a queen").group() for cue in field_cues()["queens"][1:2]]
    ['mattress']
    """
    found: dict[str, list[re.Pattern[str]]] = defaultdict(list)
    for field in _contexts()["fields"]:
        cues = re.compile(rf"\b(?:{'|'.join(map(re.escape, field['cues']))})\b")
        for word in field["words"]:
            found[word].append(cues)
    return {word: tuple(cues) for word, cues in found.items()}


class NameFrame(NamedTuple):
    """A frame in which a first name names nobody, and what it then is.

    One that is ``sure`` holds although a pronoun of the name's gender stands in the text.
    """

    about: str
    names: frozenset[str]
    before: re.Pattern[str]
    after: re.Pattern[str]
    cues: re.Pattern[str]
    sure: bool

    def holds(self, text: str, start: int, end: int) -> bool:
        """Whether a name stands in the frame."""
        return (
            (not self.names or text[start:end].lower() in self.names)
            and self.after.match(text, end) is not None
            and self.before.search(text, max(0, start - 60), start) is not None
            and self.cues.search(text, max(0, start - NEAR), end + NEAR) is not None
        )


@cache
def name_frames() -> tuple[NameFrame, ...]:
    """The frames in which a first name names nobody.

    >>> [f.about for f in name_frames() if f.holds("Roe v. Wade fell in 2022.", 0, 3)]
    ['a case at law']
    """
    return tuple(map(_name_frame, _contexts()["name_frames"]))


def _name_frame(frame: Mapping[str, Any]) -> NameFrame:
    before, after, cues = (re.compile(frame.get(part, "")) for part in ("before", "after", "cues"))
    names = frozenset(frame.get("names", ()))
    return NameFrame(frame["about"], names, before, after, cues, bool(frame.get("sure", False)))


@cache
def _contexts() -> Mapping[str, Any]:
    contexts: Mapping[str, Any] = data_yaml("contexts.yaml")
    return contexts
