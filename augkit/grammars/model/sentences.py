"""Where the sentences of a text end, by its signs alone: a grammar is trained on sentences."""

from __future__ import annotations

from collections.abc import Sequence

from augkit.grammars.model.vocabulary import Word

_ENDS = frozenset(".!?…。")
_FOLLOWS = frozenset(".!?…。\"'”\u2019)]")
"""Signs that still belong to the sentence when they follow its end."""
_ABBREVIATIONS = frozenset("mr mrs ms dr prof st jr sr vs etc".split())


def split_sentences(words: Sequence[Word], text: str) -> list[list[Word]]:
    """The words of each sentence, in order; none is lost.

    A line break ends a sentence too, whether written as such or as ``<br />``.

    >>> from augkit.grammars.model.vocabulary import split_words
    >>> text = "Mr. Fox ran... It cost 2.50!<br />Good"
    >>> [len(sentence) for sentence in split_sentences(split_words(text), text)]
    [7, 6, 1]
    """
    sentences: list[list[Word]] = []
    now: list[Word] = []
    for index, word in enumerate(words):
        now.append(word)
        following = words[index + 1] if index + 1 < len(words) else None
        if following is None or _ends_after(now, following, text):
            sentences.append(now)
            now = []
    return sentences


def _ends_after(sentence: Sequence[Word], following: Word, text: str) -> bool:
    last = sentence[-1]
    gap = text[last.end : following.start]
    if "\n" in gap or "<" in gap:
        return True
    if not gap or following.text in _FOLLOWS:  # "2.50", "www.b.org", "..."
        return False
    return _is_end(sentence)


def _is_end(sentence: Sequence[Word]) -> bool:
    """Whether the last words are a full stop or its like, perhaps with closing signs after it."""
    place = len(sentence) - 1
    while place > 0 and sentence[place].text in _FOLLOWS - _ENDS:
        place -= 1
    if sentence[place].text not in _ENDS:
        return False
    before = sentence[place - 1] if place else None
    if sentence[place].text != "." or before is None or before.end != sentence[place].start:
        return True
    is_initial = len(before.text) == 1 and before.text.isalpha() and before.text != "i"
    return not is_initial and before.text not in _ABBREVIATIONS
