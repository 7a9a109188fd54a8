"""Files of an audit's questions and answers, for systems that augkit does not ask itself."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from augkit.core.errors import ConfigError, DataError
from augkit.evaluation.audit import Decision
from augkit.runs.commands.audit_cases import AuditTemplate
from augkit.text.json_lines import read_json_lines
from augkit.text.printable import counted

_WORDS = {"yes": 1.0, "no": 0.0, "true": 1.0, "false": 0.0}


class AnswerLine(BaseModel):
    """A line of a saved file: the answer, or the probability of the favourable one."""

    model_config = ConfigDict(extra="ignore")

    scenario: str | int
    axis: str
    group: str
    answer: bool | float | str | None = None
    text: str = ""


def read_decisions(path: Path, template: AuditTemplate | None) -> tuple[list[Decision], int]:
    """The decisions of a saved file, and how many lines have no answer."""
    words = dict(_WORDS)
    if template is not None:
        words |= {word.casefold(): float(1 - n) for n, word in enumerate(template.answers)}
    decisions, left_out = [], 0
    for number, line in read_json_lines(path, AnswerLine):
        if line.answer is None or line.answer == "":
            left_out += 1
            continue
        favourable = _favourable(line.answer, words, f"{path}:{number}")
        decisions.append(Decision(str(line.scenario), line.axis, line.group, favourable, line.text))
    if not decisions:
        raise DataError(
            f"{path}: nothing to compare: the answer of all {counted(left_out, 'line')} is null or "
            "empty. Write an 'answer' into each: yes, no, or the probability of the favourable "
            "answer"
        )
    return decisions, left_out


def _favourable(answer: bool | float | str, words: Mapping[str, float], where: str) -> float:
    if isinstance(answer, str):
        found = words.get(answer.strip().strip(".!").casefold())
        if found is None:
            raise DataError(f"{where}: the answer '{answer[:50]}' is none of: {', '.join(words)}")
        return found
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
