"""The gold items of two persons of one gender, and how many more would be right: panda_coref.py."""

from __future__ import annotations

import difflib
import random
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from unittest.mock import patch

from augkit.augmenters.panda.perturbers.protocol import Perturbed, PerturbTask
from augkit.augmenters.panda.perturbers.rules import RulePerturber
from augkit.augmenters.panda.rules import coreference as rules
from augkit.augmenters.panda.rules.document import BETWEEN, Document
from augkit.augmenters.panda.rules.mentions import Mention, Person
from augkit.commands.perturb import (
    SEGMENTS,
    PerturbRequest,
    join_segments,
    segments,
    to_task,
)
from augkit.core.types import Rejection
from augkit.english.parser import SpacyParser
from benchmarks.release.panda import ROOT, scorer

TAGS = ("weak4", "weak5", "weak6", "weak7", "weak8", "weak9")
KIND = "two-persons-one-gender"
Span = tuple[int, int]
_PART = re.compile(r"\{[^}]*\}|[^\W_]+|[^\w\s]")
_BY_NOUN: Callable[..., Person | None] = rules.by_noun
_MOST_LIKELY = rules.most_likely


def changed_spans(before: str, after: str) -> list[Span]:
    """The words of a text that a rewrite changes; a ``{name:...}`` is one word.

    >>> changed_spans("Ann lost her keys.", "{name:man} lost his keys.")
    [(0, 3), (9, 12)]
    """
    spans = [found.span() for found in _PART.finditer(before)]
    parts = [before[slice(*span)] for span in spans]
    match = difflib.SequenceMatcher(None, parts, _PART.findall(after), autojunk=False)
    opcodes = (code for code in match.get_opcodes() if code[0] != "equal")
    return [span for _, first, last, _, _ in opcodes for span in spans[first:last]]


class Truth:
    """Takes the decisions of the rules as an accepted rewrite has them."""

    def __init__(self, task: PerturbTask, accepted: str) -> None:
        """Find the words that change; the fields are joined as the rules join them."""
        joined = BETWEEN.join(task.fields.values())
        self.changed = changed_spans(joined, accepted.replace(SEGMENTS, BETWEEN))

    def choose(self, doc: Document, mention: Mention, persons: list[Person]) -> Person:
        """In the place of ``most_likely``."""
        right = [p for p in persons if self._is_theirs(p) == self._changes(mention)]
        return _MOST_LIKELY(doc, mention, right or persons)

    def by_noun(self, doc: Document, mention: Mention, fitting: list[Person]) -> Person | None:
        """In the place of the rule that links a noun."""
        found = _BY_NOUN(doc, mention, fitting)
        theirs = [p for p in fitting if self._is_theirs(p)]
        if self._changes(mention):
            return theirs[-1] if theirs else found
        return None if found in theirs else found

    def _changes(self, mention: Mention) -> bool:
        return any(start < mention.end and mention.start < end for start, end in self.changed)

    def _is_theirs(self, person: Person) -> bool:
        return any(map(self._changes, person.mentions))


class Items:
    """The gold items, rewritten with some decisions replaced."""

    def __init__(self) -> None:
        """Read them."""
        self._score = scorer()
        self._rules = RulePerturber(SpacyParser())
        every = self._score.load_gold(ROOT / "tests" / "gold" / "dev.jsonl")
        self.items = [item for item in every if item.tag in TAGS and KIND in item.phenomena]

    def task(self, item: Any) -> PerturbTask:
        """The task of an item, its draws from the beginning."""
        request = PerturbRequest(item.text, item.axis, item.target, item.word, item.start)
        task = to_task(request, random.Random(item.id))
        if isinstance(task, Rejection):
            raise SystemExit(f"{item.id}: {task.detail}")
        return task

    def is_right(self, item: Any, task: PerturbTask) -> bool:
        """Whether the rewrite of a task is accepted."""
        answer = self._rules.perturb([task])[0]
        text = join_segments(answer.fields) if isinstance(answer, Perturbed) else item.text
        return bool(self._score.accepts(item, text))

    def count(self, is_right: Callable[[Any], bool] | None = None) -> dict[str, int]:
        """The right items of each set, and of all."""
        right = is_right or (lambda item: self.is_right(item, self.task(item)))
        found = {tag: sum(right(i) for i in self.items if i.tag == tag) for tag in TAGS}
        return {**found, "all": sum(found.values())}


def ceiling() -> dict[str, Any]:
    """The items that are right with decisions from the accepted rewrites."""
    items = Items()

    def chosen(item: Any, *, nouns: bool) -> bool:
        for accepted in item.accepted:
            task = items.task(item)
            truth = Truth(task, accepted)
            replaced: dict[str, Any] = {"most_likely": truth.choose}
            replaced |= {"by_noun": truth.by_noun} if nouns else {}
            with patch.multiple(rules, **replaced):
                if items.is_right(item, task):
                    return True
        return False

    def words(item: Any) -> bool:
        for accepted in item.accepted:
            task, joined = items.task(item), segments(item.text)
            spans = (joined.in_field(*span) for span in changed_spans(item.text, accepted))
            if items.is_right(item, replace(task, mentions=(task.span, *filter(None, spans)))):
                return True
        return False

    levels = {
        "pronouns": lambda item: chosen(item, nouns=False),
        "pronouns, nouns": lambda item: chosen(item, nouns=True),
        "all words": words,
    }
    known = {"the rules alone": items.count()} | {k: items.count(v) for k, v in levels.items()}
    return {"items": len(items.items), "known": known}
