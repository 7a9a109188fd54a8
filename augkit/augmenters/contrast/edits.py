"""Contrast edits of NLI pairs: each puts a shortcut in and says which label is right nonetheless.

Reference: friedman2022finding.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from augkit.augmenters.contrast.candidates import Candidates
from augkit.augmenters.contrast.noun_phrases import (
    Phrase,
    other_phrases,
    replaced,
    subject_phrase,
    with_adjective,
    with_noun,
    without_adjective,
)
from augkit.core.analysis import Analysis
from augkit.core.types import Edit
from augkit.lexicons.taxonomy import scenes
from augkit.text.diff import apply
from augkit.text.tokens import words

_NOT_THINGS = frozenset({"season", "weather", "part", "place", "event", "meal", "ground"})
"""Broader words of nouns that take no colour or size: a white game."""


@dataclass(frozen=True)
class Scene:
    """A pair of texts, parsed; ``label`` in the words entailment, neutral and contradiction."""

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


def hypernyms(scene: Scene, candidates: Candidates) -> Iterator[Contrast]:
    """man/man becomes man/person: the label stays neutral or contradiction, not entailment."""
    if scene.label == "entailment":
        return
    first, second = _subjects(scene)
    if first is None or second is None or first.name != second.name:
        return
    for name in candidates.hypernyms.get(second.name, ()):
        edits = with_noun(scene.names[1], second, name)
        yield _edited(scene, edits, scene.label, "entailment", "hypernym")


def antonyms(scene: Scene, candidates: Candidates) -> Iterator[Contrast]:
    """Black dogs and a ball become black dogs and a white ball: neutral, not contradiction."""
    first, second = _subjects(scene)
    if scene.label == "contradiction" or first is None or second is None:
        return
    said = {word.lower() for text in scene.fields.values() for word in words(text)}
    for adjective in first.adjectives:
        for other in candidates.antonyms.get(adjective.text.lower(), ()):
            for thing in other_phrases(scene.hypothesis, second):
                if other not in said and _takes_adjective(thing):
                    edits = with_adjective(scene.names[1], scene.hypothesis, thing, other)
                    yield _edited(scene, edits, "neutral", "contradiction", "antonym")


def adjectives(scene: Scene, candidates: Candidates) -> Iterator[Contrast]:
    """A man becomes a tall man in a hypothesis that is false anyway: contradiction, not neutral."""
    first, second = _subjects(scene)
    if scene.label != "contradiction" or second is None or second.adjectives:
        return
    said = [token.text.lower() for token in (first.adjectives if first else ())]
    for adjective in candidates.adjectives:
        # Beside a young man in the premise an old man would be evidence of contradiction.
        if adjective in said or any(scenes().excludes(adjective, a, "modifier") for a in said):
            continue
        edits = with_adjective(scene.names[1], scene.hypothesis, second, adjective)
        yield _edited(scene, edits, scene.label, "neutral", "adjective")


def controls(scene: Scene, candidates: Candidates) -> Iterator[Contrast]:
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

    A model that is right on the controls and says contradiction in the test has learnt the pair of
    adjectives and not what they are said of (appendix D.3).
    """
    name, analysis = scene.names[0], scene.premise
    subject = subject_phrase(analysis)
    if subject is None or len(subject.adjectives) != 1:
        return
    things = [thing for thing in other_phrases(analysis, subject) if _takes_adjective(thing)]
    (adjective,) = subject.adjectives
    for other in candidates.antonyms.get(adjective.text.lower(), ()):
        for thing in things:
            less = without_adjective(name, analysis, subject)
            more = with_adjective(name, analysis, thing, adjective.text.lower())
            swapped = replaced(name, subject, adjective, other)
            yield from _control_set(scene, less, more, swapped)


def _control_set(
    scene: Scene, less: list[Edit], more: list[Edit], swapped: list[Edit]
) -> Iterator[Contrast]:
    first, second = scene.names
    premise = {first: scene.fields[first]}
    white = scene.fields[first]
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


def _subjects(scene: Scene) -> tuple[Phrase | None, Phrase | None]:
    return subject_phrase(scene.premise), subject_phrase(scene.hypothesis)


def _takes_adjective(thing: Phrase) -> bool:
    """Whether a thing can have a colour or a size and has none yet."""
    broader = scenes().broader.get(("noun", thing.name), ())
    return bool(broader) and not thing.adjectives and _NOT_THINGS.isdisjoint(broader)


def _edited(scene: Scene, edits: list[Edit], label: str, suggests: str, role: str) -> Contrast:
    return Contrast(apply(scene.fields, edits), label, suggests, role, tuple(edits))
