"""One run, from settings to a finished run folder; it can be resumed after a kill."""

from __future__ import annotations

import json
import shutil
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from augkit.core.config import validate
from augkit.core.errors import ConfigError, DiskFull, UserError
from augkit.core.progress import report_progress
from augkit.core.protocols import Step
from augkit.datasets.readers.blocks import Block
from augkit.runs import folder as folders
from augkit.runs.artifacts import artifact_notes, fit_artifacts
from augkit.runs.balance import added_labels, finish_dataset
from augkit.runs.engines.processes import run_in_processes
from augkit.runs.engines.ray.session import Session
from augkit.runs.engines.threads import run_in_threads, run_serial, run_whole_corpus
from augkit.runs.ledger import Chunk, Counts, Ledger, Progress, disk_errors, recorded_progress
from augkit.runs.manifest import (
    CountsRecord,
    DatasetRecord,
    Manifest,
    installed_versions,
    read_manifest,
    recording_status,
)
from augkit.runs.models import Models, open_models
from augkit.runs.plan import Plan, make_plan
from augkit.runs.repeat import command_of
from augkit.runs.row_work import RowLayout, StepSpec, Task, augmenter_of, build_step
from augkit.runs.settings import RunSettings
from augkit.runs.yield_watch import YieldWatch

_ROWS = "augmenting rows"


def run(settings: RunSettings, out: Path | None = None, *, resume: bool = False) -> Path:
    """Execute a run and return its folder.

    Args:
        settings: The settings of the run.
        out: The run folder; else a new one under ``runs/``.
        resume: Continue an interrupted run, or start one where there is none yet.
    """
    with make_plan(settings) as plan:
        name = folders.default_name(settings.method, settings.dataset)
        folder = out or (folders.latest_folder if resume else folders.new_folder)(name)
        _start_or_resume(plan, folder, resume)
    return folder


def _start_or_resume(plan: Plan, folder: Path, resume: bool) -> None:
    fresh = not (resume and folder.exists())
    if fresh:
        folders.create_folder(folder, _first_manifest(plan))
    else:
        _check_same(plan, folder)
    try:
        _continue(plan, folder)
    except DiskFull:
        raise  # the run can be resumed
    except UserError:
        manifest = read_manifest(folder)
        if fresh and not (manifest.counts.read or manifest.cost.calls):
            shutil.rmtree(folder)  # a mistake found before anything was done leaves none behind
        raise


def augment_dataset(
    dataset: str | Path, method: str = "coba", out: str | Path | None = None, **settings: Any
) -> Path:
    """``augkit run`` for Python; returns the run folder.

    Args:
        dataset: A file, a name of ``augkit list datasets``, or an id of the hub.
        method: A name of ``augkit list methods``.
        out: The run folder; a new one under ``runs/`` unless given.
        **settings: Keys of a run's YAML file. The method's own settings go into ``options``, as
            in ``options={"copies": 2}``.
    """
    given = {"dataset": str(dataset), "method": method, **settings}
    checked = validate(RunSettings, given, "settings of augment_dataset")
    return run(checked, Path(out) if out else None)


def _continue(plan: Plan, folder: Path) -> None:
    with folders.locked(folder), disk_errors(folder):
        manifest = read_manifest(folder)
        # What may differ on a resume (the budget, for example) is recorded as it is now.
        manifest.connection = plan.settings.connection.model_dump(mode="json")
        manifest.settings = plan.settings.recorded()
        manifest.command = command_of(plan.settings)
        if manifest.status != "done":
            with recording_status(folder, manifest):
                _execute(plan, folder, manifest)


def _execute(plan: Plan, folder: Path, manifest: Manifest) -> None:
    with open_models(plan.settings, folder, plan.session) as models:
        try:
            # The dataset is written last: where it exists, only the manifest is missing.
            if not (folder / "dataset.jsonl").exists():
                counts = _process_rows(plan, folder, models)
                finish_dataset(plan, folder, counts)
            manifest.status = "done"
        finally:
            _record(manifest, recorded_progress(folder), models)
            manifest.fitted = artifact_notes(folder)
            manifest.write(folder)


def _process_rows(plan: Plan, folder: Path, models: Models) -> Counts:
    spec = fit_artifacts(plan, models.tools, folder)
    with Ledger(folder, plan.started) as ledger:
        counts = ledger.progress.counts
        yields = YieldWatch(plan.settings, counts.selected, plan.method.unseen_fault)
        total = len(plan.augmented)
        report_progress(_ROWS, counts.selected, total)
        if counts.read < len(plan.written):
            for chunk in _chunks(plan, models, spec, folder, counts.read):
                ledger.append(chunk)
                report_progress(_ROWS, counts.selected, total)
                yields.look(counts)
        return counts


