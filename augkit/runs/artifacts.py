"""Artifacts that methods fit on the corpus, kept in the run folder under a key of their inputs."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from augkit.core.protocols import Tools
from augkit.core.types import Example, digest
from augkit.datasets.to_examples import read_block
from augkit.runs.plan import Plan
from augkit.runs.row_work import build_augmenter

_NOTES = "notes.json"


def fit_artifact(plan: Plan, tools: Tools, folder: Path) -> str:
    """The folder of the method's artifact, fitted now or found; empty where it fits nothing.

    The whole split is used, whatever ``--limit`` says.
    """
    if plan.method.learns is None:
        return ""
    key = digest(plan.scan.digest, plan.method.name, plan.config.digest())
    home = folder / "work" / "artifacts" / key
    if not home.exists():
        shared = plan.settings.artifacts
        if shared is None:
            _fit(plan, tools, home)
        else:
            with _locked(shared, key):
                if not (shared / key).exists():
                    _fit(plan, tools, shared / key)
            _write_folder(home, lambda draft: shutil.copytree(shared / key, draft))
    return str(home)


def _fit(plan: Plan, tools: Tools, home: Path) -> None:
    artifact = build_augmenter(plan.step_spec, tools).prepare(all_examples(plan))

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
    found = sorted((folder / "work" / "artifacts").glob(f"*/{_NOTES}"))
    return [note for path in found for note in json.loads(path.read_text(encoding="utf-8"))]


def all_examples(plan: Plan) -> list[Example]:
    """Every row of the split."""
    dataset = plan.dataset
    return [
        example
        for block in dataset.blocks()
        for example in read_block(dataset.name, dataset.schema, block, plan.scan.repeats)
    ]
