"""Rewrites of a false text of a pair that stay false because the context rules them out.

Where the context says that something is a film, "it is a novel rather than a film" and "it is a
novel" are as false as "it is not a film", so negation can leave the false texts.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from augkit.augmenters.razor.rewrites import Rewrite
from augkit.augmenters.razor.rules.alternatives import Slot, holds, mentioned, others, slots
from augkit.augmenters.razor.rules.nationality import other_nationality
from augkit.augmenters.razor.rules.negation import affirmative_of
from augkit.augmenters.razor.rules.word_lists import listed_words, phrase_list
from augkit.core.analysis import Analysis
from augkit.core.protocols import Parser
from augkit.text.articles import ARTICLES, article, replace_word


def contrasts(
    analysis: Analysis, context: str, parser: Parser, rng: random.Random
) -> Iterator[Rewrite]:
    """What a false text negates or limits, made false by another word instead."""
    plain = affirmative_of(analysis)
    if plain is None or re.search(rf"\b(?:{'|'.join(phrase_list('exceptions'))})\b", plain.text):
        return
    (statement,) = parser.parse([plain.text])
    for text in other_nationality(statement, context, rng, 2):
        yield Rewrite(text, "other nationality")
    for slot in slots(statement):
        if holds(context, slot.token.text):
            both = f"{context} {plain.text}"
            for other in others(slot, both, rng, 2) if _is_bare(statement, slot) else ():
                yield from _swapped(statement, slot, other, limited=plain.limiter)
        elif plain.limiter:
            truths = mentioned(context).get(slot.category, set())
            yield from _unlimited(statement, slot, truths)


def _unlimited(statement: Analysis, slot: Slot, truths: set[str]) -> Iterator[Rewrite]:
    """For "only a novelist", said of a dramatist: contrast it with what the context says."""
    for true in sorted(truths)[:2] if not slot.plural else ():
        yield from _in_contrast(statement, slot, slot.token.text, true)
    # A book may be the novel of the context.
    works = listed_words("printed_works")
    printed = slot.token.text in works and not truths.isdisjoint(works)
    free = slot.category != "kinds of thing" and not printed
    if truths and _is_predicate(statement, slot) and free:
        yield Rewrite(statement.text, "other of its category")


def _swapped(statement: Analysis, slot: Slot, other: str, *, limited: bool) -> Iterator[Rewrite]:
    yield from _in_contrast(statement, slot, other, slot.token.text)
    alone = slot.exclusive and not slot.plural and _is_only_one(statement, slot)
    if _is_predicate(statement, slot) if limited else alone:
        text = replace_word(statement.text, slot.token.start, slot.token.end, other)
        yield Rewrite(text, "other of its category")


def _is_only_one(statement: Analysis, slot: Slot) -> bool:
    """Whether only one word of the category can be true: one date of birth, one author.

    "appeared in a film" leaves room for plays, "lived in Texas" for other states.
    """
    if slot.shape in {"noun", "adjective"}:
        noun = slot.token
        if noun.is_relation("amod"):
            noun = statement.head(noun)
        by = any(word.text.lower() == "by" for word in statement.children(noun, "case"))
        lemma = statement.head(noun).lemma.lower()
        made = by and (lemma in listed_words("once_verbs") or lemma in listed_words("making_verbs"))
        return made or bool(statement.children(noun, "cop"))
    root = next(token for token in statement.tokens if token.is_root)
    lemma = root.lemma.lower()
    if slot.shape == "number":
        return lemma in listed_words("once_verbs") and root.upos == "VERB"
    unique = lemma in listed_words("once_verbs") or lemma in listed_words("location_verbs")
    return unique or bool(statement.children(slot.token, "cop"))


def _is_predicate(statement: Analysis, slot: Slot) -> bool:
    """Whether the slot is the predicate of the statement: "is a film", "is German"."""
    return slot.exclusive and bool(statement.children(slot.token, "cop"))


def _in_contrast(statement: Analysis, slot: Slot, first: str, second: str) -> Iterator[Rewrite]:
    """The slot filled by ``first`` in contrast to ``second``: "a film rather than a novel"."""
    if not _at_end(statement, slot):
        return
    text = replace_word(statement.text, slot.token.start, slot.token.end, first)
    end = slot.token.end + len(text) - len(statement.text)
    contrast = second
    if not slot.plural and _has_article(statement, slot):
        contrast = f"{article(second)} {second}"
    for link in ("rather than", "instead of"):
        yield Rewrite(f"{text[:end]} {link} {contrast}{text[end:]}", "contrast with the truth")


def _at_end(statement: Analysis, slot: Slot) -> bool:
    """Whether the slot ends its clause, so that a contrast can follow it."""
    if statement.text[slot.token.end : slot.token.end + 1] not in {"", ".", ";", "!", "?"}:
        return False
    if slot.shape == "noun" and not slot.plural and not _has_article(statement, slot):
        return False
    return slot.shape != "adjective" or not slot.token.is_relation("amod")


def _is_bare(statement: Analysis, slot: Slot) -> bool:
    """Whether another noun fits the slot: modifiers of a noun often fit no other."""
    if slot.shape != "noun":
        return True
    parts = statement.children(slot.token, "amod", "compound", "acl", "nmod")
    if slot.category == "kinds of thing":
        return not parts
    return all(part.text[:1].isupper() and part.is_relation("amod") for part in parts)


def _has_article(statement: Analysis, slot: Slot) -> bool:
    return any(child.text.lower() in ARTICLES for child in statement.children(slot.token, "det"))
