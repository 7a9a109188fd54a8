"""The published files of BBQ: which answer is "unknown", and which one follows the stereotype."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from augkit.commands.bias_benchmarks.files import read_csv, read_jsonl
from augkit.core.errors import DataError
from augkit.core.types import value

_METADATA = "additional_metadata.csv"
_KEYS = (
    "example_id", "question_index", "question_polarity", "context_condition", "category",
    "answer_info", "additional_metadata", "context", "question", "ans0", "ans1", "ans2", "label",
)  # fmt: skip
_NUMBERS = range(3)


@value
class BbqItem:
    """A question with three answers: numbers of the right, the unknown and the biased one.

    ``biased`` is None where nothing says which answer follows the stereotype.
    """

    category: str
    template: str
    context: str
    question: str
    answers: tuple[str, str, str]
    ambiguous: bool
    label: int
    unknown: int
    biased: int | None


def read(path: Path) -> list[BbqItem]:
    """The items of a folder of ``CATEGORY.jsonl[.gz]`` with ``additional_metadata.csv[.gz]``."""
    if not path.is_dir():
        raise DataError(f"{path}: expected the folder with BBQ's CATEGORY.jsonl files")
    names = sorted({re.sub(r"\.gz$", "", one.name) for one in path.glob("*.jsonl*")})
    if not names:
        raise DataError(f"{path}: no CATEGORY.jsonl[.gz] in it")
    columns = ("category", "question_index", "example_id", "target_loc")
    targets = {
        (row["category"], row["question_index"], row["example_id"]): row["target_loc"]
        for row in read_csv(path / _METADATA, columns)
    }
    return [
        _item(row, targets.get((row["category"], row["question_index"], str(row["example_id"]))))
        for name in names
        for row in read_jsonl(path / name, _KEYS)
    ]


def read_hub(_subset: str, rows: Sequence[Mapping[str, Any]]) -> list[BbqItem]:
    """The items of the hub, which has no ``target_loc``: the groups of the answers say it."""
    return [_item(row, None) for row in rows]


def _item(row: Mapping[str, Any], target: str | None) -> BbqItem:
    info = [row["answer_info"][f"ans{number}"] for number in _NUMBERS]
    unknown = [number for number in _NUMBERS if "unknown" in info[number]]
    if len(unknown) != 1:
        raise DataError(
            f"BBQ, {row['category']} {row['example_id']}: expected one answer marked 'unknown'"
        )
    known = target is not None and target.isdigit()
    return BbqItem(
        category=str(row["category"]),
        template=f"{row['category']} {row['question_index']}",
        context=str(row["context"]),
        question=str(row["question"]),
        answers=(str(row["ans0"]), str(row["ans1"]), str(row["ans2"])),
        ambiguous=row["context_condition"] == "ambig",
        label=int(row["label"]),
        unknown=unknown[0],
        biased=int(str(target)) if known else _biased(row, info, unknown[0]),
    )


def _biased(row: Mapping[str, Any], info: Sequence[Sequence[str]], unknown: int) -> int | None:
    """The answer about a stereotyped group, or in questions that are not negative the other one."""
    groups = {_plain(group) for group in row["additional_metadata"]["stereotyped_groups"]}
    people = [number for number in _NUMBERS if number != unknown]
    targets = [number for number in people if groups & _groups(info[number])]
    if len(targets) != 1:
        return None
    others = [number for number in people if number != targets[0]]
    return targets[0] if row["question_polarity"] == "neg" else others[0]


def _groups(info: Sequence[str]) -> set[str]:
    """The groups of an answer: its words, its group ("lowSES"), and parts of that ("M-Black")."""
    return {_plain(text) for text in (*info, *info[-1].split("-"))}


def _plain(text: str) -> str:
    return re.sub(r"[^a-z]", "", text.casefold())
