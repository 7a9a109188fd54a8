"""``fix``: find the cues, split the rows, try the methods that fit, measure them side by side."""

from __future__ import annotations

import json
import shlex
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from augkit.commands.check.rows import load_labelled
from augkit.commands.evaluate.scores import evaluate_run
from augkit.commands.evaluate.settings import EvaluateSettings
from augkit.commands.fix.cues import Cue, chosen_cues, find_cues
from augkit.commands.fix.evidence import judge_cues
from augkit.commands.fix.methods import LLM_MARK, MethodTrial, Unfit, plan_trials
from augkit.commands.fix.moves import deleted
from augkit.commands.fix.results import FIX_FILE, BothScores, Fixed, TriedMethod, best_method
from augkit.commands.fix.settings import FixSettings
from augkit.commands.shortcuts import compare_run
from augkit.commands.split import (
    SPLIT_FILE,
    LabelledData,
    SplitParts,
    check_challenge,
    judged_cues,
    load_labelled_data,
    reading_of_parts,
    row_of,
    split_rows,
    strong_cues,
    write_parts,
    write_rows,
)
from augkit.core.config import flags_of
from augkit.core.errors import ConfigError, DataError, OutputExists, UserError
from augkit.core.json_files import write_atomically
from augkit.core.progress import report_progress
from augkit.core.results import Comparison, Evaluation, Result, read_json_file
from augkit.core.types import Example
from augkit.datasets.load import Spec, open_dataset
from augkit.datasets.lookup import local_splits, parse_spec
from augkit.datasets.settings import ReadOptions
from augkit.evaluation.run_effects import shortcut_caveats
from augkit.llm.wrappers.budget import parse_budget
from augkit.runs.execute import run
from augkit.runs.manifest import read_manifest
from augkit.runs.repeat import command_of
from augkit.runs.settings import RunSettings

DELETED = "deleted.jsonl"
Chooser = Callable[[Sequence[Cue]], Sequence[Cue]]
"""Asks somebody which of the cues are shortcuts."""
_MOST_LEFT = 3
_SECONDS_A_METHOD, _SECONDS_A_ROW = 6.0, 0.02
"""How long a method takes with its evaluation, measured on short texts: at least, and a row."""


@dataclass(frozen=True)
class Prepared:
    """What is decided before anything is written: cues, parts, and where the test rows are."""

    data: LabelledData
    cues: Sequence[Cue]
    chosen: Sequence[Cue]
    why: str
    parts: SplitParts | None
    settings: FixSettings

    @property
    def folder(self) -> Path:
        """Where everything goes."""
        name = self.data.rows.dataset.name.replace(":", "-")
        return self.settings.out or Path(f"fix-{name}")


def fix_dataset(
    settings: FixSettings, choose: Chooser | None = None, data: Spec | None = None
) -> Fixed:
    """Find, break, prove; ``choose`` asks which cues are shortcuts, where nobody named them."""
    started = time.monotonic()
    prepared = prepare(settings, choose, data)
    labelled = prepared.data
    about = Fixed(
        data=labelled.name,
        folder=None,
        rows=len(labelled.examples),
        fields=list(labelled.schema.fields.values()),
        label_column=str(labelled.schema.label),
        labels=labelled.labels,
        cues=prepared.cues,
        chosen=prepared.chosen,
        why_chosen=prepared.why,
    )
    if prepared.parts is None:
        return replace(about, seconds=time.monotonic() - started)
    result = _tried(prepared, about)
    result = replace(result, seconds=time.monotonic() - started)
    write_atomically(
        prepared.folder / FIX_FILE,
        json.dumps(result.record(), ensure_ascii=False, indent=1) + "\n",
    )
    from augkit.commands.fix.page import write_fix_page

    write_fix_page(result)
    return result


