"""``fix``: try the methods that fit, measure them side by side, and say how to repeat it."""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from augkit.commands.evaluate.scores import evaluate_run
from augkit.commands.evaluate.settings import EvaluateSettings
from augkit.commands.fix.methods import MethodTrial, Unfit, plan_trials
from augkit.commands.fix.parts import (
    AnyCue,
    FixData,
    SplitParts,
    judged_as,
    write_parts,
)
from augkit.commands.fix.prepare import FoundCues, Prepared, find_shortcuts, prepare
from augkit.commands.fix.results import FIX_FILE, BothScores, Fixed, TriedMethod
from augkit.commands.fix.settings import FixSettings
from augkit.commands.fix.text import MOST_CUES
from augkit.commands.shortcuts import compare_run
from augkit.core.config import flags_of
from augkit.core.errors import AugkitError, BackendFailed, BudgetExhausted, DataError, UserError
from augkit.core.json_files import write_json
from augkit.core.progress import about_time, report_progress, reporting_as
from augkit.core.results import Comparison, Evaluation, Result
from augkit.datasets.load import Spec
from augkit.datasets.lookup import parse_spec
from augkit.datasets.settings import ReadOptions
from augkit.llm.wrappers.budget import parse_budget
from augkit.runs.estimate import estimate_parts
from augkit.runs.execute import run
from augkit.runs.ledger import DATASET
from augkit.runs.manifest import read_manifest
from augkit.runs.repeat import SETTINGS_FILE
from augkit.text.printable import counted

_MOST_LEFT = 3
_SECONDS_A_METHOD, _SECONDS_A_ROW = 6.0, 0.02
"""How long a method takes with its evaluation, measured on short texts: at least, and a row."""


def fix_dataset(settings: FixSettings, data: Spec | None = None) -> Fixed:
    """Find, break, prove; the cues are those of the settings, or the likely and strong ones."""
    return fix_found(find_shortcuts(settings, data))


def fix_found(found: FoundCues, answer: Sequence[AnyCue] | None = None) -> Fixed:
    """Break and prove; ``answer`` are the cues that somebody chose, where somebody was asked."""
    started = time.monotonic()
    prepared = prepare(found, answer)
    about = replace(found.about, chosen=prepared.chosen, why_chosen=prepared.why)
    result = about if prepared.parts is None else _tried(prepared, prepared.parts, about)
    result = replace(result, seconds=found.seconds + time.monotonic() - started)
    if result.folder is None:
        return result
    write_json(result.folder / FIX_FILE, result.record())
    from augkit.commands.fix.page import write_fix_page

    write_fix_page(result)
    return result


def _tried(prepared: Prepared, parts: SplitParts, about: Fixed) -> Fixed:
    """Write the parts, try the methods, and say what came of them."""
    found, chosen = prepared.found, prepared.chosen
    data, folder, settings = found.data, found.folder, found.settings
    split = write_parts(data, chosen, parts, folder)
    columns = data.columns(split.files["train"])
    tests = (
        settings.test or str(split.files["test"]),
        settings.challenge or str(split.files["challenge"]),
    )
    reference = split.files.get(data.wording.reference)
    report_progress("looking for methods that fit")
    trials, unfit = plan_trials(data, chosen, settings, split.files["train"], columns)
    trials = _with_budgets(trials)
    tried: list[TriedMethod] = []
    before = deleting = None
    stopped: AugkitError | None = None
    for number, trial in enumerate(trials, 1):
        with reporting_as(f"{trial.name} ({number} of {len(trials)})"):
            try:
                run_folder = _run(trial, folder / "runs" / trial.name, settings)
            except UserError as error:
                unfit.append(Unfit(trial.name, str(error).splitlines()[0]))
                continue
            except (BudgetExhausted, BackendFailed) as error:
                stopped = error
                unfit.append(Unfit(trial.name, str(error).splitlines()[0], error.exit_code))
                continue
            evaluation = _evaluate(run_folder, reference, tests, found, columns)
        caveats = data.caveats(run_folder, chosen)
        method, before, deleting = _measured(trial.name, run_folder, evaluation, tests, caveats)
        tried.append(method)
    if not tried and stopped is not None:
        raise stopped
    if not tried:
        reasons = "; ".join(f"{method.name}: {method.reason}" for method in unfit)
        raise DataError(f"{data.name}: no method fits ({reasons})")
    result = replace(
        about,
        folder=folder,
        split=split,
        tests=tests,
        before=before,
        deleting=deleting,
        tried=sorted(tried, key=lambda method: -method.scores.challenge.value),
        unfit=unfit,
    )
    if reference is not None:
        report_progress("looking for new shortcuts")
        result = replace(result, deleting_caveats=data.new_shortcuts(reference))
    commands = dict(_commands(prepared, result))
    report_progress("checking what is left")
    return replace(result, commands=commands, left=_left(result, data))


def _with_budgets(trials: Sequence[MethodTrial]) -> list[MethodTrial]:
    """The trials; those with a language model share the budget equally."""
    paid = [trial for trial in trials if trial.is_paid]
    shared = []
    for trial in trials:
        budget = trial.settings.connection.budget
        if trial.is_paid and budget is not None:
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
    found: FoundCues,
    columns: Mapping[str, Any],
) -> Evaluation:
    reading = ReadOptions(
        **columns,
        data_folder=found.settings.reading.data_folder,
        choices=found.data.reads == "choices",
    )
    return evaluate_run(
        EvaluateSettings(
            run=folder,
            train=None if reference is None else str(reference),
            tests=tests,
            seeds=0,
            reading=reading,
        )
    )


