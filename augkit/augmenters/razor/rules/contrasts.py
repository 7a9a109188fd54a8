"""Rewrites of one text of a pair that keep its relation to the other.

Where the context says that something is a film, "it is a novel rather than a film" and "it is a
novel" are as false as "it is not a film", so negation can leave the false texts.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache

from augkit.augmenters.razor.rewrites import Rewrite
from augkit.augmenters.razor.rules.alternatives import Slot, holds, mentioned, others, slots
from augkit.augmenters.razor.rules.nationality import other_nationality
from augkit.augmenters.razor.rules.negation import remove_negation
from augkit.augmenters.razor.rules.paired_text import PairedText
from augkit.augmenters.razor.rules.word_lists import phrase_list, word_set
from augkit.core.analysis import Analysis, Token
from augkit.core.protocols import Parser
from augkit.text.articles import ARTICLES, article, replace_word
from augkit.text.casing import match_case


@cache
def _exception() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(phrase_list('exceptions'))})\b")


def contrasts(pair: PairedText, parser: Parser, rng: random.Random) -> Iterator[Rewrite]:
    """Rewrites that keep the relation because the context rules an alternative out."""
    if pair.relation == "entailment":
        yield from _true(pair)
    elif pair.relation == "contradiction":
        yield from _false(pair, parser, rng)


def _true(pair: PairedText) -> Iterator[Rewrite]:
    for slot in slots(pair.analysis):
        if holds(pair.context, slot.text):
            yield from _not_only(pair, slot)
            yield from _around(pair.analysis, slot, true=True)


def _not_only(pair: PairedText, slot: Slot) -> Iterator[Rewrite]:
    """From "an actor", "not only an actor but also a director", if the context lists both."""
    before = _before_phrase(pair.analysis, slot)
    listable = slot.category in {"professions", "genres"} and not slot.plural
    if not listable or not at_end(pair.analysis, slot):
        return
    if before is None or before.text.lower() not in {"is", "was"}:
        return
    for other in sorted(mentioned(pair.context).get(slot.category, set()) - {slot.text}):
        if _listed_together(pair.context, slot.text, other):
            text = pair.analysis.text
            head, tail = text[: before.end], text[before.end : slot.end]
            rest = text[slot.end :]
            yield Rewrite(
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


def _false(pair: PairedText, parser: Parser, rng: random.Random) -> Iterator[Rewrite]:
    plain = remove_negation(pair.analysis)
    if plain is None or _exception().search(plain.text):
        return
    (statement,) = parser.parse([plain.text])
    context = f"{pair.context} {plain.text}"
    for text in other_nationality(statement, pair.context, rng, 2):
        yield Rewrite(text, "other nationality")
    for slot in slots(statement):
        if holds(pair.context, slot.text):
            for other in others(slot, context, rng, 2) if is_bare(statement, slot) else ():
                yield from _swapped(statement, slot, other, limited=plain.limiter)
            if not plain.limiter:
                yield from _around(statement, slot, true=False)
        elif plain.limiter:
            truths = mentioned(pair.context).get(slot.category, set())
            yield from _unlimited(statement, slot, truths)


def _unlimited(statement: Analysis, slot: Slot, truths: set[str]) -> Iterator[Rewrite]:
    """For "only a novelist", said of a dramatist: contrast it with what the context says."""
    for true in sorted(truths)[:2]:
        if at_end(statement, slot) and not slot.plural:
            for link in (" rather than ", " instead of "):
                text = in_contrast(statement, slot, slot.text, true, link)
                yield Rewrite(text, "contrast with the truth")
    # A book may be the novel of the context.
    works = word_set("printed_works")
    printed = slot.text in works and not truths.isdisjoint(works)
    free = slot.category != "kinds of thing" and not printed
    if truths and _is_predicate(statement, slot) and free:
        yield Rewrite(statement.text, "other of its category")


def _swapped(statement: Analysis, slot: Slot, other: str, *, limited: bool) -> Iterator[Rewrite]:
    if at_end(statement, slot):
        for link in (" rather than ", " instead of "):
            text = in_contrast(statement, slot, other, slot.text, link)
            yield Rewrite(text, "contrast with the truth")
    if _is_predicate(statement, slot) if limited else _rules_out(statement, slot):
        yield Rewrite(fill_slot(statement, slot, other), "other of its category")


def is_only_one(statement: Analysis, slot: Slot) -> bool:
    """Whether only one word of the category can be true: one date of birth, one author.

    "appeared in a film" leaves room for plays, "lived in Texas" for other states.
    """
    if slot.shape in {"noun", "adjective"}:
        noun = slot.token
        if noun.is_relation("amod"):
            noun = statement.head(noun)
        by = any(word.text.lower() == "by" for word in statement.children(noun, "case"))
        lemma = statement.head(noun).lemma.lower()
        made = by and (lemma in word_set("once_verbs") or lemma in word_set("making_verbs"))
        return made or bool(statement.children(noun, "cop"))
    root = next(token for token in statement.tokens if token.is_root)
    lemma = root.lemma.lower()
    if slot.shape == "number":
        return lemma in word_set("once_verbs") and root.upos == "VERB"
    unique = lemma in word_set("once_verbs") or lemma in word_set("location_verbs")
    return unique or bool(statement.children(slot.token, "cop"))


def _rules_out(statement: Analysis, slot: Slot) -> bool:
    """Whether another word of its category cannot be true too: "is a film", "born in 1962"."""
    return slot.exclusive and not slot.plural and is_only_one(statement, slot)


def _is_predicate(statement: Analysis, slot: Slot) -> bool:
    """Whether the slot is the predicate of the statement: "is a film", "is German"."""
    return slot.exclusive and bool(statement.children(slot.token, "cop"))


def _around(statement: Analysis, slot: Slot, *, true: bool) -> Iterator[Rewrite]:
    """From "in 1987", "before 1991" where that is to be true, "after 1987" where it is not."""
    before = _neighbour(statement, slot, -1)
    if slot.category != "year" or before is None or before.text.lower() != "in":
        return
    if not is_only_one(statement, slot):
        return
    year = int(slot.text)
    margin = 4 if true else 0
    for phrase in (f"before {year + margin}", f"after {year - margin}"):
        cased = match_case(phrase, before.text)
        text = statement.text[: before.start] + cased + statement.text[slot.end :]
        yield Rewrite(text, "before or after")


def fill_slot(statement: Analysis, slot: Slot, other: str) -> str:
    """The text with another word in the slot, a or an fitted."""
    return replace_word(statement.text, slot.start, slot.end, other)


def in_contrast(statement: Analysis, slot: Slot, first: str, second: str, link: str) -> str:
    """The slot filled by ``first`` in contrast to ``second``: "a film rather than a novel"."""
    text = fill_slot(statement, slot, first)
    end = slot.end + len(text) - len(statement.text)
    contrast = second
    if not slot.plural and _has_article(statement, slot):
        contrast = f"{article(second)} {second}"
    return text[:end] + link + contrast + text[end:]


def at_end(statement: Analysis, slot: Slot) -> bool:
    """Whether the slot ends its clause, so that a contrast can follow it."""
    if statement.text[slot.end : slot.end + 1] not in {"", ".", ";", "!", "?"}:
        return False
    if slot.shape == "noun" and not slot.plural and not _has_article(statement, slot):
        return False
    return slot.shape != "adjective" or not slot.token.is_relation("amod")


def is_bare(statement: Analysis, slot: Slot) -> bool:
    """Whether another noun fits the slot: modifiers of a noun often fit no other."""
    if slot.shape != "noun":
        return True
    parts = statement.children(slot.token, "amod", "compound", "acl", "nmod")
    if slot.category == "kinds of thing":
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
    index = slot.token.index + step
    return statement.tokens[index] if 0 <= index < len(statement.tokens) else None
