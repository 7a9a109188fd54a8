"""Sentence splitting by punctuation: a grammar is trained on sentences."""

from __future__ import annotations

from collections.abc import Sequence

from augkit.grammars.model.vocabulary import TextWord

_ENDS = frozenset(".!?…。")
_FOLLOWS = frozenset(".!?…。\"'”\u2019)]")
"""Punctuation that still belongs to the sentence after its end."""
_ABBREVIATIONS = frozenset("mr mrs ms dr prof st jr sr vs etc".split())


def split_sentences(words: Sequence[TextWord], text: str) -> list[list[TextWord]]:
    """The words of each sentence, in order; none is lost.

    A line break ends a sentence too, whether written as such or as ``<br />``.

    >>> from augkit.grammars.model.vocabulary import split_words
    >>> text = "Mr. Fox ran... It cost 2.50!<br />Good"
    >>> [len(sentence) for sentence in split_sentences(split_words(text), text)]
    [7, 6, 1]
    """
    sentences: list[list[TextWord]] = []
    sentence: list[TextWord] = []
    for index, word in enumerate(words):
        sentence.append(word)
        following = words[index + 1] if index + 1 < len(words) else None
        if following is None or _ends_after(sentence, following, text):
            sentences.append(sentence)
            sentence = []
    return sentences


def _ends_after(sentence: Sequence[TextWord], following: TextWord, text: str) -> bool:
    last = sentence[-1]
    gap = text[last.end : following.start]
    if "\n" in gap or "<" in gap:
        return True
    if not gap or following.text in _FOLLOWS:  # "2.50", "www.b.org", "..."
        return False
    return _is_end(sentence)


def _is_end(sentence: Sequence[TextWord]) -> bool:
    """Whether the last word is final punctuation, perhaps before closing quotes or brackets."""
    index = len(sentence) - 1
    while index > 0 and sentence[index].text in _FOLLOWS - _ENDS:
        index -= 1
    if sentence[index].text not in _ENDS:
        return False
    before = sentence[index - 1] if index else None
    if sentence[index].text != "." or before is None or before.end != sentence[index].start:
        return True
    is_initial = len(before.text) == 1 and before.text.isalpha() and before.text != "i"
    return not is_initial and before.text not in _ABBREVIATIONS
