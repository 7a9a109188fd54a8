"""Restyle: new pairs that a language model writes, which differ in quality or in style alone.

The causal pairs are those of Crome (arXiv 2506.16507): an answer against itself with one quality
taken away or added. Its neutral pairs are ties, which a pair of chosen and rejected cannot say:
here both answers get the same style instead. The padded pairs are the counterfactuals against
flattery, fluff and fog (arXiv 2506.05339): an answer against itself with more words and no more
content.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic import Field

from augkit.augmenters.base import Augmenter, Traits
from augkit.augmenters.checks import shown_text
from augkit.augmenters.llm_checks.written import plain_words
from augkit.augmenters.llm_requests import prompt_request, required_llm, unanswered
from augkit.core.choices import Choice, candidate_fields, choice_of
from augkit.core.config import MaxTokens, MethodConfig, Temperature, TopP
from augkit.core.model_types import Request
from augkit.core.protocols import LLM
from augkit.core.types import DETAIL_CHARS, FREE, Cost, Draft, Example, Rejection
from augkit.prompts.answers import TextAnswer
from augkit.prompts.choice_question import ChoiceQuestion, ask, prompted_question

Kind = Literal["degrade", "improve", "same-style", "pad"]
QUALITIES = (
    "it is right about the facts",
    "it does what was asked, with every condition",
    "it is complete",
    "its steps follow from one another",
    "it is clear",
)
STYLES = (
    "plain sentences in one or two paragraphs, without Markdown",
    "a short introduction and a bulleted list",
    "a few short sentences",
    "a friendly, conversational tone",
)


class RestyleConfig(MethodConfig):
    """Which pairs are written, and whether a judge must agree with their winner."""

    kinds: tuple[Kind, ...] = Field(
        ("degrade", "pad", "same-style"),
        min_length=1,
        description="degrade, improve: an answer beside itself with one quality less or more "
        "(causal); same-style: both in one style (neutral); pad: the winner with more words",
    )
    verify: bool = Field(
        default=True,
        description="whether a model must find the winner better in both orders: the judge, or "
        "else the one that writes",
    )
    temperature: Temperature = 0.7
    top_p: TopP = 1.0
    max_tokens: MaxTokens = 2048

    @property
    def variants_per_copy(self) -> int:
        """One of each kind."""
        return len(self.kinds)


@dataclass(frozen=True)
class _Job:
    """A pair to be written: which places get a new text, and what each is written from."""

    parent: Example
    choice: Choice
    kind: Kind
    copy: int
    aim: str
    """The quality or the style."""
    sources: dict[int, int]
    """Place of a new text → place of the candidate that it is written from."""
    seed: int

    def requests(self, config: RestyleConfig) -> list[Request]:
        """One request for each new text."""
        prompt = f"restyle/{self.kind.replace('-', '_')}"
        aim: dict[str, Any] = {} if self.kind == "pad" else {"aim": self.aim}
        return [
            prompt_request(
                prompt,
                TextAnswer,
                config,
                self.seed,
                question=self.choice.prompt,
                text=self.choice.candidates[source],
                **aim,
            )
            for source in self.sources.values()
        ]


class Restyle(Augmenter[RestyleConfig]):
    """Have a language model write pairs that differ in quality or in style alone.

    A judge must find the winner of each new pair better, with the two answers in both orders.
    """

    name = "restyle"
    Config = RestyleConfig
    reads = "choices"
    needs = frozenset({"llm"})
    traits = Traits(writing="answer")

    def propose(self, batch: Sequence[Example]) -> Iterator[Draft | Rejection]:
        """Have all texts written at once, then all pairs judged."""
        jobs: list[_Job] = []
        for parent in batch:
            choice = choice_of(parent)
            if not choice.is_pair:
                yield Rejection(parent, "not a pair with a winner")
                continue
            jobs += [
                self._job(parent, choice, kind, copy * len(self.config.kinds) + number)
                for copy in range(self.config.copies)
                for number, kind in enumerate(self.config.kinds)
            ]
        requests = [job.requests(self.config) for job in jobs]
        replies = iter(required_llm(self).generate([request for of in requests for request in of]))
        proposals: list[Draft | Rejection] = []
        for job, asked in zip(jobs, requests, strict=True):
            answers = [next(replies) for _ in asked]
            cost = sum((reply.cost for reply in answers), FREE)
            failed = next((r for r in answers if not isinstance(r.answer, TextAnswer)), None)
            if failed is not None:
                proposals.append(unanswered(job.parent, job.copy, replace(failed, cost=cost)))
                continue
            texts = list(job.choice.candidates)
            for place, reply in zip(job.sources, answers, strict=True):
                if isinstance(reply.answer, TextAnswer):
                    texts[place] = reply.answer.text.strip()
            proposals.append(self._draft(job, texts, cost))
        yield from self._verified(proposals) if self.config.verify else proposals

    def _job(self, parent: Example, choice: Choice, kind: Kind, copy: int) -> _Job:
        (winner,) = choice.winners
        loser = 1 - winner
        rng = self.random(parent, copy)
        sources = {
            "degrade": {loser: winner},
            "pad": {loser: winner},
            "improve": {winner: loser},
            "same-style": {winner: winner, loser: loser},
        }[kind]
        aim = rng.choice(STYLES if kind == "same-style" else QUALITIES)
        return _Job(parent, choice, kind, copy, aim, sources, rng.randrange(2**31))

    def _draft(self, job: _Job, texts: Sequence[str], cost: Cost) -> Draft | Rejection:
        if len({tuple(plain_words(text)) or text for text in texts}) < len(texts):
            detail = texts[0][:DETAIL_CHARS]
            return Rejection(job.parent, "both answers are the same", detail, job.copy, cost)
        fields = {**job.parent.fields, **candidate_fields(texts)}
        about = {"pair": job.kind} | ({} if job.kind == "pad" else {"aim": job.aim})
        return Draft(job.parent, fields, job.parent.label, copy=job.copy, cost=cost, about=about)

    def _verified(self, proposals: Sequence[Draft | Rejection]) -> Iterator[Draft | Rejection]:
        """The drafts whose winner a model finds better in both orders."""
        judge: LLM = self.tools.judge or required_llm(self)
        drafts = [draft for draft in proposals if isinstance(draft, Draft)]
        answers = iter(ask(judge, list(map(_question, drafts)), lambda pair: [pair, pair[::-1]]))
        for proposal in proposals:
            if isinstance(proposal, Rejection):
                yield proposal
                continue
            answer = next(answers)
            cost = proposal.cost + answer.cost
            winner = choice_of(Example(proposal.fields, proposal.label)).winners[0]
            wins = [2 * order.probabilities[str(winner)] > 1 for order in answer.by_order]
            if answer.fault or len(wins) < 2:
                detail = f"judge: {answer.detail}"[:DETAIL_CHARS]
                yield Rejection(
                    proposal.parent, f"llm: {answer.fault}", detail, proposal.copy, cost
                )
            elif not all(wins):
                detail = shown_text(proposal.parent, proposal.fields)
                yield Rejection(proposal.parent, "judge disagrees", detail, proposal.copy, cost)
            else:
                yield replace(proposal, cost=cost)


def _question(draft: Draft) -> ChoiceQuestion:
    choice = choice_of(Example(draft.fields, draft.label))
    return prompted_question("evaluate/choice", choice.candidates, question=choice.prompt)
