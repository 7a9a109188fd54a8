"""``README.md`` of a pushed dataset, in the form that the Hugging Face hub reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any

import orjson
import yaml

from augkit.report.page.render import read_json_file

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (10**6, "100K<n<1M"))
_EXAMPLES = 3
_LONGEST = 600
"""Characters of an example."""


def dataset_card(folder: Path, name: str) -> str:
    """The card of a run's dataset: metadata for the hub, then sections for people."""
    manifest, scores = (
        read_json_file(folder / "manifest.json"),
        read_json_file(folder / "scores.json"),
    )
    head = yaml.safe_dump(_head(manifest, name), sort_keys=False, allow_unicode=True)
    body = "\n".join(
        [
            f"# {_plain(name)}",
            "",
            *_what(manifest),
            *_columns(),
            *_examples(folder),
            *_verdict(scores),
            *_limits(manifest["method"]),
            *_again(manifest),
        ]
    )
    return f"---\n{head}---\n\n{body}\n"


def _head(manifest: Mapping[str, Any], name: str) -> dict[str, Any]:
    rows = manifest["counts"]["read"] + manifest["counts"]["accepted"]
    return {
        "pretty_name": name,
        "language": ["en"],
        "license": "other",
        "license_name": "that-of-the-original",
        "task_categories": ["text-classification"],
        "size_categories": [next((size for most, size in _SIZES if rows < most), "n>1M")],
        "tags": ["augkit", "augmented", str(manifest["method"])],
        "configs": [
            {
                "config_name": "default",
                "data_files": [{"split": "train", "path": "dataset.jsonl"}],
            }
        ],
    }


def _what(manifest: Mapping[str, Any]) -> Iterator[str]:
    counts, dataset = manifest["counts"], manifest["dataset"]
    yield (
        f"Made by augkit's method `{manifest['method']}` from `{_plain(dataset['name'])}` "
        f"({dataset['rows']:,} rows, digest `{dataset['digest'][:16]}`): {counts['accepted']:,} "
        f"variants were accepted, {counts['rejected']:,} rejected. "
        f"Originals and variants are mixed by `{manifest['mix']}`."
    )
    for sentence in manifest.get("fitted", []):
        yield f"- {_plain(sentence)}"
    yield ""


def _columns() -> Iterator[str]:
    yield from ("## Columns", "")
    yield (
        "The columns of the original, and `augkit_id`, `augkit_origin` (`original` or `variant`), "
        "`augkit_parent` and `augkit_method`. Each edit with its position is in "
        "`variants.jsonl`, each rejection with its reason in `rejected.jsonl`, all settings in "
        "`manifest.json`."
    )
    yield ""


def _examples(folder: Path) -> Iterator[str]:
    """A few variants as they are, fenced so that their text is not read as Markdown."""
    path = folder / "variants.jsonl"
    if not path.is_file() or not path.stat().st_size:
        return
    yield from ("## Examples", "")
    with path.open("rb") as lines:
        for record in map(orjson.loads, islice(lines, _EXAMPLES)):
            texts = [f"{field}: {text}"[:_LONGEST] for field, text in record["fields"].items()]
            edits = [f"- {edit['before']!r} → {edit['after']!r}" for edit in record["edits"]]
            block = "\n".join([*texts, f"label: {record['label']}", *edits])
            fence = "`" * (3 + max((len(run) for run in re.findall(r"`+", block)), default=0))
            yield from (f"{fence}text", block, fence, "")


def _verdict(scores: Mapping[str, Any] | None) -> Iterator[str]:
    if not scores:
        return
    yield from ("## Did it help?", "")
    for heading, sentences in scores["verdict"].items():
        yield from (f"- **{heading.capitalize()}**: {_plain(sentence)}" for sentence in sentences)
    yield ""


def _limits(method: str) -> Iterator[str]:
    limits = yaml.safe_load((files(__package__) / "limits.yaml").read_text(encoding="utf-8"))
    yield from ("## Caveats", "")
    yield from (
        f"- {' '.join(sentence.split())}" for sentence in [*limits.get(method, []), *limits["any"]]
    )
    yield ""


def _again(manifest: Mapping[str, Any]) -> Iterator[str]:
    versions = ", ".join(f"{name} {version}" for name, version in manifest["versions"].items())
    yield from ("## Repeat it", "", "```bash", manifest["command"], "```", "", versions)


def _plain(text: str) -> str:
    """One line with Markdown escaped: text of a dataset cannot make a link, a tag or a heading."""
    return re.sub(r"([\\`*_{}\[\]<>#|])", r"\\\1", " ".join(str(text).split()))
