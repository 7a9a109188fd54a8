"""Files of an audit's questions and answers, for systems that augkit does not ask itself."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from augkit.commands.audit.statistics import Decision
from augkit.commands.audit.template import AuditTemplate
from augkit.core.errors import ConfigError, DataError
from augkit.text.json_lines import read_json_lines
from augkit.text.printable import counted

_WORDS = {"true": 1.0, "false": 0.0}


class AnswerLine(BaseModel):
    """A line of a saved file: the answer, or the probability of the favourable one.

    ``answers`` are those of the template, the favourable one first.
    """

    model_config = ConfigDict(extra="ignore")

    scenario: str | int
    axis: str
    group: str
    answers: tuple[str, str] | None = None
    answer: bool | float | str | None = None
    text: str = ""


def read_decisions(path: Path, template: AuditTemplate | None) -> tuple[list[Decision], int]:
    """The decisions of a saved file, and how many lines have no answer.

    Which answer is favourable says the template; without one, each line.
    """
    decisions, left_out = [], 0
    for number, line in read_json_lines(path, AnswerLine):
        if line.answer is None or line.answer == "":
            left_out += 1
            continue
        answers = line.answers if template is None else template.answers
        favourable = _favourable(line.answer, answers, f"{path}:{number}")
        decisions.append(Decision(str(line.scenario), line.axis, line.group, favourable, line.text))
    if not decisions:
        raise DataError(
            f"{path}: nothing to compare: the answer of all {counted(left_out, 'line')} is null or "
            "empty. Write an 'answer' into each: one of the template's answers, or the probability "
            "of the favourable one"
        )
    return decisions, left_out


def _favourable(answer: bool | float | str, answers: Sequence[str] | None, where: str) -> float:
    if isinstance(answer, str):
        words = _WORDS | {word.casefold(): float(1 - n) for n, word in enumerate(answers or ())}
        favourable = words.get(answer.strip().strip(".!").casefold())
        if favourable is None and answers is None:
            raise DataError(
                f"{where}: is the answer '{answer[:50]}' favourable? The line has no 'answers', as "
                "those of questions.jsonl have. Give the template: augkit audit TEMPLATE "
                "--answers FILE"
            )
        if favourable is None:
            raise DataError(f"{where}: the answer '{answer[:50]}' is none of: {', '.join(words)}")
        return favourable
    if not 0 <= answer <= 1:
        raise DataError(f"{where}: the answer {answer} is no probability: give 0 to 1")
    return float(answer)


def check_unanswered(path: Path) -> None:
    """Raise ``ConfigError`` where a file of questions has answers, which would be lost."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    if not all(map(_is_unanswered, lines)):
        raise ConfigError(
            f"{path} has answers already. Audit them: --answers {path}; or choose another --out"
        )


def _is_unanswered(line: str) -> bool:
    try:
        return json.loads(line).get("answer") is None
    except (ValueError, AttributeError):
        return False  # not a line of ours
