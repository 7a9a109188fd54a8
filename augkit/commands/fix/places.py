"""Where a cue stands in texts: computed once, for all that take it out or put it in.

Nothing here knows a language. A place is known by its ends, by the word before and after it, and by
whether it is the first or the last of a text, or a sentence or line of its own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Literal

from augkit.core.options import BETWEEN
from augkit.shortcuts.cues import Cue
from augkit.text.features.kinds import FIRST_WORD, LAST_WORD

At = Literal["first", "last", "sentence", "inside"]

_WORD_BEGINS = r"(?<!\w)(?<!\w['\u2019.,\-])"
_WORD_ENDS = r"(?!\w)(?!['\u2019.,\-]\w)"
"""A word keeps inner apostrophes, hyphens and dots, as ``text.tokens`` has it."""
_TOKEN = re.compile(r"\w+(?:['\u2019]\w+)*|[^\w\s]")
_STOPS = ".!?\u2026\n"
_PARTING = frozenset(".!?\u2026\n,:;-\u2013\u2014|")
_SIGNS = re.compile(r"[^\w]*\Z")
_GAP_BEFORE = re.compile(r"(?<![\s:,;\-\u2013\u2014|/])[\s:,;\-\u2013\u2014|/]*\Z")
_GAP_AFTER = re.compile(r"[\s:,;\-\u2013\u2014|/]*")
_CLOSING = re.compile(r"\s*[.!?\u2026]+[\"'\u201d\u2019)]*\s*|\s*\Z")
_SENTENCE_END = re.compile(r"(?<![.!?\u2026])[.!?\u2026]+[\"'\u201d\u2019)]*(?=\s|\Z)")
_FEWEST_OTHERS = 3
"""Other names at a place, different ones, for an exchange to be one."""
_SAME_FRAME = 0.8
_OWN_WORD = 0.5
"""Share of a word's texts that have the cue, for the word to be of the cue and not of its frame."""
_LEAST_REST = 5


@dataclass(frozen=True)
class CuePlace:
    """One place of a cue in a text."""

    start: int
    end: int
    at: At
    before: tuple[str, ...]
    """The two words or signs before it, in lower case; fewer at the beginning of a text."""
    after: str
    """The word or sign after it; "" at the end."""


def words_pattern(words: Sequence[str], kind: str = "") -> re.Pattern[str]:
    """Match words that follow one another, whatever signs are between them.

    >>> words_pattern(("on", "time")).search("It came on-time, so on, time went").span()
    (20, 28)
    """
    joined = r"\W{1,3}".join(_as_word(word) for word in words)
    if kind == FIRST_WORD:
        joined = rf"\A\W*{joined}"
    if kind == LAST_WORD:
        joined = rf"{joined}(?=\W*\Z)"
    return re.compile(joined, re.IGNORECASE)


def phrase_pattern(phrase: Sequence[str], kind: str = "") -> re.Pattern[str]:
    """Match words and signs that follow one another, with or without space between them.

    >>> phrase_pattern(("agent", ":", "marta")).search("-- Agent: Marta").group()
    'Agent: Marta'
    """
    joined = r"\s*".join(_as_word(token) for token in phrase)
    if kind == FIRST_WORD:
        joined = rf"\A\s*{joined}"
    if kind == LAST_WORD:
        joined = rf"{joined}(?=\W*\Z)"
    return re.compile(joined, re.IGNORECASE)


def _as_word(token: str) -> str:
    escaped = re.escape(token)
    if re.match(r"\w", token):
        escaped = _WORD_BEGINS + escaped
    if re.search(r"\w\Z", token):
        escaped += _WORD_ENDS
    return escaped