def prepare(settings: FixSettings, choose: Chooser | None, data: Spec | None = None) -> Prepared:
    """Read, find and choose the cues, and split the rows; nothing is written yet."""
    report_progress("reading the rows")
    labelled = load_labelled_data(
        settings.data if data is None else data, settings.reading, "augkit fix"
    )
    settings = _with_splits_of(settings, in_memory=data is not None)
    for spec in filter(None, (settings.test, settings.challenge)):
        open_dataset(spec, settings.reading)  # an error now, before anything is done
    cues = judged_cues(labelled)
    chosen: Sequence[Cue]
    if settings.cues:
        chosen, why = chosen_cues(labelled.rows, cues, settings.cues), "you named it"
    elif choose is not None and cues:
        chosen, why = list(choose(cues)), "you chose it"
    else:
        chosen, why = strong_cues(cues), "likely a shortcut, and strong"
    unmovable = [cue for cue in chosen if not (cue.words or cue.sign)]
    if unmovable:
        raise ConfigError(
            f"{unmovable[0].title}: fix breaks shortcuts of words and signs. augkit check shows "
            "what else gives a label away"
        )
    prepared = Prepared(labelled, cues, chosen, why, None, settings)
    if not chosen:
        return prepared
    named = bool(settings.cues) or choose is not None
    if named:
        _check_folder(prepared)
    report_progress("splitting the rows")
    chosen, parts = _provable(labelled, chosen, settings, named=named)
    prepared = replace(prepared, chosen=chosen, parts=parts)
    _check_folder(prepared)
    return prepared


def _with_splits_of(settings: FixSettings, *, in_memory: bool) -> FixSettings:
    """The settings, with the test and challenge splits that a named dataset has itself."""
    spec = None if in_memory else parse_spec(settings.data)
    if spec is None or isinstance(spec, Path):
        return settings
    splits = [name for name in local_splits(spec.name, settings.reading) if name not in spec.splits]
    there: dict[str, Any] = {
        part: f"{spec.name}:{part}"
        for part in ("test", "challenge")
        if part in splits and getattr(settings, part) is None
    }
    return settings.model_copy(update=there)


def _provable(
    data: LabelledData, chosen: Sequence[Cue], settings: FixSettings, *, named: bool
) -> tuple[Sequence[Cue], SplitParts]:
    """The cues that a challenge set can be made for, and the parts; an error where none can."""
    if settings.test and settings.challenge:
        return chosen, SplitParts(data.examples, (), ())
    parts = split_rows(data, chosen, settings)
    if settings.challenge:
        return chosen, replace(parts, challenge=())
    try:
        check_challenge(parts, chosen)
    except DataError:
        if named:
            raise
        for cue in chosen if len(chosen) > 1 else ():
            alone = split_rows(data, [cue], settings)
            try:
                check_challenge(alone, [cue])
            except DataError:
                continue
            return [cue], alone
        raise
    return chosen, parts


def _tried(prepared: Prepared, about: Fixed) -> Fixed:
    """Write the parts, try the methods, and say what came of them."""
    data, chosen, folder = prepared.data, prepared.chosen, prepared.folder
    settings = prepared.settings
    assert prepared.parts is not None  # noqa: S101 - there are cues
    split = write_parts(data, chosen, prepared.parts, folder)
    columns = reading_of_parts(data, split.files["train"], settings.reading)
    tests = (
        settings.test or str(split.files["test"]),
        settings.challenge or str(split.files["challenge"]),
    )
    reference = None
    if not data.schema.annotated:
        reference = folder / DELETED
        write_rows(reference, _without_cues(data, chosen, prepared.parts.train))
    report_progress("looking for methods that fit")
    trials, unfit = plan_trials(data, chosen, settings, split.files["train"], columns)
    trials = _with_budgets(trials)
    if not trials:
        reasons = "; ".join(f"{method.name}: {method.reason}" for method in unfit)
        raise DataError(f"{data.name}: no method fits ({reasons})")
    tried: list[TriedMethod] = []
    before = deleting = None
    for number, trial in enumerate(trials):
        report_progress(f"trying {trial.name} (method {number + 1} of {len(trials)})")
        try:
            run_folder = _run(trial, folder / "runs" / trial.name, settings)
        except UserError as error:
            unfit.append(Unfit(trial.name, str(error).splitlines()[0]))
            continue
        report_progress(f"measuring {trial.name} (method {number + 1} of {len(trials)})")
        evaluation = _evaluate(run_folder, reference, tests, settings, columns)
        method, before, deleting = _measured(trial.name, run_folder, evaluation, tests)
        tried.append(method)
    if not tried:
        reasons = "; ".join(f"{method.name}: {method.reason}" for method in unfit)
        raise DataError(f"{data.name}: no method could be tried ({reasons})")
    result = replace(
        about,
        folder=folder,
        split=split,
        tests=tests,
        before=before,
        deleting=deleting,
        deleted_file=reference,
        tried=sorted(tried, key=lambda method: -method.scores.challenge.value),
        unfit=unfit,
    )
    commands = dict(_commands(prepared, result, {t.name: t.settings for t in trials}, tests))
    report_progress("checking what is left")
    return replace(result, commands=commands, left=_left(result, columns, data))


