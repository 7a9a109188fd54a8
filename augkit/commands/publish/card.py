"""The card of a run's dataset, README.md: what the Hugging Face hub shows of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from itertools import islice
from pathlib import Path

import yaml

from augkit.core.json_files import write_atomically
from augkit.core.results import read_evaluation
from augkit.runs.ledger import DATASET
from augkit.runs.manifest import Manifest, read_manifest
from augkit.runs.records import read_variants
from augkit.runs.repeat import written_settings
from augkit.text.printable import harmless

CARD = "README.md"


def write_card(folder: Path) -> Path | None:
    """Write the card of a run into its folder; None where the run has no dataset yet."""
    manifest = read_manifest(folder)
    if not manifest.has_dataset:
        return None
    path = folder / CARD
    write_atomically(path, dataset_card(folder, manifest))
    return path


_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (10**6, "100K<n<1M"))
_EXAMPLES = 3
_LONGEST = 600
"""Characters of an example."""


def dataset_card(folder: Path, manifest: Manifest) -> str:
    """Describe the dataset of a run: metadata for the hub, then sections for people."""
    from jinja2 import Environment, StrictUndefined

    evaluation = read_evaluation(folder)
    name = folder.resolve().name
    rows = manifest.counts.read + manifest.counts.accepted
    data_files = [{"split": "train", "path": DATASET}]
    head = {
        "pretty_name": name,
        "language": ["en"],
        "license": "other",
        "license_name": "that-of-the-original",
        "task_categories": ["text-classification"],
        "size_categories": [next((size for most, size in _SIZES if rows < most), "n>1M")],
        "tags": ["augkit", "augmented", manifest.method],
        "configs": [{"config_name": "default", "data_files": data_files}],
    }
    here = files(__package__)
    limits = yaml.safe_load((here / "limits.yaml").read_text(encoding="utf-8"))
    versions = [f"{package} {version}" for package, version in manifest.versions.items()]
    page = Environment(
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 - Markdown, which ``plain`` escapes
        trim_blocks=True,
        keep_trailing_newline=True,
    )
    page.filters["plain"] = _plain
    template = (here / "templates" / "card.md").read_text(encoding="utf-8")
    card = page.from_string(template).render(
        head=yaml.safe_dump(head, sort_keys=False, allow_unicode=True),
        name=name,
        manifest=manifest,
        settings=_fenced(written_settings(folder)),
        examples=list(_examples(folder)),
        verdict=evaluation.verdict if evaluation else {},
        limits=[
            " ".join(text.split())
            for method in (*manifest.method.split(","), "any")
            for text in limits.get(method, [])
        ],
        versions=", ".join(versions),
    )
    return harmless(card)


def _examples(folder: Path) -> Iterator[tuple[str, str]]:
    """A few variants as they are, in fences so that their text is not read as Markdown."""
    for record in islice(read_variants(folder), _EXAMPLES):
        texts = [f"{field}: {text}"[:_LONGEST] for field, text in record.fields.items()]
        edits = [f"- {edit.before!r} → {edit.after!r}" for edit in record.edits]
        yield _fenced("\n".join([*texts, f"label: {record.label}", *edits]))


def _fenced(block: str) -> tuple[str, str]:
    """A block, and before it a fence that is longer than what it has of such signs."""
    ticks = [len(run) for run in re.findall(r"`+", block)]
    return "`" * (3 + max(ticks, default=0)), block


def _plain(text: str) -> str:
    """One line with Markdown escaped: text of a dataset cannot make a link, a tag or a heading."""
    return re.sub(r"([\\`*_{}\[\]<>#|])", r"\\\1", " ".join(str(text).split()))
