"""Fluency of an edit: how probable the parts of speech are where the text was changed.

A trigram model over 24 word classes (Universal Dependencies, verbs and marks divided further),
estimated from two treebanks by ``scripts/data/build_tag_trigrams.py``. It knows no words, so a rare
or a planted word is as fluent as any other of its class, and no corpus can bias it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from augkit.core.analysis import Analysis, Token

CLASSES = (
    *("EDGE", "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "OTHER", "PART"),
    *("PRON", "PROPN", "SCONJ", "POSS", "FINITE", "BASE", "ING", "PASTPART", "STOP", "COMMA"),
    *("BRACKET", "MARK"),
)
"""The classes; EDGE stands before and after a text."""
STEP = 0.1
"""Logarithms are stored in steps of this size, one printable character each."""
_LEAST_COST = 1.0
"""What words must have cost, as a log-probability, that a text is better without."""
_NUMBER = {name: number for number, name in enumerate(CLASSES)}
_VERBS = {"VB": "BASE", "VBG": "ING", "VBN": "PASTPART"}
_SIGNS = {".": "STOP", "!": "STOP", "?": "STOP", "...": "STOP", ",": "COMMA", ";": "COMMA"}


class Fluency(NamedTuple):
    """The mean log-probability of the classes around an edit, before it and after it.

    ``seam`` is the least probable class after it.
    """

    before: float
    after: float
    seam: float

    @property
    def gain(self) -> float:
        """By how much the edit makes the place more probable; negative where it falls."""
        return self.after - self.before


def word_class(text: str, upos: str, xpos: str) -> int:
    """The number of a word's class."""
    if upos in {"VERB", "AUX"}:
        name = _VERBS.get(xpos, "FINITE" if upos == "VERB" else "AUX")
    elif upos == "PRON" and xpos == "PRP$":
        name = "POSS"
    elif upos == "PUNCT":
        name = _SIGNS.get(text, "BRACKET" if text[:1] in "()[]" else "MARK")
    else:
        name = upos
    return _NUMBER.get(name, _NUMBER["OTHER"])


def edit_fluency(tokens: Sequence[Token], first: int, last: int) -> Fluency:
    """The fluency around ``tokens[first:last]``, with these tokens and without them."""
    edge = [_NUMBER["EDGE"]]
    stop = _NUMBER["STOP"]
    left = _classes(tokens[max(first - 2, 0) : first])
    right = _classes(tokens[last : last + 2])
    if len(right) < 2 and (not right or right[-1] != stop):
        right.append(stop)  # as if the text had its full stop
    left = [*edge * (2 - len(left)), *left]
    right = [*right, *edge * (2 - len(right))]
    before = _logs([*left, *_classes(tokens[first:last]), *right])
    after = _logs([*left, *right])
    return Fluency(sum(before) / len(before), sum(after) / len(after), min(after))


def is_more_fluent(before: Analysis, after: Analysis) -> bool:
    """Whether a text gains by the loss of words, both versions parsed: they must have cost some."""
    return sum(_text_logs(after)) - sum(_text_logs(before)) > _LEAST_COST


def _text_logs(analysis: Analysis) -> list[float]:
    classes = _classes(analysis.tokens)
    if not classes or classes[-1] != _NUMBER["STOP"]:
        classes.append(_NUMBER["STOP"])
    return _logs([_NUMBER["EDGE"]] * 2 + [*classes, _NUMBER["EDGE"]])


def _classes(tokens: Sequence[Token]) -> list[int]:
    return [word_class(token.text, token.upos, token.xpos) for token in tokens]


def _logs(numbers: Sequence[int]) -> list[float]:
    """The logarithm of every class but the first two, each after the two before it."""
    table = _table()
    size = len(CLASSES)
    return [
        -STEP * table[(first * size + second) * size + third]
        for first, second, third in zip(numbers, numbers[1:], numbers[2:], strict=False)
    ]


@cache
def _table() -> bytes:
    """The negative logarithms in steps, by the three classes."""
    lines = files(__package__).joinpath("tag_trigrams.txt").read_text(encoding="ascii").splitlines()
    written = "".join(line for line in lines if not line.startswith("# "))
    return bytes(ord(letter) - 33 for letter in written)
