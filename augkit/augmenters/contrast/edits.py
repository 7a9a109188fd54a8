"""Contrast edits of NLI pairs: each inserts a shortcut and keeps track of the right label.

Reference: friedman2022finding.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from augkit.augmenters.contrast.noun_phrases import (
    NounPhrase,
    add_adjective,
    other_phrases,
    remove_adjective,
    replace_adjective,
    replace_noun,
    subject_phrase,
)
from augkit.augmenters.contrast.words import ContrastWords
from augkit.core.analysis import Analysis
from augkit.core.types import Edit
from augkit.lexicons.load import data_yaml
from augkit.lexicons.taxonomy import taxonomy
from augkit.text import tokens
from augkit.text.diff import apply


@cache
def _without_attributes() -> frozenset[str]:
    return frozenset(data_yaml("contrast.yaml")["without_attributes"])


@dataclass(frozen=True)
class ParsedPair:
    """A parsed pair of texts; ``label`` is entailment, neutral or contradiction."""

    fields: Mapping[str, str]
    premise: Analysis
    hypothesis: Analysis
    label: str

    @property
    def names(self) -> tuple[str, str]:
        """The names of the two fields."""
        first, second = self.fields
        return first, second


@dataclass(frozen=True)
class Contrast:
    """A changed pair: its right label, and the label that the shortcut suggests."""

    fields: Mapping[str, str]
    label: str
    suggests: str
    role: str
    edits: tuple[Edit, ...] | None = None


def hypernym_contrasts(pair: ParsedPair, words: ContrastWords) -> Iterator[Contrast]:
    """man/man becomes man/person: the label stays neutral or contradiction, not entailment."""
    if pair.label == "entailment":
        return
    first, second = _subjects(pair)
    if first is None or second is None or first.name != second.name:
        return
    for name in words.hypernyms.get(second.name, ()):
        edits = replace_noun(pair.names[1], second, name)
        yield _edited(pair, edits, pair.label, "entailment", "hypernym")


def antonym_contrasts(pair: ParsedPair, words: ContrastWords) -> Iterator[Contrast]:
    """Black dogs and a ball become black dogs and a white ball: neutral, not contradiction."""
    first, second = _subjects(pair)
    if pair.label == "contradiction" or first is None or second is None:
        return
    present = {word.lower() for text in pair.fields.values() for word in tokens.words(text)}
    for adjective in first.adjectives:
        for other in words.antonyms.get(adjective.text.lower(), ()):
            for thing in other_phrases(pair.hypothesis, second):
                if other not in present and _takes_adjective(thing):
                    edits = add_adjective(pair.names[1], pair.hypothesis, thing, other)
                    yield _edited(pair, edits, "neutral", "contradiction", "antonym")


def adjective_contrasts(pair: ParsedPair, words: ContrastWords) -> Iterator[Contrast]:
    """A man becomes a tall man in a hypothesis that is false anyway: contradiction, not neutral."""
    first, second = _subjects(pair)
    if pair.label != "contradiction" or second is None or second.adjectives:
        return
    present = [token.text.lower() for token in (first.adjectives if first else ())]
    for adjective in words.adjectives:
        # Beside a young man in the premise an old man would be evidence of contradiction.
        if adjective in present or any(
            taxonomy().excludes(adjective, other, "modifier") for other in present
        ):
            continue
        edits = add_adjective(pair.names[1], pair.hypothesis, second, adjective)
        yield _edited(pair, edits, pair.label, "neutral", "adjective")


def control_contrasts(pair: ParsedPair, words: ContrastWords) -> Iterator[Contrast]:
    """Four controls and a test of "adjectives that exclude one another mean contradiction".

    From a premise such as "a white dog running down a path":

    ====== ============================== ============================== ============= ========
    role   premise                        hypothesis                     label         shortcut
    ====== ============================== ============================== ============= ========
    plain  a white dog … a path           a black dog … a path           contradiction there
    drop   a white dog … a path           a dog … a path                 entailment    not there
    moved  a dog … a white path           a dog … a path                 entailment    not there
    added  a dog … a path                 a black dog … a path           neutral       not there
    test   a dog … a white path           a black dog … a path           neutral       there
    ====== ============================== ============================== ============= ========

    A model that is right on the controls and predicts contradiction in the test has learned the
    pair of adjectives and not what they modify (appendix D.3).
    """
    name, analysis = pair.names[0], pair.premise
    subject = subject_phrase(analysis)
    if subject is None or len(subject.adjectives) != 1:
        return
    things = [thing for thing in other_phrases(analysis, subject) if _takes_adjective(thing)]
    (adjective,) = subject.adjectives
    for other in words.antonyms.get(adjective.text.lower(), ()):
        for thing in things:
            less = remove_adjective(name, analysis, subject)
            more = add_adjective(name, analysis, thing, adjective.text.lower())
            swapped = replace_adjective(name, subject, adjective, other)
            yield from _control_set(pair, less, more, swapped)


def _control_set(
    pair: ParsedPair, less: list[Edit], more: list[Edit], swapped: list[Edit]
) -> Iterator[Contrast]:
    first, second = pair.names
    premise = {first: pair.fields[first]}
    white = pair.fields[first]
    plain, black = (apply(premise, edits)[first] for edits in (less, swapped))
    moved = apply(premise, [*less, *more])[first]
    for role, one, other, label in (
        ("plain", white, black, "contradiction"),
        ("drop", white, plain, "entailment"),
        ("moved", moved, plain, "entailment"),
        ("added", plain, black, "neutral"),
        ("test", moved, black, "neutral"),
    ):
        yield Contrast({first: one, second: other}, label, "contradiction", f"control {role}")


def _subjects(pair: ParsedPair) -> tuple[NounPhrase | None, NounPhrase | None]:
    return subject_phrase(pair.premise), subject_phrase(pair.hypothesis)


def _takes_adjective(thing: NounPhrase) -> bool:
    """Whether a noun can take an adjective of colour or size and has none yet."""
    broader = taxonomy().broader.get(("noun", thing.name), ())
    return bool(broader) and not thing.adjectives and _without_attributes().isdisjoint(broader)


def _edited(pair: ParsedPair, edits: list[Edit], label: str, suggests: str, role: str) -> Contrast:
    return Contrast(apply(pair.fields, edits), label, suggests, role, tuple(edits))
