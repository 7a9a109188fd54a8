"""Gates of form: nothing changed, too little changed, cut short, endless, another language."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher

from augkit.augmenters.llm_checks.settings import TextGateSettings, Writing
from augkit.augmenters.llm_checks.written import WrittenText, function_words, ngrams
from augkit.english.morphology import parts_of_speech
from augkit.lexicons.load import closed_classes

_FINISHED = re.compile(r"""([.!?\u2026]+)["'\u201d\u2019)\]\s`-]*$""")
_OPEN_END = re.compile(r"""[,;:(\-\u2013\u2014]["'\s]*$""")
_DANGLING = frozenset({"a-an", "determiner-any", "possessive", "conjunction", "subordinator"})
"""Closed classes whose words hardly end a sentence."""
_MAX_COMPARED = 2000
_RUN, _MAX_RUNS = 3, 3
_LETTERS_THAT_TELL, _MIN_UNKNOWN = 2, 2
_NEW_TEXT_LOOSER, _NEW_TEXT_SLACK = 2.0, 4
"""A new text need not be as long as its parent: factors of the limits and of the slack."""
_PARAPHRASE_TIGHTER = 0.6
"""A paraphrase that is much longer has added something: factor of the limits."""


def unchanged(text: WrittenText) -> bool:
    """Whether only case, spaces or punctuation differ."""
    return "".join(text.old) == "".join(text.new)


def word_similarity(first: Sequence[str], second: Sequence[str]) -> float:
    """Share of words in common, in order: 2·common / (length + length).

    >>> word_similarity("a dull old film".split(), "a dull new film".split())
    0.75
    """
    first, second = first[:_MAX_COMPARED], second[:_MAX_COMPARED]
    return SequenceMatcher(None, first, second, autojunk=False).ratio()


def length_fault(text: WrittenText, writing: Writing, settings: TextGateSettings) -> str:
    """Either "too short" or "too long"; "" for neither. New texts may differ more.

    >>> added = WrittenText("He was a director of plays.", "He was a director of plays, which "
    ...     "means that he was in charge of all that is acted in theatres.", "")
    >>> length_fault(added, "paraphrase", TextGateSettings())
    'too long'
    """
    loose = writing == "new text"
    factor = _NEW_TEXT_LOOSER if loose else _PARAPHRASE_TIGHTER if writing == "paraphrase" else 1.0
    slack = settings.length_slack * (_NEW_TEXT_SLACK if loose else 1)
    before, after = len(text.old), len(text.new)
    if after < settings.shortest / factor * before - slack or not after:
        return "too short"
    return "too long" if after > settings.longest * factor * before + slack else ""


def cut_short(text: WrittenText) -> bool:
    """Whether the text stops within a sentence where its source does not.

    >>> cut_short(WrittenText("It is dull.", "It is dull and", "")), cut_short(
    ...     WrittenText("dull", "boring", ""))
    (True, False)
    """
    if _FINISHED.search(text.after):
        return False
    if _OPEN_END.search(text.after):
        return not _OPEN_END.search(text.before)
    return bool(text.new) and _dangles(text.new[-1]) and not _dangles((text.old or [""])[-1])


def lost_final_mark(text: WrittenText) -> bool:
    """Whether the source ends with a full stop or the like, and the text with no such mark.

    >>> lost_final_mark(WrittenText("It is dull.", "It is boring", ""))
    True
    """
    return bool(_FINISHED.search(text.before)) and not _FINISHED.search(text.after)


def with_final_mark(before: str, after: str) -> str:
    """A written text without the space around it, ended by the mark of its source if by none.

    A text that is cut short, or ends with a quotation mark or a bracket, is left as it is.

    >>> with_final_mark("Is it dull?", "Is it boring "), with_final_mark("It is dull.", "Dull and")
    ('Is it boring?', 'Dull and')
    """
    after, mark = after.strip(), _FINISHED.search(before)
    if mark is None or not after[-1:].isalnum() or cut_short(WrittenText(before, after, "")):
        return after
    return after + mark[1]


def _dangles(word: str) -> bool:
    return closed_classes().get(word) in _DANGLING


def repetition(text: WrittenText) -> str:
    """Words that come again and again, more often than in the source; "" for none.

    >>> repetition(WrittenText("", "so very good so very good so very good", ""))
    'so very good'
    """
    before = Counter(ngrams(text.old, _RUN))
    for run, count in Counter(ngrams(text.new, _RUN)).items():
        if count >= max(_MAX_RUNS, before[run] + 2):
            return " ".join(run)
    return ""


def other_language(text: WrittenText, min_known: float) -> str:
    """Words that are no English, where too many are and those of the source are not; else "".

    A source in another language sets its own measure: where it has no English words, nothing is
    said.

    >>> other_language(WrittenText("A dull film.", "Der Film ist fade.", "A dull film."), 0.6)
    'der ist'
    """
    long_words = [word for word in text.new if len(word) > _LETTERS_THAT_TELL]
    unknown = [word for word in long_words if not (word in text.given or is_english(word))]
    if len(unknown) < _MIN_UNKNOWN:
        return ""
    now = 1 - len(unknown) / len(long_words)
    known = [is_english(word) for word in text.old if len(word) > _LETTERS_THAT_TELL]
    before = sum(known) / max(1, len(known))
    return " ".join(unknown[:8]) if now < min_known * before else ""


def is_english(word: str) -> bool:
    """Whether the dictionary, or the list of function words, has a word."""
    return word.isdigit() or word in function_words() or bool(parts_of_speech(word))
