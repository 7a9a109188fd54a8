"""The perturber that works by rules: no model, no network, the same result every time.

The words alone decide most texts. Those that probably need a parse are parsed ahead, in a batch;
any other is parsed when a rule first reads its parse.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

from augkit.augmenters.panda.age import change_age
from augkit.augmenters.panda.disambiguation.nonperson_pronouns import may_be_thing
from augkit.augmenters.panda.disambiguation.person_sense import is_certain
from augkit.augmenters.panda.document import Document, ParseCache
from augkit.augmenters.panda.edits import to_edits, with_possessives
from augkit.augmenters.panda.gender import change_gender
from augkit.augmenters.panda.grammar.word_classes import is_person_word
from augkit.augmenters.panda.perturbers.contrast import lost_contrast
from augkit.augmenters.panda.perturbers.protocol import NamePolicy, Perturbed, PerturbTask
from augkit.augmenters.panda.race.change import change_race
from augkit.core.protocols import Parser
from augkit.core.types import Example, Rejection
from augkit.language.parser import SpacyParser
from augkit.lexicons.demographics.axes import check_target, read_axis
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.person_words import has_slur
from augkit.text.articles import Replacement, fit_articles
from augkit.text.diff import apply

Rule = Callable[
    [Document, tuple[int, int], str, Random], "tuple[str, list[Replacement]] | Rejection"
]

_RULES: Mapping[str, Rule] = {"gender": change_gender, "race": change_race, "age": change_age}


class RulePerturber:
    """Perturbs by rules over word lists and, where they do not suffice, a parse."""

    def __init__(self, parser: Parser, names: NamePolicy = "any") -> None:
        """Take the parser for the texts that need a parse, and which names refer to race."""
        self._parses = ParseCache(parser)
        self._names = names

    def perturb(self, tasks: Sequence[PerturbTask]) -> list[Perturbed | Rejection]:
        """One result per task, in order; the parses that are foreseeable are made in one batch."""
        docs = [Document(task, self._parses, self._names) for task in tasks]
        self._parses.add(
            [doc.text for doc, task in zip(docs, tasks, strict=True) if likely_parsed(doc, task)]
        )
        return [_perturb(doc, task) for doc, task in zip(docs, tasks, strict=True)]


def perturb(
    fields: Mapping[str, str] | str,
    span: tuple[str, int, int] | tuple[int, int],
    axis: str,
    target: str,
    rng: Random | None = None,
) -> Perturbed | Rejection:
    """Rewrite a text, or the fields of an example, about somebody of another attribute.

    ``span`` is (start, end) of the chosen word, or (field, start, end).

    >>> perturb("He lost his keys.", (0, 2), "gender", "woman").fields
    {'text': 'She lost her keys.'}
    """
    texts = {"text": fields} if isinstance(fields, str) else dict(fields)
    field, start, end = span if len(span) == 3 else (next(iter(texts)), *span)
    seeded = rng if rng is not None else Random(0)  # noqa: S311 - not for secrets
    task = PerturbTask(Example(texts), field, start, end, axis, target, seeded)
    return RulePerturber(SpacyParser()).perturb([task])[0]


def likely_parsed(doc: Document, task: PerturbTask) -> bool:
    """Whether the rules will probably read the parse of a text; a wrong guess only costs time."""
    hit = doc.hit_at(*doc.span(task))
    if hit is None or hit.is_weak:
        return doc.axis != "race"
    if hit.blocked or hit.attribute == task.target or "joined" in hit.needs:
        return False
    same = [h for h in doc.hits if h.attribute == hit.attribute and not (h.blocked or h.is_weak)]
    if doc.axis in {"race", "age"}:
        pos = hit.pos
        clear = pos == "name" or (pos == "noun" and "sense" not in hit.needs)
        return len(same) > 1 or not (clear or is_person_word(doc.word_after(hit.end)))
    return _likely_resolved(doc, hit, same, task.target)


def _likely_resolved(doc: Document, hit: Hit, same: list[Hit], target: str) -> bool:
    """Whether coreference, agreement or the sense of a gendered word probably needs the parse."""
    pos = hit.pos
    pronouns = [h for h in same if h.pos == "pronoun"]
    nominal = [h for h in same if h.pos != "pronoun"]
    if pos == "name" and not pronouns:
        return "name" in hit.needs and doc.text[hit.start].isupper()
    if hit.number == "plural":
        return not is_certain(doc, hit)
    if any(target in reading.verb_changes for h in pronouns for reading in h.readings):
        return True
    if len({doc.text_of(h).lower() for h in nominal}) > 1:
        return True
    if not all(is_certain(doc, h) for h in nominal if h.needs != ("name",)):
        return True
    cases = {h.case for h in pronouns if len(h.readings) == 1}
    if "object" in cases and (nominal or "subject" in cases):
        return True
    return pos == "pronoun" and may_be_thing(doc, hit)


def _perturb(doc: Document, task: PerturbTask) -> Perturbed | Rejection:
    axis = read_axis(task.axis)
    check_target(axis, task.target)
    rule = _RULES.get(axis.axis, change_gender)
    outcome = rule(doc, doc.span(task), task.target, task.rng)
    if isinstance(outcome, Rejection):
        return outcome
    source, changes = outcome
    edits = to_edits(
        doc.fields, doc.starts, fit_articles(doc.text, with_possessives(doc.text, changes))
    )
    if not edits:
        return doc.reject("unchanged", f"nothing in the text says that '{task.word}' is {source}")
    if task.alone and (lost := lost_contrast(doc, edits, (source, task.target))) is not None:
        return lost
    if any(has_slur(edit.after) for edit in edits):
        return doc.reject("fixed phrase", "the result would hold a slur")
    about = {"axis": axis.axis, "source": source, "target": task.target, "word": task.word}
    return Perturbed(apply(doc.fields, edits), edits, about)
