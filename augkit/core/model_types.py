"""What goes to models and comes back: requests and replies of LLMs, tokens of masked models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Literal, Protocol

from augkit.core.types import FREE, Cost, value


@value
class Encoded:
    """A text as a language model's tokens: their ids, segments, and which are no part of it."""

    ids: tuple[int, ...]
    segments: tuple[int, ...]
    special: tuple[bool, ...]


@value
class Masked:
    """A question to a masked language model: how likely is ``token`` at ``position`` of ``ids``?

    What is hidden is hidden in ``ids`` already.
    """

    ids: tuple[int, ...]
    segments: tuple[int, ...]
    position: int
    token: int


class AnswerModel(Protocol):
    """A pydantic model class, as far as a request needs it."""

    @classmethod
    def model_json_schema(cls) -> dict[str, object]:
        """The JSON schema an answer must satisfy."""

    @classmethod
    def model_validate_json(cls, json_data: str) -> object:
        """Read an answer; raises ``ValueError`` where it does not fit."""


@value
class Message:
    """One turn of a conversation.

    Attributes:
        role: "system", "user" or "assistant".
        content: The text.
    """

    role: Literal["system", "user", "assistant"]
    content: str


@value
class Request:
    """One question to an LLM, with everything that shapes the answer.

    Attributes:
        messages: The conversation so far.
        answer: A pydantic model, for an answer in JSON that fits it.
        temperature: 0: the most likely answer.
        top_p: Share of the probability that tokens are sampled from.
        max_tokens: Most tokens of the answer.
        seed: Makes two samples of one question differ.
        prompt: Name of the prompt, for the record.
        choices: Short strings; the answer is exactly one of them.
    """

    messages: Sequence[Message]
    answer: type[AnswerModel] | None = None
    temperature: float = 0.0
    top_p: float = 1.0
    max_tokens: int = 1024
    seed: int | None = None
    prompt: str = ""
    choices: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Choices are several, all different, and the whole answer."""
        if self.choices and (
            self.answer is not None
            or len({choice.strip() for choice in self.choices} - {""}) != len(self.choices)
        ):
            raise ValueError("choices: different strings, none empty, and no answer model beside")


@value
class Reply:
    """An LLM's answer, or the reason why there is none.

    Attributes:
        text: The answer; for a request with choices, one of them.
        answer: The validated object, where the request has a model for it.
        fault: Empty for a usable answer, otherwise a short reason, as "refused" or "timeout".
        detail: More about the fault.
        transient: Whether the fault is worth another try.
        retry_after: Seconds to wait before that, where the server says so.
        cost: What the call cost.
        cached: Whether the answer came from a cache.
        probabilities: Of all choices, normalised over them; empty where none are reported.
        prompt_cached: How many tokens of the prompt the server had in its cache.
        repairs: What was done to read the answer.
    """

    text: str = ""
    answer: object = None
    fault: str = ""
    detail: str = ""
    transient: bool = False
    retry_after: float | None = None
    cost: Cost = FREE
    cached: bool = False
    probabilities: Mapping[str, float] = field(default_factory=dict)
    prompt_cached: int = 0
    repairs: tuple[str, ...] = ()
