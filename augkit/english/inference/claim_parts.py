"""The parts of a claim that another thing of the same kind can replace, to make it false."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from augkit.core.analysis import Analysis, Token
from augkit.core.edits import overlap

_LONGEST = 4
"""Words of a name."""
_LINKS = frozenset({"of", "the", "and", "de", "van", "von", "for"})
"""Words that join the parts of a name: "Fortunes of War"."""
MONTHS = (
    "January February March April May June July August September October November December".split()
)
_DATE = re.compile(
    rf"(?:\d{{1,2}}(?:st|nd|rd|th)?\s+)?(?:{'|'.join(MONTHS)})\b(?:\s+\d{{1,2}}(?:st|nd|rd|th)?\b)?"
    r"(?:\s*(?:,\s*)?\d{4}\b)?"
)
_DATE_RANK, _NAME_RANK, _ADJECTIVE_RANK, _NOUN_RANK, _VERB_RANK = range(5)


class Replaceable(NamedTuple):
    """A name, a number or a word of a claim; the lower ``rank``, the better it can be checked."""

    rank: int
    start: int
    end: int


def replaceable(claim: Analysis, evidence: str) -> list[Replaceable]:
    """The names, numbers and words of a claim that can be replaced, the best first.

    What the evidence has comes first, unless it is in a list, which another member would not
    contradict; then dates and numbers, names, adjectives, nouns and verbs, each from the right:
    what a claim says of its subject comes late.
    """
    there = evidence.casefold()

    def priority(candidate: Replaceable) -> tuple[bool, bool, int, int]:
        part = claim.text[candidate.start : candidate.end]
        in_list = candidate.rank != _DATE_RANK and _is_listed(evidence, part)
        return not has_words(there, part), in_list, candidate.rank, -candidate.start

    return sorted(_parts(claim), key=priority)


def _parts(claim: Analysis) -> Iterator[Replaceable]:
    """Whole parts, none inside another."""
    taken: list[Replaceable] = []
    dates = (Replaceable(_DATE_RANK, *match.span()) for match in _DATE.finditer(claim.text))
    names = (
        Replaceable(_NAME_RANK, run[0].start, run[-1].end)
        for run in _capitalised_runs(claim)
        if len(run) > 1 or run[0].upos == "PROPN"
    )
    for part in (*dates, *names, *_words(claim)):
        if not any(overlap(part, earlier) for earlier in taken):
            taken.append(part)
            if part.start > claim.tokens[0].end:  # the subject stays
                yield part


def _words(claim: Analysis) -> Iterator[Replaceable]:
    for token in claim.tokens:
        if any(map(str.isdigit, token.text)):
            yield Replaceable(_DATE_RANK, token.start, token.end)
        elif token.upos == "ADJ":  # "an American actor": one is exclusive, the other not
            yield Replaceable(_ADJECTIVE_RANK, token.start, token.end)
        elif token.upos == "NOUN" and token.deprel != "compound" and token.text.islower():
            yield Replaceable(_NOUN_RANK, _first_of_compound(claim, token), token.end)
        elif token.upos == "VERB":
            yield Replaceable(_VERB_RANK, token.start, token.end)


def _first_of_compound(claim: Analysis, noun: Token) -> int:
    """Where "game consoles" begins: the nouns before a noun that belong to it."""
    first = noun
    while first.index:
        before = claim.tokens[first.index - 1]
        if before.deprel != "compound" or before.head not in {noun.index, first.index}:
            break
        first = before
    return first.start


def _capitalised_runs(claim: Analysis) -> Iterator[tuple[Token, ...]]:
    """Runs of capitalised words, joined where only small words are between them."""
    run: list[Token] = []
    for token in claim.tokens:
        if token.text[:1].isupper():
            between = claim.tokens[run[-1].index + 1 : token.index] if run else ()
            if len(between) > 2 or any(word.text not in _LINKS for word in between):
                yield tuple(run)
                run = []
                between = ()
            run += between
            run.append(token)
    if run:
        yield tuple(run)


def _is_listed(evidence: str, part: str) -> bool:
    """Whether the evidence has a part among others: "in Belarus , Ukraine and Turkey"."""
    word = re.escape(part)
    pattern = rf"(?:,|\band|\bor)\s+{word}(?!\w)|(?<!\w){word}\s*(?:,|and\b|or\b)\s+\w"
    return re.search(pattern, evidence, re.IGNORECASE) is not None


def name_runs(analysis: Analysis) -> Iterator[tuple[Token, ...]]:
    """Whole names: runs of a few capitalised words, all of them names."""
    run: list[Token] = []
    for token in (*analysis.tokens, None):
        if token is not None and token.text[:1].isupper():
            run.append(token)
            continue
        if run and len(run) <= _LONGEST and all(word.upos == "PROPN" for word in run):
            yield tuple(run)
        run = []


def has_words(text: str, words: str) -> bool:
    """Whether a text has these words as whole words."""
    return find_words(text, words) is not None


def find_words(text: str, words: str) -> re.Match[str] | None:
    """The first place of these words, as whole words."""
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text, re.IGNORECASE)
