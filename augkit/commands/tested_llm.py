"""An LLM as the model under test: opened with its own folder, and asked choice questions.

The folder keeps every reply (``work/llm.sqlite``) and what was spent. The same command goes on
where it was stopped, and no reply is paid for twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import Field

from augkit.core.config import StrictModel
from augkit.core.errors import BackendFailed
from augkit.core.model_types import Request
from augkit.core.protocols import LLM
from augkit.core.types import digest
from augkit.evaluation.statistics.position_effect import FLIPS, position_effect
from augkit.llm.faults import TRANSIENT
from augkit.llm.settings import ConnectOptions
from augkit.prompts.choice_question import ChoiceAnswer, ChoiceQuestion, Order, ask, rotations
from augkit.prompts.load import active_prompts, load_prompt
from augkit.prompts.overrides import read_prompts
from augkit.prompts.render import letter, render
from augkit.runs.folder import RUNS, default_name, locked

if TYPE_CHECKING:
    from augkit.llm.stack import RunStore

PREFIX = "llm:"
"""What stands before the name of a model that is reached as an LLM."""

_MAX_TOKENS = 8
_MOSTLY_BY_ORDER = 0.5
"""Share of answers that change with the order of the options, above which a caveat says so."""


class AskingSettings(StrictModel):
    """How an LLM under test is asked."""

    orders: int | None = Field(
        2, ge=1, description="orders of the answers in which an LLM is asked a question"
    )
    draws: int = Field(
        0,
        ge=0,
        description="sampled answers of an LLM for each order; 0: log-probabilities, or one answer",
    )
    prompts: Path | None = Field(
        None, description="your prompts: a folder with the tree of augkit/prompts"
    )


class LLMUnderTest(AskingSettings):
    """Which LLM is measured, and how it is asked."""

    spec: str = Field(description="the model, as openai:NAME or transformers:PATH")


class ModelSettings(AskingSettings):
    """A model that may be an LLM, and how it is asked."""

    model: str | None = Field(None, description="the LLM, as llm:openai:NAME")
    connection: ConnectOptions = Field(
        default_factory=ConnectOptions, description="the LLM's server, prices, cache and budget"
    )

    @property
    def tested(self) -> LLMUnderTest | None:
        """The LLM under test, where the model is one."""
        if self.model is None or not self.model.startswith(PREFIX):
            return None
        asking = {name: getattr(self, name) for name in AskingSettings.model_fields}
        return LLMUnderTest(spec=self.model.removeprefix(PREFIX), **asking)


def prompted_question(prompt_id: str, options: Sequence[str], **inputs: Any) -> ChoiceQuestion:
    """A question of a prompt file; its options are named by their numbers, "0", "1" and so on."""

    def request(order: Order) -> Request:
        prompt = load_prompt(prompt_id)
        shown = [options[int(number)] for number in order]
        messages = render(prompt, options=shown, **inputs)
        choices = tuple(letter(number) for number in range(len(order)))
        return Request(messages, choices=choices, max_tokens=_MAX_TOKENS, prompt=prompt.name)

    return ChoiceQuestion(tuple(map(str, range(len(options)))), request)


@dataclass
class Answers:
    """A model that answers choice questions; every question once, however often it is asked."""

    llm: LLM
    settings: LLMUnderTest
    store: RunStore | None = None
    given: dict[str, ChoiceAnswer] = field(default_factory=dict)

    def answer(self, questions: Sequence[ChoiceQuestion]) -> list[ChoiceAnswer]:
        """The answers, in order; an error where the model answers none of the questions."""
        with active_prompts(read_prompts(self.settings.prompts)):
            keys = [_key(question) for question in questions]
            asked = zip(keys, questions, strict=True)
            new = {key: question for key, question in asked if key not in self.given}
            replies = ask(
                self.llm, list(new.values()), self._orders, self.settings.draws, "asking the LLM"
            )
        self.given |= dict(zip(new, replies, strict=True))
        answers = [self.given[key] for key in keys]
        if answers and not any(answer.by_order for answer in answers):
            raise BackendFailed(
                f"{self.settings.spec} answered none of {len(answers)} questions: "
                f"{answers[0].fault} ({answers[0].detail[:300]}). Check that the model follows "
                "instructions, or change the prompt (--prompts)"
            )
        return answers

    def record(self) -> dict[str, Any]:
        """How the model answered so far: position effect, what it left open, and what it cost."""
        answers = list(self.given.values())
        faults = Counter(answer.fault for answer in answers if not answer.by_order)
        answered = [answer for answer in answers if answer.by_order]
        return {
            "questions": len(answers),
            "unanswered": dict(faults.most_common()),
            "partly answered": sum(bool(answer.fault) for answer in answered),
            "to ask again": sum(answer.fault in TRANSIENT for answer in answers),
            "undecided": sum(answer.option is None for answer in answered),
            "with log-probabilities": sum(answer.scored for answer in answered),
            "position effect": {score.name: asdict(score) for score in position_effect(answers)},
            "cost": self.cost,
        }

    @property
    def cost(self) -> dict[str, Any]:
        """What was spent so far, before a continuation included."""
        return {} if self.store is None else asdict(self.store.spent())

    def _orders(self, options: Order) -> list[Order]:
        return rotations(options, self.settings.orders or len(options))


def _key(question: ChoiceQuestion) -> str:
    messages = question.request(question.options).messages
    return digest(*(message.content for message in messages))


def llm_caveats(
    record: Mapping[str, Any] | None, undecided: str = "they count as wrong"
) -> Iterator[str]:
    """What a reader of an LLM's scores must know; ``undecided``: how such answers count."""
    if not record:
        return
    unanswered = sum(record["unanswered"].values())
    if unanswered:
        reasons = ", ".join(f"{fault}: {n}" for fault, n in record["unanswered"].items())
        yield (
            f"{unanswered} of {record['questions']} questions have no answer ({reasons}); where "
            "the server failed, the same command asks again"
        )
    if record["partly answered"]:
        yield f"questions without an answer in one of the orders: {record['partly answered']}"
    if by_order := decided_by_order(record):
        share = record["position effect"][FLIPS]["value"]
        yield f"{by_order} ({share:.0%}): the scores say more about the order than about the cases"
    if record["undecided"]:
        yield (
            f"{record['undecided']} questions are undecided: the answers in different orders "
            f"contradict each other; {undecided}"
        )
    if not record["with log-probabilities"]:
        yield "the model gives no log-probabilities: each answer counts 1 or 0"


