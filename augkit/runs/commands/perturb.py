"""Perturb texts that name the word to change: one, or a file of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from augkit.augmenters.base import keyed_random
from augkit.augmenters.panda.perturb_request import (
    PerturbRequest,
    join_segments,
    segments,
    to_task,
)
from augkit.augmenters.panda.perturbers.protocol import Perturbed, PerturbTask
from augkit.augmenters.panda.perturbers.rules import RulePerturber
from augkit.core.errors import DataError, UserError
from augkit.core.types import Edit, Rejection
from augkit.language.parser import SpacyParser
from augkit.text.json_lines import read_json_lines

_BATCH = 1_024


class RequestLine(BaseModel):
    """One line of an input file."""

    model_config = ConfigDict(extra="ignore", strict=True)

    id: str | int | None = None
    text: str
    word: str | None = Field(None, min_length=1)
    start: int | None = Field(None, ge=0)
    axis: str
    target: str

    def request(self) -> PerturbRequest:
        """The request without its id."""
        return PerturbRequest(self.text, self.axis, self.target, self.word, self.start)


def perturb_one(request: PerturbRequest, seed: int = 0) -> dict[str, Any]:
    """``{output, edits, rejected}`` of one request; offsets of edits are characters of the text."""
    task = to_task(request, keyed_random(seed, request.text, "perturb", 0))
    result = (
        task if isinstance(task, Rejection) else RulePerturber(SpacyParser()).perturb([task])[0]
    )
    return _row(request.text, result)


def perturb_file(source: Path, target: Path, seed: int = 0) -> dict[str, int]:
    """Perturb every line of ``source`` into ``target``; count lines, changes and rejections.

    All lines are checked before the first is perturbed, so that a mistake costs nothing.
    """
    if source.resolve() == target.resolve():
        raise UserError("the output would overwrite the input: name another file")
    lines = list(read_json_lines(source, RequestLine))
    tasks = [(line, _task(source, number, line, seed)) for number, line in lines]
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = target.with_name(target.name + ".part")
    counts = {"lines": 0, "changed": 0, "rejected": 0}
    with unfinished.open("w", encoding="utf-8") as file:
        for row in _results(tasks):
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
            counts["lines"] += 1
            counts["rejected" if row["rejected"] else "changed"] += 1
    unfinished.replace(target)
    return counts


def _task(source: Path, number: int, line: RequestLine, seed: int) -> PerturbTask | Rejection:
    name = str(number if line.id is None else line.id)
    try:
        return to_task(line.request(), keyed_random(seed, name, "perturb", 0))
    except UserError as error:
        raise DataError(f"{source}:{number}: {error}") from error


def _results(
    tasks: Iterable[tuple[RequestLine, PerturbTask | Rejection]],
) -> Iterator[dict[str, Any]]:
    perturber, waiting = RulePerturber(SpacyParser()), iter(tasks)
    while batch := list(islice(waiting, _BATCH)):
        results = iter(
            perturber.perturb([task for _, task in batch if isinstance(task, PerturbTask)])
        )
        for line, task in batch:
            result = next(results) if isinstance(task, PerturbTask) else task
            yield {"id": line.id, **_row(line.text, result)}


def _row(text: str, result: Perturbed | Rejection) -> dict[str, Any]:
    if isinstance(result, Rejection):
        why = f"{result.reason}: {result.detail}" if result.detail else result.reason
        return {"output": text, "edits": [], "rejected": why}
    edits = [_with_offset(text, edit) for edit in result.edits or ()]
    return {"output": join_segments(result.fields), "edits": edits, "rejected": None}


def _with_offset(text: str, edit: Edit) -> dict[str, Any]:
    """An edit with its offset in the whole text."""
    start = segments(text).starts[edit.field] + edit.start
    end = start + len(edit.before)
    return {"start": start, "end": end, "before": edit.before, "after": edit.after}
