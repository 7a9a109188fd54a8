"""Gates against what does not belong to a text: pieces of the prompt, markup, talk about the task.

Nothing that the source example itself says is held against a text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from augkit.augmenters.llm_checks.written import WrittenText, function_words, ngrams, plain_words
from augkit.core.config import parse_bundled_yaml

_MARKUP = re.compile(
    r"</?[a-z][\w|.\-]*\s*/?>|<\|[^|<>]*\|>|```|\[\w+ \d+\]"
    r"|\{\s*\"|\"\s*\}|\"\s*:\s*[\"\[{]|\\[n\"t]",
    re.IGNORECASE,
)
"""Tags, special tokens, code fences, remains of JSON, numbered gaps."""
_LETTERS_OF_A_NAME = 3
_NAME = re.compile(r"\b[A-Z]\w+(?: [A-Z]\w+)+")
"""Two or more capitalised words."""


def prompt_leak(text: WrittenText, fixed: frozenset[tuple[str, ...]], whole: frozenset[str]) -> str:
    """A run of words that only the prompt has, one of its texts or a name in them; "" for none."""
    written = " ".join(text.new)
    if written in whole and text.lacks(written):
        return written
    for match in _NAME.finditer(text.after):
        if " ".join(plain_words(match[0])) in whole and text.lacks(match[0]):
            return match[0]
    length = len(next(iter(fixed), ()))
    known = set(ngrams(text.given, length)) if length else set()
    for run in ngrams(text.new, length) if length else ():
        if run in fixed and run not in known:
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
    found = (match[0] for match in _MARKUP.finditer(text.after))
    return next((one for one in found if one not in text.context), "")


def label_name(text: WrittenText, labels: Iterable[str]) -> str:
    """The name of a label that the source lacks; "" for none.

    >>> label_name(WrittenText("Dull.", "A negative film.", "Dull."), ["negative", "0"])
    'negative'
    """
    written = f" {' '.join(text.new)} "
    for label in labels:
        words = plain_words(label)
        if _is_name(words) and f" {' '.join(words)} " in written and text.lacks(label):
            return label
    return ""


def _is_name(words: Sequence[str]) -> bool:
    """Whether a label is more than a number, a letter or a function word."""
    letters = sum(map(str.isalpha, "".join(words)))
    return letters >= _LETTERS_OF_A_NAME and not set(words) <= function_words()


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
    found = pattern.search(text.after)
    return found[0].strip() if found and not pattern.search(text.context) else ""


@cache
def _phrases() -> dict[str, Any]:
    path = files("augkit.augmenters.llm_checks").joinpath("phrases.yaml")
    listed = parse_bundled_yaml(path.read_text(encoding="utf-8"))
    names = "|".join(listed["field_names"].split())
    about = [rf"\b(?:{one})\b" for one in listed["instruction_phrases"]]
    about.append(rf"(?:^|[.!?]\s+)\W*(?:{names})\s*\d?\s*:")
    return {
        "words": frozenset(listed["instruction_words"].split()),
        "instructions": re.compile("|".join(about), re.IGNORECASE),
        "assistant": re.compile("|".join(listed["assistant_talk"]), re.IGNORECASE),
    }
