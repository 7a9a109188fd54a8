"""The gallery of the site: ten variants of every offline method, drawn by seed.

Nothing is picked: the ten are a random sample of the accepted variants of a run with the default
settings, so bad ones are among them. The build of the site makes the runs (``scripts/site.py``).
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from textwrap import wrap
from typing import Any

from drawings.runs import rows

import augkit
from augkit.core.types import Example

INDEX = "results/gallery"
SHOWN = 10
PAGES = {
    "coba": ("coba", "reviews-demo"),
    "coba-pairs": ("coba", "nli-demo"),
    "panda": ("panda", "nli-demo"),
    "razor": ("razor", "claims-demo"),
    "autocad": ("autocad", "reviews-demo"),
    "contrast": ("contrast", "nli-demo"),
    "crossaug": ("crossaug", "claims-demo"),
    "eda": ("eda", "reviews-demo"),
    "mask-phrase": ("mask-phrase", "reviews-demo"),
    "mask-words": ("mask-words", "reviews-demo"),
    "random-edit": ("random-edit", "reviews-demo"),
    "swap": ("swap", "reviews-demo"),
    "typo": ("typo", "reviews-demo"),
}
HEAD = """# Gallery: before and after

Ten variants of every method that works offline, on bundled data with default settings.
They are drawn at random with seed 0, not picked: bad ones stay in.

| variants | command |
| --- | --- |
"""
READING = (
    "Lines with a minus are the original, lines with a plus the variant; labels are in brackets. "
    "The ten are drawn at random with seed 0."
)


def pages(*, run: bool = True) -> Iterator[tuple[str, str]]:
    """Name and text of every page: the index, and one for each method after its run."""
    yield INDEX, index()
    for name in PAGES:
        left_out = f"`{command(name)}`: this build of the site left its variants out."
        text = "\n".join(examples(name)) if run else left_out
        yield f"{INDEX}/{name}", f"# {name}: ten variants\n\n{text}\n"


def names() -> list[str]:
    """The names of the pages."""
    return [INDEX, *(f"{INDEX}/{name}" for name in PAGES)]


def index() -> str:
    """The page that lists the others."""
    listed = [f"| [{name}](gallery/{name}.md) | `{command(name)}` |\n" for name in PAGES]
    return HEAD + "".join(listed)


def command(name: str) -> str:
    """The run that a page shows."""
    method, dataset = PAGES[name]
    return f"augkit run {dataset} --method {method}"


def examples(name: str) -> Iterator[str]:
    """Ten variants of a run, in the order of its file."""
    method, dataset = PAGES[name]
    with tempfile.TemporaryDirectory() as folder:
        run = augkit.augment_dataset(dataset, method, Path(folder, "run"))
        variants = rows(run / "variants.jsonl")
    originals = {row.id: row for row in augkit.load_dataset(dataset)}
    numbers = sorted(random.Random(0).sample(range(len(variants)), SHOWN))
    yield f"`{command(name)}`, {SHOWN} of {len(variants):,} variants."
    yield f"{READING}\n\n```diff"
    for number in numbers:
        variant = variants[number]
        if number != numbers[0]:
            yield ""
        yield from difference(originals[variant["parents"][0]], variant)
    yield "```"


def difference(original: Example, variant: Mapping[str, Any]) -> Iterator[str]:
    """The texts that change, before and after with their labels; one that stays comes first."""
    fields = variant["fields"]
    changed = [name for name in fields if fields[name] != original.fields[name]]
    for name in fields:
        if name not in changed:
            yield from _lines("  ", f"{name}: {fields[name]}")
    for sign, label, texts in (
        ("- ", original.label, original.fields),
        ("+ ", variant["label"], fields),
    ):
        for index, name in enumerate(changed):
            named = f"{name}: {texts[name]}" if len(fields) > 1 else texts[name]
            yield from _lines(sign, named if index else f"[{label}] {named}")


def _lines(sign: str, text: str) -> list[str]:
    """A text in lines of a readable width, each with its sign."""
    return [sign + line for line in wrap(text, 50)]