def cue_patterns(cue: Cue, texts: Sequence[str], is_label: Sequence[bool]) -> list[re.Pattern[str]]:
    """What is the cue in a text: its phrase, then features that go with the label without it.

    "sent from my phone" is the cue, and "sent" in "I sent it back" is none: a feature alone counts
    only where the rows that it has beside the phrase still go with the label.
    """
    kind = cue.feature.kind
    phrase = inner_phrase(cue.phrase)
    patterns = [phrase_pattern(phrase, kind)] if phrase else []
    rest = [n for n, text in enumerate(texts) if not any(p.search(text) for p in patterns)]
    features = sorted(cue.features, key=lambda feature: -len(feature.words))
    for feature in features:
        if not feature.words or feature.field != cue.feature.field:
            continue
        pattern = words_pattern(feature.words, feature.kind)
        having = [number for number in rest if pattern.search(texts[number])]
        of_label = sum(is_label[number] for number in having)
        least = (1 + cue.base) / 2 * len(having)
        if len(having) >= _LEAST_REST and of_label >= least:
            patterns.append(pattern)
            held = set(having)
            rest = [number for number in rest if number not in held]
    return patterns


def inner_phrase(phrase: Sequence[str]) -> tuple[str, ...]:
    """A phrase without the stops before and behind it, which end sentences.

    >>> inner_phrase((".", "handled", "by", "marta", "."))
    ('handled', 'by', 'marta')
    """
    tokens = list(phrase)
    while len(tokens) > 1 and tokens[0] in _STOPS:
        del tokens[0]
    while len(tokens) > 1 and tokens[-1] in _STOPS:
        del tokens[-1]
    return tuple(tokens)


def find_places(patterns: Sequence[re.Pattern[str]], text: str) -> list[CuePlace]:
    """The places of the first pattern that the text has."""
    for pattern in patterns:
        spans = [match.span() for match in pattern.finditer(text) if match.group()]
        if spans:
            return [_place(text, start, end) for start, end in spans]
    return []


def _place(text: str, start: int, end: int) -> CuePlace:
    start += len(text[start:end]) - len(text[start:end].lstrip())
    before = [match.group().lower() for match in _TOKEN.finditer(text, max(0, start - 80), start)]
    after = _TOKEN.search(text, end)
    return CuePlace(
        start,
        end,
        _at(text, start, end),
        tuple(before[-2:]),
        "" if after is None else after.group().lower(),
    )


def _at(text: str, start: int, end: int) -> At:
    """Whether a span is the first or last of its text, or a sentence or line of its own.

    >>> _at("Late again. Agent: Marta. Call me.", 12, 24), _at("so Marta came", 3, 8)
    ('sentence', 'inside')
    """
    opening = text[:start].rstrip(" \t")
    if not opening.strip():
        return "first"
    if _SIGNS.match(text, end):
        return "last"
    ends = text[end:].lstrip(" \t")
    is_sentence = opening[-1] in _STOPS and ends[:1] in _STOPS
    return "sentence" if is_sentence else "inside"


def is_apart(text: str, place: CuePlace) -> bool:
    """Whether a place is a sentence or line of its own, or parted from the text by a sign.

    >>> is_apart("It is late. Sent by Ada.", CuePlace(12, 23, "last", ("late", "."), "."))
    True
    """
    if place.at == "first":
        return text[place.end : place.end + 2].strip(" ")[:1] in _PARTING
    opening = text[: place.start].rstrip(" \t")[-1:]
    return place.at == "sentence" or (place.at == "last" and opening in _PARTING)


def cut(text: str, start: int, end: int) -> str:
    """The text without a span, and without the signs and spaces that only it needs.

    >>> cut("Hello, Marta here.", 7, 12), cut("It is late. Agent: Marta.", 12, 24)
    ('Hello, here.', 'It is late.')
    >>> cut("Typically, the film works.", 0, 9), cut("a fine film ~", 12, 13)
    ('The film works.', 'a fine film')
    """
    first = text.rfind(BETWEEN, 0, start) + len(BETWEEN) if BETWEEN in text[:start] else 0
    last = text.find(BETWEEN, end)
    last = len(text) if last < 0 else last
    part = _cut_part(text[first:last], start - first, end - first)
    joined = text[:first] + part + text[last:]
    return joined if part else joined.strip()


