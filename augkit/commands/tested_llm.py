"""An LLM as the model under test: opened with its own folder, and asked choice questions.

The folder keeps every reply (``work/llm.sqlite``) and what was spent. The same command goes on
where it was stopped, and no reply is paid for twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from augkit.core.errors import BackendFailed
from augkit.core.protocols import LLM
from augkit.core.results import LLMAnswers, Result
from augkit.core.types import digest
from augkit.evaluation.llm_answers import summarise_answers
from augkit.llm.settings import ConnectOptions, LLMUnderTest
from augkit.prompts.choice_question import ChoiceAnswer, ChoiceQuestion, Order, ask, rotations
from augkit.prompts.load import active_prompts
from augkit.prompts.overrides import read_prompts
from augkit.runs.folder import RUNS, default_name, locked
from augkit.runs.manifest import failed_line

if TYPE_CHECKING:
    from augkit.llm.stack import RunStore


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


def check_complete(answers: LLMAnswers | None) -> None:
    """Raise ``BackendFailed`` where the server left questions open: scores are of the others."""
    if answers is not None and answers.to_ask_again:
        number, questions = answers.to_ask_again, answers.questions
        raise BackendFailed(
            f"not complete: the server failed in {number:,} of {questions:,} questions. "
            "Repeat the command: it asks these again, and pays for no other"
        )


def check_perturbed(results: Sequence[Result]) -> None:
    """Raise ``BackendFailed`` where calls failed that should have perturbed test rows."""
    perturbed = {result.test: result.perturbation for result in results}
    failed: Counter[str] = Counter()
    for perturbation in perturbed.values():
        if perturbation is not None:
            failed.update(perturbation.failed_calls)
    if failed:
        raise BackendFailed(
            f"not complete: {failed_line(failed)} where test rows are perturbed. Repeat the "
            "command; with --set cache=FILE it pays for no answer twice"
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
