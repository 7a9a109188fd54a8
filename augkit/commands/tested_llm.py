"""An LLM as the model under test, opened with its own folder.

The folder keeps every reply (``work/llm.sqlite``) and what was spent. The same command goes on
where it was stopped, and no reply is paid for twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from augkit.core.errors import BackendFailed
from augkit.core.results import LLMAnswers, Result
from augkit.core.types import digest
from augkit.evaluation.llm_answers import Answers
from augkit.llm.settings import ConnectOptions, LLMUnderTest
from augkit.runs.folder import RUNS, default_name, locked
from augkit.runs.manifest import failed_line


def check_complete(answers: LLMAnswers | None) -> None:
    """Raise ``BackendFailed`` where the server left questions open: scores are of the others."""
    if answers is not None and answers.to_ask_again:
        number = answers.to_ask_again
        questions = answers.questions
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
