"""The perturber that works by rules: no model, no network, the same result every time.

The words alone decide most texts. A text whose parse a rule asks for waits, and all that wait are
parsed in one batch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

from augkit.augmenters.panda.edits import with_possessives
from augkit.augmenters.panda.perturbers.protocol import NamePolicy, Perturbed, PerturbTask
from augkit.augmenters.panda.perturbers.validate import perturbed
from augkit.augmenters.panda.rules.age import change_age
from augkit.augmenters.panda.rules.bearers import PersonOfText, persons_of_text
from augkit.augmenters.panda.rules.document import Document, NotParsed, ParseCache
from augkit.augmenters.panda.rules.gender import Changes, change_gender
from augkit.augmenters.panda.rules.race import change_race
from augkit.core.protocols import Parser
from augkit.core.types import Example, Rejection
from augkit.lexicons.demographics.axes import check_target, read_axis
from augkit.text.articles import fit_articles

Rule = Callable[[Document, tuple[int, int], str, Random], Changes | Rejection]
"""Draws names and numbers last: a rule that waited for a parse is applied again."""

_RULES: Mapping[str, Rule] = {"gender": change_gender, "race": change_race, "age": change_age}


class RulePerturber:
    """Perturbs by rules over word lists and, where they do not suffice, a parse."""

    def __init__(self, parser: Parser, names: NamePolicy = "any") -> None:
        """Take the parser for the texts that need a parse, and which names refer to race."""
        self._parses = ParseCache(parser)
        self._names = names

    def perturb(self, tasks: Sequence[PerturbTask]) -> list[Perturbed | Rejection]:
        """One result per task, in order."""
        docs = [Document(task, self._parses, self._names) for task in tasks]
        tried = [_try(doc, task) for doc, task in zip(docs, tasks, strict=True)]
        self._parses.add(doc.text for doc, result in zip(docs, tried, strict=True) if not result)
        return [
            result or _perturb(doc, task)
            for doc, task, result in zip(docs, tasks, tried, strict=True)
        ]

    def persons(self, text: str, axis: str) -> list[PersonOfText]:
        """The persons of a text, and what it states of each on an axis."""
        rng = Random(0)  # noqa: S311  nothing is drawn
        task = PerturbTask(Example({"text": text}), "text", 0, 0, axis, "", rng)
        self._parses.add([text])
        return persons_of_text(Document(task, self._parses, self._names))

    def head(self, text: str, span: tuple[int, int]) -> tuple[int, int]:
        """The main word of a phrase of a text: "the young *man*"."""
        self._parses.add([text])
        parse = self._parses.get(text)
        tokens = [t for t in parse.tokens if t.start < span[1] and span[0] < t.end]
        heads = [t for t in tokens if t.is_root or parse.head(t) not in tokens]
        nouns = [t for t in heads if t.upos in {"NOUN", "PROPN", "PRON"}]
        return (main.start, main.end) if (main := next(iter(nouns or heads), None)) else span


def _try(doc: Document, task: PerturbTask) -> Perturbed | Rejection | None:
    """The result; None where a rule asks for the parse, which is not there yet."""
    try:
        return _perturb(doc, task)
    except NotParsed:
        return None


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
