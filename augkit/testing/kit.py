"""An augmenter under test, made with a scripted model and without a network."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any
from unittest import mock

import yaml

from augkit.augmenters.base import Augmenter
from augkit.augmenters.checks import NO_GATES
from augkit.core import registry
from augkit.core.config import validate
from augkit.core.model_types import Reply, Request
from augkit.core.protocols import LLM, Tools
from augkit.core.types import EMPTY, FREE, Example, NoItems, Outcome, example
from augkit.llm.made_up import conforming
from augkit.llm.scripted import Scripted

_ROWS = yaml.safe_load(files(__package__).joinpath("rows.yaml").read_text(encoding="utf-8"))
ORDINARY: tuple[Example, ...] = (
    *(
        example(text, label, columns={"number": number})
        for number, (text, label) in enumerate(_ROWS["texts"])
    ),
    *(
        example({"premise": premise, "hypothesis": hypothesis}, label, columns={"number": number})
        for number, (premise, hypothesis, label) in enumerate(_ROWS["pairs"], 100)
    ),
)
"""Labelled texts, single and in pairs, that most methods can change.

Each has a number of its own in the column ``number``, for methods that join rows with a file.
"""

CHOICES: tuple[Example, ...] = tuple(
    example(
        {
            "prompt": f"Question {number}?",
            "candidate 1": f"{first} **So it is.**",
            "candidate 2": second,
        },
        "1" if number % 2 else "2",
        columns={"number": number},
    )
    for number, ((first, _), (second, _)) in enumerate(
        zip(_ROWS["texts"], reversed(_ROWS["texts"]), strict=True)
    )
    if first != second
)
"""The same texts as choices, for methods that read these."""
HARD: tuple[Example, ...] = tuple(
    example(text, "negative")
    for text in [
        "",
        "   \n\t ",
        "Movie",
        "?!",
        "A good film. " * 600,
        "x" * 200_000,
        "Der Film war überraschend gut, aber zu lang.",
        "यह फिल्म बहुत अच्छी है।",
        "这部电影非常好看。",
        "😀 great 👨‍👩‍👧 movie 🎬!!",
        "<p class='a'>A <b>good</b> film &amp; more</p><br/>",
        "هذا الفيلم جيد جدا ويستحق المشاهدة",
        "\u202eהסרט הזה טוב מאוד\u202c",  # noqa: RUF001 - Hebrew is meant
        "a good\x00 film",
        "A  good\r\n\tfilm …\u00a0indeed\u2028again",
        "{{ film }} {% raw %} %s {0} \\1 $movie",
    ]
)
"""Texts that break careless code."""


class MeteredLLM:
    """Any LLM, with the cost of all its replies."""

    def __init__(self, llm: LLM) -> None:
        """Meter ``llm``."""
        self._llm = llm
        self.spent = FREE

    def generate(self, requests: Sequence[Request]) -> list[Reply]:
        """The replies of the model underneath."""
        replies = self._llm.generate(requests)
        self.spent = sum((reply.cost for reply in replies), self.spent)
        return replies


@dataclass
class Kit:
    """An augmenter under test: made anew for each check, with a scripted model."""

    method: type[Augmenter[Any]]
    examples: Sequence[Example] = ORDINARY
    settings: Mapping[str, Any] = field(default_factory=NoItems)
    """Required settings of the method: a file, a model's folder."""
    llm: MeteredLLM = field(default_factory=lambda: MeteredLLM(Scripted(conforming)))
    judged: bool = False
    """Whether a method that can work without a judge has one: a scripted judge rejects all."""
    offline: bool = False
    """Whether a method that can work without a model has none, and works by its rules."""

    def tools(self) -> Tools:
        """The scripted model as every tool that the method needs; its answers pass all gates."""
        if self.offline:
            return Tools()
        judge = self.llm if self.judged or "judge" in self.method.needs else None
        return Tools(llm=self.llm, judge=judge, text_gates=NO_GATES)

    def make(self, **settings: Any) -> Augmenter[Any]:
        """The augmenter, fitted to the examples where it needs that."""
        return self.unfitted(**settings).fit(self.examples)

    def unfitted(self, **settings: Any) -> Augmenter[Any]:
        """The augmenter as it is before it has seen the examples."""
        config = validate(self.method.Config, {**self.settings, **settings})
        return self.method(config, self.tools())

    def outcomes(self, examples: Sequence[Example], **settings: Any) -> list[Outcome]:
        """What a new augmenter gives for the examples."""
        return list(self.make(**settings).outcomes(examples))


def kit_of(
    method: str | type[Augmenter[Any]],
    examples: Sequence[Example] = ORDINARY,
    settings: Mapping[str, Any] = EMPTY,
) -> Kit:
    """What the single checks take."""
    kind = registry.find("augmenters", method) if isinstance(method, str) else method
    if kind.reads == "choices" and examples is ORDINARY:
        examples = CHOICES
    return Kit(kind, examples, settings)


@contextmanager
def no_network() -> Iterator[None]:
    """Make every attempt to open a connection fail while this lasts."""

    def fail(_: socket.socket, address: object) -> None:
        raise AssertionError(f"an augmenter under test tried to reach {address}")

    with mock.patch.object(socket.socket, "connect", fail):
        yield


def label_letter(request: Request, label: str) -> str:
    """The letter of a label in a judge's request, for scripted judges; "" where it has none."""
    shown = "\n".join(message.content for message in request.messages if message.role == "system")
    choice = re.search(rf"^(\w+)\. <data[-\d]*>{re.escape(label)}</", shown, re.MULTILINE)
    return choice[1] if choice else ""
