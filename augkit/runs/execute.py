"""One run, from settings to a finished run folder; it can be resumed after a kill.

The plan is checked, artifacts are fitted, an engine augments the rows chunk by chunk, the ledger
appends what comes of them, and in the end ``dataset.jsonl`` is completed.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from augkit.augmenters.mix import quotas, surplus
from augkit.core.config import validate
from augkit.core.errors import ConfigError, DataError, DiskFull, RowsOpen, UserError
from augkit.core.json_files import naming_damage
from augkit.core.progress import report_progress
from augkit.core.python_messages import naming_arguments
from augkit.core.results import SCORES_FILE
from augkit.datasets.readers.blocks import places
from augkit.llm.settings import bare_address
from augkit.runs import folder as folders
from augkit.runs.artifacts import artifact_notes, fit_artifacts
from augkit.runs.engines.processes import run_in_processes
from augkit.runs.engines.ray import RayCluster, connect_ray
from augkit.runs.engines.threads import run_in_threads, run_serial, run_whole_corpus
from augkit.runs.ledger import (
    DATASET,
    Chunk,
    Counts,
    Ledger,
    Progress,
    disk_errors,
    recorded_progress,
)
from augkit.runs.manifest import (
    ADVICE,
    CountsRecord,
    DatasetRecord,
    Manifest,
    installed_versions,
    read_manifest,
    recording_status,
)
from augkit.runs.models import STORE, Models, open_models
from augkit.runs.plan import Plan, make_plan, weight_column
from augkit.runs.records import RUN_INFO, read_variants
from augkit.runs.repeat import resume_command, write_settings
from augkit.runs.row_work import RowLayout, StepSpec, Task, augmenter_of, build_step
from augkit.runs.settings import RunSettings
from augkit.runs.thinning import thinned_labels, write_thinned
from augkit.shortcuts.thinning import NEW_SHORTCUT
from augkit.text.printable import counted, shell_line
from augkit.text.screen import show_error

_WORK = "augmenting rows"
_WATCHED_ROWS = 20
"""After so many rows of a language model the run looks at how many of its variants are usable."""
_SHOWN_REASONS = 3


def run(settings: RunSettings, out: Path | None = None, *, resume: bool = False) -> Path:
    """Execute a run and return its folder.

    Args:
        settings: The settings of the run.
        out: The run folder; else a new one under ``runs/``.
        resume: Continue an interrupted run, or start one where there is none yet.

    All files are written also where calls to a model failed; then it raises ``RowsOpen``.
    """
    with make_plan(settings) as plan:
        name = folders.default_name(settings.method, settings.dataset)
        folder = out or (folders.latest_folder if resume else folders.new_folder)(name)
        _start_or_resume(plan, folder, resume)
    _check_complete(settings, folder)
    return folder


def _check_complete(settings: RunSettings, folder: Path) -> None:
    """Raise ``RowsOpen`` where a finished run has open rows."""
    counts = read_manifest(folder).counts
    if not counts.open:
        return
    error = RowsOpen(
        f"{counts.open_line}. {folder / DATASET} has no variants of them. Resumed, the run asks "
        "again, and pays for no answer twice"
    )
    error.run_folder = folder
    error.continue_with = resume_command(settings, folder)
    raise error


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


@naming_arguments
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
    values = {"dataset": str(dataset), "method": method, **settings}
    checked = validate(RunSettings, values, "settings of augment_dataset")
    return run(checked, Path(out) if out else None)


def _continue(plan: Plan, folder: Path) -> None:
    with folders.locked(folder), disk_errors(folder):
        manifest = read_manifest(folder)
        # What may differ on a resume (the budget, for example) is recorded as it is now.
        manifest.connection = plan.settings.connection.model_dump(mode="json")
        manifest.settings = plan.settings.recorded()
        if manifest.status != "done":
            manifest.status = "running"
            manifest.write(folder)
            write_settings(folder, plan.settings)
            with recording_status(folder, manifest):
                _execute(plan, folder, manifest)


def _execute(plan: Plan, folder: Path, manifest: Manifest) -> None:
    with open_models(plan.settings, folder) as models:
        _check_store(manifest, folder, models)
        try:
            # The dataset is written last: where it exists, only the manifest is missing. Where
            # rows are open, those of the dataset are still in work/ too.
            if not (folder / DATASET).exists() or (folder / "work" / DATASET).exists():
                (folder / SCORES_FILE).unlink(missing_ok=True)  # of the dataset with open rows
                counts = _process_rows(plan, folder, models)
                finish_dataset(plan, folder, counts)
            manifest.status = "rows open" if recorded_progress(folder).counts.open else "done"
        finally:
            _record(manifest, recorded_progress(folder), models, thinned_labels(folder))
            manifest.fitted = artifact_notes(folder)
            manifest.write(folder)


def _check_store(manifest: Manifest, folder: Path, models: Models) -> None:
    """A resumed run must know what it has paid for, or its budget would begin anew."""
    paid = manifest.cost.calls
    if paid and models.store is not None and not models.store.spent().calls:
        raise DataError(
            f"{folder / STORE}: it has none of the {counted(paid, 'call')} that this run has made. "
            "Restore it from a copy, or start a new run with another --out"
        )


def _process_rows(plan: Plan, folder: Path, models: Models) -> Counts:
    with _connected(plan, folder) as cluster:
        spec = fit_artifacts(plan, models.tools, folder)
        with Ledger(folder, plan.started) as ledger:
            counts = ledger.progress.counts
            yields = YieldWatch(plan.settings, counts.selected, plan.method.traits.unseen_fault)
            total = len(plan.augmented)
            report_progress(_WORK, counts.selected, total)
            if counts.read == len(plan.written):
                return counts
            if cluster is None:
                chunks = _chunks(plan, models, spec, folder, counts)
            else:
                chunks = cluster.chunks(spec, tasks_left(plan, counts.read))
            for chunk in chunks:
                ledger.append(chunk)
                report_progress(_WORK, counts.selected, total)
                yields.look(counts)
            return counts


@contextmanager
def _connected(plan: Plan, folder: Path) -> Iterator[RayCluster | None]:
    """Connect to the Ray cluster that does the work; None: this machine does it."""
    if not plan.on_ray:
        yield None
        return
    settings = plan.settings
    advice = f"continue with: {resume_command(settings, folder)}"
    with connect_ray(settings.ray_address, settings.workers, advice) as cluster:
        yield cluster


def _chunks(
    plan: Plan, models: Models, spec: StepSpec, folder: Path, counts: Counts
) -> Iterator[Chunk]:
    tasks = tasks_left(plan, counts.read)
    before = counts.selected
    total = len(plan.augmented)
    step = build_step(spec, models.tools)
    if plan.scope == "corpus":
        for chunk in run_whole_corpus(step, tasks):
            augmenter = augmenter_of(step)
            # Before the chunk is recorded: a run resumed after it would not come here.
            if augmenter is not None and augmenter.run_info:
                info = json.dumps(augmenter.run_info, ensure_ascii=False, indent=1)
                (folder / RUN_INFO).write_text(info + "\n", encoding="utf-8")
            yield chunk
    elif models.remote:
        yield from run_in_threads(step, tasks, plan.workers, models.interrupt)
    elif models.tools.llm is not None or plan.pool is None:
        # A local model is fastest with many rows at once, whatever the blocks of the file are.
        size = None if models.tools.llm is None else plan.config.batch_size
        yield from run_serial(
            step, tasks, lambda n: report_progress(_WORK, before + n, total), size
        )
    else:
        yield from run_in_processes(spec, tasks, plan.pool)


def tasks_left(plan: Plan, done: int) -> Iterator[Task]:
    """The rows of each block after those done; repeated rows get their numbers from the scan."""
    weights = weight_column(plan.config)
    layout = RowLayout(plan.dataset.schema, plan.mix, plan.per_row, weights)
    left = plan.written[done:]
    for block in plan.dataset.blocks():
        if not left or block.start > left[-1]:
            return
        if indexes := places(block, left):
            yield Task(
                dataset=plan.dataset.id_name,
                block=block,
                repeats=plan.scan.repeats_in(block),
                layout=layout,
                indexes=indexes,
                augmented=frozenset(places(block, plan.augmented))
                if plan.settings.keep_rest
                else None,
            )


class YieldWatch:
    """Looks once, after the first rows of a run with a language model."""

    def __init__(self, settings: RunSettings, done: int = 0, unseen_fault: str = "") -> None:
        """Rows that were ``done`` before a resume have been looked at.

        ``unseen_fault`` is what small models do wrong with the method and no check sees.
        """
        self._settings = settings
        self._unseen_fault = unseen_fault
        self._looked = settings.llm == "offline" or done >= _WATCHED_ROWS

    def look(self, counts: Counts) -> None:
        """Print the warning on the standard error output, where it is due."""
        if self._looked or counts.selected < _WATCHED_ROWS:
            return
        self._looked = True
        message = low_yield(self._settings, counts)
        if not message and self._unseen_fault:
            message = (
                f"Warning: {self._unseen_fault}. Read some variants of {self._settings.method!r} "
                "before you go on, or take a larger model."
            )
        if message:
            show_error(message)


def low_yield(settings: RunSettings, counts: Counts) -> str:
    """What to say of a run whose variants are mostly rejected; "" where enough are accepted."""
    proposed = counts.accepted + counts.rejected
    if not proposed or counts.accepted >= settings.min_yield * proposed:
        return ""
    reasons = ", ".join(
        f"{reason} ({n})" for reason, n in counts.reasons.most_common(_SHOWN_REASONS)
    )
    return (
        f"Warning: of the first {proposed} variants {counts.accepted} were accepted. Most frequent "
        f"reasons: {reasons}. This model may be too weak for '{settings.method}'. See what it is "
        f"asked and answers: {_try_command(settings)}. Try a larger model, your own prompts or "
        "examples (--set prompts=FOLDER, --set examples=FILE), or another method."
    )


def _try_command(settings: RunSettings) -> str:
    """The command that shows the first row of the same data with the same model."""
    words = ["augkit", "try", settings.dataset, "-m", settings.method, "--row", "1"]
    if settings.llm != "offline":
        words += ["--llm", settings.llm]
    more = {
        "text_columns": json.dumps(settings.text_columns) if settings.text_columns else "",
        "label_column": settings.label_column,
        "base_url": bare_address(settings.connection.base_url or ""),
    }
    for name, value in more.items():
        if value:
            words += ["--set", f"{name}={value}"]
    return shell_line(words)


def finish_dataset(plan: Plan, folder: Path, counts: Counts) -> None:
    """Move the finished dataset to ``dataset.jsonl`` in one step.

    Where rows are open, what was written stays in ``work`` too: a resume goes on from there.
    """
    source = folder / "work" / DATASET
    final = folder / DATASET
    finished = source
    left_out = write_thinned(plan, folder, counts)
    if plan.mix == "balance":
        labels = counts.labels - thinned_labels(folder)
        left_out |= _surplus(folder, quotas(counts.originals, labels), plan, left_out)
    if plan.mix == "balance" or left_out:
        finished = folder / "work" / f"{DATASET}.new"
        with (
            source.open("rb") as lines,
            finished.open("wb") as target,
            naming_damage(source, ADVICE),
        ):
            kept = (line for line in lines if json.loads(line)["augkit_id"] not in left_out)
            target.writelines(kept)
    elif counts.open:
        finished = folder / "work" / f"{DATASET}.new"
        shutil.copyfile(source, finished)
    finished.replace(final)
    if not counts.open:
        source.unlink(missing_ok=True)


def added_labels(mix: str, counts: Counts, thinned: Counter[str]) -> Counter[str]:
    """The variants in ``dataset.jsonl`` by label."""
    labels = counts.labels - thinned
    if mix == "balance":
        return Counter(quotas(counts.originals, labels))
    return labels


def _surplus(
    folder: Path, quota: dict[str, int], plan: Plan, left_out: AbstractSet[str]
) -> set[str]:
    """Ids of the other variants beyond the quota of their label, chosen by the seed."""
    written: list[tuple[str | None, str]] = []
    of_row: Counter[str] = Counter()
    for record in read_variants(folder):
        of_row[record.parents[0]] += 1
        if of_row[record.parents[0]] <= plan.per_row and record.id not in left_out:
            written.append((record.label, record.id))
    return surplus(written, quota, plan.settings.seed)


def _first_manifest(plan: Plan) -> Manifest:
    settings = plan.settings
    return Manifest(
        method=settings.method,
        config=plan.config.model_dump(mode="json"),
        settings=settings.recorded(),
        seed=settings.seed,
        mix=plan.mix,
        dataset=DatasetRecord(
            name=plan.dataset.name,
            source=plan.dataset.source,
            rows=plan.scan.rows,
            digest=plan.scan.digest,
            labels={label or "": count for label, count in plan.scan.labels.most_common()},
            choices=plan.dataset.schema.choice is not None,
        ),
        models={"llm": settings.llm, **settings.models},
        finder={} if plan.finder is None else plan.finder.record(),
        connection=settings.connection.model_dump(mode="json"),
        versions=installed_versions(),
    )


def _check_same(plan: Plan, folder: Path) -> None:
    manifest = read_manifest(folder)
    for key, value in plan.settings.affecting_result().items():
        if (before := manifest.settings.get(key)) != value:
            raise ConfigError(
                f"{folder} was started with {key} = {before!r}, now it is {value!r}: a resumed run "
                "needs the same settings. Give the old value, or start a new run with another --out"
            )
    if manifest.dataset.digest != plan.scan.digest:
        raise ConfigError(
            f"{folder} was started on other rows: '{plan.dataset.name}' has changed since. "
            "Start a new run with another --out"
        )


def _record(manifest: Manifest, progress: Progress, models: Models, thinned: Counter[str]) -> None:
    counts = progress.counts
    manifest.cost = models.cost(progress.seconds)
    manifest.prompts = models.prompts()
    added = added_labels(manifest.mix, counts, thinned)
    manifest.counts = CountsRecord(
        **vars(counts), proposed=counts.accepted + counts.rejected, in_dataset=added.total()
    )
    manifest.original_labels = dict(counts.before.most_common())
    manifest.result_labels = dict((counts.originals + added).most_common())
    reasons = counts.reasons
    if thinned:
        reasons = reasons + Counter({NEW_SHORTCUT: thinned.total()})
    manifest.rejected_by_reason = dict(reasons.most_common())
