"""Rewriting one text of a pair so that its relation to the other is sure to stay.

Where the other text says that something is a film, "it is a novel rather than a film" and "it is a
novel" are as false as "it is not a film", so that denials can leave the false texts.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import NamedTuple

from augkit.augmenters.razor.rules.alternatives import Slot, holds, mentioned, others, slots
from augkit.augmenters.razor.rules.denials import affirmed
from augkit.augmenters.razor.rules.origins import of_other_origin
from augkit.augmenters.relations import Relation
from augkit.core.analysis import Analysis, Token
from augkit.language.parser import SpacyParser
from augkit.text.articles import ARTICLES, article, replace_word
from augkit.text.casing import match_case

ONCE = frozenset(
    "bear die release found establish premiere publish form debut launch marry begin start end "
    "open discover create kill complete sign occur happen incorporate invent arrive graduate "
    "retire divorce assassinate disband dissolve abolish".split()
)
"""Verbs of what happens to something once."""
_MAKING = frozenset("write direct compose author design build invent paint make".split())
_PRINTED = frozenset("book novel comic play poem".split())
_AT = frozenset("locate situate base set headquarter".split())
_EXCEPTION = re.compile(
    r"\b(?:outside|except|besides|other than|apart from|unlike|without|instead of|rather than)\b"
)


class Candidate(NamedTuple):
    """A rewriting and the name of the rule that made it."""

    text: str
    how: str


class Pairing(NamedTuple):
    """A text to be rewritten, what it stands beside, and how it relates to that."""

    analysis: Analysis
    context: str
    relation: Relation | None


def contrasted(pair: Pairing, analyser: SpacyParser, draw: random.Random) -> Iterator[Candidate]:
    """Rewritings that keep the relation because the other text rules an alternative out."""
    if pair.relation == "entailment":
        yield from _true(pair)
    elif pair.relation == "contradiction":
        yield from _false(pair, analyser, draw)


def _true(pair: Pairing) -> Iterator[Candidate]:
    for slot in slots(pair.analysis):
        if holds(pair.context, slot.text):
            yield from _not_only(pair, slot)
            yield from _around(pair.analysis, slot, true=True)


def _not_only(pair: Pairing, slot: Slot) -> Iterator[Candidate]:
    """As "not only an actor but also a director", where the other text names both side by side."""
    before = _before_phrase(pair.analysis, slot)
    if slot.plural or not at_end(pair.analysis, slot) or slot.kind not in {"professions", "genres"}:
        return
    if before is None or before.text.lower() not in {"is", "was"}:
        return
    for other in sorted(mentioned(pair.context).get(slot.kind, set()) - {slot.text}):
        if _listed_together(pair.context, slot.text, other):
            text = pair.analysis.text
            head, tail = text[: before.end], text[before.end : slot.end]
            rest = text[slot.end :]
            yield Candidate(
                f"{head} not only{tail} but also {article(other)} {other}{rest}", "not only"
            )


def _listed_together(context: str, one: str, other: str) -> bool:
    """Whether two words stand in one list: "actor , director and painter"."""
    comma = r"\s*(?:,\s*and|,|\band\b)\s*"
    item = r"(?:(?!the\b|of\b|an?\b|and\b)\w+\s*){1,2}"
    between = f"{comma}(?:{item}{comma}){{0,2}}(?:{item})?"
    return any(
        re.search(rf"(?<!\w){re.escape(first)}{between}\b{re.escape(second)}(?!\w)", context)
        for first, second in ((one, other), (other, one))
    )


def _false(pair: Pairing, analyser: SpacyParser, draw: random.Random) -> Iterator[Candidate]:
    plain = affirmed(pair.analysis)
    if plain is None or _EXCEPTION.search(plain.text):
        return
    (statement,) = analyser.parse([plain.text])
    context = f"{pair.context} {plain.text}"
    for text in of_other_origin(statement, pair.context, draw, 2):
        yield Candidate(text, "of another origin")
    for slot in slots(statement):
        if holds(pair.context, slot.text):
            for other in others(slot, context, draw, 2) if is_bare(statement, slot) else ():
                yield from _swapped(statement, slot, other, limited=plain.limiter)
            if not plain.limiter:
                yield from _around(statement, slot, true=False)
        elif plain.limiter:
            yield from _unlimited(statement, slot, mentioned(pair.context).get(slot.kind, set()))


def _unlimited(statement: Analysis, slot: Slot, truths: set[str]) -> Iterator[Candidate]:
    """As "only a novelist" of a dramatist: set against what the other text says."""
    for true in sorted(truths)[:2]:
        if at_end(statement, slot) and not slot.plural:
            for link in (" rather than ", " instead of "):
                text = beside(statement, slot, slot.text, true, link)
                yield Candidate(text, "set against the truth")
    # A book may be the novel that the other text speaks of.
    printed = slot.text in _PRINTED and not truths.isdisjoint(_PRINTED)
    free = slot.kind != "kinds of thing" and not printed
    if truths and _is_said_to_be(statement, slot) and free:
        yield Candidate(statement.text, "another of its kind")


def _swapped(statement: Analysis, slot: Slot, other: str, *, limited: bool) -> Iterator[Candidate]:
    if at_end(statement, slot):
        for link in (" rather than ", " instead of "):
            text = beside(statement, slot, other, slot.text, link)
            yield Candidate(text, "set against the truth")
    if _is_said_to_be(statement, slot) if limited else _rules_out(statement, slot):
        yield Candidate(replaced(statement, slot, other), "another of its kind")


def is_only_one(statement: Analysis, slot: Slot) -> bool:
    """Whether the statement leaves room for one word of the kind: one date of birth, one author.

    "appeared in a film" leaves room for plays, "lived in Texas" for other states.
    """
    if slot.shape in {"noun", "adjective"}:
        noun = slot.token
        if noun.is_relation("amod"):
            noun = statement.head(noun)
        by = any(word.text.lower() == "by" for word in statement.children(noun, "case"))
        made = by and statement.head(noun).lemma.lower() in ONCE | _MAKING
        return made or bool(statement.children(noun, "cop"))
    root = next(token for token in statement.tokens if token.is_root)
    happens_once = root.lemma.lower() in ONCE and root.upos == "VERB"
    if slot.shape == "number":
        return happens_once
    return root.lemma.lower() in ONCE | _AT or bool(statement.children(slot.token, "cop"))


def _rules_out(statement: Analysis, slot: Slot) -> bool:
    """Whether another word of its kind cannot be true too: "is a film", "was born in 1962"."""
    return slot.exclusive and not slot.plural and is_only_one(statement, slot)


def _is_said_to_be(statement: Analysis, slot: Slot) -> bool:
    """Whether the slot is what something is said to be: "is a film", "is German"."""
    return slot.exclusive and bool(statement.children(slot.token, "cop"))


def _around(statement: Analysis, slot: Slot, *, true: bool) -> Iterator[Candidate]:
    """As "in 1987" as "before 1990" where that is true, or as "after 1987" where it is false."""
    before = _neighbour(statement, slot, -1)
    if slot.kind != "year" or before is None or before.text.lower() != "in":
        return
    if not is_only_one(statement, slot):
        return
    year = int(slot.text)
    choices = (
        ((f"before {year + 4}"), (f"after {year - 4}"))
        if true
        else (
            f"before {year}",
            f"after {year}",
        )
    )
    for phrase in choices:
        said = match_case(phrase, before.text)
        text = statement.text[: before.start] + said + statement.text[slot.end :]
        yield Candidate(text, "before or after")


def replaced(statement: Analysis, slot: Slot, other: str) -> str:
    """The text with another word in the slot, a or an fitted."""
    return replace_word(statement.text, slot.start, slot.end, other)


def beside(statement: Analysis, slot: Slot, first: str, second: str, link: str) -> str:
    """The slot filled by ``first``, set against ``second``: "a film rather than a novel"."""
    text = replaced(statement, slot, first)
    end = slot.end + len(text) - len(statement.text)
    against = second
    if not slot.plural and _has_article(statement, slot):
        against = f"{article(second)} {second}"
    return text[:end] + link + against + text[end:]


def at_end(statement: Analysis, slot: Slot) -> bool:
    """Whether the slot ends its clause, so that something can be set against it there."""
    if statement.text[slot.end : slot.end + 1] not in {"", ".", ";", "!", "?"}:
        return False
    if slot.shape == "noun" and not slot.plural and not _has_article(statement, slot):
        return False
    return slot.shape != "adjective" or not slot.token.is_relation("amod")


def is_bare(statement: Analysis, slot: Slot) -> bool:
    """Whether another noun fits in the slot: what stands before a noun often fits no other."""
    if slot.shape != "noun":
        return True
    parts = statement.children(slot.token, "amod", "compound", "acl", "nmod")
    if slot.kind == "kinds of thing":
        return not parts
    return all(part.text[:1].isupper() and part.is_relation("amod") for part in parts)


def _has_article(statement: Analysis, slot: Slot) -> bool:
    return any(child.text.lower() in ARTICLES for child in statement.children(slot.token, "det"))


def _before_phrase(statement: Analysis, slot: Slot) -> Token | None:
    """The word before the phrase that the slot heads."""
    first = min(token.index for token in statement.subtree(slot.token) if _in_phrase(token, slot))
    return statement.tokens[first - 1] if first > 0 else None


def _in_phrase(token: Token, slot: Slot) -> bool:
    head = token.index == slot.token.index
    inside = token.head == slot.token.index and token.index < slot.token.index
    return head or (inside and not token.is_relation("nsubj", "cop", "aux", "advmod"))


def _neighbour(statement: Analysis, slot: Slot, step: int) -> Token | None:
    place = slot.token.index + step
    return statement.tokens[place] if 0 <= place < len(statement.tokens) else None