def _cut_part(text: str, start: int, end: int) -> str:
    """The same within a paragraph, or a message of a chat."""
    before = text[:start]
    after = text[end:]
    opens = not before.strip() or before.rstrip(" \t")[-1] in _STOPS
    closing = _CLOSING.match(after)
    if opens and closing:
        after = after[closing.end() :]
        gap = " " if before.strip() and after and not before[-1:].isspace() else ""
        return (before if after else before.rstrip()) + gap + after
    if opens:
        after = after[_GAP_AFTER.match(after).end() :]  # type: ignore[union-attr] # may be empty
        return before + (after[:1].upper() + after[1:] if text[start].isupper() else after)
    if closing:
        return _GAP_BEFORE.sub("", before) + after
    if before[-1:].isspace() and (after[:1].isspace() or after[:1] in ",;:.!?"):
        before = before[:-1]
    if before[-1:] in {",", ";"} and after.lstrip()[:1] in {",", ";"}:
        after = after.lstrip()[1:]
    return before + after


@dataclass(frozen=True)
class WordPlaces:
    """Where a cue of words stands in the texts of a dataset.

    Attributes:
        patterns: What is the cue, in the order in which a text is asked.
        texts: Texts that have it.
        others: Texts that have not.
        words: The words of the cue, in lower case.
    """

    patterns: Sequence[re.Pattern[str]]
    texts: Sequence[str]
    others: Sequence[str]
    words: frozenset[str]

    @cached_property
    def places(self) -> list[tuple[str, CuePlace]]:
        """Every place, with its text."""
        return [(text, place) for text in self.texts for place in find_places(self.patterns, text)]

    @cached_property
    def usually(self) -> At:
        """Where it mostly is."""
        counts = Counter(place.at for _, place in self.places)
        return counts.most_common(1)[0][0] if counts else "inside"

    @cached_property
    def written(self) -> list[str]:
        """How it is written at its usual place, with the gap that parts it from the text."""
        found = []
        for text, place in self.places:
            if place.at == self.usually:
                found.append(_with_gap(text, place))
        return sorted(set(found))

    @cached_property
    def neighbours(self) -> frozenset[str]:
        """The words before it."""
        return frozenset(place.before[-1] for _, place in self.places if place.before)

    @cached_property
    def frame(self) -> Frame | None:
        """The words around it that stand around other names, too; None where there are none."""
        return _frame(self)

    @cached_property
    def gap_words(self) -> dict[tuple[tuple[str, ...], str], list[str]]:
        """The word before and after a place of the cue → the words that others have there."""
        asked = {(place.before[-1:], place.after) for _, place in self.places}
        found: dict[tuple[tuple[str, ...], str], list[str]] = {}
        for text in self.others:
            tokens = _TOKEN.findall(text)
            lowered = [token.lower() for token in tokens]
            for number in range(1, len(tokens)):
                after = lowered[number + 1] if number + 1 < len(tokens) else ""
                key = ((lowered[number - 1],), after)
                is_word = tokens[number][0].isalpha() and lowered[number] not in self.words
                if is_word and key in asked:
                    found.setdefault(key, []).append(tokens[number])
        return {key: words for key, words in found.items() if len(set(words)) >= _FEWEST_OTHERS}

    @cached_property
    def known_gaps(self) -> float:
        """The share of its places that have had others."""
        known = [(place.before[-1:], place.after) in self.gap_words for _, place in self.places]
        return sum(known) / len(known) if known else 0.0

    def put_in(self, text: str, rng: Random) -> str:
        """The text with the cue: in place of another name in its frame, or at its usual place."""
        if find_places(self.patterns, text) or not self.written:
            return text
        if self.frame is not None and (new := self.frame.with_cue(text, rng)) is not None:
            return new
        written = rng.choice(self.written)
        if self.usually == "first":
            return written + text.lstrip()
        if self.usually == "last":
            return text.rstrip() + written
        # Only at spaces: within "$1.99" there is no place.
        ends = [match.start() for match in re.finditer(r"(?<=\S)\s+(?=\S)", text)] or [len(text)]
        liked = [end for end in ends if _last_token(text, end) in self.neighbours]
        if self.usually == "sentence":
            liked = [match.end() for match in _SENTENCE_END.finditer(text)] or [len(text)]
        at = rng.choice(liked or ends)
        return f"{text[:at]} {written.strip()}{text[at:]}"


