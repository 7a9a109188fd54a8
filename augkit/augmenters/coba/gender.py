"""Gendered words changed to another gender, by PANDA's perturber on the whole text."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from augkit.augmenters.panda.jobs import Job, Perturbed
from augkit.augmenters.panda.rules import Rules
from augkit.augmenters.panda.sampling import references
from augkit.text.tokens import words

_MOST = 20
"""Persons changed in one text, at most."""
_OPPOSITE = {"man": "woman", "woman": "man"}


def gendered_words(text: str) -> frozenset[str]:
    """The words of a text that say a gender, in small letters.

    >>> sorted(gendered_words("He met the actress."))
    ['actress', 'he']
    """
    spans = references({"text": text}, ["gender"])
    return frozenset(
        word.casefold() for found in spans for word in words(text[found.start : found.end])
    )


def swapped(fields: Mapping[str, str], target: str, draw: Random) -> dict[str, str]:
    """The fields with every person's gender changed, whole chains of coreference at a time.

    ``target`` is "opposite" or an attribute of the axis; who has it already stays as they are.

    >>> swapped({"text": "She loved her part."}, "opposite", Random(0))
    {'text': 'He loved his part.'}
    """
    texts = dict(fields)
    perturber = Rules()
    done: list[tuple[str, int]] = []
    for _ in range(_MOST):
        found = [r for r in references(texts, ["gender"]) if not _is_done(r.field, r.start, done)]
        wanted = [(r, _target(r.attribute, target)) for r in found]
        following = next(((r, to) for r, to in wanted if to != r.attribute), None)
        if following is None:
            break
        reference, to = following
        job = Job(texts, reference.field, reference.start, reference.end, "gender", to, draw)
        answer = perturber.perturb([job])[0]
        if isinstance(answer, Perturbed) and answer.edits:
            done = _moved(done, answer)
            texts = dict(answer.fields)
        else:
            done.append((reference.field, reference.start))
    return texts


def _target(attribute: str, target: str) -> str:
    return _OPPOSITE.get(attribute, attribute) if target == "opposite" else target


def _is_done(field: str, start: int, done: list[tuple[str, int]]) -> bool:
    return (field, start) in done


def _moved(done: list[tuple[str, int]], answer: Perturbed) -> list[tuple[str, int]]:
    """The places that need no further change, after an answer moved them; its own among them."""
    edits = sorted(answer.edits or (), key=lambda edit: edit.start)
    places = [*done, *((edit.field, edit.start) for edit in edits)]
    return [
        (
            field,
            start
            + sum(
                len(e.after) - len(e.before) for e in edits if e.field == field and e.start < start
            ),
        )
        for field, start in places
    ]
