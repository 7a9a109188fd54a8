"""CoBA with one call for a variant: a language model edits and reconstructs in one answer.

The parser decomposes, classifiers name the words that matter, and rules give hints. The answer has
its fields in the order in which a writer thinks: what changes, then the new text. A single text is
written in several ways, and free checks choose one. Of a pair the last text is edited, after what
the first says about the matter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from random import Random
from typing import Annotated

from pydantic import BaseModel, Field

from augkit.augmenters.checks import failed_check
from augkit.augmenters.coba.artifact import TextsArtifact
from augkit.augmenters.coba.attempts import (
    EMPTY_VARIANT,
    UNCHANGED,
    Writing,
    after_refusal,
    build_request,
    label_meaning,
)
from augkit.augmenters.coba.config import WritingSettings
from augkit.augmenters.coba.hints import Hints
from augkit.augmenters.coba.identify import Identifier, distinct_words
from augkit.augmenters.coba.job import (
    Job,
    Targets,
    about_row,
    at_work,
    decompose_parsed,
    name_words,
)
from augkit.augmenters.coba.verify import FORM_CHECKS, WholeRow, polarity_checks, with_row
from augkit.augmenters.llm_checks.form import with_final_mark
from augkit.augmenters.loop import blank_variant, each
from augkit.core.model_types import Request
from augkit.core.protocols import Check, Parser
from augkit.core.types import EMPTY, Example, Variant
from augkit.english.decompose import Element, Triple
from augkit.lexicons.label_meanings import polarity_of_name, relation_of, task_family
from augkit.llm.token_counts import answer_tokens
from augkit.prompts.answers import WordChange
from augkit.text.tokens import words as words_of

_FIXED_TOKENS = 128
_MAX_CHANGES = 4
_CANDIDATES = 3
"""Texts that are asked for: the prompt is paid once, and free checks choose among them."""


class CandidatesAnswer(BaseModel):
    """What changes in a single text, and the changed text in several ways."""

    changes: Annotated[
        list[WordChange], Field(min_length=1, json_schema_extra={"maxItems": _MAX_CHANGES})
    ]
    texts: Annotated[
        list[str],
        Field(min_length=1, json_schema_extra={"minItems": _CANDIDATES, "maxItems": _CANDIDATES}),
    ]


class PairAnswer(BaseModel):
    """The changed second text of a pair."""

    text: str


class SceneAnswer(BaseModel):
    """The same, after what the first text says about the matter and what changes."""

    fact: str
    old: str
    new: str
    text: str


OneCallAnswer = CandidatesAnswer | PairAnswer | SceneAnswer


@dataclass(frozen=True)
class OneCall:
    """A language model writes a variant in one call."""

    settings: WritingSettings
    writing: Writing
    parser: Parser
    identifier: Identifier
    targets: Targets
    random: Callable[[Example, int], Random]
    hints: Hints
    texts: TextsArtifact | None = None
    """What was fitted on single texts; None for pairs."""

    def propose(self, batch: Sequence[Example], copies: int) -> list[Variant]:
        """Write a variant for every copy and target of every example."""
        jobs = decompose_parsed(batch, self.parser)
        rows = [replace(blank_variant(job.parent), work=job) for job in jobs]
        blanks: list[Variant] = []
        for row in name_words(rows, self.identifier):
            blanks += self.targets.blanks(row, copies, self.random)
        return self.write(blanks)

    def write(self, blanks: Sequence[Variant]) -> list[Variant]:
        """Ask for the texts of each variant; of several that a model gives, the best is taken."""
        answered = self.writing.asking("joint")(blanks, self.question, read_one_call)
        written = each(self._choose(answered), written_variant)
        return each(written, lambda variant: with_row(variant, self.writing.settings, self.parser))

    def question(self, blank: Variant) -> Request:
        """Ask for a text, and say what was wrong before."""
        job: Job = blank.work
        polarity = EMPTY if self.texts is None else self.texts.polarity
        # What decides the label: words with opposites where there are some, or words alone.
        text = list(job.parent.fields.values())[-1]
        principal = self.hints.of(job) or _listed(job.words.principal, text)
        request = one_call_request(job, self.settings, principal, polarity)
        return after_refusal(request, blank.before)

    def _choose(self, answered: Sequence[Variant]) -> list[Variant]:
        """The variants with the best of their texts: that passes the checks, and is clearest."""
        if self.texts is None:
            return each(answered, lambda variant: with_last(variant, texts_of(variant)[0]))
        candidates = [
            with_last(variant, text)
            for variant in answered
            if not variant.reason
            for text in texts_of(variant)
        ]
        scores = iter(self._scores(self.texts, candidates))
        return each(
            answered,
            lambda variant: with_last(variant, max(texts_of(variant), key=lambda _: next(scores))),
        )

    def _scores(
        self, fitted: TextsArtifact, candidates: Sequence[Variant]
    ) -> list[tuple[bool, float]]:
        """Whether each passes the checks, and how clear its label is."""
        verdicts = fitted.label_judge.judge(
            [candidate.parent for candidate in candidates],
            [Example(candidate.fields, candidate.label) for candidate in candidates],
        )
        checks: list[Check[WholeRow]] = [*FORM_CHECKS, *polarity_checks(self.parser, fitted)]
        scores = []
        for candidate, verdict in zip(candidates, verdicts, strict=True):
            job: Job = candidate.work
            (source,), (text,) = candidate.parent.fields.values(), candidate.fields.values()
            row = WholeRow(source, text, job.words, self.settings, job, None)
            passes = text != source and failed_check(checks, row) is None
            scores.append((passes, verdict.probability))
        return scores


def with_last(variant: Variant, text: str) -> Variant:
    """The variant with another text in its last field, the one that is rewritten."""
    *_, name = variant.parent.fields
    return replace(variant, fields={**variant.parent.fields, name: text})


def one_call_request(
    job: Job, settings: WritingSettings, principal: str = "", polarity: Mapping[str, str] = EMPTY
) -> Request:
    """Ask for a text with the target label; of a pair the last text is the one to change.

    ``polarity`` is that of the labels in the dataset; the names of others may say it.
    """
    *first, text = job.parent.fields.values()
    label = str(job.parent.label)
    target = str(job.target)
    sides = [polarity.get(name) or polarity_of(name) or name for name in (label, target)]
    family = task_family(sides, job.parent.fields)
    meaning = label_meaning(target, settings.label_descriptions)
    inputs = {"text": text, "principal": principal, "label": label, "target": meaning}
    if first:
        inputs |= {"first": first[0], "relation": relation_of(target) or "", "task": family}
        answer = SceneAnswer if family == "nli" else PairAnswer
        request = build_request("coba/joint_pair", answer, settings, job.rng, family, **inputs)
    else:
        side = polarity.get(target) or polarity_of(target) or ""
        inputs |= {"keep": _listed(job.words.spurious, text), "polarity": side}
        request = build_request("coba/joint", CandidatesAnswer, settings, job.rng, family, **inputs)
    longest = answer_tokens(len(text), _FIXED_TOKENS, copies=2 if first else 2 + _CANDIDATES)
    return replace(request, max_tokens=min(settings.max_tokens, longest))


def _listed(words: Collection[str], text: str) -> str:
    """The words of a text that are among these, in its order."""
    return ", ".join(dict.fromkeys(word for word in words_of(text) if word.casefold() in words))


def read_one_call(blank: Variant, answer: OneCallAnswer) -> Variant:
    """The variant with what the model answered."""
    return at_work(blank, answer=answer)


def texts_of(variant: Variant) -> list[str]:
    """The texts that an answer offers."""
    answer: OneCallAnswer = variant.work.answer
    texts = answer.texts if isinstance(answer, CandidatesAnswer) else [answer.text]
    return [text.strip() for text in texts]


def written_variant(variant: Variant) -> Variant:
    """The variant with its triples that change; its text must say something else."""
    job: Job = variant.work
    field_name, source = list(job.parent.fields.items())[-1]
    text = with_final_mark(source, variant.fields[field_name])
    if text and distinct_words(text) == distinct_words(source):
        return variant.refuse(UNCHANGED, f"towards {variant.label}")
    fields = {**job.parent.fields, field_name: text}
    if not all(fields.values()):
        return variant.refuse(EMPTY_VARIANT, "joint: no text")
    changes = changes_of(job.answer, source, text)
    statements = [
        (triple, new)
        for triple in job.triples
        if triple.field == field_name and (new := _changed(triple, changes)) != triple
    ]
    if not statements:  # the change goes over the borders of triples
        written = (" / ".join(c.old for c in changes), " / ".join(c.new for c in changes))
        old, new = (Triple(1, Element(), Element(), Element(part), field_name) for part in written)
        statements = [(old, new)]
    return replace(variant, fields=fields, about=about_row(job, statements))


def _changed(triple: Triple, changes: Sequence[WordChange]) -> Triple:
    """A triple with the new words in place of the old ones."""
    elements = []
    for element in triple.elements:
        text = element.text
        for change in changes:
            if old := change.old.strip():
                pattern = rf"(?<!\w){re.escape(old)}(?!\w)"
                text = change.new.strip().join(re.split(pattern, text, flags=re.IGNORECASE))
        elements.append(replace(element, text=text))
    subject, predicate, object_ = elements
    return replace(triple, subject=subject, predicate=predicate, object=object_)


def changes_of(answer: OneCallAnswer, source: str, text: str) -> list[WordChange]:
    """What the chosen text changes in its source.

    These are the changes that the answer names and the text has; else the differences of both.
    """
    named: list[WordChange] = []
    if isinstance(answer, CandidatesAnswer):
        named = answer.changes
    elif isinstance(answer, SceneAnswer):
        named = [WordChange(old=answer.old, new=answer.new)]
    held = [change for change in named if _is_in(change, text)]
    if held:
        return held
    old = words_of(source)
    new = words_of(text)
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [
        WordChange(old=" ".join(old[a:b]), new=" ".join(new[c:d]))
        for tag, a, b, c, d in blocks
        if tag != "equal"
    ]


def _is_in(change: WordChange, text: str) -> bool:
    """Whether the text has the new words; where there are none, whether the old ones are gone."""
    old, new, whole = (" ".join(words_of(t)).casefold() for t in (change.old, change.new, text))
    return old != new and (f" {new} " in f" {whole} " if new else f" {old} " not in f" {whole} ")


def polarity_of(label: str) -> str | None:
    """The side of a label of sentiment whose name says it: positive, negative or neutral.

    >>> polarity_of("neg"), polarity_of("Neutral"), polarity_of("Sports")
    ('negative', 'neutral', None)
    """
    is_neutral = label.strip().casefold() == "neutral"
    return "neutral" if is_neutral else polarity_of_name(label)
