"""The form of a text, and what does not belong to it.

Form: nothing changed, too little changed, cut short, endless, another language. What does not
belong to it: pieces of the prompt, markup, talk about the task. Nothing that the source example
itself says is held against a text.

The marks of a text that rules or a model rewrote must stand as those of the original do
(``is_well_formed``): all rewrites of one label with a flaw of form would be a new shortcut.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from augkit.augmenters.llm_checks.written import (
    TextGateSettings,
    Writing,
    WrittenText,
    ngrams,
    plain_words,
)
from augkit.core.yaml_files import parse_bundled_yaml
from augkit.english.morphology import function_words, is_english
from augkit.lexicons.load import closed_classes

# It begins at the first of several marks: from each of them, it would look at all that follow.
_FINISHED = re.compile(r"""(?<![.!?\u2026])([.!?\u2026]+)["'\u201d\u2019)\]\s`-]*$""")
_OPEN_END = re.compile(r"""[,;:(\-\u2013\u2014]["'\s]*$""")
_DANGLING = frozenset({"a-an", "determiner-any", "possessive", "conjunction", "subordinator"})
"""Closed classes whose words hardly end a sentence."""
_MAX_COMPARED = 2000
_RUN = 3
_MAX_RUNS = 3
_LETTERS_THAT_TELL = 2
_MIN_UNKNOWN = 2
_NEW_TEXT_LOOSER = 2.0
_NEW_TEXT_SLACK = 4
"""A new text need not be as long as its parent: factors of the limits and of the slack."""
_PARAPHRASE_TIGHTER = 0.6
"""A paraphrase that is much longer has added something: factor of the limits."""
_MARKUP = re.compile(
    r"</?[a-z][\w|.\-]*\s*/?>|<\|[^|<>]*\|>|```|\[\w+ \d+\]"
    r"|\{\s*\"|\"\s*\}|\"\s*:\s*[\"\[{]|\\[n\"t]",
    re.IGNORECASE,
)
"""Tags, special tokens, code fences, remains of JSON, numbered gaps."""
_LETTERS_OF_A_NAME = 3
_NAME = re.compile(r"\b[A-Z]\w+(?: [A-Z]\w+)+")
"""Two or more capitalised words."""

MISPLACED = "punctuation out of place"
"""The reason for which a rewrite with a flaw of form is rejected."""
_STOPS = ".,;:!?"
_OPENS = "([{\u201c\u00ab"
_CLOSES = ")]}\u201d\u00bb"
_QUOTE = '"'
_BRACKETS = (*zip(_OPENS, _CLOSES, strict=True), ("``", "''"))
_TOGETHER = re.compile(
    rf"(?=([{re.escape(_STOPS + _OPENS)}\-\u2013\u2014]\s*[{re.escape(_STOPS + _CLOSES)}]"
    rf'|"\s*"))'
)
"""Marks that seldom stand side by side."""
_MARKS = re.compile(rf"[{re.escape(_STOPS + _CLOSES)}]")
_SPACE = re.compile(rf"\s{_MARKS.pattern}")
_SPACED = "space before a mark"
_LETTER = re.compile(r"[^\W\d_]")
_BEHIND_END = " \t\n'\u2019" + _QUOTE + _CLOSES


def unchanged(text: WrittenText) -> bool:
    """Whether only case, spaces or punctuation differ."""
    return "".join(text.old) == "".join(text.new)


def word_similarity(first: Sequence[str], second: Sequence[str]) -> float:
    """Share of words in common, in order: 2·common / (length + length).

    >>> word_similarity("a dull old film".split(), "a dull new film".split())
    0.75
    """
    first = first[:_MAX_COMPARED]
    second = second[:_MAX_COMPARED]
    return SequenceMatcher(None, first, second, autojunk=False).ratio()


def length_fault(text: WrittenText, writing: Writing, settings: TextGateSettings) -> str:
    """Either "too short" or "too long"; "" for neither. New texts may differ more.

    >>> added = WrittenText("He was a director of plays.", "He was a director of plays, which "
    ...     "means that he was in charge of all that is acted in theatres.", "")
    >>> length_fault(added, "paraphrase", TextGateSettings())
    'too long'
    """
    loose = writing in {"new text", "answer"}
    factor = _NEW_TEXT_LOOSER if loose else _PARAPHRASE_TIGHTER if writing == "paraphrase" else 1.0
    slack = settings.length_slack * (_NEW_TEXT_SLACK if loose else 1)
    before = len(text.old)
    after = len(text.new)
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
    after = after.strip()
    mark = _FINISHED.search(before)
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
    unknown = [word for word in long_words if not (word in text.source or is_english(word))]
    if len(unknown) < _MIN_UNKNOWN:
        return ""
    share = 1 - len(unknown) / len(long_words)
    are_english = [is_english(word) for word in text.old if len(word) > _LETTERS_THAT_TELL]
    share_before = sum(are_english) / max(1, len(are_english))
    return " ".join(unknown[:8]) if share < min_known * share_before else ""


def prompt_leak(text: WrittenText, fixed: frozenset[tuple[str, ...]], whole: frozenset[str]) -> str:
    """A run of words that only the prompt has, one of its texts or a name in them; "" for none."""
    written = " ".join(text.new)
    if written in whole and text.lacks(written):
        return written
    for match in _NAME.finditer(text.after):
        if " ".join(plain_words(match[0])) in whole and text.lacks(match[0]):
            return match[0]
    length = len(next(iter(fixed), ()))
    in_source = set(ngrams(text.source, length)) if length else set()
    for run in ngrams(text.new, length) if length else ():
        if run in fixed and run not in in_source:
            return " ".join(run)
    return ""


