"""``augkit audit``: decisions by group, of a model or of a saved file of answers.

Questions and answers are files too, for systems that augkit does not ask itself.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from augkit.commands.audit.cases import (
    AuditCase,
    AuditCases,
    comparable_cases,
    shared_scenarios,
    template_caveats,
)
from augkit.commands.audit.folder import check_folder, shaping_settings
from augkit.commands.audit.judges.run import estimate_judge_audit, run_judge_audit
from augkit.commands.audit.settings import AuditSettings
from augkit.commands.audit.statistics import Decision, audit, scenarios_needed
from augkit.commands.audit.template import AuditTemplate, read_template
from augkit.commands.audit.text import AUDIT_FILE, audit_verdict
from augkit.commands.tested_llm import folder_for, open_tested
from augkit.core.errors import ConfigError, DataError
from augkit.core.json_files import write_json, write_json_lines
from augkit.core.results import answers_record, read_answers
from augkit.evaluation.llm_answers import Answers, decided_by_order, llm_caveats
from augkit.llm.settings import PREFIX
from augkit.prompts.choice_question import prompted_question
from augkit.runs.estimate import Recorder, priced
from augkit.text.json_lines import read_json_lines
from augkit.text.printable import counted

ANSWERS = "answers.jsonl"
QUESTIONS = "questions.jsonl"
_PROMPT = "audit/decision"
_FEW = 30
_MARGIN = 0.05
_NEAR_HALF = (
    "rates count a case as favourable where its mean probability over the orders is above 0.5, so "
    "they say little where it is near 0.5"
)
_UNDECIDED = "they count as not favourable in rates, and as 0.5 in differences"


def run_audit(settings: AuditSettings) -> dict[str, Any]:
    """The record of an audit; ``audit.json`` and ``answers.jsonl`` are written to its folder.

    With ``settings.judge`` it is that of a judge, and ``judges.json``.
    """
    if settings.judge is not None:
        return run_judge_audit(settings)
    template = read_template(settings)
    files = [path for path in (settings.template, settings.answers) if path and path.is_file()]
    shaping = shaping_settings(settings, files)
    named = settings.answers or settings.template
    spec = (settings.model or "answers").removeprefix(PREFIX)
    folder = settings.out or folder_for(f"audit-{named.stem if named else ''}", spec, shaping)
    check_folder(folder, shaping, AUDIT_FILE, ANSWERS)
    if settings.answers is not None:
        decisions, left_out = read_decisions(settings.answers, template)
        facts = {"answers": str(settings.answers), "left_out": left_out}
        return _finish(folder, template, decisions, {**facts, "settings": shaping})
    if template is None:
        raise ConfigError("nothing to audit: give a template file, or saved answers (--answers)")
    written = comparable_cases(template, settings.seed)
    if settings.tested is None:
        return _write_questions(folder, template, written)
    for caveat in _before_answers(template, written):
        logging.getLogger(__name__).warning("%s", caveat)
    with open_tested(settings.tested, settings.connection, folder) as answers:
        decisions, left_out = decide(answers, template, written.cases)
        about = answers_record(answers.summary())
    facts = {"model": settings.model, "left_out": left_out, "rejected": dict(written.rejected)}
    return _finish(folder, template, decisions, {**facts, "settings": shaping, "llm": about})


def estimate_audit(settings: AuditSettings) -> dict[str, object]:
    """What an audit of a model would cost: all questions are made and none is asked."""
    if settings.judge is not None:
        return estimate_judge_audit(settings)
    template = read_template(settings)
    tested = settings.tested
    if template is None or tested is None:
        raise ConfigError(
            "--dry-run is for an LLM that decides: a template file and --model llm:..."
        )
    written = comparable_cases(template, settings.seed)
    recorder = Recorder()
    decide(Answers(recorder, tested), template, written.cases)
    caveats = "; ".join(_before_answers(template, written))
    return {
        "model": tested.spec,
        "cases": f"{len(written.cases):,}, each in up to {tested.orders} orders",
        **priced(recorder.cost, tested.spec, settings.connection).describe(),
        "budget": settings.connection.budget or "none (--budget sets a hard limit)",
        **({"caveats": caveats} if caveats else {}),
    }


def decide(
    answers: Answers, template: AuditTemplate, cases: Sequence[AuditCase]
) -> tuple[list[Decision], int]:
    """The decisions of the model; a case that it does not decide is left out."""
    questions = [
        prompted_question(_PROMPT, template.answers, text=case.text, question=template.question)
        for case in cases
    ]
    decided = [
        Decision(case.scenario, case.axis, case.group, answer.probabilities["0"], case.text)
        for case, answer in zip(cases, answers.answer(questions), strict=True)
        if answer.by_order
    ]
    return decided, len(cases) - len(decided)


def _write_questions(folder: Path, template: AuditTemplate, written: AuditCases) -> dict[str, Any]:
    """The cases as a file to be answered by any system; answers in it are never lost."""
    folder.mkdir(parents=True, exist_ok=True)
    _check_unanswered(folder / QUESTIONS)
    asked = {"question": template.question, "answers": template.answers, "answer": None}
    lines = [{**asdict(case), **asked} for case in written.cases]
    write_json_lines(folder / QUESTIONS, lines)
    caveats = list(_before_answers(template, written))
    scenario = written.cases[0].scenario
    first = [asdict(case) for case in written.cases if case.scenario == scenario]
    return {"folder": str(folder), "questions": len(lines), "first": first, "caveats": caveats}


def _finish(
    folder: Path,
    template: AuditTemplate | None,
    decisions: Sequence[Decision],
    facts: Mapping[str, Any],
) -> dict[str, Any]:
    answers = read_answers(facts.get("llm"))
    scored = answers.with_log_probabilities if answers else None  # none: a file of answers
    try:
        audited = audit(decisions, has_probabilities=scored != 0)
    except DataError as error:
        raise DataError(f"{facts.get('answers', folder)}: {error}") from None
    result = asdict(audited)
    no_decision = decided_by_order(answers)
    near_half = sum(abs(decision.favourable - 0.5) <= _MARGIN for decision in decisions)
    if not no_decision and scored and 2 * near_half > len(decisions):
        no_decision = f"{near_half:,} of {len(decisions):,} probabilities are between 0.45 and 0.55"
    scenarios = [comparison.difference.n for comparison in audited.comparisons]
    caveats = list(_caveats(template, scenarios, facts))
    if no_decision and scored:
        caveats.append(_NEAR_HALF)
    record = {
        "folder": str(folder),
        **facts,
        "decisions": len(decisions),
        "groups": result["groups"],
        "comparisons": result["comparisons"],
        "verdict": audit_verdict(audited.comparisons, no_decision),
        "caveats": [*caveats, *llm_caveats(answers, _UNDECIDED)],
        "pairs": result["pairs"],
    }
    folder.mkdir(parents=True, exist_ok=True)
    keys = {"favourable": "answer"}  # as files of answers have it
    write_json_lines(
        folder / ANSWERS,
        [
            {keys.get(name, name): content for name, content in asdict(decision).items()}
            for decision in decisions
        ],
    )
    write_json(folder / AUDIT_FILE, record)
    return record


def _before_answers(template: AuditTemplate, written: AuditCases) -> Iterator[str]:
    """What is known before a case is decided."""
    yield from template_caveats(template)
    yield from _no_alarm(shared_scenarios(written.cases))
    yield from _unwritten(written.rejected)


def _caveats(
    template: AuditTemplate | None, scenarios: Sequence[int], facts: Mapping[str, Any]
) -> Iterator[str]:
    """All caveats; ``scenarios`` are those of each comparison."""
    if template is not None:
        yield from template_caveats(template)
    too_few = list(_no_alarm(scenarios))
    if not too_few and min(scenarios) < _FEW:
        yield f"only {min(scenarios)} scenarios are compared: small differences cannot be seen"
    yield from too_few
    if facts["left_out"]:
        yield f"left out: {counted(facts['left_out'], 'case')} without an answer"
    yield from _unwritten(facts.get("rejected", {}))
    yield (
        "the result is about these scenarios; no alarm is no proof of fairness, and an alarm "
        "says that the decision follows the group, not why"
    )


def _no_alarm(scenarios: Sequence[int]) -> Iterator[str]:
    """Where no comparison can raise an alarm, whatever the answers are."""
    needed = scenarios_needed(len(scenarios))
    if scenarios and max(scenarios) < needed:
        yield (
            f"with {counted(max(scenarios), 'scenario')} and "
            f"{counted(len(scenarios), 'comparison')} no difference can raise an alarm; at least "
            f"{needed} scenarios are needed"
        )


def _unwritten(rejected: Mapping[str, int]) -> Iterator[str]:
    for reason, count in rejected.items():
        yield f"{counted(count, 'case')} could not be written: {reason}"


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
    decisions = []
    left_out = 0
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
        words = {"true": 1.0, "false": 0.0}
        words |= {word.casefold(): float(1 - n) for n, word in enumerate(answers or ())}
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


def _check_unanswered(path: Path) -> None:
    """Raise ``ConfigError`` where a file of questions has answers, which would be lost."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    try:
        unanswered = all(json.loads(line).get("answer") is None for line in lines)
    except (ValueError, AttributeError):
        unanswered = False  # not a file of ours
    if not unanswered:
        raise ConfigError(
            f"{path} has answers already. Audit them: --answers {path}; or choose another --out"
        )
