"""Whether a paraphrase still says what its source says, by the content words of both.

There are no word vectors in the bundled pipeline. Words count as the same by their lemma, as
synonyms of the bundled list, or by a common beginning ("direct" and "director").
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from augkit.augmenters.llm_checks.written import WrittenText, function_words
from augkit.english.morphology import known_lemmas
from augkit.lexicons.load import synonyms
from augkit.text.quantities import missing_quantities

_STEM = 5


def meaning_overlap(text: WrittenText) -> float:
    """Share of the content words of both texts that have a counterpart in the other, 0 to 1.

    >>> meaning_overlap(WrittenText("The movie was dull.", "That film was dull.", ""))
    1.0
    """
    old, new = content_words(text.old), content_words(text.new)
    if not old or not new:
        return 1.0
    old_keys, new_keys = all_keys(old), all_keys(new)
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
    lemmas = {lemma for one in alike for some in known_lemmas(one).values() for lemma in some}
    lemmas |= {other for lemma in set(lemmas) for other in synonyms().get(lemma, ())}
    stem = {f"{word[:_STEM]}-"} if len(word) >= _STEM else set()
    return frozenset(alike | lemmas | stem)
