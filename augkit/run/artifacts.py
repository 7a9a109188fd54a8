"""What a method learnt from the corpus, kept in the run folder under a key of its inputs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from augkit.corpora.read import read_block
from augkit.data import Example, digest
from augkit.protocols import Tools
from augkit.run.plan import Plan
from augkit.run.work import build_augmenter

_NOTES = "notes.json"


def learn(plan: Plan, tools: Tools, folder: Path) -> str:
    """The folder of the method's artifact, made now or found; empty where it learns nothing.

    The whole split is seen, whatever ``--limit`` says.
    """
    if plan.method.learns is None:
        return ""
    key = digest(plan.survey.digest, plan.method.name, plan.config.digest())
    home = folder / "work" / "artifacts" / key
    if not home.exists():
        artifact = build_augmenter(plan.recipe, tools).prepare(all_examples(plan))
        draft = home.with_suffix(".new")
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(parents=True)
        artifact.save(draft)
        notes = json.dumps(list(getattr(artifact, "notes", ())), ensure_ascii=False)
        (draft / _NOTES).write_text(notes, encoding="utf-8")
        draft.rename(home)
    return str(home)


def learnt_notes(folder: Path) -> list[str]:
    """What the user should know of what was learnt, where an artifact tells it."""
    found = sorted((folder / "work" / "artifacts").glob(f"*/{_NOTES}"))
    return [note for path in found for note in json.loads(path.read_text(encoding="utf-8"))]


def all_examples(plan: Plan) -> list[Example]:
    """Every row of the split."""
    dataset = plan.dataset
    return [
        example
        for block in dataset.blocks()
        for example in read_block(dataset.name, dataset.schema, block, plan.survey.repeats)
    ]
