"""Swap the gender of gendered words, by PANDA's rules (``panda/rules/gender.py``) on whole texts.

The paper swaps words of a list within the triples; on the text, coreference and "her" (his, him)
are right.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from augkit.augmenters.coba.config import FormSettings
from augkit.augmenters.coba.identify import Identifier, Words
from augkit.augmenters.coba.job import Job
from augkit.augmenters.panda.perturbers.protocol import Perturbed, PerturbTask
from augkit.augmenters.panda.perturbers.rules import RulePerturber
from augkit.augmenters.panda.references import references
from augkit.core.protocols import Parser
from augkit.core.types import Draft, Example, Rejection
from augkit.text.tokens import words

_MAX_PERSONS = 20
"""Persons changed in one text."""
_OPPOSITE = {"man": "woman", "woman": "man"}


@dataclass(frozen=True)
class GenderIdentifier:
    """Gendered words are spurious too, beside those of another identifier."""

    identifier: Identifier

    def identify(self, parents: Sequence[Example]) -> list[Words | Rejection]:
        """The words of each example."""
        return [
            named
            if isinstance(named, Rejection)
            else replace(named, spurious=named.spurious | _gendered_in(parent))
            for parent, named in zip(parents, self.identifier.identify(parents), strict=True)
        ]


def with_gender(
    draft: Draft, job: Job, settings: FormSettings, parser: Parser
) -> tuple[Draft, Words]:
    """A draft with the genders of the settings, and the words that it should keep then."""
    if settings.gender == "keep":
        return draft, job.words
    fields = swap_gender(draft.fields, settings.gender_target, job.rng, parser)
    return replace(draft, fields=fields, edits=None), job.words.without(_gendered_in(job.parent))


def _gendered_in(row: Example) -> frozenset[str]:
    return gendered_words(" ".join(row.fields.values()))


def gendered_words(text: str) -> frozenset[str]:
    """The words of a text that name a gender, case-folded.

    >>> sorted(gendered_words("He met the actress."))
    ['actress', 'he']
    """
    spans = references({"text": text}, ["gender"])
    return frozenset(
        word.casefold() for span in spans for word in words(text[span.start : span.end])
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
        wanted = [
            (person, _OPPOSITE.get(person.attribute, person.attribute))
            if target == "opposite"
            else (person, target)
            for person in references(texts, ["gender"])
            if (person.field, person.start) not in done
        ]
        following = next(((p, gender) for p, gender in wanted if gender != p.attribute), None)
        if following is None:
            break
        person, gender = following
        place = person.field, person.start
        task = PerturbTask(Example(texts), *place, person.end, "gender", gender, rng)
        answer = perturber.perturb([task])[0]
        if isinstance(answer, Perturbed) and answer.edits:
            done = _moved(done, answer)
            texts = dict(answer.fields)
        else:
            done.append(place)
    return texts


def _moved(done: list[tuple[str, int]], answer: Perturbed) -> list[tuple[str, int]]:
    """The offsets that need no further change, after an answer moved them; its own among them."""
    edits = answer.edits or ()
    moved = []
    for field, start in [*done, *((edit.field, edit.start) for edit in edits)]:
        earlier = [edit for edit in edits if edit.field == field and edit.start < start]
        moved.append((field, start + sum(len(e.after) - len(e.before) for e in earlier)))
    return moved