@lru_cache(maxsize=64)
def fixed_runs(texts: tuple[str, ...], length: int) -> frozenset[tuple[str, ...]]:
    """The runs of words in a prompt's fixed texts that say something.

    One with fewer than two content words ("there is a lot of") may stand in any text.
    """
    common = function_words()
    return frozenset(
        run
        for text in texts
        for run in ngrams(plain_words(text), length)
        if sum(word not in common for word in run) > 1
    )


@lru_cache(maxsize=64)
def whole_texts(texts: tuple[str, ...]) -> frozenset[str]:
    """The texts of worked examples and the names in them, word by word.

    >>> sorted(whole_texts(("He liked The Glass Door.",)))
    ['he liked the glass door', 'the glass door']
    """
    names = [match[0] for text in texts for match in _NAME.finditer(text)]
    return frozenset(" ".join(plain_words(text)) for text in (*texts, *names))


def markup(text: WrittenText) -> str:
    """A tag, a code fence or a remainder of JSON that the source lacks; "" for none."""
    tags = (match[0] for match in _MARKUP.finditer(text.after))
    return next((tag for tag in tags if tag not in text.context), "")


def label_name(text: WrittenText, labels: Iterable[str]) -> str:
    """The name of a label that the source lacks; "" for none.

    A number, a letter or a function word is no name.

    >>> label_name(WrittenText("Dull.", "A negative film.", "Dull."), ["negative", "0"])
    'negative'
    """
    written = f" {' '.join(text.new)} "
    for label in labels:
        words = plain_words(label)
        letters = sum(map(str.isalpha, "".join(words)))
        is_name = letters >= _LETTERS_OF_A_NAME and not set(words) <= function_words()
        if is_name and f" {' '.join(words)} " in written and text.lacks(label):
            return label
    return ""


def instruction(text: WrittenText) -> str:
    """Words about the task that the source lacks; "" for none."""
    talk = _phrases()
    for word in text.new:
        if word in talk["words"] and text.lacks(word):
            return word
    return _first_match(talk["instructions"], text)


def assistant_talk(text: WrittenText) -> str:
    """A refusal, or talk of an assistant, that the source lacks; "" for none."""
    return _first_match(_phrases()["assistant"], text)


def _first_match(pattern: re.Pattern[str], text: WrittenText) -> str:
    match = pattern.search(text.after)
    return match[0].strip() if match and not pattern.search(text.context) else ""


@cache
def _phrases() -> dict[str, Any]:
    path = files("augkit.augmenters.llm_checks").joinpath("phrases.yaml")
    listed = parse_bundled_yaml(path.read_text(encoding="utf-8"))
    names = "|".join(listed["field_names"].split())
    about = [rf"\b(?:{phrase})\b" for phrase in listed["instruction_phrases"]]
    # Answers that broke off repeat a mark without end, and from each the next name was looked for.
    # Of more than 60 signs before a name, the last 60 tell as well whether a sentence ended.
    about.append(rf"(?:^\W*|[.!?]\s\W{{0,60}})(?:{names})\s*(?:\d\s*)?:")
    return {
        "words": frozenset(listed["instruction_words"].split()),
        "instructions": re.compile("|".join(about), re.IGNORECASE),
        "assistant": re.compile("|".join(listed["assistant_talk"]), re.IGNORECASE),
    }


def is_well_formed(text: str, original: str) -> bool:
    """Whether a text has no flaw of form that its original has not.

    It does not begin with a mark that closes or ends something, or in lower case; it ends with a
    mark of a sentence; no two marks have come together; quotation marks and brackets match. Spaces
    before marks are a flaw if the original has marks without them.

    >>> is_well_formed(". Dull!", "Ann came. Dull!"), is_well_formed("Dull!", "Ann came. Dull!")
    (False, True)
    """
    letter = _LETTER.search(original)
    if text[:1].islower() and letter and letter[0].isupper():
        return False
    flaws = _flaws(text)
    if flaws and not _MARKS.search(original):
        flaws.discard(_SPACED)
    return not flaws or flaws <= _flaws(original)


def _flaws(text: str) -> set[str]:
    text = text.strip()
    flaws = {"together: " + "".join(match[1].split()) for match in _TOGETHER.finditer(text)}
    first = text[:1]
    last = text.rstrip(_BEHIND_END)[-1:]
    if first and first in _STOPS + _CLOSES and not text.startswith("..."):
        flaws.add(f"first: {first}")
    if _SPACE.search(text):
        flaws.add(_SPACED)
    if last not in _STOPS:
        flaws.add("no last mark")
    if text.count(_QUOTE) % 2:
        flaws.add(f"odd: {_QUOTE}")
    return flaws | {f"odd: {a}" for a, b in _BRACKETS if not _match(text, a, b)}


def _match(text: str, opening: str, closing: str) -> bool:
    depth = 0
    for mark in re.findall(f"{re.escape(opening)}|{re.escape(closing)}", text):
        depth += 1 if mark == opening else -1
        if depth < 0:
            return False
    return not depth
