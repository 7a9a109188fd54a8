"""Questions whose answer is one of a few options, asked with the options in several orders.

A model that prefers the first letter, or the last, then does not decide by that, and how much it
does so can be measured.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, NamedTuple

from augkit.core.model_types import Reply, Request
from augkit.core.progress import report_progress
from augkit.core.protocols import LLM
from augkit.core.types import FREE, Cost
from augkit.prompts.load import load_prompt
from augkit.prompts.render import letter, render

Order = tuple[str, ...]
"""All options of a question, in the order in which they are shown."""

_MAX_TOKENS = 8
_AT_ONCE = 256
"""Questions that are asked together; a local model's answers are kept after each such number."""


class ChoiceQuestion(NamedTuple):
    """A question; ``request`` asks it with the options in an order, as choices A, B and so on."""

    options: Order
    request: Callable[[Order], Request]


def prompted_question(prompt_id: str, options: Sequence[str], **inputs: Any) -> ChoiceQuestion:
    """A question of a prompt file; its options are named by their numbers, "0", "1" and so on."""

    def request(order: Order) -> Request:
        prompt = load_prompt(prompt_id)
        shown = [options[int(number)] for number in order]
        messages = render(prompt, options=shown, **inputs)
        choices = tuple(letter(number) for number in range(len(order)))
        return Request(messages, choices=choices, max_tokens=_MAX_TOKENS, prompt=prompt.name)

    return ChoiceQuestion(tuple(map(str, range(len(options)))), request)


class OrderedAnswer(NamedTuple):
    """The probability of each option, as answered with the options in one order."""

    order: Order
    probabilities: Mapping[str, float]


@dataclass(frozen=True)
class ChoiceAnswer:
    """The answers to one question, an entry for each order that was answered.

    ``fault`` and ``detail`` are those of the first order without an answer; ``scored`` says that
    the model gave log-probabilities.
    """

    options: Order
    by_order: tuple[OrderedAnswer, ...]
    cost: Cost = FREE
    fault: str = ""
    detail: str = ""
    scored: bool = False

    @property
    def probabilities(self) -> dict[str, float]:
        """Option → its probability, averaged over the orders; empty where there is no answer."""
        count = len(self.by_order)
        return {
            option: sum(answer.probabilities[option] for answer in self.by_order) / count
            for option in (self.options if count else ())
        }

    @property
    def option(self) -> str | None:
        """The likeliest option; None for a tie, and where there is no answer."""
        return likeliest(self.probabilities)


def likeliest(probabilities: Mapping[str, float]) -> str | None:
    """The likeliest option; None for a tie, or where there is none.

    >>> likeliest({"a": 0.7, "b": 0.3}), likeliest({"a": 0.5, "b": 0.5})
    ('a', None)
    """
    best = max(probabilities.values(), default=0.0)
    likely = [option for option, p in probabilities.items() if p == best]
    return likely[0] if len(likely) == 1 else None


def rotations(options: Order, count: int) -> list[Order]:
    """At most ``count`` rotations of the options, evenly spread.

    >>> rotations(("a", "b", "c"), 3)
    [('a', 'b', 'c'), ('b', 'c', 'a'), ('c', 'a', 'b')]
    >>> rotations(("a", "b", "c", "d"), 2)
    [('a', 'b', 'c', 'd'), ('c', 'd', 'a', 'b')]
    """
    shown = min(count, len(options))
    starts = [number * len(options) // shown for number in range(shown)]
    return [options[start:] + options[:start] for start in starts]


def ask(
    llm: LLM,
    questions: Sequence[ChoiceQuestion],
    orders: Callable[[Order], Sequence[Order]],
    draws: int = 0,
    work: str = "",
) -> list[ChoiceAnswer]:
    """Ask every question in all of its orders.

    Each is one greedy call, whose log-probabilities count where the model gives them; otherwise
    its answer does. With ``draws`` it is so many sampled calls, and the shares of their answers.
    Progress is reported as ``work``, where it has a name.
    """
    waiting = iter(questions)
    answers: list[ChoiceAnswer] = []
    while batch := list(islice(waiting, _AT_ONCE)):
        if work:
            report_progress(work, len(answers), len(questions))
        asked = [(question, list(orders(question.options))) for question in batch]
        requests: list[Request] = []
        for question, question_orders in asked:
            for request in map(question.request, question_orders):
                samples = [replace(request, temperature=1.0, seed=seed) for seed in range(draws)]
                requests += samples or [request]
        replies = iter(llm.generate(requests) if requests else ())
        answers += [
            _answer(question.options, question_orders, replies, draws)
            for question, question_orders in asked
        ]
    return answers


def _answer(
    options: Order, orders: Sequence[Order], replies: Iterator[Reply], draws: int
) -> ChoiceAnswer:
    by_order = []
    cost = FREE
    fault = ""
    detail = ""
    scored = False
    for order in orders:
        drawn = list(islice(replies, max(1, draws)))
        cost = sum((reply.cost for reply in drawn), cost)
        failed = next((reply for reply in drawn if reply.fault), None)
        if failed is not None:
            fault = fault or failed.fault
            detail = detail or failed.detail or failed.text
        if usable := [_shares(order, reply) for reply in drawn if not reply.fault]:
            sums = {option: sum(shares[option] for shares in usable) for option in order}
            mean = {option: total / len(usable) for option, total in sums.items()}
            by_order.append(OrderedAnswer(order, mean))
        scored = scored or any(reply.probabilities for reply in drawn)
    return ChoiceAnswer(options, tuple(by_order), cost, fault, detail, scored)


def _shares(order: Order, reply: Reply) -> dict[str, float]:
    """Option → its probability; 1 and 0 where the model reports none."""
    by_letter = reply.probabilities or {reply.text: 1.0}
    shares = {option: by_letter.get(letter(number), 0.0) for number, option in enumerate(order)}
    total = sum(shares.values()) or 1.0
    return {option: share / total for option, share in shares.items()}