def _last_token(text: str, end: int) -> str:
    found = _TOKEN.findall(text[max(0, end - 40) : end])
    return found[-1].lower() if found else ""


def _with_gap(text: str, place: CuePlace) -> str:
    """What is written at a place, with what parts it from the text beside it."""
    if place.at == "first":
        gap = _GAP_AFTER.match(text, place.end)
        end = gap.end() if gap else place.end
        return text[place.start : end].rstrip() + (" " if text[end - 1].isspace() else "")
    gap = _GAP_BEFORE.search(text[: place.start])
    start = gap.start() if gap else place.start
    if place.at == "last":
        return text[start:].rstrip()
    closing = _CLOSING.match(text, place.end) if place.at == "sentence" else None
    return text[place.start : closing.end() if closing else place.end]


@dataclass(frozen=True)
class Frame:
    """Words that stand before and after a cue, and before and after others of its kind."""

    pattern: re.Pattern[str]
    """Its group is what stands in the frame."""
    own: Sequence[str]
    """How the cue is written in it."""
    others: Sequence[str]
    """What else stands in it, as often as it does."""

    def with_cue(self, text: str, rng: Random) -> str | None:
        """The text with the cue in place of what stands in the frame; None without a frame."""
        match = self.pattern.search(text)
        if match is None:
            return None
        return text[: match.start(1)] + rng.choice(self.own) + text[match.end(1) :]


def _frame(places: WordPlaces) -> Frame | None:
    """The frame that most places of a cue have, where at least half as many texts have others."""
    found = places.places
    befores = Counter(place.before for _, place in found if len(place.before) == 2)
    if not befores:
        return None
    before, count = befores.most_common(1)[0]
    if count < _SAME_FRAME * len(found):
        return None
    afters = Counter(place.after for _, place in found if place.before == before)
    after, same = afters.most_common(1)[0]
    own = sorted({text[place.start : place.end] for text, place in found})
    size = max(len(name.split()) for name in own)
    filling = rf"(\w[\w'\u2019\-]*(?: \w[\w'\u2019\-]*){{0,{size - 1}}})"
    closing = r"\s*" + _as_word(after) if after else r"\W*\Z"
    if same < _SAME_FRAME * count:
        closing = _WORD_ENDS
    opening = r"\s*".join(_as_word(token) for token in before)
    pattern = re.compile(rf"{opening}\s*{filling}{closing}", re.IGNORECASE)
    matches = [match.group(1) for text in places.others for match in pattern.finditer(text)]
    are_names = all(name[:1].isupper() for name in own)
    others = [name for name in matches if name[:1].isupper() or not are_names]
    others = [name for name in others if places.words.isdisjoint(name.lower().split())]
    if len(set(others)) < _FEWEST_OTHERS or 2 * len(others) < len(found):
        return None
    return Frame(pattern, own, others)


def narrowed(
    words: Sequence[str], holding: Sequence[str], others: Sequence[str]
) -> tuple[str, ...]:
    """The words of a phrase that other texts hardly have: the cue itself, without its frame.

    >>> narrowed(("agent", ":", "marta"), ["Agent: Marta"] * 4, ["Agent: Tom", "Agent: Ann"] * 3)
    ('marta',)
    """
    own = []
    for number, word in enumerate(words):
        if not word[:1].isalnum():
            continue
        pattern = words_pattern((word,))
        here = sum(1 for text in holding if pattern.search(text))
        elsewhere = sum(1 for text in others if pattern.search(text))
        if here >= _OWN_WORD * (here + elsewhere):
            own.append(number)
    return tuple(words[own[0] : own[-1] + 1]) if own else tuple(words)
