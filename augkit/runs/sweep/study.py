"""A study carried out: trials side by side, each resumable, failures kept apart."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import as_completed
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from augkit.core.errors import AugkitError, ConfigError, DiskFull
from augkit.runs.engines.local import process_pool
from augkit.runs.engines.ray.session import joined
from augkit.runs.estimate import Part, estimated
from augkit.runs.evaluation.scores import NAME as SCORES
from augkit.runs.evaluation.scores import evaluate_run, planned_tests
from augkit.runs.execute import run
from augkit.runs.folder import write_whole
from augkit.runs.plan import planned
from augkit.runs.sweep.results import write_results
from augkit.runs.sweep.settings import SweepSettings, Trial, trials

Told = Callable[[str, str, int, int], None]
"""Told after every trial: its name, how it ended, trials done, trials in all."""
_FAILURE = "failure.json"


@dataclass(frozen=True)
class Study:
    """Where a study lies, and what became of its trials."""

    folder: Path
    rows: list[dict[str, Any]]
    failures: dict[str, str]


def check(study: SweepSettings) -> list[Trial]:
    """All trials, each checked as far as that can be done before anything runs."""
    found = trials(study)
    for trial in _one_of_each(found):
        _check(trial)
    return found


def preview(study: SweepSettings) -> list[dict[str, object]]:
    """What each method on each dataset would do and spend, all seeds together; then the sum."""
    found = check(study)
    seeds = len(study.seeds)
    rows: list[dict[str, object]] = []
    sum_of_all = Part()
    for trial in _one_of_each(found):
        told, part = estimated(trial.settings.model_copy(update={"engine": "local"}))
        spent = (part or Part()).times(seeds)
        sum_of_all += spent
        told |= {"method": trial.method, "trials": seeds}
        rows.append(told | (spent.told() if part else dict.fromkeys(spent.told(), "none")))
    nothing = dict.fromkeys(rows[0], "")
    return [*rows, nothing | {"method": "in all", "trials": len(found)} | sum_of_all.told()]


def carry_out(study: SweepSettings, folder: Path, workers: int, told: Told) -> Study:
    """Run what is not done yet, then write the tables; repeated, it goes on where it was."""
    found = check(study)
    _same_study(study, folder)
    waiting = [trial for trial in found if not _is_done(_place(folder, trial))]
    with _sharing(study, folder, waiting) as sharing:
        for number, (trial, ended) in enumerate(_ended(sharing, study, folder, workers), start=1):
            told(trial.name, ended, len(found) - len(waiting) + number, len(found))
    failures = {trial.name: why for trial in found if (why := _failure(_place(folder, trial)))}
    done = [(trial, _place(folder, trial)) for trial in found if trial.name not in failures]
    return Study(folder, write_results(folder, done), failures)


def _check(trial: Trial) -> None:
    try:
        planned_tests(trial.settings, trial.tests)
        with planned(trial.settings.model_copy(update={"engine": "local"})):
            pass
    except AugkitError as error:
        raise ConfigError(f"trial {trial.name}: {error}") from error


@contextmanager
def _sharing(study: SweepSettings, folder: Path, waiting: Sequence[Trial]) -> Iterator[list[Trial]]:
    """The trials, with one place for what methods learn, one for answers, and one Ray."""
    update: dict[str, Any] = {"artifacts": folder / "artifacts"}
    if study.connection.cache is None:
        answers = {"cache": folder / "answers.sqlite"}
        update["connection"] = study.connection.model_copy(update=answers)
    with ExitStack() as closing:
        if study.engine == "ray" and waiting:
            session = closing.enter_context(joined(study.ray_address))
            update["ray_address"] = session.address
        yield [
            replace(trial, settings=trial.settings.model_copy(update=update)) for trial in waiting
        ]


def _ended(
    waiting: Sequence[Trial], study: SweepSettings, folder: Path, workers: int
) -> Iterator[tuple[Trial, str]]:
    """Each trial as it ends: "done", or what went wrong."""
    if workers == 1 or len(waiting) < 2:
        for trial in waiting:
            yield trial, _carry_out(trial, _place(folder, trial), study.metrics)
        return
    with process_pool(workers) as pool:
        asked = {
            pool.executor.submit(_carry_out, trial, _place(folder, trial), study.metrics): trial
            for trial in waiting
        }
        for answer in as_completed(asked):
            yield asked[answer], answer.result()


def _carry_out(trial: Trial, folder: Path, metrics: tuple[str, ...]) -> str:
    """Run and measure one trial; a failure is written beside what there is, and returned."""
    (folder / _FAILURE).unlink(missing_ok=True)
    try:
        measured = planned_tests(trial.settings, trial.tests)
        run(trial.settings, folder, resume=True)
        evaluate_run(measured(folder).model_copy(update={"metrics": metrics}))
    except DiskFull:
        raise  # it would stop every other trial as well
    except AugkitError as error:
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / _FAILURE, json.dumps({"error": str(error)}))
        return str(error)
    return "done"


def _place(folder: Path, trial: Trial) -> Path:
    return folder / "trials" / trial.name


def _is_done(folder: Path) -> bool:
    return (folder / SCORES).is_file() and not (folder / _FAILURE).exists()


def _failure(folder: Path) -> str:
    path = folder / _FAILURE
    return str(json.loads(path.read_text(encoding="utf-8"))["error"]) if path.is_file() else ""


def _same_study(study: SweepSettings, folder: Path) -> None:
    """A folder holds one study; its settings are written down before the first trial."""
    where = {"connection", "data_folder", "engine", "ray_address"}
    now = study.model_dump(mode="json", exclude=where)
    path = folder / "study.json"
    if path.is_file():
        if json.loads(path.read_text(encoding="utf-8")) != now:
            raise ConfigError(
                f"{folder} holds another study (or the file was changed since). Name another "
                "folder with --out"
            )
        return
    (folder / "trials").mkdir(parents=True, exist_ok=True)
    write_whole(path, json.dumps(now, ensure_ascii=False, indent=1) + "\n")


def _one_of_each(found: Sequence[Trial]) -> list[Trial]:
    """One trial for each method and dataset: the seeds differ in nothing that can be checked."""
    return list({(t.method, t.settings.dataset): t for t in reversed(found)}.values())[::-1]
