"""Methods and finders fitted to the corpus, kept in the run folder under a key of their inputs."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from pydantic import TypeAdapter

from augkit.augmenters.llm_checks.dataset_rows import DatasetRows
from augkit.core.errors import BackendFailed
from augkit.core.json_files import load_json
from augkit.core.progress import report_progress
from augkit.core.protocols import Artifact, Tools
from augkit.core.types import Example, digest
from augkit.datasets.rows import read_block
from augkit.labels.check import LabelCheck
from augkit.labels.fit import (
    JudgeRole,
    fit_label_check,
    prompts_with_rows,
)
from augkit.llm.settings import bare_address
from augkit.llm.unanswered import noting_unanswered
from augkit.prompts.load import active_prompts
from augkit.runs.manifest import failed_line
from augkit.runs.plan import FinderPlan, Plan
from augkit.runs.row_work import REFIT, StepSpec, build_augmenter
from augkit.shortcuts.fit import fit_to_labelled

_NOTES = "notes.json"


def fit_artifacts(plan: Plan, tools: Tools, folder: Path) -> StepSpec:
    """The step of the plan, with the folders of its finder and of its artifact, fitted or found.

    The whole split is used, whatever ``limit`` and ``sample`` are; but a method that balances a
    corpus by rules is fitted to the rows that are written, for it is they that are balanced.
    """
    spec = plan.step_spec
    keys = [plan.scan.digest]
    if plan.prompts.rows_as_examples:
        spec = replace(spec, prompts=prompts_with_rows(plan.prompts, _all_rows(plan)))
    if spec.text_gates:
        rows = digest(plan.scan.digest, "dataset rows")
        dataset = plan.dataset
        row_by_row = (
            row
            for block in dataset.blocks()
            for row in read_block(dataset.id_name, dataset.schema, block, {})
        )
        home = _artifact_folder(plan, folder, rows, lambda: DatasetRows.of(row_by_row))
        spec = replace(spec, dataset_rows=home)
    if plan.finder is not None:
        finder = plan.finder
        keys += [finder.name, finder.config.model_dump_json(), finder.classifier_digest]
        home = _artifact_folder(plan, folder, digest(*keys), lambda: _fit_finder(plan, finder))
        spec = replace(spec, fitted_finder=home)
    if plan.method.learns is not None:
        keys += [plan.method.name, plan.config.digest(), *_models_key(plan)]
        balances = plan.scope == "corpus" and tools.llm is None
        if balances and len(plan.written) < plan.scan.rows:
            keys.append(digest(*map(str, plan.written)))

        def fit() -> Artifact:
            rows = _all_rows(plan)
            if balances:
                rows = plan.dataset.examples_at(plan.written, plan.scan.repeats)
            return build_augmenter(spec, tools).fit_artifact(rows)

        home = _artifact_folder(plan, folder, digest(*keys), fit)
        spec = replace(spec, artifact=home)
    return spec if tools.llm is None else _with_label_check(plan, tools, folder, spec)


def _with_label_check(plan: Plan, tools: Tools, folder: Path, spec: StepSpec) -> StepSpec:
    """The step with its label check, where the method has one or judges by a model itself."""
    method = build_augmenter(spec, tools)
    settings = plan.settings.judge
    judge = tools.judge or tools.llm
    if judge is None or not (method.traits.label_checked or method.asks_judge):
        return spec
    settings = settings.model_copy(update={"rows": min(settings.rows, len(plan.augmented))})
    role: JudgeRole = "writer" if tools.judge is None else "second"
    if method.asks_judge:
        role = "of the method"
    order = getattr(method.artifact, "order", None) if spec.artifact else None

    def fit() -> LabelCheck:
        with active_prompts(spec.prompts):
            return fit_label_check(_all_rows(plan), settings, role, order)

    parts = [plan.scan.digest, "label check", settings.model_dump_json(), role, str(order)]
    key = digest(*parts, *_models_key(plan))
    return replace(spec, label_check=_artifact_folder(plan, folder, key, fit))


def _models_key(plan: Plan) -> list[str]:
    """What a method may ask of models while it is fitted depends on these."""
    settings = plan.settings
    named = [f"{tool}={spec}" for tool, spec in settings.models.items()]
    address = bare_address(settings.connection.base_url or "")
    return [*named, address, plan.prompts.digest] if named else []


def _all_rows(plan: Plan) -> list[Example]:
    return plan.dataset.examples(plan.scan.repeats)


def _fit_finder(plan: Plan, finder: FinderPlan) -> Artifact:
    classifier = None
    if finder.classifier is not None:
        from augkit.models.saved import load_classifier

        classifier = load_classifier(finder.classifier)
    tools = Tools(classifier=classifier)
    return fit_to_labelled(finder.finder, _all_rows(plan), finder.config, tools)


def _artifact_folder(plan: Plan, folder: Path, key: str, fit: Callable[[], Artifact]) -> str:
    home = folder / "work" / "artifacts" / key
    if not home.exists():
        report_progress(f"preparing {plan.method.name}")
        shared = plan.settings.artifacts
        if shared is None:
            _save(_fitted(fit), home)
        else:
            with _locked(shared, key):
                if not (shared / key).exists():
                    _save(_fitted(fit), shared / key)
            _write_folder(home, lambda draft: shutil.copytree(shared / key, draft))
    return str(home)


def _fitted(fit: Callable[[], Artifact]) -> Artifact:
    """What ``fit`` gives; an error where a model did not answer all that it asked.

    All rows depend on it, so it is not kept without those answers.
    """
    with noting_unanswered() as unanswered:
        artifact = fit()
    if unanswered.by_reason:
        raise BackendFailed(
            f"the run could not be prepared: {failed_line(unanswered.by_reason)}. The answers that "
            "came are kept: repeat the command, or resume the run"
        )
    return artifact


def _save(artifact: Artifact, home: Path) -> None:
    def save(draft: Path) -> None:
        draft.mkdir(parents=True)
        artifact.save(draft)
        notes = json.dumps(list(getattr(artifact, "notes", ())), ensure_ascii=False)
        (draft / _NOTES).write_text(notes, encoding="utf-8")

    _write_folder(home, save)


def _write_folder(home: Path, write: Callable[[Path], object]) -> None:
    """Write a folder beside ``home`` and rename it in one step."""
    draft = home.with_suffix(".new")
    shutil.rmtree(draft, ignore_errors=True)
    draft.parent.mkdir(parents=True, exist_ok=True)
    write(draft)
    draft.rename(home)


@contextmanager
def _locked(folder: Path, key: str) -> Iterator[None]:
    """One process fits an artifact; the others wait for it."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{key}.lock").open("a") as lock:
        try:
            import fcntl
        except ImportError:  # no flock on Windows: fitted twice at worst
            yield
            return
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def artifact_notes(folder: Path) -> list[str]:
    """What the user should know about the fitted artifacts."""
    paths = sorted((folder / "work" / "artifacts").glob(f"*/*{_NOTES}"))
    read = TypeAdapter(list[str]).validate_python
    return [note for path in paths for note in load_json(path, read, REFIT)]
