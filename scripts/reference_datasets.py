"""The page of the named datasets: what they are, where to get them, and which files are read."""

from __future__ import annotations

from collections.abc import Iterator

from reference_tables import table

from augkit.datasets.named import NamedDataset, known_datasets

_FOLDER = """\
A dataset that is not on the hub, or a part of one that the hub does not have, is read from a
file of yours: `AUGKIT_DATA/NAME/SPLIT.jsonl` (or `.jsonl.gz`), one JSON object for each row.
Its columns are the fields of the first table, or `text_a` and `text_b` for the two fields of a
pair, and `label`. Labels are the names in that table, or their numbers from 0. `pair_id` is the
same for an original and its revisions; only pair consistency and the method human need it. A
folder of any other name works in the same way."""
_SOURCES = """\
Where to download them. Terms are given as far as we know them: read those of the project before
you use its data. None of these rows come with augkit."""
_FILES = """\
The pages of this site and the benchmarks use these files. Where a part is a random sample, draw
your own: figures then differ a little."""
_EXAMPLE = """\
The files of imdb_cad, from a checkout of its project:

<!-- not run: needs the files of the project -->
```python
import csv
import json
from pathlib import Path

folder = Path("data/imdb_cad")  # AUGKIT_DATA=data
folder.mkdir(parents=True, exist_ok=True)
for ours, theirs in {"original": "orig", "revised": "new"}.items():
    for split in ("train", "dev", "test"):
        source = Path("sentiment", theirs, f"{split}.tsv")
        with source.open(encoding="utf-8", newline="") as rows:
            lines = [
                {"text": row["Text"], "label": row["Sentiment"].lower(), "pair_id": row["batch_id"]}
                for row in csv.DictReader(rows, delimiter="\\t")
            ]
        with Path(folder, f"{ours}_{split}.jsonl").open("w", encoding="utf-8") as out:
            out.writelines(json.dumps(line) + "\\n" for line in lines)
```"""
_PANDA = """\
[PANDA](../concepts/panda.md) (Qian et al., 2022; [its
project](https://github.com/facebookresearch/ResponsibleNLP); licence not confirmed) is no
dataset with labels. `panda/train.jsonl` and `panda/dev.jsonl` have the columns of
[training a perturber](../concepts/panda.md#rewrite-with-a-model), and `axis`, `source`. We
split its rows by original text. The files of bias benchmarks: [their
page](../how-to/bias-benchmarks.md)."""


def datasets_page() -> Iterator[str]:
    """The named datasets, their sources and the files that the docs use."""
    found = list(known_datasets().values())
    yield "Names for `--dataset`. The data folder (`AUGKIT_DATA`) is searched first."
    yield table(
        {
            "name": dataset.name,
            "task": dataset.task,
            "what it is": dataset.description,
            "fields": ", ".join(dataset.fields),
            "labels": ", ".join(dataset.label_names) or "as in the data",
            "from": "bundled" if dataset.bundled else _hub(dataset),
        }
        for dataset in found
    )
    yield "## Where to get them"
    yield _SOURCES
    yield table(
        {
            "name": dataset.name,
            "made by": dataset.paper,
            "address": f"<{_address(dataset)}>",
            "terms": dataset.licence,
        }
        for dataset in found
        if not dataset.bundled
    )
    yield "## Files in the data folder"
    yield _FOLDER
    yield _FILES
    yield table(
        {"dataset": f"{dataset.name}:{split}", "contents": what}
        for dataset in found
        for split, what in dataset.files.items()
    )
    yield _EXAMPLE
    yield _PANDA


def _hub(dataset: NamedDataset) -> str:
    if dataset.hub is None:
        return "your data folder"
    return f"hub: {dataset.hub}" + (f" ({dataset.subset})" if dataset.subset else "")


def _address(dataset: NamedDataset) -> str:
    return dataset.home or f"https://huggingface.co/datasets/{dataset.hub}"