def _measured(
    name: str,
    folder: Path,
    evaluation: Evaluation,
    tests: tuple[str, str],
    caveats: tuple[str, ...],
) -> tuple[TriedMethod, BothScores, BothScores | None]:
    """The scores of a method, of the rows as they were, and without the cue."""
    comparisons = [
        record
        for record in evaluation.records
        if isinstance(record, Comparison) and record.score == "accuracy"
    ]
    changes = {c.test: c for c in comparisons if not c.is_reference}
    against = {c.test: c for c in comparisons if c.is_reference}
    test, challenge = tests
    counts = read_manifest(folder).counts
    with (folder / DATASET).open("rb") as lines:
        left_out = counts.read - sum(1 for _ in lines)
    method = TriedMethod(
        name=name,
        run=folder,
        scores=_scores(evaluation.results, changes[test].second, tests),
        on_test=changes[test],
        on_challenge=changes[challenge],
        test_against_deleting=against.get(test),
        against_deleting=against.get(challenge),
        caveats=caveats,
        accepted=counts.accepted,
        left_out=max(0, left_out),
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


def _left(result: Fixed, data: FixData) -> list[str]:
    """What still gives the label away in the file to train on, the likely shortcuts first."""
    path = result.checked_again
    cues = [] if path is None else sorted(data.left(path), key=lambda cue: not cue.is_likely)
    return [
        f"{cue.title} goes with {cue.points_to} (association {cue.strength:.2f}; "
        f"{judged_as(cue)}: {cue.reason})"
        for cue in cues[:_MOST_LEFT]
    ]


def _commands(prepared: Prepared, result: Fixed) -> Iterator[tuple[str, str]]:
    """The step and the command that repeats it; rows in memory have no command to read them."""
    found, settings = prepared.found, prepared.found.settings
    best = result.repeatable
    columns = list(_flags(settings.reading, "text_columns", "label_column"))
    is_named = not isinstance(parse_spec(settings.data), Path)
    data_folder = list(_flags(settings.reading, "data_folder")) if is_named else []
    read = [settings.data, *columns, *_flags(settings.reading, "limit", "sample"), *data_folder]
    deletes, folder = result.outcome == "deleting is better", str(found.folder)
    if not found.in_memory:
        yield "find", shlex.join(["augkit", "check", *read])
        cues = [word for cue in prepared.chosen for word in ("--cue", cue.name)]
        sizes = _flags(settings, "parts", "challenge_rows", "group_column", "seed")
        split = ["augkit", "split", *read[:1], *cues, *sizes, *read[1:], "--out", folder]
        if not settings.test or (not settings.challenge and found.data.reads == "rows"):
            yield "split", shlex.join(split)
        elif deletes:
            yield result.wording.reference, shlex.join([*split[:-1], f"{folder}/simplest"])
    if best is not None:
        repeat = ["augkit", "run", "--config", str(best.run / SETTINGS_FILE)]
        yield "break", shlex.join([*repeat, "--out", str(best.run), "--resume"])
        reference = result.reference_file
        trained = ["--train", str(reference)] if reference else []
        tests = [word for test in result.tests for word in ("--test", test)]
        proof = ["augkit", "evaluate", str(best.run), *trained, *tests, "--seeds", "0"]
        yield "prove", shlex.join([*proof, *columns, *data_folder])
    if result.checked_again is not None:
        yield "check again", shlex.join(["augkit", "check", str(result.checked_again), *columns])
    if best is not None and not deletes and not found.in_memory:
        yield "all rows", shlex.join([*repeat, "--dataset", *read, "--out", f"{folder}/all-rows"])


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


def estimate_fix(settings: FixSettings) -> dict[str, object]:
    """What ``fix`` would do and about how long; nothing is written."""
    prepared = prepare(find_shortcuts(settings), will_write=False)
    found, parts = prepared.found, prepared.parts
    about: dict[str, object] = {
        "data": f"{found.data.name}: {counted(found.about.rows, found.data.wording.unit)}",
        "found": ", ".join(cue.title for cue in found.cues[:MOST_CUES]) or "nothing",
        "to fix": ", ".join(cue.title for cue in prepared.chosen) or "nothing",
    }
    if parts is None:
        return about
    with TemporaryDirectory() as scratch:
        split = write_parts(found.data, prepared.chosen, parts, Path(scratch))
        columns = found.data.columns(split.files["train"])
        arguments = (found.settings, split.files["train"], columns)
        trials, unfit = plan_trials(found.data, prepared.chosen, *arguments)
        paid = [trial for trial in _with_budgets(trials) if trial.is_paid]
        estimates = {trial.name: estimate_parts(trial.settings)[1] for trial in paid}
    seconds = sum(_SECONDS_A_METHOD + _SECONDS_A_ROW * split.train for _ in trials)
    budget = found.settings.connection.budget
    tests = [found.settings.test, found.settings.challenge]
    sizes = [counted(split.test, "row"), counted(split.challenge, "row")]
    test, challenge = (name or size for name, size in zip(tests, sizes, strict=True))
    return about | {
        "split": f"{split.train:,} to train on; test set: {test}; challenge set: {challenge}",
        "methods": ", ".join(trial.name for trial in trials) or "none fits",
        "not tried": ", ".join(method.name for method in unfit) or "none",
        **{
            name: "; ".join(f"{key} {value}" for key, value in estimated.describe().items())
            for name, estimated in estimates.items()
            if estimated is not None
        },
        **({"budget": budget or "none (--budget sets a hard limit)"} if paid else {}),
        "folder": str(found.folder),
        "time": about_time(seconds) + (", and the answers of the model" if paid else ""),
    }
