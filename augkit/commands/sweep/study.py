"""Executing a study: trials in parallel, each resumable, failures kept apart."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import as_completed
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from augkit.commands.evaluate.scores import chosen_tests, evaluate_run
from augkit.commands.shortcuts import compare_run
from augkit.commands.sweep.best import BestLine, write_comparisons
from augkit.commands.sweep.needs import check_needs, measured_by
from augkit.commands.sweep.results import StudyRow, write_results
from augkit.commands.sweep.settings import SweepSettings, Trial, classifier_folder, trials
from augkit.core.errors import AugkitError, ConfigError, DiskFull
from augkit.core.json_files import find_json, write_atomically, write_json
from augkit.core.results import SCORES_FILE
from augkit.runs.engines.processes import process_pool
from augkit.runs.engines.ray import connect_ray
from augkit.runs.estimate import Estimate, estimate_parts
from augkit.runs.execute import run

OnTrial = Callable[[str, str, int, int], None]
"""Called after every trial with its name, how it ended, trials done, trials in all."""
FAILURE = "failure.json"


@dataclass(frozen=True)
class Study:
    """A finished study: its folder, the rows of its results, and why trials failed.

    ``comparisons`` has the best method on each test set, compared with the others.
    ``earlier`` of its ``planned`` trials were finished before this command.
    """

    folder: Path
    rows: list[StudyRow]
    comparisons: list[BestLine]
    failures: dict[str, str]
    earlier: int
    planned: int


def check(study: SweepSettings, *, to_run: bool = True) -> list[Trial]:
    """All trials, each checked as far as possible before anything runs."""
    planned = trials(study)
    check_needs(study, _without_seeds(planned), to_run=to_run)
    return planned


def preview(study: SweepSettings) -> list[dict[str, object]]:
    """What each method on each dataset would do and cost over all seeds, and the total."""
    planned = check(study, to_run=False)
    seeds = len(study.seeds)
    rows: list[dict[str, object]] = []
    costs: list[Estimate | None] = []
    for trial in _without_seeds(planned):
        facts, estimate = estimate_parts(trial.settings)
        if not trial.changes_rows:
            facts |= {"settings": "", "augmented": "0"}
        rows.append(facts | {"method": trial.method, "trials": seeds})
        costs.append(estimate and estimate.times(seeds))
    keys = max(map(list, rows), key=len)  # some methods have settings, others none
    empty: dict[str, object] = dict.fromkeys(keys, "")
    rows = [empty | row for row in (*rows, {"method": "total", "trials": len(planned)})]
    if not any(costs):
        return rows
    costs.append(sum(filter(None, costs), Estimate()))
    none = dict.fromkeys(Estimate().describe(), "none")
    return [
        row | (cost.describe() if cost else none) for row, cost in zip(rows, costs, strict=True)
    ]


def run_study(study: SweepSettings, folder: Path, workers: int, on_trial: OnTrial) -> Study:
    """Run the trials that are not done yet, then write the tables."""
    planned = check(study)
    _check_same_study(study, folder)
    waiting = []
    for trial in planned:
        place = _trial_folder(folder, trial)
        scores = [classifier_folder(place, study, entry) / SCORES_FILE for entry in study.models]
        if not all(map(Path.is_file, scores)) or (place / FAILURE).exists():
            waiting.append(trial)
    done = earlier = len(planned) - len(waiting)
    with _with_shared_files(study, folder, waiting) as sharing:
        for trial, status in _run_trials(sharing, study, folder, workers):
            done += 1
            on_trial(trial.name, status, done, len(planned))
    folders = [(trial, _trial_folder(folder, trial)) for trial in planned]
    failures = {trial.name: failure for trial, path in folders if (failure := read_failure(path))}
    finished = [(trial, path) for trial, path in folders if trial.name not in failures]
    rows = write_results(folder, finished, study)
    comparisons = write_comparisons(folder, finished, study)
    return Study(folder, rows, comparisons, failures, earlier, len(planned))


@contextmanager
def _with_shared_files(
    study: SweepSettings, folder: Path, waiting: Sequence[Trial]
) -> Iterator[list[Trial]]:
    """The trials with one folder of artifacts, one cache of replies, and one Ray cluster."""
    update: dict[str, Any] = {"artifacts": folder / "artifacts"}
    if study.connection.cache is None:
        cache = {"cache": folder / "replies.sqlite"}
        update["connection"] = study.connection.model_copy(update=cache)
    with ExitStack() as closing:
        if study.engine == "ray" and waiting:
            cluster = connect_ray(study.ray_address, None, "repeat the command")
            update["ray_address"] = closing.enter_context(cluster).address
        yield [
            replace(trial, settings=trial.settings.model_copy(update=update)) for trial in waiting
        ]


def _run_trials(
    waiting: Sequence[Trial], study: SweepSettings, folder: Path, workers: int
) -> Iterator[tuple[Trial, str]]:
    """Each trial as it ends, with "done" or its error."""
    if workers == 1 or len(waiting) < 2:
        for trial in waiting:
            yield trial, _run_trial(trial, _trial_folder(folder, trial), study)
        return
    with process_pool(workers) as pool:
        futures = {
            pool.executor.submit(_run_trial, trial, _trial_folder(folder, trial), study): trial
            for trial in waiting
        }
        for future in as_completed(futures):
            yield futures[future], future.result()


def _run_trial(trial: Trial, folder: Path, study: SweepSettings) -> str:
    """Run and evaluate one trial; an error is recorded in its folder and returned."""
    (folder / FAILURE).unlink(missing_ok=True)
    try:
        tests = chosen_tests(trial.settings, trial.tests)
        run(trial.settings, folder, resume=True)
        compare_run(folder, trial.settings.data_folder)
        for entry in study.models:
            out = classifier_folder(folder, study, entry)
            measured = {"run": folder, "tests": tests, "out": None if out == folder else out}
            evaluate_run(measured_by(study, trial, entry).model_copy(update=measured))
    except DiskFull:
        raise  # every other trial would fail too
    except AugkitError as error:
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(folder / FAILURE, json.dumps({"error": str(error)}))
        return str(error)
    return "done"


def _trial_folder(folder: Path, trial: Trial) -> Path:
    return folder / "trials" / trial.name


def read_failure(trial: Path) -> str | None:
    """Why the trial in a folder failed; None where it did not."""
    advice = "Delete it and repeat augkit sweep: the trial is run again"
    return find_json(trial / FAILURE, lambda record: str(record["error"]), advice)


def _check_same_study(study: SweepSettings, folder: Path) -> None:
    """A folder holds one study; its settings are recorded before the first trial."""
    where = {"description", "connection", "data_folder", "engine", "ray_address"}
    settings = study.model_dump(mode="json", exclude=where)
    path = folder / "study.json"
    advice = "Choose another folder with --out, or restore the file from a copy"
    if (earlier := find_json(path, dict, advice)) is not None:
        if earlier != settings:
            raise ConfigError(
                f"{folder} holds another study (or the file has changed since). Choose another "
                "folder with --out"
            )
        return
    (folder / "trials").mkdir(parents=True, exist_ok=True)
    write_json(path, settings)


def _without_seeds(planned: Sequence[Trial]) -> list[Trial]:
    """The first of the trials that differ in their seeds alone: seeds need no checks."""
    keys = [
        f"{trial.robust} {trial.settings.model_dump_json(exclude={'seed'})}" for trial in planned
    ]
    return list(dict(zip(reversed(keys), reversed(planned), strict=True)).values())[::-1]
