"""The perturber that works by rules: no model, no network, the same result every time.

The words alone decide most texts. A text whose parse a rule asks for waits, and all that wait are
parsed in one batch.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from augkit.augmenters.panda.perturbers.protocol import PerturbTask
from augkit.augmenters.panda.perturbers.validate import perturbed
from augkit.augmenters.panda.rules.age import change_age
from augkit.augmenters.panda.rules.document import Document, NotParsed
from augkit.augmenters.panda.rules.everybody import change_everybody
from augkit.augmenters.panda.rules.gender import Changes, change_gender
from augkit.augmenters.panda.rules.race import change_race
from augkit.core.analysis import Analysis
from augkit.core.edits import Edit, Replacement
from augkit.core.protocols import Parser
from augkit.core.types import Variant
from augkit.lexicons.demographics.axes import check_target, read_axis
from augkit.text.articles import fit_articles

_PLURALS = ("men", "people", "children", "folk")
_POSSESSIVE = re.compile("(['\u2019])(s?)", re.IGNORECASE)
_KEPT_CHARS = 500_000
"""Characters of text whose parses are kept: some hundred reviews, about 30 MB."""
Rule = Callable[[Document], Changes | Variant]
"""Draws names and numbers last: a rule that waited for a parse is applied again."""

_RULES: Mapping[str, Rule] = {"gender": change_gender, "race": change_race, "age": change_age}


class RulePerturber:
    """Perturbs by rules over word lists and, where they do not suffice, a parse."""

    def __init__(self, parser: Parser, *, full_names: bool = False) -> None:
        """Take the parser for texts that need a parse; whether persons with full names change."""
        self._parser = parser
        self._full_names = full_names
        self._parses: dict[str, Analysis] = {}

    def perturb(self, tasks: Sequence[PerturbTask]) -> list[Variant]:
        """One result per task, in order."""
        docs = [Document(task, self._parses, full_names=self._full_names) for task in tasks]
        results = [_try(doc, task) for doc, task in zip(docs, tasks, strict=True)]
        waiting = (doc.text for doc, result in zip(docs, results, strict=True) if not result)
        new = [text for text in dict.fromkeys(waiting) if text not in self._parses]
        if new:  # the latest parses are kept, as the persons of a text change in turn
            if sum(map(len, self._parses)) > _KEPT_CHARS:
                self._parses.clear()
            self._parses.update(zip(new, self._parser.parse(new), strict=True))
        return [
            result or _perturb(doc, task)
            for doc, task, result in zip(docs, tasks, results, strict=True)
        ]


def _try(doc: Document, task: PerturbTask) -> Variant | None:
    """The result; None where a rule asks for the parse, which is not there yet."""
    try:
        return _perturb(doc, task)
    except NotParsed:
        return None


def _perturb(doc: Document, task: PerturbTask) -> Variant:
    axis = read_axis(task.axis)
    check_target(axis, task.target)
    if task.becomes is not None:
        return _with_everybody(doc, task, task.becomes)
    outcome = _RULES.get(axis.axis, change_gender)(doc)
    if isinstance(outcome, Variant):
        return outcome
    source, changes = outcome
    edits = _edits(doc, changes)
    if not edits:
        return doc.refuse("unchanged", f"nothing in the text says that '{task.word}' is {source}")
    return perturbed(task, edits, source)


def _with_everybody(doc: Document, task: PerturbTask, becomes: Mapping[str, str]) -> Variant:
    """The text with all of its persons changed."""
    changes = change_everybody(doc, becomes)
    if isinstance(changes, Variant):
        return changes
    edits = _edits(doc, changes)
    return perturbed(task, edits, "") if edits else doc.refuse("not a person", "nobody may change")


def _edits(doc: Document, changes: Iterable[Replacement]) -> tuple[Edit, ...]:
    """The edits of the fields; articles and signs of possession go with the new words."""
    return doc.edits(fit_articles(doc.text, with_possessives(doc.text, changes)))


def with_possessives(text: str, changes: Iterable[Replacement]) -> list[Replacement]:
    """The changes, with the sign of possession that goes with a new plural.

    >>> with_possessives("old people's homes", [Replacement(0, 10, "young adults")])
    [Replacement(start=0, end=12, after="young adults'")]
    >>> with_possessives("the ladies' hats", [Replacement(4, 10, "people")])
    [Replacement(start=4, end=11, after="people's")]
    """
    fitted = []
    for start, end, after in changes:
        before = text[start:end].lower()
        sign = _POSSESSIVE.match(text, end)
        plural = after.lower().endswith("s")
        if sign and sign[2] and plural and before.endswith(_PLURALS):
            fitted.append(Replacement(start, end + 2, after + sign[1]))
        elif sign and not sign[2] and before.endswith("s") and not plural and after[-1:].isalpha():
            s = "S" if after.isupper() else "s"
            fitted.append(Replacement(start, end + 1, f"{after}{sign[1]}{s}"))
        else:
            fitted.append(Replacement(start, end, after))
    return fitted