def _chunks(plan: Plan, models: Models, spec: StepSpec, folder: Path, done: int) -> Iterator[Chunk]:
    tasks = tasks_left(plan, done)
    if plan.session is not None and plan.method.scope != "corpus":
        yield from _on_ray(plan, plan.session, models, spec, tasks)
        return
    step = build_step(_at_once(spec, plan) if models.in_batches else spec, models.tools)
    if plan.method.scope == "corpus" or models.in_batches:
        for chunk in run_whole_corpus(step, tasks):
            # Before the chunk is recorded: a run resumed after it would not come here.
            _write_run_info(step, folder)
            yield chunk
    elif models.remote:
        yield from run_in_threads(step, tasks, plan.workers, models.interrupt)
    elif models.tools.llm is not None or plan.pool is None:
        yield from run_serial(step, tasks)
    else:
        yield from run_in_processes(spec, tasks, plan.pool)


def _at_once(spec: StepSpec, plan: Plan) -> StepSpec:
    """The step with all rows in one call of the method, so that each of its steps is one batch."""
    config = plan.config.model_copy(update={"batch_size": max(1, plan.scan.rows)})
    return replace(spec, config=config.model_dump_json())


def _on_ray(
    plan: Plan, session: Session, models: Models, spec: StepSpec, tasks: Iterator[Task]
) -> Iterator[Chunk]:
    """Shards of the rows on the workers of a cluster."""
    from augkit.runs.engines.ray.workers import (
        WorkerSetup,
        model_chunks,
        offline_chunk,
        pack_folders,
        store_spec,
    )

    if models.store_actor is None and plan.pool is not None:
        stored = store_spec(spec)
        yield from plan.pool.in_order(offline_chunk, ((stored, task) for task in tasks))
    elif models.store_actor is None:
        yield from run_serial(build_step(spec, models.tools), tasks)
    else:
        setup = WorkerSetup(
            spec,
            pack_folders(spec),
            plan.settings.models,
            plan.settings.connection.model_copy(update={"workers": plan.workers}),
            models.remote,
        )
        yield from model_chunks(session, setup, models.store_actor, tasks)


def _write_run_info(step: Step, folder: Path) -> None:
    """Write the ``run_info`` of a method that sees all rows together, where it has one."""
    augmenter = augmenter_of(step)
    info = augmenter.run_info if augmenter is not None else {}
    if info:
        text = json.dumps(info, ensure_ascii=False, indent=1)
        (folder / "run_info.json").write_text(text + "\n", encoding="utf-8")


def tasks_left(plan: Plan, done: int) -> Iterator[Task]:
    """The rows of each block after those done; repeated rows get their numbers from the scan."""
    layout = RowLayout(plan.dataset.schema, plan.mix, plan.per_row)
    left = plan.written[done:]
    for block in plan.dataset.blocks():
        if not left or block.start > left[-1]:
            return
        if indexes := _inside(block, left):
            yield Task(
                dataset=plan.dataset.name,
                block=block,
                repeats=plan.scan.repeats_in(block),
                layout=layout,
                indexes=indexes,
                augmented=frozenset(_inside(block, plan.augmented))
                if plan.settings.keep_rest
                else None,
            )


def _inside(block: Block, numbers: Sequence[int]) -> list[int]:
    """The places in a block of the rows with these numbers, which are in order."""
    ends = block.start, block.start + block.count
    first, last = (bisect_left(numbers, end) for end in ends)
    return [number - block.start for number in numbers[first:last]]


def _first_manifest(plan: Plan) -> Manifest:
    settings = plan.settings
    return Manifest(
        method=settings.method,
        config=plan.config.model_dump(mode="json"),
        settings=settings.recorded(),
        command=command_of(settings),
        seed=settings.seed,
        mix=plan.mix,
        dataset=DatasetRecord(
            name=plan.dataset.name,
            source=plan.dataset.source,
            rows=plan.scan.rows,
            digest=plan.scan.digest,
            labels={label or "": count for label, count in plan.scan.labels.most_common()},
        ),
        models={"llm": settings.llm, **settings.models},
        finder={} if plan.finder is None else plan.finder.record(),
        connection=settings.connection.model_dump(mode="json"),
        versions=installed_versions(),
    )


def _check_same(plan: Plan, folder: Path) -> None:
    manifest = read_manifest(folder)
    for key, now in plan.settings.affecting_result().items():
        if (before := manifest.settings.get(key)) != now:
            raise ConfigError(
                f"{folder} was started with {key} = {before!r}, now it is {now!r}: a resumed run "
                "needs the same settings. Give the old value, or start a new run with another --out"
            )
    if manifest.dataset.digest != plan.scan.digest:
        raise ConfigError(
            f"{folder} was started on other rows: '{plan.dataset.name}' has changed since. "
            "Start a new run with another --out"
        )


def _record(manifest: Manifest, progress: Progress, models: Models) -> None:
    counts = progress.counts
    manifest.cost = models.cost(progress.seconds)
    manifest.prompts = models.prompts()
    added = added_labels(manifest.mix, counts)
    manifest.counts = CountsRecord(
        **vars(counts), proposed=counts.accepted + counts.rejected, in_dataset=added.total()
    )
    manifest.original_labels = dict(counts.before.most_common())
    manifest.result_labels = dict((counts.originals + added).most_common())
    manifest.rejected_by_reason = dict(counts.reasons.most_common())
