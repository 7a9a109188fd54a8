"""What benchmarks ask a model that chooses between answers, as an LLM behind an API."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from augkit.core.model_types import Request
from augkit.prompts.choice_question import ChoiceAnswer, ChoiceQuestion, Order
from augkit.prompts.load import load_prompt
from augkit.prompts.render import letter, render

_MAX_TOKENS = 8


class ChoiceModel(Protocol):
    """A model that answers questions with a few options."""

    def answer(self, questions: Sequence[ChoiceQuestion]) -> list[ChoiceAnswer]:
        """The answers, in order."""
        ...


def prompted_question(prompt_id: str, options: Sequence[str], **inputs: Any) -> ChoiceQuestion:
    """A question of a prompt file; its options are named by their numbers, "0", "1" and so on."""

    def request(order: Order) -> Request:
        prompt = load_prompt(prompt_id)
        shown = [options[int(number)] for number in order]
        messages = render(prompt, options=shown, **inputs)
        choices = tuple(letter(number) for number in range(len(order)))
        return Request(messages, choices=choices, max_tokens=_MAX_TOKENS, prompt=prompt.name)

    return ChoiceQuestion(tuple(map(str, range(len(options)))), request)
