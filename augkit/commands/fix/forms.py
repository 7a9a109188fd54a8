"""Cues that are a form of the text and no words: how each is taken out and put in, as a table."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from augkit.shortcuts.cues import Feature
from augkit.text.features.kinds import CAPITALS, FORM, FORMAT

Write = Callable[[str, Random], str]
_LINK = r"(?:https?://|\bwww\.)\S*[^\s.,;:!?)\]]"
_ADDRESS = r"(?<![\w.+-])[\w.+-]*\w@\w[\w-]*(?:\.\w+)+"
_TAG = r"(?<!\w)[#@]\w+"
_MARKUP = r"</?[A-Za-z][^<>]*>|&#?\w+;?"
_INSIDE = r"(?<=\w){0}(?=\w)"
"""A sign inside of a word or number, as in 3.5, is a part of it."""


@dataclass(frozen=True)
class TextForm:
    """How a form is taken out of a text, and put into one."""

    take_out: Write
    put_in: Write
    everywhere: bool = False
    """Whether all texts are written alike, and not only those that have the form."""


def _first_letter(text: str, write: Callable[[str], str]) -> str:
    """The text with its first letter written in another way.

    >>> _first_letter('"so it is', str.upper)
    '"So it is'
    """
    return re.sub(r"[^\W\d_]", lambda match: write(match.group()), text, count=1)


_LEVELLED: dict[str, TextForm] = {
    "a capital first": TextForm(
        lambda text, _: _first_letter(text, str.lower),
        lambda text, _: _first_letter(text, str.upper),
        everywhere=True,
    ),
    "a small letter first": TextForm(
        lambda text, _: _first_letter(text, str.upper),
        lambda text, _: _first_letter(text, str.lower),
        everywhere=True,
    ),
    "a word in capitals": TextForm(
        lambda text, _: CAPITALS.sub(lambda match: match.group().lower(), text),
        lambda text, rng: _written_large(text, rng),  # noqa: PLW0108 - defined below
    ),
    "a line break": TextForm(
        lambda text, _: " ".join(filter(None, map(str.strip, text.splitlines()))),
        lambda text, rng: _between_words(text, "\n", rng),
    ),
    "two spaces": TextForm(
        lambda text, _: re.sub(r"  +", " ", text),
        lambda text, rng: _between_words(text, "  ", rng),
    ),
    "space at an end": TextForm(lambda text, _: text.strip(), lambda text, _: f"{text} "),
}
"""Forms that are levelled: what a text says stays."""

_PATTERNS: dict[str, str] = {
    "a link": _LINK,
    "an e-mail address": _ADDRESS,
    "a hashtag or mention": _TAG,
    "mark-up": _MARKUP,
}
"""Forms that are pieces of text, which are deleted."""


def form_of(feature: Feature, texts: Sequence[str], others: Sequence[str]) -> TextForm | None:
    """How a form is taken out; None where no rule takes it out, as a length or a digit.

    Args:
        feature: The form.
        texts: Texts that have it.
        others: Texts that have not.
    """
    name = feature.name
    if name in _LEVELLED:
        return _LEVELLED[name]
    if name in _PATTERNS:
        return _deleted(re.compile(_PATTERNS[name], re.IGNORECASE), texts)
    if name.startswith("ends with ") and not name[10:].startswith("a "):
        return _another_end(name[10:], others)
    if feature.kind == FORMAT and name.startswith("sign "):
        return _deleted(_sign_pattern(name[5:]), texts)
    if feature.kind == FORM:
        return _deleted(_piece_pattern(name), texts)
    return None


def widest_feature(features: Sequence[Feature]) -> Feature:
    """What has most of a text, of features that stand in the same rows: "//" is part of a link.

    A piece of text such as a link, else the longest phrase of words, else the first.
    """
    if features[0].words:
        return features[0]
    pieces = [feature for feature in features if feature.name in _PATTERNS]
    if pieces:
        return pieces[0]
    return max(features, key=lambda feature: len(feature.words))


def is_inside_words(feature: Feature, texts: Sequence[str]) -> bool:
    """Whether a sign is mostly inside of words or numbers, as in 3.5: a part of them.

    >>> is_inside_words(Feature("text", FORMAT, "sign ."), ["It is 3.5 or 4.5 km", "a.b"])
    True
    """
    if feature.kind != FORMAT or not feature.name.startswith("sign "):
        return False
    sign = re.escape(feature.name[5:])
    within = sum(len(re.findall(_INSIDE.format(sign), text)) for text in texts)
    return 2 * within > sum(len(re.findall(sign, text)) for text in texts)


def _sign_pattern(sign: str) -> re.Pattern[str]:
    """Match a run of so many equal signs, or three and more, but not inside of a word.

    >>> _sign_pattern("!!").findall("So! So!! So!!!")
    ['!!']
    """
    one = re.escape(sign[0])
    many = f"{{{len(sign)},}}" if len(sign) > 2 else f"{{{len(sign)}}}"
    run = rf"(?<!{one}){one}{many}(?!{one})"
    return re.compile(rf"(?<!\w){run}|{run}(?!\w)")


def _piece_pattern(name: str) -> re.Pattern[str]:
    """Match mark-up, an entity, an address or a character by its name.

    >>> _piece_pattern("<br").sub("", "so<br />it"), _piece_pattern("&#233").sub("", "caf&#233;")
    ('soit', 'caf')
    """
    if name.startswith("<"):
        return re.compile(rf"</?{re.escape(name.strip('</>'))}\b[^<>]*>", re.IGNORECASE)
    if name.startswith("&"):
        return re.compile(rf"{re.escape(name.rstrip(';'))};?")
    return re.compile(rf"{re.escape(name)}(?:/\S*)?", re.IGNORECASE)


def _deleted(pattern: re.Pattern[str], texts: Sequence[str]) -> TextForm:
    """Delete every match, with the space that only it needs; what is put in was written here."""
    written = sorted({match.group() for text in texts for match in pattern.finditer(text)})
    joined = re.compile(rf"(?<=\s)(?:{pattern.pattern})(?:\s+|\Z)|{pattern.pattern}", pattern.flags)

    def take_out(text: str, rng: Random) -> str:
        del rng
        return joined.sub("", text).strip() if pattern.search(text) else text

    def put_in(text: str, rng: Random) -> str:
        if not written or pattern.search(text):
            return text
        piece = rng.choice(written)
        at_end = sum(other.rstrip().endswith(piece) for other in texts)
        if 2 * at_end >= len(texts):
            return f"{text.rstrip()} {piece}"
        return _between_words(text, f" {piece} ", rng)

    return TextForm(take_out, put_in)


def _another_end(sign: str, others: Sequence[str]) -> TextForm:
    """Write the ends of other texts in place of this sign, as often as they have them."""
    ends = Counter(_end_signs(text) for text in others)
    del ends[sign]
    names = list(ends)
    counts = list(ends.values())

    def take_out(text: str, rng: Random) -> str:
        bare = text.rstrip()
        if not bare.endswith(sign) or not names:
            return text
        return bare.rstrip(sign).rstrip() + rng.choices(names, counts)[0]

    def put_in(text: str, rng: Random) -> str:
        del rng
        bare = text.rstrip()
        return bare.removesuffix(_end_signs(text)) + sign

    return TextForm(take_out, put_in)


def _end_signs(text: str) -> str:
    """The signs that a text ends with.

    >>> _end_signs('So it is!" ')
    '!"'
    """
    bare = text.rstrip()
    size = 0
    for sign in reversed(bare):
        if sign.isalnum() or sign.isspace():
            break
        size += 1
    return bare[len(bare) - size :]


def _between_words(text: str, piece: str, rng: Random) -> str:
    """The text with a piece in place of one of its spaces."""
    spaces = [match.span() for match in re.finditer(r"(?<!\s)\s+", text.strip())]
    if not spaces:
        return text + piece.rstrip()
    start, end = rng.choice(spaces)
    stripped = text.strip()
    return stripped[:start] + piece + stripped[end:]


def _written_large(text: str, rng: Random) -> str:
    """The text with one word of three letters or more in capitals."""
    spans = [match.span() for match in re.finditer(r"[^\W\d_]{3,}", text)]
    if not spans:
        return text
    start, end = rng.choice(spans)
    return text[:start] + text[start:end].upper() + text[end:]
