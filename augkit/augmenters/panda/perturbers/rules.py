"""The perturber that works by rules: no model, no network, the same result every time.

The words alone decide most texts. Those that probably need a parse are parsed ahead, in a batch;
any other is parsed when a rule first reads its parse.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

from augkit.augmenters.panda.edits import with_possessives
from augkit.augmenters.panda.perturbers.protocol import NamePolicy, Perturbed, PerturbTask
from augkit.augmenters.panda.perturbers.validate import perturbed
from augkit.augmenters.panda.rules.age import change_age
from augkit.augmenters.panda.rules.document import Document, ParseCache
from augkit.augmenters.panda.rules.gender import Changes, change_gender
from augkit.augmenters.panda.rules.nouns import cue
from augkit.augmenters.panda.rules.pronouns import case_by_words
from augkit.augmenters.panda.rules.race import change_race
from augkit.core.protocols import Parser
from augkit.core.types import Rejection
from augkit.lexicons.demographics.axes import check_target, read_axis
from augkit.text.articles import fit_articles

Rule = Callable[[Document, tuple[int, int], str, Random], Changes | Rejection]

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
        pairs = list(zip(docs, tasks, strict=True))
        self._parses.add([doc.text for doc, task in pairs if _will_parse(doc, task)])
        return [_perturb(doc, task) for doc, task in pairs]


def _will_parse(doc: Document, task: PerturbTask) -> bool:
    """Whether a rule will probably read the parse of a text; a wrong guess only costs time."""
    hit = doc.hit_at(*doc.span(task))
    if hit is None:
        return task.axis != "gender"
    if hit.blocked or hit.attribute == task.target:
        return False
    said = [h for h in doc.hits if h.is_weak or h.attribute == hit.attribute]
    persons = [h.start for h in said if h.pos != "pronoun" and h.number != "plural"]
    nouns = [h.start for h in said if h.pos == "noun" and h.start in persons[1:]]
    if any(cue("copula").search(doc.lower, max(0, at - 50), at) for at in nouns):
        return True
    for h in said:
        if h.pos == "pronoun" and not h.is_weak:
            earlier = sum(start < h.start for start in persons)
            if earlier > 1:
                return True
            if case_by_words(doc, h) is None:
                return True
            if any(task.target in r.verb_changes for r in h.readings):
                return True
    return False


def _perturb(doc: Document, task: PerturbTask) -> Perturbed | Rejection:
    axis = read_axis(task.axis)
    check_target(axis, task.target)
    outcome = _RULES.get(axis.axis, change_gender)(doc, doc.span(task), task.target, task.rng)
    if isinstance(outcome, Rejection):
        return outcome
    source, changes = outcome
    edits = doc.edits(fit_articles(doc.text, with_possessives(doc.text, changes)))
    if not edits:
        return doc.reject("unchanged", f"nothing in the text says that '{task.word}' is {source}")
    return perturbed(task, edits, source)
