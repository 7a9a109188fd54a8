"""Swap the gender of gendered words: those of a list in the triples, or by PANDA's rules.

The paper swaps words of WinoBias's lists in the triples, before the text is written. The lists have
no names, so that a row that calls somebody Anna stays as it is: "he" would be another person.
PANDA's rules (``panda/rules/gender.py``) change the finished text, whole chains of coreference at a
time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random

from augkit.augmenters.coba.config import FormSettings
from augkit.augmenters.coba.identify import Identifier, Words
from augkit.augmenters.coba.job import Job, edited_span
from augkit.augmenters.panda.perturbers.protocol import PerturbTask
from augkit.augmenters.panda.perturbers.rules import RulePerturber
from augkit.augmenters.panda.references import references
from augkit.core.analysis import Analysis, Token
from augkit.core.edits import Edit, Span
from augkit.core.protocols import Parser
from augkit.core.types import Example, Variant
from augkit.english.decompose import Triple
from augkit.lexicons.demographics.person_words import name_genders
from augkit.lexicons.load import word_pairs
from augkit.text.casing import cased
from augkit.text.tokens import words

_MAX_PERSONS = 20
"""Persons changed in one text."""
_OPPOSITE = {"man": "woman", "woman": "man"}
_POSSESSIVE = frozenset({"PRP$", "WP$"})
_NO_VERB = frozenset({"NOUN", "PROPN", "PRON", "ADJ", "DET"})


@dataclass(frozen=True)
class GenderIdentifier:
    """Gendered words are spurious too, beside those of another identifier."""

    identifier: Identifier

    def identify(self, parents: Sequence[Example]) -> list[Words | Variant]:
        """The words of each example."""
        return [
            named
            if isinstance(named, Variant)
            else replace(named, spurious=named.spurious | _gendered_in(parent))
            for parent, named in zip(parents, self.identifier.identify(parents), strict=True)
        ]


def with_gender(
    draft: Variant, job: Job, settings: FormSettings, parser: Parser
) -> tuple[Variant, Words]:
    """A variant with the genders of the settings, and the words that it should keep then."""
    if settings.gender == "keep":
        return draft, job.words
    if settings.gender in {"triples", "swapped"}:
        listed = frozenset(listed_swaps()) | {"her", "hers"}
        if settings.gender == "triples":
            analyses = parser.parse(list(draft.fields.values()))
            if not any(_names_person(analysis) for analysis in analyses):
                fields = dict(zip(draft.fields, map(swap_listed, analyses), strict=True))
                draft = replace(draft, fields=fields, edits=None)
        return draft, job.words.without(listed)
    fields = swap_gender(draft.fields, settings.gender_target, job.rng, parser)
    return replace(draft, fields=fields, edits=None), job.words.without(_gendered_in(job.parent))


@cache
def listed_swaps() -> Mapping[str, str]:
    """WinoBias's lists: word, in lower case → its counterpart.

    >>> listed_swaps()["actress"], listed_swaps()["uncles"], listed_swaps()["niece"]
    ('actor', 'aunts', 'nephew')
    """
    pairs = word_pairs("winobias_swaps")
    backwards = {second: first for first, second in reversed(pairs)}
    return backwards | dict(reversed(pairs))


def swap_triples(triples: Sequence[Triple], parser: Parser) -> tuple[Triple, ...]:
    """The triples with the listed words of the other gender, each read as a sentence."""
    sentences = [" ".join(element.text for element in triple.elements) for triple in triples]
    analyses = parser.parse(sentences)
    if any(_names_person(analysis) for analysis in analyses):
        return tuple(triples)
    swapped = []
    for triple, analysis in zip(triples, analyses, strict=True):
        edits = _listed_edits(analysis)
        elements = []
        start = 0
        for element in triple.elements:
            span = Span(start, start + len(element.text))
            inside = [edit for edit in edits if span.start <= edit.start and edit.end <= span.end]
            elements.append(replace(element, text=edited_span(analysis.text, span, inside)))
            start = span.end + 1
        subject, predicate, object_ = elements
        swapped.append(replace(triple, subject=subject, predicate=predicate, object=object_))
    return tuple(swapped)


def swap_listed(analysis: Analysis) -> str:
    """A text with every listed word of the other gender, where it stands as no verb.

    >>> from augkit.english.parser import SpacyParser
    >>> [analysis] = SpacyParser().parse(["The actor and her sister miss him."])
    >>> swap_listed(analysis)
    'The actress and his brother miss her.'
    """
    return edited_span(analysis.text, Span(0, len(analysis.text)), _listed_edits(analysis))


def _names_person(analysis: Analysis) -> bool:
    """Whether a first name stands in a text that shows a gender."""
    return any(
        token.upos == "PROPN" and name_genders().get(token.text.lower(), "unknown") != "unknown"
        for token in analysis.tokens
    )


def _listed_edits(analysis: Analysis) -> list[Edit]:
    edits = []
    for token in analysis.tokens:
        counterpart = _counterpart(token)
        if counterpart:
            after = cased(counterpart, token.text)
            edits.append(Edit("", token.start, token.end, token.text, after))
    return edits


def _counterpart(token: Token) -> str:
    word = token.text.lower()
    if word in {"her", "hers"}:
        return "his" if word == "hers" or token.xpos in _POSSESSIVE else "him"
    return listed_swaps().get(word, "") if token.upos in _NO_VERB else ""


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
        if answer.edits and not answer.reason:
            done = _moved(done, answer)
            texts = dict(answer.fields)
        else:
            done.append(place)
    return texts


def _moved(done: list[tuple[str, int]], answer: Variant) -> list[tuple[str, int]]:
    """The offsets that need no further change, after an answer moved them; its own among them."""
    edits = answer.edits or ()
    moved = []
    for field, start in [*done, *((edit.field, edit.start) for edit in edits)]:
        earlier = [edit for edit in edits if edit.field == field and edit.start < start]
        moved.append((field, start + sum(len(e.after) - len(e.before) for e in earlier)))
    return moved
