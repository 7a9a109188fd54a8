"""The rules by which the style of candidates is made alike: ``lexicons/data/style_rules.yaml``."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial

from augkit.core.errors import UnknownName
from augkit.lexicons.load import data_yaml
from augkit.text import markdown
from augkit.text.quantities import NUMBER_WORDS, to_number

Candidates = tuple[str, ...]
_MOST_ROUNDS = 10
_NO_MARK = re.compile(r"[\w)\]\"'\u201d\u2019%]\Z")
_ENDS_MARKED = re.compile(r"[.!?\u2026][\"'\u201d\u2019)\]]*\Z")
_SMALL_WORD = re.compile(r"\A(\W*)([a-z])[a-z]*\b(?![.@])")
_ONES = re.compile(r"\b(?:one|a|zero)\b", re.IGNORECASE)
_WORD_NUMBER = re.compile(rf"\b{NUMBER_WORDS}\b(?![-'\u2019\w])", re.IGNORECASE)


@dataclass(frozen=True)
class StyleRule:
    """A rule, whether it is on by default, and what it promises of the meaning."""

    name: str
    default: bool
    promise: str
    apply: Callable[[Candidates], Candidates]


@cache
def style_rules() -> dict[str, StyleRule]:
    """All rules by name, in the order in which they are applied.

    >>> style_rules()["emphasis"].apply(("**Yes**", "No"))
    ('Yes', 'No')
    """
    table = data_yaml("style_rules.yaml")
    return {
        name: StyleRule(name, entry["default"], entry["promise"], _application(entry))
        for name, entry in table.items()
    }


def chosen_rules(added: Sequence[str], left_out: Sequence[str]) -> list[StyleRule]:
    """The rules that are on by default, with some more and without others."""
    rules = style_rules()
    for name in (*added, *left_out):
        if name not in rules:
            raise UnknownName("rule", name, rules)
    return [
        rule
        for name, rule in rules.items()
        if (rule.default or name in added) and name not in left_out
    ]


def alike(candidates: Candidates, rules: Sequence[StyleRule]) -> tuple[Candidates, list[str]]:
    """The candidates after all rules, and the names of those that changed any.

    They are applied again until nothing changes, as one may make room for another.
    """
    changed_by: dict[str, None] = {}
    for _ in range(_MOST_ROUNDS):
        before = candidates
        for rule in rules:
            after = rule.apply(candidates)
            if after != candidates:
                changed_by[rule.name] = None
                candidates = after
        if candidates == before:
            break
    return candidates, list(changed_by)


def _application(entry: dict[str, object]) -> Callable[[Candidates], Candidates]:
    if "markdown" in entry:
        return partial(_each, getattr(markdown, str(entry["markdown"])))
    if "item" in entry:
        return {"capital_first": capital_first, "final_mark": final_mark}[str(entry["item"])]
    if "numbers" in entry:
        return partial(_each, lambda text: markdown.in_prose(text, _in_figures))
    pairs: list[list[str]] = entry["replace"]  # type: ignore[assignment] # a list of pairs
    patterns = [(re.compile(pattern, re.IGNORECASE), new) for pattern, new in pairs]
    return partial(_each, partial(_replaced, patterns))


def _each(change: Callable[[str], str], candidates: Candidates) -> Candidates:
    return tuple(map(change, candidates))


def _replaced(patterns: Sequence[tuple[re.Pattern[str], str]], text: str) -> str:
    """The text with patterns replaced; code and addresses hold none of them."""
    return markdown.around_literals(text, lambda part: _all_replaced(patterns, part))


def _all_replaced(patterns: Sequence[tuple[re.Pattern[str], str]], part: str) -> str:
    for pattern, new in patterns:
        part = pattern.sub(new, part)
    return part


def _in_figures(part: str) -> str:
    """Numbers in words as figures; "one", which is often no number, stays.

    >>> _in_figures("Twelve of one hundred and two")
    '12 of 102'
    """

    def figure(match: re.Match[str]) -> str:
        number = None if _ONES.fullmatch(match[0]) else to_number(match[0].lower())
        return match[0] if number is None else str(number)

    return _WORD_NUMBER.sub(figure, part)


def capital_first(candidates: Candidates) -> Candidates:
    """Capitals at the beginning of all candidates, where some have one.

    >>> capital_first(("Lima.", "in Peru", "iPads"))
    ('Lima.', 'In Peru', 'iPads')
    """
    if not any(re.match(r"\W*[A-Z]", text) for text in candidates):
        return candidates
    return tuple(
        _SMALL_WORD.sub(lambda word: word[0].replace(word[2], word[2].upper(), 1), text, count=1)
        if _SMALL_WORD.match(text)
        else text
        for text in candidates
    )


def final_mark(candidates: Candidates) -> Candidates:
    """A full stop behind candidates that end with a word, where others end with a mark.

    >>> final_mark(("It is Lima.", "Cusco")), final_mark(("Lima", "Cusco"))
    (('It is Lima.', 'Cusco.'), ('Lima', 'Cusco'))
    """
    if not any(map(_ENDS_MARKED.search, candidates)):
        return candidates
    return tuple(
        f"{text}." if _NO_MARK.search(text) and not _ends_otherwise(text) else text
        for text in candidates
    )


def _ends_otherwise(text: str) -> bool:
    """Whether a text ends with a mark, or with code or an address, which a stop would change."""
    ends = (literal for literal in markdown.literals(text) if text.endswith(literal))
    return bool(_ENDS_MARKED.search(text)) or any(ends)
