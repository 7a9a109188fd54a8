"""One run, from settings to a finished run folder; killed at any moment it can be resumed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from augkit.core.config import validate
from augkit.core.errors import (
    BackendFailed,
    BudgetExhausted,
    ConfigError,
    DiskFull,
    Stopped,
    UserError,
)
from augkit.core.protocols import Step
from augkit.runs import folder as folders
from augkit.runs.artifacts import learn, learnt_notes
from augkit.runs.balance import finish_dataset
from augkit.runs.counts import Tally
from augkit.runs.engines.local import Task, all_at_once, in_processes, in_threads, in_turn
from augkit.runs.engines.ray.session import Session
from augkit.runs.ledger import Chunk, Ledger, Progress, disk_errors, recorded_progress
from augkit.runs.manifest import (
    Counts,
    DatasetRecord,
    Manifest,
    Status,
    installed_versions,
    read_manifest,
)
from augkit.runs.models import Models, asked_models, open_models
from augkit.runs.plan import Plan, planned
from augkit.runs.row_work import Recipe, Shape, augmenter_of, build_step
from augkit.runs.settings import RunSettings

Watch = Callable[[int, int], None]
"""Told after every chunk: rows done, rows in all."""


def run(
    settings: RunSettings,
    out: Path | None = None,
    *,
    resume: bool = False,
    watch: Watch | None = None,
) -> Path:
    """Carry out a run and return its folder.

    ``resume`` goes on where a stopped run was, or starts one where there is none yet, so that a
    command can simply be repeated with it.
    """
    with planned(settings) as plan:
        name = folders.default_name(settings.method, settings.dataset)
        folder = out or (folders.latest_folder if resume else folders.new_folder)(name)
        _start_or_go_on(plan, folder, resume, watch or (lambda _done, _total: None))
    return folder


def _start_or_go_on(plan: Plan, folder: Path, resume: bool, watch: Watch) -> None:
    fresh = not (resume and folder.exists())
    if fresh:
        folders.create(folder, _first_manifest(plan))
    else:
        _check_same(plan, folder)
    try:
        _continue(plan, folder, watch)
    except DiskFull:
        raise  # what there is can be resumed
    except UserError:
        # A mistake found before anything was done leaves no folder in the way of the next try.
        if fresh and _untouched(folder):
            shutil.rmtree(folder)
        raise


def augment_dataset(
    dataset: str, method: str = "eda", out: Path | None = None, **settings: Any
) -> Path:
    """``augkit run`` for Python: settings are those of a run's YAML file; gives the run folder.

    A method's own settings stand in ``options``, as ``options={"copies": 2}``.
    """
    given = {"dataset": dataset, "method": method, **settings}
    return run(validate(RunSettings, given, "settings of augment_dataset"), out)


def _continue(plan: Plan, folder: Path, watch: Watch) -> None:
    with folders.locked(folder), disk_errors(folder):
        manifest = read_manifest(folder)
        # What may differ on a resume (the budget, say) is written down as it is now.
        manifest.connection = plan.settings.connection.model_dump(mode="json")
        if manifest.status != "done":
            with _status_kept(folder, manifest):
                _carry_out(plan, folder, manifest, watch)


def _untouched(folder: Path) -> bool:
    manifest = read_manifest(folder)
    return not (manifest.counts.read or manifest.cost.calls)


def _carry_out(plan: Plan, folder: Path, manifest: Manifest, watch: Watch) -> None:
    with open_models(plan.settings, folder, plan.session) as models:
        try:
            # The dataset takes its place last: where it stands, only the manifest was not written.
            if not (folder / "dataset.jsonl").exists():
                tally = _work_through(plan, folder, models, watch)
                finish_dataset(plan, folder, tally)
            manifest.status = "done"
        finally:
            _record(manifest, recorded_progress(folder), models)
            manifest.learnt = learnt_notes(folder)
            manifest.write(folder)


def _work_through(plan: Plan, folder: Path, models: Models, watch: Watch) -> Tally:
    recipe = replace(plan.recipe, artifact=learn(plan, models.tools, folder))
    with Ledger(folder) as ledger:
        tally = ledger.progress.tally
        watch(tally.read, plan.survey.rows)
        if tally.read < plan.survey.rows:
            for chunk in _chunks(plan, models, recipe, folder, tally.read):
                ledger.append(chunk)
                watch(tally.read, plan.survey.rows)
        return tally


def _chunks(plan: Plan, models: Models, recipe: Recipe, folder: Path, done: int) -> Iterator[Chunk]:
    tasks = _tasks(plan, done)
    if plan.session is not None and plan.method.scope != "corpus":
        yield from _on_ray(plan, plan.session, models, recipe, tasks)
        return
    step = build_step(recipe, models.tools)
    if plan.method.scope == "corpus":
        for chunk in all_at_once(step, tasks):
            # Before the chunk is recorded: a run that is resumed after it would not come here.
            _write_account(step, folder)
            yield chunk
    elif models.remote:
        yield from in_threads(step, tasks, plan.workers)
    elif models.tools.llm is not None or plan.pool is None:
        yield from in_turn(step, tasks)
    else:
        yield from in_processes(recipe, tasks, plan.pool)


def _on_ray(
    plan: Plan, session: Session, models: Models, recipe: Recipe, tasks: Iterator[Task]
) -> Iterator[Chunk]:
    """Shards of the rows on the workers of a cluster."""
    from augkit.runs.engines.ray.workers import Orders, model_chunks, offline_chunk, packed, sent

    if models.clerk is None and plan.pool is not None:
        order = sent(recipe)
        yield from plan.pool.in_order(offline_chunk, ((order, task) for task in tasks))
    elif models.clerk is None:
        yield from in_turn(build_step(recipe, models.tools), tasks)
    else:
        orders = Orders(
            replace(recipe, artifact=""),
            packed(recipe.artifact),
            asked_models(plan.settings),
            plan.settings.connection.model_copy(update={"workers": plan.workers}),
            models.remote,
        )
        yield from model_chunks(session, orders, models.clerk, tasks)


def _write_account(step: Step, folder: Path) -> None:
    """What a method that sees all rows together tells of its work, where it tells something."""
    made = augmenter_of(step)
    told = made.run_info if made is not None else {}
    if told:
        text = json.dumps(told, ensure_ascii=False, indent=1)
        (folder / "run_info.json").write_text(text + "\n", encoding="utf-8")


def _tasks(plan: Plan, done: int) -> Iterator[Task]:
    """Blocks with rows still to do; repeated rows get their numbers from the survey."""
    shape = Shape(plan.dataset.schema, plan.mix)
    for block in plan.dataset.blocks():
        end = block.start + block.count
        if end <= done:
            continue
        skipped = max(0, done - block.start)
        yield Task(
            dataset=plan.dataset.name,
            block=block,
            repeats=plan.survey.repeats_in(block),
            done=skipped,
            selected=max(0, plan.selected - block.start - skipped),
            shape=shape,
        )


def _first_manifest(plan: Plan) -> Manifest:
    settings = plan.settings
    return Manifest(
        method=settings.method,
        config=plan.config.model_dump(mode="json"),
        settings=settings.shaping(),
        seed=settings.seed,
        mix=plan.mix,
        dataset=_dataset_record(plan),
        models=_models(settings),
        connection=settings.connection.model_dump(mode="json"),
        versions=installed_versions(getattr(plan.config, "pipeline", None)),
    )


def _models(settings: RunSettings) -> dict[str, str]:
    asked = {"llm": settings.llm, "judge": settings.judge_llm}
    return {tool: spec for tool, spec in asked.items() if spec is not None}


def _check_same(plan: Plan, folder: Path) -> None:
    manifest = read_manifest(folder)
    for key, now in plan.settings.shaping().items():
        before = manifest.settings.get(key)
        if before != now:
            raise ConfigError(
                f"{folder} was started with {key} = {before!r}, now it is {now!r}: a resumed run "
                f"must be the same. Give the old value, or start anew with another --out"
            )
    if manifest.dataset.digest != plan.survey.digest:
        raise ConfigError(
            f"{folder} was started on other rows: '{plan.dataset.name}' has changed since. "
            "Start anew with another --out"
        )


def _dataset_record(plan: Plan) -> DatasetRecord:
    return DatasetRecord(
        name=plan.dataset.name,
        source=plan.dataset.source,
        rows=plan.survey.rows,
        digest=plan.survey.digest,
        labels={label or "": n for label, n in plan.survey.labels.most_common()},
    )


def _record(manifest: Manifest, progress: Progress, models: Models) -> None:
    tally = progress.tally
    manifest.cost = models.cost(progress.seconds)
    manifest.prompts = models.prompts()
    manifest.counts = Counts(
        read=tally.read,
        selected=tally.selected,
        proposed=tally.accepted + tally.rejected,
        accepted=tally.accepted,
        rejected=tally.rejected,
    )
    manifest.rejected_by_reason = dict(tally.reasons.most_common())


@contextmanager
def _status_kept(folder: Path, manifest: Manifest) -> Iterator[None]:
    """However the run ends, the manifest says so."""
    try:
        yield
    except BaseException as error:
        manifest.status = _status_of(error)
        manifest.write(folder)
        raise


def _status_of(error: BaseException) -> Status:
    if isinstance(error, BudgetExhausted):
        return "stopped at budget"
    if isinstance(error, BackendFailed):
        return "back end failed"
    return "interrupted" if isinstance(error, KeyboardInterrupt | Stopped) else "failed"
