"""Contrast edits of NLI pairs: each inserts a shortcut and keeps track of the right label.

The inserted words are those that a grammar found to give labels away, or bundled ones.

Reference: friedman2022finding.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from augkit.augmenters.contrast.noun_phrases import (
    NounPhrase,
    add_adjective,
    other_phrases,
    remove_adjective,
    replace_noun,
    replace_word_of,
    subject_phrase,
)
from augkit.core.analysis import Analysis
from augkit.core.edits import apply
from augkit.core.errors import ConfigError
from augkit.core.types import Edit
from augkit.lexicons.load import data_yaml
from augkit.lexicons.taxonomy import taxonomy
from augkit.text import tokens


@dataclass
class ContrastWords:
    """Nouns with their hypernyms, adjectives with what excludes them, and adjectives to add."""

    hypernyms: dict[str, list[str]] = field(default_factory=dict)
    antonyms: dict[str, list[str]] = field(default_factory=dict)
    adjectives: list[str] = field(default_factory=list)


@cache
def _without_attributes() -> frozenset[str]:
    return frozenset(data_yaml("contrast.yaml")["without_attributes"])


@dataclass(frozen=True)
class CaptionPair:
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


def hypernym_contrasts(pair: CaptionPair, words: ContrastWords) -> Iterator[Contrast]:
    """man/man becomes man/person: the label stays neutral or contradiction, not entailment."""
    if pair.label == "entailment":
        return
    first, second = _subjects(pair)
    if first is None or second is None or first.name != second.name:
        return
    for name in words.hypernyms.get(second.name, ()):
        edits = replace_noun(pair.names[1], second, name)
        yield _edited(pair, edits, pair.label, "entailment", "hypernym")


def antonym_contrasts(pair: CaptionPair, words: ContrastWords) -> Iterator[Contrast]:
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


def adjective_contrasts(pair: CaptionPair, words: ContrastWords) -> Iterator[Contrast]:
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


def control_contrasts(pair: CaptionPair, words: ContrastWords) -> Iterator[Contrast]:
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
            swapped = replace_word_of(subject, name, adjective, other)
            yield from _control_set(pair, less, more, swapped)


def _control_set(
    pair: CaptionPair, less: list[Edit], more: list[Edit], swapped: list[Edit]
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


def _subjects(pair: CaptionPair) -> tuple[NounPhrase | None, NounPhrase | None]:
    return subject_phrase(pair.premise), subject_phrase(pair.hypothesis)


def _takes_adjective(thing: NounPhrase) -> bool:
    """Whether a noun can take an adjective of colour or size and has none yet."""
    broader = taxonomy().broader.get(("noun", thing.name), ())
    return bool(broader) and not thing.adjectives and _without_attributes().isdisjoint(broader)


def _edited(pair: CaptionPair, edits: list[Edit], label: str, suggests: str, role: str) -> Contrast:
    return Contrast(apply(pair.fields, edits), label, suggests, role, tuple(edits))


def bundled_words() -> ContrastWords:
    """From the lexicon of scenes."""
    known = taxonomy()
    found = ContrastWords(adjectives=list(data_yaml("contrast.yaml")["added_adjectives"]))
    for (part, word), broader in known.broader.items():
        single = [name for name in broader if " " not in name]
        if part == "noun" and single:
            found.hypernyms[word] = single
        if part == "modifier":
            found.antonyms[word] = list(known.instead_of(word, "modifier"))
    return found


def words_of_grammar(path: Path, labels: Mapping[str, str]) -> ContrastWords:
    """From the ``features.jsonl`` of ``augkit shortcuts --by grammar``.

    A pattern of one word on each side is used where the lexicon of scenes knows it: a noun beside
    its hypernym with the label entailment, an adjective beside one that excludes it with
    contradiction, an added adjective with neutral.
    """
    found, known = ContrastWords(), taxonomy()
    for label, pattern in _patterns(path):
        source, _, target = pattern.partition("/")
        if not source.isalpha() or not target.isalpha() or source == target:
            continue
        if label == labels["entailment"] and known.holds_of(target, source, "noun"):
            found.hypernyms.setdefault(source, []).append(target)
        elif label == labels["contradiction"] and known.excludes(source, target, "modifier"):
            found.antonyms.setdefault(source, []).append(target)
        elif label == labels["neutral"] and source == "ε" and ("modifier", target) in known.broader:
            found.adjectives.append(target)
    if not (found.hypernyms or found.antonyms or found.adjectives):
        raise ConfigError(
            f"{path}: none of its patterns is a hypernym, an antonym or an added adjective that "
            "could be inserted into another row. Were they found in NLI pairs, with enough rows?"
        )
    return found


def _patterns(path: Path) -> Iterator[tuple[str, str]]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        records: list[dict[str, Any]] = [json.loads(line) for line in lines]
        for record in records:
            for pattern in record["patterns"]:
                yield str(record["label"]), str(pattern["pattern"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ConfigError(
            f"{path}: not the features.jsonl that 'augkit shortcuts --by grammar --out' writes: "
            f"{error!r}"
        ) from error
