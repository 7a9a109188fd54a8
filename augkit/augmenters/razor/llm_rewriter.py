"""Rewriting by a language model, and verification by another call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from random import Random
from typing import NamedTuple

from augkit.augmenters.fields import chosen_field, with_text
from augkit.augmenters.llm_checks.form import with_final_mark
from augkit.augmenters.llm_requests import prompt_request
from augkit.augmenters.loop import Ask, blank_variant, each
from augkit.augmenters.razor.config import RazorConfig
from augkit.augmenters.razor.rewrites import candidate_text, checked_rewrites, rewritten
from augkit.augmenters.razor.scorers import ScoredCorpus
from augkit.augmenters.razor.verify import verify
from augkit.core.model_types import Reply, Request
from augkit.core.protocols import Check, TextChecks
from augkit.core.types import FREE, Example, Variant, refused
from augkit.labels.judge import Judge
from augkit.lexicons.label_meanings import relation_of, task_family
from augkit.prompts.answers import TextsAnswer, exactly, limit_tokens
from augkit.text.features.kinds import lowered_words

_MAX_AVOIDED = 3
"""Words of a text that a language model is asked to avoid: the strongest."""
_PROMPTS = {"label": "razor/rewrite", "meaning": "razor/reword"}
"""The prompt by what a rewrite must keep."""
_KEPT = "keeps a word to avoid"


class Question(NamedTuple):
    """What a blank candidate asks for: words to avoid, how many texts, and the seed."""

    avoid: Sequence[str]
    texts: int
    seed: int


TextGate = Callable[[Example, Mapping[str, str], "str | None"], "tuple[str, str] | None"]
"""A row, other fields and their label → reason and detail where they are rejected."""


@dataclass(frozen=True)
class LLMRewriter:
    """A language model rewrites; another call, which does not show the rewriting, verifies."""

    rows: Sequence[Example]
    config: RazorConfig
    ask: Ask
    judge: Judge | None
    rng: Callable[[Example, int], Random]
    text_gate: TextGate
    gates: TextChecks
    times: Counter[str] = field(default_factory=Counter)
    """How often each row was asked for, by its id."""

    def __call__(
        self, indices: Sequence[int], corpus: ScoredCorpus, avoid: Sequence[Sequence[str]]
    ) -> list[list[Variant]]:
        """Verified candidates for the rows with these indices.

        A row without any word to avoid is left alone: there is nothing to gain.
        """
        texts = [corpus.texts[index] for index in indices]
        blanks: list[list[Variant]] = []
        for index, text, words in zip(indices, texts, avoid, strict=True):
            row = self.rows[index]
            row = replace(row, fields=with_text(row.fields, self.config.field, text))
            present = words_to_avoid(text, words)
            if words and not present:
                blanks.append([refused(row, "no word to avoid")])
            else:
                blanks.append(self._blanks(row, present))
        answered = by_row(blanks, self.ask.several(flat(blanks), self._request, self._read))
        originals = texts if self.gates.enabled else [None] * len(texts)
        read = [
            checked_rewrites(candidates, self.config.field, original)
            for candidates, original in zip(answered, originals, strict=True)
        ]
        gated = [each(candidates, self._gated) for candidates in read]
        if self.judge is None:
            return gated
        verified = iter(verify(self.judge, flat(gated), lambda _: True))
        return [[next(verified) for _ in candidates] for candidates in gated]

    def _blanks(self, row: Example, avoid: Sequence[str]) -> list[Variant]:
        """A blank variant for each answer: one with all candidates, or one for each."""
        draw = self.rng(row, self.times[row.id])
        self.times[row.id] += 1
        wanted = self.config.candidates
        count, answers = (wanted, 1) if self.config.requests == "together" else (1, wanted)
        return [
            replace(blank_variant(row), work=Question(avoid, count, draw.randrange(2**31)))
            for _ in range(answers)
        ]

    def _gated(self, candidate: Variant) -> Variant:
        """The candidate, refused where a text gate refuses it: before it is judged or chosen."""
        fault = self.text_gate(candidate.parent, candidate.fields, candidate.label)
        return candidate if fault is None else candidate.refuse(fault[0])

    def _request(self, blank: Variant) -> Request:
        row = blank.parent
        question: Question = blank.work
        name = chosen_field(row.fields, self.config.field)
        text = row.fields[name]
        beside = {key: value for key, value in row.fields.items() if key != name}
        request = prompt_request(
            _PROMPTS[self.config.keeps],
            exactly(question.texts, TextsAnswer),
            self.config,
            question.seed,
            task_family([row.label], row.fields),
            text=text,
            label=str(row.label),
            relation=(relation_of(row.label) or "") if beside else "",
            beside=beside,
            avoid=", ".join(question.avoid),
            count=question.texts,
        )
        return limit_tokens(request, [text] * question.texts)

    def _read(self, blank: Variant, answer: TextsAnswer) -> Iterator[Variant]:
        """A candidate for each text; it is refused where it repeats the original or avoids nothing.

        The first carries the cost of the answer.
        """
        field = self.config.field
        unwanted: Sequence[str] = blank.work.avoid
        original = candidate_text(blank, field)
        avoids = Check[str](
            _KEPT, lambda text: any(_has(text, words) for words in unwanted), often=True
        )
        for number, written in enumerate(answer.texts):
            text = with_final_mark(original, written)
            candidate = rewritten(blank.parent, field, text, "language model")
            candidate = candidate.paid(FREE if number else blank.cost)
            if text.split() == original.split():
                yield candidate.refuse("unchanged")
            elif not text:
                yield candidate.refuse("empty variant")
            else:
                kept = self.gates.failed([avoids], text)
                yield candidate.refuse(kept) if kept else candidate


def no_answer(blank: Variant, reply: Reply) -> Variant:
    """How a candidate is refused that has no text."""
    return blank.refuse(f"llm: {reply.fault}", reply.detail)


def flat(of_rows: Iterable[Iterable[Variant]]) -> list[Variant]:
    """The candidates of all rows."""
    return list(chain.from_iterable(of_rows))


def by_row(
    blanks: Sequence[Sequence[Variant]], answered: Iterable[Sequence[Variant]]
) -> list[list[Variant]]:
    """What came of the blank variants of each row."""
    remaining = iter(answered)
    return [flat(islice(remaining, len(of_row))) for of_row in blanks]


def words_to_avoid(text: str, strongest: Sequence[str]) -> list[str]:
    """The strongest words and phrases that the text has; a list of others helps nobody.

    >>> words_to_avoid("It is not a film.", ["only", "is not", "never"])
    ['is not']
    """
    return [words for words in strongest if _has(text, words)][:_MAX_AVOIDED]


def _has(text: str, phrase: str) -> bool:
    """Whether a text has the words of a phrase side by side; or its sign, if it has no words."""
    words = lowered_words(phrase)
    if not words:
        return phrase in text
    return f" {' '.join(words)} " in f" {' '.join(lowered_words(text))} "
