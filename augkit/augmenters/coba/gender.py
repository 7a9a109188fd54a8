"""Swap the gender of gendered words, by PANDA's rules on the whole text."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from augkit.augmenters.panda.perturbers.protocol import Perturbed, PerturbTask
from augkit.augmenters.panda.perturbers.rules import RulePerturber
from augkit.augmenters.panda.references import references
from augkit.core.protocols import Parser
from augkit.core.types import Example
from augkit.text.tokens import words

_MAX_PERSONS = 20
"""Persons changed in one text."""
_OPPOSITE = {"man": "woman", "woman": "man"}


def gendered_words(text: str) -> frozenset[str]:
    """The words of a text that name a gender, case-folded.

    >>> sorted(gendered_words("He met the actress."))
    ['actress', 'he']
    """
    spans = references({"text": text}, ["gender"])
    return frozenset(
        word.casefold() for found in spans for word in words(text[found.start : found.end])
    )


def swap_gender(
    fields: Mapping[str, str], target: str, rng: Random, parser: Parser
) -> dict[str, str]:
    """The fields with every person's gender changed, whole chains of coreference at a time.

    ``target`` is "opposite" or an attribute of the axis; a person who has it already stays.

    >>> from augkit.english.parser import SpacyParser
    >>> swap_gender({"text": "She loved her part."}, "opposite", Random(0), SpacyParser())
    {'text': 'He loved his part.'}
    """
    texts = dict(fields)
    perturber = RulePerturber(parser)
    done: list[tuple[str, int]] = []
    for _ in range(_MAX_PERSONS):
        found = [r for r in references(texts, ["gender"]) if (r.field, r.start) not in done]
        wanted = [(r, _target(r.attribute, target)) for r in found]
        following = next(((r, to) for r, to in wanted if to != r.attribute), None)
        if following is None:
            break
        one, to = following
        task = PerturbTask(Example(texts), one.field, one.start, one.end, "gender", to, rng)
        answer = perturber.perturb([task])[0]
        if isinstance(answer, Perturbed) and answer.edits:
            done = _moved(done, answer)
            texts = dict(answer.fields)
        else:
            done.append((one.field, one.start))
    return texts


def _target(attribute: str, target: str) -> str:
    return _OPPOSITE.get(attribute, attribute) if target == "opposite" else target


def _moved(done: list[tuple[str, int]], answer: Perturbed) -> list[tuple[str, int]]:
    """The offsets that need no further change, after an answer moved them; its own among them."""
    edits = answer.edits or ()
    moved = []
    for field, start in [*done, *((edit.field, edit.start) for edit in edits)]:
        earlier = [edit for edit in edits if edit.field == field and edit.start < start]
        moved.append((field, start + sum(len(e.after) - len(e.before) for e in earlier)))
    return moved
