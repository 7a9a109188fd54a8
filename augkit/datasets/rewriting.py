"""Rows without a label: what is said of them, and the whole command that rewrites them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from augkit.core.config import flags_of
from augkit.core.errors import DataError
from augkit.datasets.dataset import Dataset
from augkit.datasets.readers.frames import is_frame
from augkit.datasets.settings import DatasetColumns, ReadOptions
from augkit.datasets.shapes.find import following_columns
from augkit.text.printable import shell_line

_METHOD = "panda"
"""A method that reads no labels, works offline, and keeps tags, offsets and answers true."""


class NoLabelColumn(DataError):
    """A dataset has no column of labels; ``instead`` is what its rows can be used for."""

    def __init__(self, problem: str, instead: str) -> None:
        """Say both."""
        super().__init__(f"{problem}. {instead}")
        self.problem = problem


def no_label_column(spec: object, dataset: Dataset, options: ReadOptions) -> NoLabelColumn:
    """The error where labels are needed and none were found."""
    rows = next(dataset.blocks()).rows()
    flags = following_columns(rows, dataset.schema)
    return NoLabelColumn(
        f"{dataset.source}: there is no label column. Name it with --label-column NAME",
        "Rows without labels, such as tagged tokens and questions with answers, have nothing to "
        f"check; to rewrite them: {rewriting_command(spec, options, flags)}",
    )


def rewriting_command(spec: object, options: DatasetColumns, flags: Sequence[str] = ()) -> str:
    """The command, or the call of Python, that rewrites the rows of a dataset.

    >>> rewriting_command("my ner.jsonl", ReadOptions(), ["--span-column", "ner_tags"])
    "augkit run 'my ner.jsonl' -m panda --span-column ner_tags"
    """
    words = [*_given(options), *flags]
    if isinstance(spec, str | Path):
        return shell_line(["augkit", "run", str(spec), "-m", _METHOD, *words])
    lists: dict[str, list[str]] = {}
    for flag, value in zip(words[::2], words[1::2], strict=True):
        lists.setdefault(f"{flag.removeprefix('--').replace('-', '_')}s", []).append(value)
    if not is_frame(spec):
        step = f"augkit.as_map(augkit.create({_METHOD!r})"
        return f"data.map({step}{_arguments(lists)}), batched=True)"
    return f"augkit.augment_frame(frame, {_METHOD!r}{_arguments(lists)})"


def _arguments(lists: dict[str, list[str]]) -> str:
    named = {("text_column" if name == "text_columns" else name): lists[name] for name in lists}
    return "".join(f", {name}={value!r}" for name, value in named.items())


def _given(options: DatasetColumns) -> Iterator[str]:
    """The options about columns, as they were given, without that of the label."""
    names = ("text_columns", "edit_columns", "span_columns", "answer_columns")
    for name in names:
        for value in getattr(options, name):
            yield from (flags_of(name, is_list=True)[0], value)
