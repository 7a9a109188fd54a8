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
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


@value
class Request:
    """One question to an LLM, with everything that shapes the answer.

    ``answer`` asks for JSON that fits a model; ``choices`` asks for exactly one of these short
    strings instead. ``seed`` makes two samples of one question differ.
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

    ``fault`` is empty for a usable answer, otherwise one of few short reasons ("refused", "cut
    short", "timeout" ...); ``transient`` faults are worth another try.
    ``answer`` is the validated object where the request has a model for it. For a request with
    choices, ``text`` is one of them, and ``probabilities`` are those of all choices, normalised
    over them; empty where the model does not report any. ``prompt_cached`` is how many of the
    prompt's tokens the server had in its cache; ``repairs`` name what was done to read the answer.
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
