"""``augkit audit``: decisions by group, of a model or of a saved file of answers."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from augkit.commands.audit.answers import check_unanswered, read_decisions
from augkit.commands.audit.cases import (
    AuditCase,
    AuditCases,
    comparable_cases,
    shared_scenarios,
    template_caveats,
)
from augkit.commands.audit.settings import AuditSettings
from augkit.commands.audit.statistics import Decision, audit, scenarios_needed
from augkit.commands.audit.template import AuditTemplate, read_template
from augkit.commands.audit.text import audit_verdict
from augkit.commands.tested_llm import Answers, folder_for, open_tested, prompted_question
from augkit.core.errors import ConfigError
from augkit.core.results import answers_record, read_answers
from augkit.core.types import digest
from augkit.evaluation.llm_answers import decided_by_order, llm_caveats
from augkit.llm.settings import PREFIX
from augkit.report.page.templates import NAME as PAGE
from augkit.runs.estimate import Recorder, priced
from augkit.runs.folder import folder_exists, write_atomically
from augkit.text.printable import counted

RESULT, ANSWERS, QUESTIONS = "audit.json", "answers.jsonl", "questions.jsonl"
_PROMPT = "audit/decision"
_FEW = 30
_MARGIN = 0.05
_NEAR_HALF = (
    "rates count a case as favourable where its mean probability over the orders is above 0.5, so "
    "they say little where it is near 0.5"
)
_UNDECIDED = "they count as not favourable in rates, and as 0.5 in differences"


def run_audit(settings: AuditSettings) -> dict[str, Any]:
    """The record of an audit; ``audit.json`` and ``answers.jsonl`` are written to its folder."""
    template = _template(settings)
    files = [path for path in (settings.template, settings.answers) if path and path.is_file()]
    shaping = {  # what shapes the result: the settings, and the content of the files they name
        **settings.model_dump(mode="json", exclude={"out", "connection"}),
        "content": digest(*(path.read_bytes().hex() for path in files)),
    }
    named = settings.answers or settings.template
    spec = (settings.model or "answers").removeprefix(PREFIX)
    folder = settings.out or folder_for(f"audit-{named.stem if named else ''}", spec, shaping)
    _check_folder(folder, shaping)
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
    template, tested = _template(settings), settings.tested
    if template is None or tested is None:
        raise ConfigError(
            "--dry-run is for an LLM that decides: a template file and --model llm:..."
        )
    written, recorder = comparable_cases(template, settings.seed), Recorder()
    decide(Answers(recorder, tested), template, written.cases)
    caveats = "; ".join(_before_answers(template, written))
    return {
        "model": tested.spec,
        "cases": f"{len(written.cases):,}, each in up to {tested.orders} orders",
        **priced(recorder.cost, tested.spec, settings.connection).describe(),
        "budget": settings.connection.budget or "none (--budget sets a hard limit)",
        **({"caveats": caveats} if caveats else {}),
    }


def _template(settings: AuditSettings) -> AuditTemplate | None:
    return None if settings.template is None else read_template(settings.template, settings.axes)


def _check_folder(folder: Path, shaping: Mapping[str, Any]) -> None:
    """A repeated audit goes on; the result of anything else is never overwritten."""
    if any((folder / name).exists() for name in (RESULT, ANSWERS, PAGE)):
        try:
            before = json.loads((folder / RESULT).read_text(encoding="utf-8")).get("settings")
        except (OSError, ValueError, AttributeError):
            before = None  # not an audit
        if before != shaping:
            raise folder_exists(folder)


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
    check_unanswered(folder / QUESTIONS)
    asked = {"question": template.question, "answers": template.answers, "answer": None}
    lines = [{**asdict(case), **asked} for case in written.cases]
    _write_lines(folder / QUESTIONS, lines)
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
    result = audit(decisions, has_probabilities=scored != 0)
    no_decision = decided_by_order(answers) or (_near_half(decisions) if scored else "")
    comparisons = [asdict(comparison) for comparison in result.comparisons]
    scenarios = [comparison.difference.n for comparison in result.comparisons]
    caveats = list(_caveats(template, scenarios, facts))
    if no_decision and scored:
        caveats.append(_NEAR_HALF)
    record = {
        "folder": str(folder),
        **facts,
        "decisions": len(decisions),
        "groups": [asdict(group) for group in result.groups],
        "comparisons": comparisons,
        "verdict": audit_verdict(comparisons, no_decision),
        "caveats": [*caveats, *llm_caveats(answers, _UNDECIDED)],
        "pairs": [[asdict(decision) for decision in pair] for pair in result.pairs],
    }
    folder.mkdir(parents=True, exist_ok=True)
    lines = [
        {
            "scenario": decision.scenario,
            "axis": decision.axis,
            "group": decision.group,
            "answer": decision.favourable,
            "text": decision.text,
        }
        for decision in decisions
    ]
    _write_lines(folder / ANSWERS, lines)
    write_atomically(folder / RESULT, json.dumps(record, ensure_ascii=False, indent=1) + "\n")
    return record


def _near_half(decisions: Sequence[Decision]) -> str:
    """A sentence where most probabilities of a model are about 0.5."""
    near = sum(abs(decision.favourable - 0.5) <= _MARGIN for decision in decisions)
    if 2 * near <= len(decisions):
        return ""
    return f"{near:,} of {len(decisions):,} probabilities are between 0.45 and 0.55"


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


def _write_lines(path: Path, lines: Sequence[Mapping[str, Any]]) -> None:
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    write_atomically(path, text)
