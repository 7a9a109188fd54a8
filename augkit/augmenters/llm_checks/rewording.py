"""Whether a rewording says the same: every changed word must be one that the model named.

A model that rewords lists words with others of the same meaning, then writes the text. What the
text adds or leaves out beside this list is a change of meaning, and so is a named pair whose words
judge in opposite ways.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from augkit.augmenters.llm_checks.meaning import all_keys, content_words, keys_of
from augkit.augmenters.llm_checks.names import names_in
from augkit.augmenters.llm_checks.written import plain_words
from augkit.english.english import not_english
from augkit.english.negation import negation_pattern
from augkit.lexicons.evaluative import bundled_lexicon
from augkit.prompts.answers import WordChange

_MAX_UNNAMED = 0.2
"""Share of content words of both texts that may have no counterpart."""
_MORE_WORDS = 2
"""Words that a named pair may add."""


def reworded_fault(before: str, after: str, words: Sequence[WordChange]) -> str:
    """Why a rewording does not say the same; "" where nothing speaks against it.

    >>> named = [WordChange(old="dull", new="boring")]
    >>> reworded_fault("A dull film.", "A boring film.", named)
    ''
    >>> reworded_fault("A dull film.", "A boring film about dogs and cats.", named)
    'not named: cats, dogs'

    In other languages than English names are not known from words.
    """
    old, new = plain_words(before), plain_words(after)
    used = [one for one in words if _is_used(one, old, new)]
    if opposite := next(filter(None, map(_opposite, used)), ""):
        return f"words of opposite polarity: {opposite}"
    named = sum(_negations(one.new) - _negations(one.old) for one in used)
    if _negations(after) - _negations(before) != named:
        return "negation added or left out"
    names = () if not_english(before) else names_in(before)
    kept = {*new, *map("".join, pairwise(new))}  # "K-pop" keeps "kpop"
    if lost := next((word for word in names if word not in kept), ""):
        return f"name left out: {lost}"
    unnamed = sorted({*_unnamed(old, new, used, 0), *_unnamed(new, old, used, 1)})
    total = len(content_words(old)) + len(content_words(new))
    return f"not named: {', '.join(unnamed[:5])}" if len(unnamed) > _MAX_UNNAMED * total else ""


def _is_used(change: WordChange, old: Sequence[str], new: Sequence[str]) -> bool:
    """Whether both texts have a named pair, which is no whole explanation."""
    sizes = len(plain_words(change.old)), len(plain_words(change.new))
    return (
        sizes[1] <= sizes[0] + _MORE_WORDS and _holds(old, change.old) and _holds(new, change.new)
    )


def _unnamed(
    words: Sequence[str], others: Sequence[str], used: Sequence[WordChange], side: int
) -> Iterator[str]:
    """Content words without a counterpart in the other text, nor in the named words."""
    there = all_keys(content_words(others))
    named = {word for one in used for word in plain_words((one.old, one.new)[side])}
    for word in content_words(words):
        if word not in named and not keys_of(word) & there:
            yield word


def _holds(words: Sequence[str], phrase: str) -> bool:
    inner = " ".join(plain_words(phrase))
    return bool(inner) and f" {inner} " in f" {' '.join(words)} "


def _opposite(change: WordChange) -> str:
    """The words of a pair that judge, where those of one side praise and of the other blame."""
    old, new = (
        {word: found for word in plain_words(part) if (found := bundled_lexicon().judgement(word))}
        for part in (change.old, change.new)
    )
    both = set(old.values()), set(new.values())
    return ", ".join([*old, *new]) if all(both) and both[0].isdisjoint(both[1]) else ""


def _negations(text: str) -> int:
    return len(negation_pattern("particle", "adverb", "determiner").findall(text))
