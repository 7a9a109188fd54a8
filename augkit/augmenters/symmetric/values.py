"""Values that both texts of a pair may state: dates, numbers, ranks, nationalities, makers.

Only a value of which a statement can have just one counts: a person is born once, and a film has
one director. "He made a film in 1995" does not: he may have made another one in 1998.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import takewhile
from typing import NamedTuple

from augkit.core.analysis import Analysis, Token
from augkit.english.rewriting.words import phrases, table, word_list
from augkit.lexicons.demographics.names import first_names, look_up

_YEARS = (-9, -7, -6, -5, -4, -3, -2, 2, 3, 4, 5, 6, 7)
_DAYS = tuple(str(day) for day in range(2, 28))
_DATE_NOUNS = frozenset({"year", "month", "day", "date"})
_INDEFINITE = frozenset(
    {"a", "an", "some", "several", "one", "many", "there", "both", "all", "each", "every"}
)
_UP_TO = frozenset({"to", "until", "till", "through"})
_DAY = re.compile(r"\d{1,2}(?:st|nd|rd|th)?")
_NAME_WORDS = 2
_COMMON = 400
"""First names that are drawn from: the most frequent ones."""


class Kind(NamedTuple):
    """Values of one kind: what they look like, and what may take the place of one."""

    name: str
    pattern: re.Pattern[str]
    alternatives: Callable[[str], Sequence[str]]
    about: Callable[[Analysis, Token], Token | None]
    """The word that can have only one such value; None if it may have more."""
    counts: bool = False
    """Whether that word follows in the first text as well: "three Grammy *Awards*"."""


class Value(NamedTuple):
    """A value in a text, its kind, and the word that has only one such value."""

    kind: Kind
    text: str
    about: Token


def values_of(analysis: Analysis) -> Iterator[Value]:
    """The values in a text of a single statement about a certain subject, years first."""
    subject = subject_tokens(analysis) if len(analysis.sentences) == 1 else ()
    if not subject or subject[0].text.lower() in _INDEFINITE:
        return  # "There is", "One of the actors"
    left = [token for token in analysis.tokens if not _is_bounded(analysis, token)]
    for kind in _kinds():
        for token in [word for word in left if kind.pattern.fullmatch(word.text)]:
            about = kind.about(analysis, token)
            if about is not None:
                left.remove(token)
                yield Value(kind, token.text, about)
    yield from _makers(analysis)


def may_have_value(text: str) -> bool:
    """Whether a text must be parsed to know.

    >>> may_have_value("It opened in 1979."), may_have_value("It is old.")
    (True, False)
    """
    return " by " in text or any(kind.pattern.search(text) for kind in _kinds())


def subject_tokens(analysis: Analysis) -> tuple[Token, ...]:
    """The words of the subject of a text."""
    root = next(token for token in analysis.tokens if token.is_root)
    return tuple(
        token for subject in analysis.children(root, "nsubj") for token in analysis.subtree(subject)
    )


def _is_bounded(analysis: Analysis, token: Token) -> bool:
    """Whether a value is the bound of a range: "before May 1979", "at least 3"."""
    before = analysis.tokens[max(0, token.index - 3) : token.index]
    near = {word.text.lower() for word in [word for word in before if not _is_date(word)][-2:]}
    if _UP_TO.isdisjoint(word.text.lower() for word in analysis.tokens[token.index :]):
        near -= {"from"}  # "a film from 1995"
    return not word_list("open_ranges").isdisjoint(near)


def _is_date(token: Token) -> bool:
    listed = token.lemma in _DATE_NOUNS or token.text == "," or token.upos == "NUM"
    return listed or _is_day_or_month(token)


def _is_day_or_month(token: Token) -> bool:
    return token.text in phrases("months") or _DAY.fullmatch(token.text) is not None


def _is_predicate(analysis: Analysis, word: Token) -> bool:
    """Whether a word is what the text says of its subject: "is a film", "was *released*"."""
    head = analysis.head(word)
    if word.is_root:
        return word.upos == "VERB" or _is_copular(analysis, word)
    if word.is_relation("conj"):
        return head.is_root and word.upos == head.upos == "VERB"
    return word.deprel == "acl" and head.is_root and _is_copular(analysis, head)


def _is_copular(analysis: Analysis, word: Token) -> bool:
    """Whether the subject is said to be this: not "is in a film"."""
    return bool(analysis.children(word, "cop")) and not analysis.children(word, "case")


def _dated(analysis: Analysis, token: Token) -> Token | None:
    """The event of a date that happens once, or the work of a year."""
    before, after = (
        analysis.tokens[(token.index + step) % len(analysis.tokens)] for step in (-1, 1)
    )
    if before.text == "the" or (before.text == "on" and not _is_day_or_month(after)):
        return None  # "in the 1972", "on March"
    above = [token]
    while not above[-1].is_root:
        above.append(analysis.head(above[-1]))
    dates = list(takewhile(_is_date, above))
    if len(dates) == len(above):  # "Her birthday is May 3"
        life_dates = (
            word for word in subject_tokens(analysis) if word.lemma in word_list("life_dates")
        )
        return next(life_dates, None)
    word = above[len(dates)]
    if word.upos == "VERB":
        return word if word.lemma in _once() and _is_predicate(analysis, word) else None
    work = word.lemma in word_list("works") and word.is_root and len(dates) == 1
    return word if work and _is_predicate(analysis, word) else None


@cache
def _once() -> frozenset[str]:
    return word_list("single_events") | word_list("life_events") | word_list("ends")


def _day(analysis: Analysis, token: Token) -> Token | None:
    near = analysis.tokens[max(0, token.index - 1) : token.index + 2]
    month = any(word.text in phrases("months") for word in near)
    return _dated(analysis, token) if month else None


def _described(analysis: Analysis, token: Token) -> Token | None:
    """What is said to be of a nationality; not a noun: "is an American"."""
    word = token if token.is_root else analysis.head(token)
    if token.is_root and analysis.children(token, "det"):
        return None
    attributed = token.is_root or token.is_relation("amod", "compound")
    return word if attributed and word.is_root and _is_copular(analysis, word) else None


def _counted(analysis: Analysis, token: Token) -> Token | None:
    """What is counted: "won three *Awards*", "for 11 *months*"."""
    word = analysis.head(token)
    counting = token.is_relation("nummod") and word.is_relation("obj", "obl", "nmod")
    return word if counting and not analysis.children(word, "det", "nmod:poss") else None


def _ranked(analysis: Analysis, token: Token) -> Token | None:
    """What has a place in an order: "the fourth *album*"."""
    word = analysis.head(token)
    while word.is_relation("amod", "advmod") and word.upos == "ADJ":
        word = analysis.head(word)
    ranking = token.is_relation("amod", "advmod") and word.upos in {"NOUN", "PROPN"}
    definite = analysis.children(word, "det", "nmod:poss") if ranking else ()
    return (
        word if any(determiner.text.lower() not in _INDEFINITE for determiner in definite) else None
    )


def _makers(analysis: Analysis) -> Iterator[Value]:
    """The one person by whom something was made: "directed by Ida Olsen"."""
    for agent in analysis.tokens:
        verb = analysis.head(agent)
        group = analysis.subtree(agent)
        if not agent.is_relation("obl") or verb.lemma not in word_list("done_by_one"):
            continue
        name = [word for word in group if word.upos == "PROPN"]
        alone = len(name) == _NAME_WORDS and len(group) == _NAME_WORDS + 1
        text = analysis.text[name[0].start : name[-1].end] if alone else ""
        by = group[0].text == "by" and _PERSON.pattern.fullmatch(text) is not None
        if by and _is_predicate(analysis, verb):
            yield Value(_PERSON, text, verb)


def _other_people(name: str) -> list[str]:
    first_name = look_up(name.split(maxsplit=1)[0])
    surnames = table("entities.yaml")["surnames"].split()
    firsts = _first_names(first_name.gender) if first_name else ()
    return [f"{first} {surnames[7 * place % len(surnames)]}" for place, first in enumerate(firsts)]


@cache
def _first_names(gender: str) -> tuple[str, ...]:
    fitting = [name for name in first_names().values() if name.gender == gender and name.is_clear]
    fitting.sort(key=lambda name: (-name.bearers, name.text))
    return tuple(name.text for name in fitting[:_COMMON] if name.text.isascii())


def _other_nations(value: str) -> list[str]:
    near = word_list("nations_of_britain")
    return [
        nation for nation in phrases("nationalities") if value not in near or nation not in near
    ]


def _as_long(number: str) -> list[str]:
    """The numbers from 2 with as many digits."""
    start = max(2, 10 ** (len(number) - 1))
    return [str(value) for value in range(start, 10 ** len(number))]


def _listed(name: str) -> re.Pattern[str]:
    return re.compile("|".join(phrases(name)))


_PERSON = Kind("person", re.compile(r"[A-Z]\w+ [A-Z]\w+"), _other_people, lambda *_: None)


@cache
def _kinds() -> tuple[Kind, ...]:
    year = re.compile(r"1\d{3}|20[0-2]\d")
    number = re.compile(r"\d{1,3}")
    return (
        Kind("year", year, lambda value: [str(int(value) + step) for step in _YEARS], _dated),
        Kind("month", _listed("months"), lambda _: phrases("long_months"), _dated),
        Kind("day", re.compile(r"[1-9]|1\d|2[0-8]"), lambda _: _DAYS, _day),
        Kind("number", _listed("numbers"), lambda _: phrases("numbers"), _counted, counts=True),
        Kind("number", number, _as_long, _counted, counts=True),
        Kind("rank", _listed("ordinals"), lambda _: phrases("ordinals"), _ranked, counts=True),
        Kind("nationality", _listed("nationalities"), _other_nations, _described),
    )