def _check_folder(prepared: Prepared) -> None:
    """Raise where the folder has an earlier fix of other cues."""
    folder = prepared.folder
    earlier = read_json_file(folder / SPLIT_FILE)
    chosen = sorted(cue.first.name for cue in prepared.chosen)
    if earlier and sorted(cue["cue"] for cue in earlier["cues"]) != chosen:
        names = ", ".join(cue["cue"] for cue in earlier["cues"])
        raise OutputExists(
            f"{folder}: this folder has a fix of other cues ({names}). Give another folder with "
            "--out"
        )


def _without_cues(
    data: LabelledData, cues: Sequence[Cue], rows: Sequence[Example]
) -> Iterator[dict[str, Any]]:
    """The training rows with the words of the cues simply deleted; empty ones stay as they are."""
    for row in rows:
        fields = dict(row.fields)
        for cue in cues:
            fields[cue.field] = deleted(cue, fields[cue.field]).strip() or fields[cue.field]
        yield row_of(data.schema, row, fields)


def _with_budgets(trials: Sequence[MethodTrial]) -> list[MethodTrial]:
    """The trials; those with a language model share the budget equally."""
    paid = [trial for trial in trials if trial.name.endswith(LLM_MARK)]
    shared = []
    for trial in trials:
        budget = trial.settings.connection.budget
        if trial in paid and budget is not None:
            limit = parse_budget(budget)
            part = f"{limit.amount / len(paid):g}{limit.unit}"
            connection = trial.settings.connection.model_copy(update={"budget": part})
            settings = trial.settings.model_copy(update={"connection": connection})
            trial = MethodTrial(trial.name, settings)  # noqa: PLW2901 - the same with its share
        shared.append(trial)
    return shared


def _run(trial: MethodTrial, folder: Path, settings: FixSettings) -> Path:
    """Run a method, or continue it; a finished one is used as it is."""
    done = run(trial.settings, folder, resume=folder.exists())
    if not (done / "shortcuts").exists():
        compare_run(done, settings.reading.data_folder)
    return done


def _evaluate(
    folder: Path,
    reference: Path | None,
    tests: tuple[str, str],
    settings: FixSettings,
    columns: Mapping[str, Any],
) -> Evaluation:
    reading = ReadOptions(**columns, data_folder=settings.reading.data_folder)
    return evaluate_run(
        EvaluateSettings(
            run=folder,
            train=None if reference is None else str(reference),
            tests=tests,
            seeds=0,
            seed=settings.seed,
            reading=reading,
        )
    )


def _measured(
    name: str, folder: Path, evaluation: Evaluation, tests: tuple[str, str]
) -> tuple[TriedMethod, BothScores, BothScores | None]:
    """The scores of a method, of the rows as they were, and without the cue."""
    comparisons = [record for record in evaluation.records if isinstance(record, Comparison)]
    changes = {c.test: c for c in comparisons if not c.is_reference}
    against = {c.test: c for c in comparisons if c.is_reference}
    test, challenge = tests
    method = TriedMethod(
        name=name,
        run=folder,
        scores=_scores(evaluation.results, changes[test].second, tests),
        on_test=changes[test],
        on_challenge=changes[challenge],
        test_against_deleting=against.get(test),
        against_deleting=against.get(challenge),
        caveats=tuple(shortcut_caveats(folder)),
        accepted=read_manifest(folder).counts.accepted,
    )
    before = _scores(evaluation.results, changes[test].first, tests)
    reference = _scores(evaluation.results, against[test].second, tests) if against else None
    return method, before, reference


def _scores(results: Sequence[Result], train: str, tests: tuple[str, str]) -> BothScores:
    mains = {result.test: result.main for result in results if result.train == train}
    test, challenge = (mains[name] for name in tests)
    assert test is not None  # noqa: S101 - accuracy is always measured
    assert challenge is not None  # noqa: S101
    return BothScores(test, challenge)


