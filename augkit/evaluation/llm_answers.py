"""The answers of an LLM under test to choice questions: do they depend on the order? Caveats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from augkit.core.errors import BackendFailed
from augkit.core.protocols import LLM
from augkit.core.results import LLMAnswers, Score, Spent
from augkit.core.types import digest
from augkit.evaluation.statistics.intervals import bootstrap_mean, exact_share
from augkit.llm.faults import TRANSIENT
from augkit.llm.settings import LLMUnderTest
from augkit.prompts.choice_question import (
    ChoiceAnswer,
    ChoiceQuestion,
    Order,
    ask,
    likeliest,
    rotations,
)
from augkit.prompts.load import active_prompts
from augkit.prompts.overrides import read_prompts

if TYPE_CHECKING:
    from augkit.llm.stack import RunStore

FLIPS = "answer depends on the order"
FIRST = "first option"
LAST = "last option"
_MOSTLY_BY_ORDER = 0.5
"""Share of answers that change with the order of the options, above which a caveat says so."""


@dataclass
class Answers:
    """A model that answers choice questions; every question once, however often it is asked."""

    llm: LLM
    settings: LLMUnderTest
    store: RunStore | None = None
    by_question: dict[str, ChoiceAnswer] = field(default_factory=dict)

    def answer(self, questions: Sequence[ChoiceQuestion]) -> list[ChoiceAnswer]:
        """The answers, in order; an error where the model answers none of the questions."""
        with active_prompts(read_prompts(self.settings.prompts)):
            requests = [question.request(question.options) for question in questions]
            keys = [digest(*(m.content for m in request.messages)) for request in requests]
            asked = zip(keys, questions, strict=True)
            new = {key: question for key, question in asked if key not in self.by_question}
            replies = ask(
                self.llm, list(new.values()), self._orders, self.settings.draws, "asking the LLM"
            )
        self.by_question |= dict(zip(new, replies, strict=True))
        answers = [self.by_question[key] for key in keys]
        if answers and not any(answer.by_order for answer in answers):
            raise BackendFailed(
                f"{self.settings.spec} answered none of {len(answers)} questions: "
                f"{answers[0].fault} ({answers[0].detail[:300]}). Check that the model follows "
                "instructions, or change the prompt (--set prompts=FOLDER)"
            )
        return answers

    def summary(self) -> LLMAnswers:
        """How the model answered so far, and what was spent, before a continuation included."""
        cost = None if self.store is None else self.store.spent()
        return summarise_answers(list(self.by_question.values()), cost)

    def _orders(self, options: Order) -> list[Order]:
        return rotations(options, self.settings.orders or len(options))


def summarise_answers(answers: Sequence[ChoiceAnswer], cost: Spent | None) -> LLMAnswers:
    """How a model answered: its position effect, and what it left open."""
    answered = [answer for answer in answers if answer.by_order]
    faults = Counter(answer.fault for answer in answers if not answer.by_order)
    return LLMAnswers(
        questions=len(answers),
        unanswered=dict(faults.most_common()),
        partly_answered=sum(bool(answer.fault) for answer in answered),
        to_ask_again=sum(answer.fault in TRANSIENT for answer in answers),
        undecided=sum(answer.option is None for answer in answered),
        with_log_probabilities=sum(answer.scored for answer in answered),
        position_effect={score.name: score for score in position_effect(answers)},
        cost=cost,
    )


def position_effect(answers: Sequence[ChoiceAnswer]) -> list[Score]:
    """The share of questions answered differently in different orders, and who gains by position.

        E_i = (1/|O|) · Σ_{o∈O} [ p(o_i | o) - p̄(o_i) ]

    O are the orders in which a question was asked, o_i the option at position i of order o, and p̄
    its probability averaged over O. E_first and E_last are means over questions: 0 without an
    effect; a model that always takes the first of k options has E_first = 1 - 1/k where each option
    comes first equally often. Questions answered in one order only are left out.
    """
    several = [answer for answer in answers if len(answer.by_order) > 1]
    if not several:
        return []
    flips = sum(
        len({likeliest(reply.probabilities) for reply in answer.by_order}) > 1 for answer in several
    )
    # p̄ holds a share of 1/|O| of each p itself, so no gain is larger than 1 - 1/|O|.
    largest = max(1 - 1 / len(answer.by_order) for answer in several)
    return [
        exact_share(FLIPS, flips, len(several)),
        bootstrap_mean(FIRST, [_gain(answer, 0) for answer in several], (-largest, largest)),
        bootstrap_mean(LAST, [_gain(answer, -1) for answer in several], (-largest, largest)),
    ]


def _gain(answer: ChoiceAnswer, index: int) -> float:
    mean = answer.probabilities
    gains = [
        reply.probabilities[reply.order[index]] - mean[reply.order[index]]
        for reply in answer.by_order
    ]
    return sum(gains) / len(gains)


def llm_caveats(
    answers: LLMAnswers | None, undecided: str = "they count as wrong"
) -> Iterator[str]:
    """What a reader of an LLM's scores must know; ``undecided``: how such answers count."""
    if answers is None:
        return
    if unanswered := sum(answers.unanswered.values()):
        reasons = ", ".join(f"{fault}: {n}" for fault, n in answers.unanswered.items())
        yield (
            f"{unanswered} of {answers.questions} questions have no answer ({reasons}); where "
            "the server failed, the same command asks again"
        )
    if answers.partly_answered:
        yield f"questions without an answer in one of the orders: {answers.partly_answered}"
    if by_order := decided_by_order(answers):
        share = answers.position_effect[FLIPS].value
        yield f"{by_order} ({share:.0%}): the scores say more about the order than about the cases"
    if answers.undecided:
        yield (
            f"{answers.undecided} questions are undecided: the answers in different orders "
            f"contradict each other; {undecided}"
        )
    if not answers.with_log_probabilities:
        yield "the model gives no log-probabilities: each answer counts 1 or 0"


def decided_by_order(answers: LLMAnswers | None) -> str:
    """A sentence where more than half of the answers change with the order of the options."""
    flips = answers.position_effect.get(FLIPS) if answers else None
    if flips is None or flips.value <= _MOSTLY_BY_ORDER:
        return ""
    number = round(flips.value * flips.n)
    return f"the order of the options decides {number:,} of {flips.n:,} answers"
