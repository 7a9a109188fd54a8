"""``augkit audit --judge``: the record of stored verdicts, or of verdicts that an LLM is asked for.

``judges.json`` has the numbers; where a model was asked, ``verdicts.jsonl`` its verdicts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from augkit.commands.audit.folder import check_folder, shaping_settings
from augkit.commands.audit.judges.effects import (
    FEWEST_ITEMS,
    JudgeEffect,
    correct_effects,
    judge_effects,
)
from augkit.commands.audit.judges.pairs import (
    AskedVerdict,
    ask_judge,
    feature_pairs,
    preferences,
    read_answers_to_judge,
)
from augkit.commands.audit.judges.sentences import ALL, verdict_sentences
from augkit.commands.audit.judges.shares import JudgeShares, judge_shares
from augkit.commands.audit.judges.verdicts import Verdicts, read_verdicts
from augkit.commands.audit.judges.win_rates import win_rates
from augkit.commands.audit.settings import AuditSettings
from augkit.commands.tested_llm import folder_for, open_tested
from augkit.core.errors import ConfigError, DataError
from augkit.core.json_files import write_json, write_json_lines
from augkit.core.results import answers_record, read_answers
from augkit.datasets.readers.files import without_gz
from augkit.evaluation.llm_answers import Answers, llm_caveats
from augkit.llm.settings import PREFIX
from augkit.runs.estimate import Recorder, priced
from augkit.text.printable import counted

JUDGES_FILE = "judges.json"
VERDICTS_FILE = "verdicts.jsonl"
_FEW = 30
ONE_FEATURE = "the answers of a pair say the same: whatever is preferred, it is not the content"


def run_judge_audit(settings: AuditSettings) -> dict[str, Any]:
    """The record of an audit of judges; ``judges.json`` is written to its folder."""
    spec = _judged(settings)
    path = Path(spec)
    shaping = shaping_settings(settings, [path] if path.is_file() else [])
    name = (settings.model or "verdicts").removeprefix(PREFIX)
    stem = without_gz(path).stem
    folder = settings.out or folder_for(f"audit-{stem}", name, shaping)
    check_folder(folder, shaping, JUDGES_FILE, VERDICTS_FILE)
    if settings.tested is None:
        record = audit_verdicts(spec)
    else:
        pairs = list(feature_pairs(read_answers_to_judge(spec, settings.limit)))
        with open_tested(settings.tested, settings.connection, folder) as answers:
            asked = ask_judge(answers, pairs)
            record = audit_asked(spec, settings.tested.spec, asked)
            record["llm"] = answers_record(answers.summary())
        record["caveats"] += llm_caveats(read_answers(record["llm"]), "they count as ties")
        rows = [{**row.verdict.record, "feature": row.feature} for row in asked]
        write_json_lines(folder / VERDICTS_FILE, rows)
    record = {"folder": str(folder), **record, "settings": shaping}
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / JUDGES_FILE, record)
    return record


def estimate_judge_audit(settings: AuditSettings) -> dict[str, object]:
    """What asking a judge would cost: all pairs are made and none is asked."""
    spec = _judged(settings)
    tested = settings.tested
    if tested is None:
        raise ConfigError("--dry-run is for an LLM that judges: --judge ANSWERS --model llm:...")
    pairs = list(feature_pairs(read_answers_to_judge(spec, settings.limit)))
    recorder = Recorder()
    ask_judge(Answers(recorder, tested), pairs)
    return {
        "model": tested.spec,
        "pairs": f"{len(pairs):,}, each in both orders",
        **priced(recorder.cost, tested.spec, settings.connection).describe(),
        "budget": settings.connection.budget or "none (--budget sets a hard limit)",
    }


def _judged(settings: AuditSettings) -> str:
    """The verdicts or answers; an error where settings for cases are given too."""
    for name in ("template", "answers", "axes"):
        if getattr(settings, name):
            flag = {"template": "a template", "answers": "--answers", "axes": "--axis"}[name]
            raise ConfigError(f"--judge audits a judge of answers, and {flag} is for decisions")
    return str(settings.judge)


def audit_verdicts(spec: str) -> dict[str, Any]:
    """What the judges of a file do, what moves them, and the win rates of the models in it."""
    verdicts = read_verdicts(spec)
    if not verdicts.decided.any():
        raise DataError(
            f"{spec}: all {counted(len(verdicts), 'verdict')} are ties: nothing to tell"
        )
    judges = list(dict.fromkeys(row.judge for row in verdicts.rows))
    groups = {judge: verdicts.of_judge(judge) for judge in judges}
    if len(judges) > 1:
        groups = {ALL: verdicts, **groups}
    shares = [judge_shares(judge, rows) for judge, rows in groups.items()]
    effects = correct_effects(
        [effect for judge, rows in groups.items() for effect in judge_effects(judge, rows)]
    )
    return {
        "judge": spec,
        "verdicts": len(verdicts),
        "judges": [asdict(judge) for judge in shares],
        "effects": [asdict(effect) for effect in effects],
        "win_rates": [asdict(rate) for rate in win_rates(verdicts)],
        "verdict": verdict_sentences(shares, effects),
        "caveats": list(_caveats(verdicts, shares, effects)),
    }


def audit_asked(spec: str, model: str, asked: Sequence[AskedVerdict]) -> dict[str, Any]:
    """The same for a model that was asked about pairs with one difference."""
    shares, effects = preferences(model, asked)
    together = judge_shares(model, Verdicts([row.verdict for row in asked]))
    return {
        "judge": spec,
        "model": model,
        "verdicts": len(asked),
        "judges": [asdict(judge) for judge in shares],
        "effects": [asdict(effect) for effect in effects],
        "win_rates": [],
        "verdict": verdict_sentences([together], effects),
        "caveats": [ONE_FEATURE],
    }


def _caveats(
    verdicts: Verdicts, shares: Sequence[JudgeShares], effects: Sequence[JudgeEffect]
) -> Iterator[str]:
    items = len({row.item for row in verdicts.rows})
    without = [judge.judge for judge in shares if judge.judge not in {e.judge for e in effects}]
    if without:
        judges = counted(len(without), "judge")
        yield f"{judges} with fewer than {FEWEST_ITEMS} items: no effect is tested"
    elif items < _FEW:
        yield f"only {items} items: small effects cannot be seen"
    if not verdicts.gold.any():
        yield (
            "no right answer is known: an effect of length or Markdown may be one of quality. A "
            "column 'gold' (first or second) tells them apart"
        )
    compared = int(verdicts.compared.sum())
    if compared < len(verdicts):
        yield (
            f"{counted(len(verdicts) - compared, 'verdict')} without an order (each answer rated "
            "alone, or the order not stored): no place is counted in them"
        )
    if compared and all(judge.flips is None for judge in shares):
        yield (
            "nothing is shown in both orders: the effect of the place can be trusted only if the "
            "order was drawn at random"
        )
    if any(row.on_trial and row.on_trial not in row.models for row in verdicts.rows):
        yield (
            "a column 'model' names a model, but not whose answer it is: add first_model and "
            "second_model for win rates"
        )