def _left(result: Fixed, columns: Mapping[str, Any], data: LabelledData) -> list[str]:
    """What still gives the label away in the file to train on, the likely shortcuts first."""
    best = best_method(result.tried)
    path = result.train_on or (best.dataset if best else None)
    if path is None:
        return []
    rows = load_labelled(path, ReadOptions(**columns))
    cues = judge_cues(find_cues(rows)[: 2 * _MOST_LEFT], rows, data.task)
    cues.sort(key=lambda cue: not cue.is_likely)
    return [
        f"{cue.title} goes with '{cue.label}' (association {cue.first.phi:.2f}; "
        f"{'likely a shortcut' if cue.is_likely else 'may belong to the label'}: {cue.reason})"
        for cue in cues[:_MOST_LEFT]
    ]


def _commands(
    prepared: Prepared, result: Fixed, runs: Mapping[str, RunSettings], tests: tuple[str, str]
) -> Iterator[tuple[str, str]]:
    """The step and the command that repeats it."""
    settings, best = prepared.settings, best_method(result.tried)
    cues = [word for cue in prepared.chosen for word in ("--cue", _cue_word(cue))]
    columns = list(_flags(settings.reading, "text_columns", "label_column", "data_folder"))
    columns += _flags(settings.reading, "limit", "sample")
    sizes = list(_flags(settings, "parts", "challenge_rows", "group_column", "seed"))
    folder = str(prepared.folder)
    yield "find", shlex.join(["augkit", "check", settings.data, *columns])
    if not (settings.test and settings.challenge):
        words = ["augkit", "split", settings.data, *cues, *sizes, *columns]
        yield "split", shlex.join([*words, "--out", folder])
    if best is not None:
        repeated = command_of(runs[best.name])
        yield "break", f"{repeated} {shlex.join(['--out', str(best.run), '--resume'])}"
        reference = ["--train", str(result.deleted_file)] if result.deleted_file else []
        words_of_tests = [word for test in tests for word in ("--test", test)]
        columns_read = list(_flags(settings.reading, "text_columns", "label_column"))
        proof = ["augkit", "evaluate", str(best.run), *reference, *words_of_tests]
        yield "prove", shlex.join([*proof, "--seeds", "0", *columns_read])
        yield "check again", shlex.join(["augkit", "check", str(best.dataset), *columns_read])
        whole = runs[best.name].model_copy(
            update={"dataset": settings.data, **_columns_of(settings.reading)}
        )
        yield "all rows", f"{command_of(whole)} --out {shlex.quote(f'{folder}/all-rows')}"


def _columns_of(reading: ReadOptions) -> dict[str, Any]:
    """How the whole file is read, for a run on it."""
    names = ("text_columns", "label_column", "limit", "sample", "data_folder")
    return {name: getattr(reading, name) for name in names}


def _cue_word(cue: Cue) -> str:
    return cue.sign or cue.first.name


def _flags(settings: Any, *names: str) -> Iterator[str]:
    """The options of settings that are not the default."""
    for name in names:
        value = getattr(settings, name)
        if value == type(settings).model_fields[name].get_default(call_default_factory=True):
            continue
        is_list = isinstance(value, tuple)
        flag = "--data" if name == "data_folder" else flags_of(name, is_list=is_list)[0]
        for element in value if is_list else (value,):
            yield from (flag, str(element))


def estimate_fix(settings: FixSettings, data: Spec | None = None) -> dict[str, object]:
    """What ``fix`` would do and about how long; nothing is written."""
    prepared = prepare(settings, None, data)
    labelled, parts = prepared.data, prepared.parts
    about: dict[str, object] = {
        "data": f"{labelled.name}: {len(labelled.examples):,} rows",
        "cues": ", ".join(cue.title for cue in prepared.chosen) or "none: nothing to fix",
    }
    if parts is None:
        return about
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as scratch:
        split = write_parts(labelled, prepared.chosen, parts, Path(scratch))
        columns = reading_of_parts(labelled, split.files["train"], settings.reading)
        trials, unfit = plan_trials(
            labelled, prepared.chosen, prepared.settings, split.files["train"], columns
        )
    seconds = sum(_SECONDS_A_METHOD + _SECONDS_A_ROW * split.train for _ in trials)
    about |= {
        "split": f"{split.train:,} rows to train on, {split.test:,} to test on, "
        f"{split.challenge:,} in the challenge set",
        "methods": ", ".join(trial.name for trial in trials),
        "not tried": "; ".join(f"{method.name} ({method.reason})" for method in unfit) or "none",
        "folder": str(prepared.folder),
        "time": f"about {max(1, round(seconds / 60))} min"
        + (" and the answers of the model" if settings.llm != "offline" else ""),
    }
    return about
