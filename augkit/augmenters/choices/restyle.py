"""Restyle: new pairs that a language model writes, which differ in quality or in style alone.

The causal pairs are those of Crome (arXiv 2506.16507): an answer against itself with one quality
taken away or added. Its neutral pairs are ties, which a pair of chosen and rejected cannot say:
here both answers get the same style instead. The padded pairs are the counterfactuals against
flattery, fluff and fog (arXiv 2506.05339): an answer against itself with more words and no more
content.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic import Field

from augkit.augmenters.base import Augmenter, Traits
from augkit.augmenters.checks import shown_text
from augkit.augmenters.llm_checks.written import plain_words
from augkit.augmenters.llm_requests import prompt_request
from augkit.augmenters.loop import blank_variant
from augkit.core.choices import Choice, candidate_fields, choice_of
from augkit.core.config import MaxTokens, MethodConfig, Temperature, TopP
from augkit.core.model_types import Request
from augkit.core.protocols import LLM
from augkit.core.types import FREE, Example, Variant, refused
from augkit.labels.judge import DISAGREES, Verdict, judged_by
from augkit.prompts.answers import TextAnswer
from augkit.prompts.choice_question import ChoiceAnswer, ChoiceQuestion, ask, prompted_question

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
class PairToWrite:
    """A pair to be written: which places get a new text, and what each is written from."""

    choice: Choice
    kind: Kind
    aim: str
    """The quality or the style."""
    sources: Mapping[int, int]
    """Place of a new text → place of the candidate that it is written from."""
    seed: int
    place: int = 0
    """The place that is written now."""
    text: str = ""
    """What a language model wrote for this place."""


class Restyle(Augmenter[RestyleConfig]):
    """Have a language model write pairs that differ in quality or in style alone.

    A judge must find the winner of each new pair better, with the two answers in both orders.
    """

    name = "restyle"
    Config = RestyleConfig
    reads = "choices"
    needs = frozenset({"llm"})
    traits = Traits(writing="answer")

    def propose(self, batch: Sequence[Example]) -> Iterator[Variant]:
        """Have all texts of all pairs written at once."""
        blanks: list[Variant] = []
        for parent in batch:
            choice = choice_of(parent)
            if not choice.is_pair:
                yield refused(parent, "not a pair with a winner")
                continue
            kinds = self.config.kinds * self.config.copies
            blanks += [self._blank(parent, choice, *numbered) for numbered in enumerate(kinds)]
        parts = [part for blank in blanks for part in parts_of(blank)]
        written = iter(self.ask(parts, self.question, read_new_text))
        for blank in blanks:
            yield join_texts(blank, [next(written) for _ in blank.work.sources])

    def judged(self, variants: Sequence[Variant]) -> list[Variant]:
        """Refuse the pairs whose winner a model does not find better in both orders."""
        if not self.config.verify:
            return list(variants)
        return judged_by(WinnerJudge(self.tools.judge or self.ask.llm), variants, doubt_winner)

    def question(self, part: Variant) -> Request:
        """Ask for one text of a pair."""
        pair: PairToWrite = part.work
        aim: dict[str, Any] = {} if pair.kind == "pad" else {"aim": pair.aim}
        return prompt_request(
            f"restyle/{pair.kind.replace('-', '_')}",
            TextAnswer,
            self.config,
            pair.seed,
            question=pair.choice.prompt,
            text=pair.choice.candidates[pair.sources[pair.place]],
            **aim,
        )

    def _blank(self, parent: Example, choice: Choice, number: int, kind: Kind) -> Variant:
        (winner,) = choice.winners
        loser = 1 - winner
        rng = self.random(parent, number)
        sources = {
            "degrade": {loser: winner},
            "pad": {loser: winner},
            "improve": {winner: loser},
            "same-style": {winner: winner, loser: loser},
        }[kind]
        aim = rng.choice(STYLES if kind == "same-style" else QUALITIES)
        pair = PairToWrite(choice, kind, aim, sources, rng.randrange(2**31))
        return replace(blank_variant(parent, number), work=pair)


def parts_of(blank: Variant) -> list[Variant]:
    """A variant for each text of a pair that is to be written."""
    return [replace(blank, work=replace(blank.work, place=place)) for place in blank.work.sources]


def read_new_text(part: Variant, answer: TextAnswer) -> Variant:
    """Take the text of an answer."""
    return replace(part, work=replace(part.work, text=answer.text.strip()))


def join_texts(blank: Variant, parts: Sequence[Variant]) -> Variant:
    """The pair with its new texts, which has cost what all of them have."""
    pair: PairToWrite = blank.work
    cost = sum((part.cost for part in parts), FREE)
    failed = next((part for part in parts if part.reason), None)
    if failed is not None:
        return replace(failed, cost=cost, work=None)
    texts = list(pair.choice.candidates)
    for part in parts:
        texts[part.work.place] = part.work.text
    about: dict[str, str] = {"pair": pair.kind}
    if pair.kind != "pad":
        about["aim"] = pair.aim
    fields = {**blank.parent.fields, **candidate_fields(texts)}
    written = replace(blank, fields=fields, cost=cost, about=about, work=None)
    if len({tuple(plain_words(text)) or text for text in texts}) < len(texts):
        return written.refuse("both answers are the same", texts[0])
    return written


@dataclass(frozen=True)
class WinnerJudge:
    """A language model that is asked which answer is better, in both orders."""

    llm: LLM

    def judge(self, parents: Sequence[Example], variants: Sequence[Example]) -> list[Verdict]:
        """Whether the winner of each pair is found better both times."""
        del parents  # the model sees the new pair alone
        answers = ask(self.llm, list(map(_question, variants)), lambda pair: [pair, pair[::-1]])
        return [
            _verdict(answer, str(choice_of(variant).winners[0]))
            for answer, variant in zip(answers, variants, strict=True)
        ]


def _verdict(answer: ChoiceAnswer, winner: str) -> Verdict:
    found = [order.probabilities[winner] for order in answer.by_order]
    agrees = len(found) == 2 and all(2 * probability > 1 for probability in found)
    fault = answer.fault
    if len(found) < 2 and not fault:
        fault = "no verdict"
    return Verdict(min(found, default=0.0), agrees, "", fault, answer.cost, answer.detail)


def doubt_winner(variant: Variant, verdict: Verdict) -> Variant:
    """Refuse a pair whose winner the judge does not find better both times."""
    if verdict.fault:
        return variant.refuse(f"llm: {verdict.fault}", f"judge: {verdict.detail}")
    if not verdict.agrees:
        return variant.refuse(DISAGREES, shown_text(variant.parent, variant.fields))
    return variant


def _question(variant: Example) -> ChoiceQuestion:
    choice = choice_of(variant)
    return prompted_question("evaluate/choice", choice.candidates, question=choice.prompt)