def decided_by_order(record: Mapping[str, Any] | None) -> str:
    """A sentence where more than half of the answers change with the order of the options."""
    flips = record["position effect"].get(FLIPS) if record else None
    if not flips or flips["value"] <= _MOSTLY_BY_ORDER:
        return ""
    number = round(flips["value"] * flips["n"])
    return f"the order of the options decides {number:,} of {flips['n']:,} answers"


def check_complete(record: Mapping[str, Any] | None) -> None:
    """Raise ``BackendFailed`` where the server left questions open: scores are of the others."""
    if record and (number := record.get("to ask again")):
        raise BackendFailed(
            f"not complete: the server failed in {number:,} of {record['questions']:,} questions. "
            "Repeat the command: it asks these again, and pays for no other"
        )


@contextmanager
def open_tested(
    settings: LLMUnderTest, connection: ConnectOptions, folder: Path
) -> Iterator[Answers]:
    """The model, with the replies and the spending of a folder."""
    from augkit.llm.stack import RunStore, open_llm

    (folder / "work").mkdir(parents=True, exist_ok=True)
    with locked(folder):
        store = RunStore(folder / "work" / "llm.sqlite")
        try:
            with open_llm(settings.spec, connection, store) as llm:
                yield Answers(llm, settings, store)
        finally:
            store.close()


def folder_for(command: str, spec: str, asked: Mapping[str, Any]) -> Path:
    """The folder of a command on a model; other settings have another folder."""
    name = digest(*(f"{key}={value}" for key, value in sorted(asked.items())))[:8]
    return RUNS / f"{default_name(command, spec.replace(':', '-'))}-{name}"
