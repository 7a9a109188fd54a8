"""Whether a paraphrase still says what its source says.

By the content words of both: there are no word vectors in the bundled pipeline, and words count as
the same by their lemma, as synonyms of the bundled list, or by a common beginning ("direct" and
"director").

By the words that a model named: one that rewords lists words with others of the same meaning, then
writes the text. What the text adds or leaves out beside this list is a change of meaning, and so is
a named pair whose words judge in opposite ways.

By names, which a rewording must keep: words that no dictionary has. A capital within a sentence
makes a name. At the start of a sentence every word has one, and in a text without capitals none
has: there the lists of names decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from augkit.augmenters.llm_checks.written import WrittenText, plain_words
from augkit.english.english import not_english
from augkit.english.morphology import function_words, is_english, known_lemmas
from augkit.english.negation import negation_pattern
from augkit.lexicons.demographics.names import first_names, surnames
from augkit.lexicons.evaluative import bundled_lexicon
from augkit.lexicons.load import synonyms, word_set
from augkit.prompts.answers import WordChange
from augkit.text.quantities import missing_quantities

_STEM = 5
_LETTERS = 4
"""Shorter words are abbreviations, or anything."""
_WORD = re.compile(r"[^\W\d_]+")
_OPENING = re.compile(r"(?:^|[.!?:;…\n*\"“”(\[])\W*$")
_NEXT_CAPITAL = re.compile(r"[ -][^\W\d_a-z]")
_WORD_BEFORE = re.compile(r"(?<![^\W\d_])([^\W\d_]+) $")
_MAX_UNNAMED = 0.2
"""Share of content words of both texts that may have no counterpart."""
_MORE_WORDS = 2
"""Words that a named pair may add."""


def meaning_overlap(text: WrittenText) -> float:
    """Share of the content words of both texts that have a counterpart in the other, 0 to 1.

    >>> meaning_overlap(WrittenText("The movie was dull.", "That film was dull.", ""))
    1.0
    """
    old = content_words(text.old)
    new = content_words(text.new)
    if not old or not new:
        return 1.0
    old_keys = all_keys(old)
    new_keys = all_keys(new)
    shared = sum(bool(keys_of(word) & new_keys) for word in old)
    shared += sum(bool(keys_of(word) & old_keys) for word in new)
    return shared / (len(old) + len(new))


def other_numbers(text: WrittenText) -> str:
    """Numbers in figures that the source example lacks, or else those left out; "" for none.

    >>> other_numbers(WrittenText("90% liked it.", "Most liked it.", "90% liked it."))
    'left out: 90%'
    """
    if added := missing_quantities(text.after, text.context):
        return ", ".join(added)
    lost = missing_quantities(text.before, text.after)
    return f"left out: {', '.join(lost)}" if lost else ""


def content_words(words: Iterable[str]) -> set[str]:
    """The words that are no function words."""
    return {word for word in words if word not in function_words() and len(word) > 1}


def all_keys(words: Iterable[str]) -> frozenset[str]:
    """What any of the words is matched by."""
    return frozenset().union(*map(keys_of, words))


@lru_cache(maxsize=100_000)
def keys_of(word: str) -> frozenset[str]:
    """What a word is matched by: its lemmas, its synonyms and their lemmas, its beginning."""
    alike = {word, *synonyms().get(word, ())}
    lemmas = {lemma for same in alike for by_tag in known_lemmas(same).values() for lemma in by_tag}
    lemmas |= {synonym for lemma in set(lemmas) for synonym in synonyms().get(lemma, ())}
    stem = {f"{word[:_STEM]}-"} if len(word) >= _STEM else set()
    return frozenset(alike | lemmas | stem)


def names_in(text: str) -> Iterator[str]:
    """The names of an English text, in lower case.

    >>> list(names_in("Definately the best thing Spielberg made. Loooved it, realy."))
    ['spielberg']
    >>> list(names_in("definately the best thing quentin tarantino made, no biggie"))
    ['quentin', 'tarantino']
    """
    cased = not (text.islower() or text.isupper())
    for match in _WORD.finditer(text):
        word = match[0].casefold()
        if len(word) < _LETTERS or is_english(word) or (cased and match[0].islower()):
            continue
        before = text[max(0, match.start() - 20) : match.start()]
        if not cased:
            is_name = _is_listed(word) or _ends_with_first_name(before)
        elif _OPENING.search(before):
            is_name = _is_listed(word) or _NEXT_CAPITAL.match(text, match.end()) is not None
        else:
            is_name = True
        if is_name:
            yield word


def _is_listed(word: str) -> bool:
    return word in first_names() or word in surnames() or word in word_set("places")


def _ends_with_first_name(text: str) -> bool:
    """Whether the last word is a first name and nothing else, so that a surname may follow.

    >>> _ends_with_first_name("by quentin "), _ends_with_first_name("it will ")
    (True, False)
    """
    match = _WORD_BEFORE.search(text)
    word = match[1].casefold() if match else ""
    return word in first_names() and not is_english(word)


def reworded_fault(before: str, after: str, words: Sequence[WordChange]) -> str:
    """Why a rewording does not say the same; "" where nothing speaks against it.

    >>> named = [WordChange(old="dull", new="boring")]
    >>> reworded_fault("A dull film.", "A boring film.", named)
    ''
    >>> reworded_fault("A dull film.", "A boring film about dogs and cats.", named)
    'not named: cats, dogs'

    In other languages than English names are not known from words.
    """
    old = plain_words(before)
    new = plain_words(after)
    used = [change for change in words if _is_used(change, old, new)]
    if opposite := next(filter(None, map(_opposite, used)), ""):
        return f"words of opposite polarity: {opposite}"
    named = sum(_negations(change.new) - _negations(change.old) for change in used)
    if _negations(after) - _negations(before) != named:
        return "negation added or left out"
    names = () if not_english(before) else names_in(before)
    new_words = {*new, *map("".join, pairwise(new))}  # "K-pop" keeps "kpop"
    if lost := next((word for word in names if word not in new_words), ""):
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
    words: Sequence[str], beside: Sequence[str], used: Sequence[WordChange], side: int
) -> Iterator[str]:
    """Content words without a counterpart in the other text, nor in the named words."""
    there = all_keys(content_words(beside))
    named = {word for pair in used for word in plain_words((pair.old, pair.new)[side])}
    for word in content_words(words):
        if word not in named and not keys_of(word) & there:
            yield word


def _holds(words: Sequence[str], phrase: str) -> bool:
    inner = " ".join(plain_words(phrase))
    return bool(inner) and f" {inner} " in f" {' '.join(words)} "


def _opposite(change: WordChange) -> str:
    """The words of a pair that judge, where those of one side praise and of the other blame."""
    old, new = (
        {word: side for word in plain_words(part) if (side := bundled_lexicon().judgement(word))}
        for part in (change.old, change.new)
    )
    before = set(old.values())
    after = set(new.values())
    return ", ".join([*old, *new]) if before and after and before.isdisjoint(after) else ""


def _negations(text: str) -> int:
    return len(negation_pattern("particle", "adverb", "determiner").findall(text))
