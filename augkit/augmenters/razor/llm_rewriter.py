"""Rewriting by a language model, and verification by another call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, compress, islice, repeat
from random import Random

from augkit.augmenters.checks import NO_GATES
from augkit.augmenters.fields import chosen_field, with_text
from augkit.augmenters.llm_checks.form import with_final_mark
from augkit.augmenters.llm_requests import prompt_request
from augkit.augmenters.razor.config import RazorConfig
from augkit.augmenters.razor.rewrites import Rewrite, Rewrites, checked_rewrites
from augkit.augmenters.razor.scorers import ScoredCorpus
from augkit.augmenters.razor.verify import verify
from augkit.core.model_types import Reply, Request
from augkit.core.protocols import LLM, Check, TextChecks
from augkit.core.types import FREE, Example
from augkit.labels.judge import LLMJudge
from augkit.lexicons.label_meanings import relation_of, task_family
from augkit.prompts.answers import TextsAnswer, exactly, limit_tokens
from augkit.text.features.kinds import lowered_words

_MAX_AVOIDED = 3
"""Words of a text that a language model is asked to avoid: the strongest."""
_PROMPTS = {"label": "razor/rewrite", "meaning": "razor/reword"}
"""The prompt by what a rewrite must keep."""
_KEPT = "keeps a word to avoid"
_NO_WORD = Rewrite("", rejected="no word to avoid")


TextGate = Callable[[Example, Mapping[str, str], "str | None"], "tuple[str, str] | None"]
"""A row, other fields and their label → reason and detail where they are rejected."""


@dataclass(frozen=True)
class LLMRewriter:
    """A language model rewrites; another call, which does not show the rewriting, verifies."""

    rows: Sequence[Example]
    config: RazorConfig
    labels: Sequence[str]
    llm: LLM
    judge: LLM | None
    rng: Callable[[Example, int], Random]
    text_gate: TextGate
    gates: TextChecks
    times: Counter[str] = field(default_factory=Counter)
    """How often each row was asked for, by its id."""

    def __call__(
        self, indices: Sequence[int], corpus: ScoredCorpus, avoid: Sequence[Sequence[str]]
    ) -> list[Rewrites]:
        """Verified candidates for the rows with these indices.

        A row without any word to avoid is left alone: there is nothing to gain.
        """
        texts = [corpus.texts[index] for index in indices]
        avoided = list(map(words_to_avoid, texts, avoid))
        asked = [bool(present) or not words for present, words in zip(avoided, avoid, strict=True)]
        rows = [
            replace(row, fields=with_text(row.fields, self.config.field, text))
            for row, text in zip((self.rows[index] for index in indices), texts, strict=True)
        ]
        rewritten = self._rewritten(list(compress(rows, asked)), list(compress(avoided, asked)))
        answers = iter(rewritten)
        return [next(answers) if is_asked else Rewrites([_NO_WORD]) for is_asked in asked]

    def _rewritten(self, rows: Sequence[Example], avoid: Sequence[Sequence[str]]) -> list[Rewrites]:
        texts = [row.fields[chosen_field(row.fields, self.config.field)] for row in rows]
        requests = list(map(self._requests, rows, texts, avoid))
        flat = iter(self.llm.generate(list(chain.from_iterable(requests))))
        replies = [list(islice(flat, len(of_row))) for of_row in requests]
        answered = (
            chain.from_iterable(read_rewrites(text, words, reply, self.gates) for reply in of_row)
            for text, words, of_row in zip(texts, avoid, replies, strict=True)
        )
        read = map(checked_rewrites, answered, texts if self.gates.enabled else repeat(None))
        candidates = [
            [self._gated(row, rewrite) for rewrite in rewrites]
            for row, rewrites in zip(rows, read, strict=True)
        ]
        judge_costs = [FREE for _ in rows]
        if self.judge is not None:
            judge = LLMJudge(self.judge, self.labels)
            candidates, judge_costs = verify(
                judge, rows, candidates, self.config.field, lambda _, rewrite: not rewrite.rejected
            )
        return [
            Rewrites(
                rewrites,
                sum((reply.cost for reply in of_row), FREE) + cost,
                next((reply.detail for reply in of_row if reply.fault), ""),
            )
            for rewrites, of_row, cost in zip(candidates, replies, judge_costs, strict=True)
        ]

    def _gated(self, row: Example, rewrite: Rewrite) -> Rewrite:
        """The candidate, rejected where a text gate rejects it: before it is judged or chosen."""
        fields = with_text(row.fields, self.config.field, rewrite.text)
        rejection = None if rewrite.rejected else self.text_gate(row, fields, row.label)
        return rewrite if rejection is None else rewrite._replace(rejected=rejection[0])

    def _requests(self, row: Example, text: str, avoid: Sequence[str]) -> list[Request]:
        """One for all candidates, or one for each."""
        draw = self.rng(row, self.times[row.id])
        self.times[row.id] += 1
        wanted = self.config.candidates
        count, answers = (wanted, 1) if self.config.requests == "together" else (1, wanted)
        seeds = [draw.randrange(2**31) for _ in range(answers)]
        return [self._request(row, text, avoid, count, seed) for seed in seeds]

    def _request(
        self, row: Example, text: str, avoid: Sequence[str], count: int, seed: int
    ) -> Request:
        name = chosen_field(row.fields, self.config.field)
        beside = {key: value for key, value in row.fields.items() if key != name}
        request = prompt_request(
            _PROMPTS[self.config.keeps],
            exactly(count, TextsAnswer),
            self.config,
            seed,
            task_family([row.label], row.fields),
            text=text,
            label=str(row.label),
            relation=(relation_of(row.label) or "") if beside else "",
            beside=beside,
            avoid=", ".join(avoid),
            count=count,
        )
        return limit_tokens(request, [text] * count)


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


def read_rewrites(
    original: str, avoid: Sequence[str], reply: Reply, gates: TextChecks = NO_GATES
) -> list[Rewrite]:
    """The texts of an answer; those are rejected that repeat the original or a word to avoid."""
    if not isinstance(reply.answer, TextsAnswer):
        return [Rewrite("", rejected=f"llm: {reply.fault}")]
    avoids = Check[str](_KEPT, lambda text: any(_has(text, words) for words in avoid), often=True)
    rewrites = []
    for text in (with_final_mark(original, answer) for answer in reply.answer.texts):
        rejected = "" if text else "empty variant"
        if text.split() == original.split():
            rejected = "unchanged"
        else:
            rejected = rejected or gates.failed([avoids], text) or ""
        rewrites.append(Rewrite(text, "language model", rejected))
    return rewrites
