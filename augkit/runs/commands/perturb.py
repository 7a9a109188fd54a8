"""Perturb texts that name the word to change: one, or a file of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from augkit.augmenters.base import keyed_random
from augkit.augmenters.panda.jobs import Job, Perturbed, Refused
from augkit.augmenters.panda.requests import Wish, joined, shift, to_job
from augkit.augmenters.panda.rules import Rules
from augkit.core.errors import DataError, UserError
from augkit.core.types import Edit
from augkit.text.json_lines import read_json_lines

_BATCH = 1_024


class WishLine(BaseModel):
    """One line of an input file."""

    model_config = ConfigDict(extra="ignore", strict=True)

    id: str | int | None = None
    text: str
    word: str | None = Field(None, min_length=1)
    start: int | None = Field(None, ge=0)
    axis: str
    target: str

    def wish(self) -> Wish:
        """The wish without its id."""
        return Wish(self.text, self.axis, self.target, self.word, self.start)


def perturb_one(wish: Wish, seed: int = 0) -> dict[str, Any]:
    """``{output, edits, refused}`` of one wish; offsets of edits are characters of the text."""
    job = to_job(wish, keyed_random(seed, wish.text, "perturb", 0))
    answer = job if isinstance(job, Refused) else Rules().perturb([job])[0]
    return _answer(wish.text, answer)


def perturb_file(source: Path, target: Path, seed: int = 0) -> dict[str, int]:
    """Answer every line of ``source`` in ``target``; the counts of lines, changes and rejections.

    All lines are checked before the first is answered, so that a mistake costs nothing.
    """
    if source.resolve() == target.resolve():
        raise UserError("the output would overwrite the input: name another file")
    lines = list(read_json_lines(source, WishLine))
    jobs = [(line, _job(source, number, line, seed)) for number, line in lines]
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = target.with_name(target.name + ".part")
    counts = {"lines": 0, "changed": 0, "refused": 0}
    with unfinished.open("w", encoding="utf-8") as file:
        for row in _answers(jobs):
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
            counts["lines"] += 1
            counts["refused" if row["refused"] else "changed"] += 1
    unfinished.replace(target)
    return counts


def _job(source: Path, number: int, line: WishLine, seed: int) -> Job | Refused:
    name = str(number if line.id is None else line.id)
    try:
        return to_job(line.wish(), keyed_random(seed, name, "perturb", 0))
    except UserError as error:
        raise DataError(f"{source}:{number}: {error}") from error


def _answers(jobs: Iterable[tuple[WishLine, Job | Refused]]) -> Iterator[dict[str, Any]]:
    rules, waiting = Rules(), iter(jobs)
    while batch := list(islice(waiting, _BATCH)):
        answers = iter(rules.perturb([job for _, job in batch if isinstance(job, Job)]))
        for line, job in batch:
            answer = next(answers) if isinstance(job, Job) else job
            yield {"id": line.id, **_answer(line.text, answer)}


def _answer(text: str, answer: Perturbed | Refused) -> dict[str, Any]:
    if isinstance(answer, Refused):
        why = f"{answer.reason}: {answer.detail}" if answer.detail else answer.reason
        return {"output": text, "edits": [], "refused": why}
    edits = [_placed(text, edit) for edit in answer.edits or ()]
    return {"output": joined(answer.fields), "edits": edits, "refused": None}


def _placed(text: str, edit: Edit) -> dict[str, Any]:
    """An edit with its offset in the whole text."""
    start = shift(text, edit.field) + edit.start
    end = start + len(edit.before)
    return {"start": start, "end": end, "before": edit.before, "after": edit.after}
