"""``benchmark``: a language model held against a published bias benchmark."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from augkit.core import registry
from augkit.core.config import StrictModel
from augkit.core.errors import ConfigError, UnknownName
from augkit.core.pretrained import identity
from augkit.core.protocols import Vectors
from augkit.core.types import digest
from augkit.datasets.load import load_dataset
from augkit.evaluation.benchmarks.benchmark import Benchmark, Way
from augkit.models.language_models.causal_lm import open_causal
from augkit.models.language_models.masked_lm import Precision, open_masked
from augkit.models.language_models.sentence_debias import debias
from augkit.models.language_models.vectors import Pooling, open_vectors
from augkit.runs.commands.benchmark_data import benchmark_items

_BUNDLED_TEXTS = ["reviews-demo", "nli-demo", "claims-demo"]
_FEW = 100
"""Below so many items the interval says little."""


class BenchmarkSettings(StrictModel):
    """Which benchmark, which model, and how it is scored."""

    name: str = Field(description="a benchmark: `augkit list benchmarks`")
    model: str = Field(description="a folder with a saved model, or a name on the hub")
    way: str | None = Field(None, description="the way to score; default: the published one")
    pooling: Pooling = Field("first", description="the token that speaks for a sentence")
    precision: Precision = Field(
        "float32", description="of masked models: bfloat16 is quicker and rounds"
    )
    debias: Literal["sentence-debias"] | None = Field(
        None, description="take the direction of gender out of the vectors first"
    )
    debias_texts: str | None = Field(
        None, description="the dataset to find it in; default: the bundled ones"
    )
    data_folder: Path | None = Field(None, description="a folder with bias/...")
    file: Path | None = Field(None, description="the benchmark's file or folder itself")
    limit: int | None = Field(None, ge=1, description="at most so many items, drawn by their text")


def benchmark(settings: BenchmarkSettings) -> dict[str, Any]:
    """The scores, with what was measured on what and the warnings that belong to them."""
    chosen: Benchmark = registry.find("benchmarks", settings.name)
    name, way = _way(chosen, settings.way)
    if settings.debias and way.needs != "vectors":
        raise ConfigError(f"{settings.debias} changes vectors, and {chosen.name} scores none")
    source, items = benchmark_items(chosen, settings.file, settings.data_folder)
    used = _drawn(items, settings.limit, chosen.unit)
    model = _opened(way, settings)
    scores = way.score(model, used)
    return {
        "benchmark": chosen.name,
        "score": name,
        **({"debias": settings.debias} if settings.debias else {}),
        "about": chosen.about,
        "reference": chosen.cite,
        "model": identity(settings.model),
        "data": source,
        "items": len(used),
        "scores": [asdict(score) for score in scores],
        "warnings": [*_warnings(chosen, len(used), len(items)), *_rounding(way, settings, model)],
    }


def _way(chosen: Benchmark, asked: str | None) -> tuple[str, Way]:
    name = asked or next(iter(chosen.ways))
    if name not in chosen.ways:
        raise UnknownName(f"score of {chosen.name}", name, chosen.ways)
    return name, chosen.ways[name]


def _opened(way: Way, settings: BenchmarkSettings) -> Any:
    openers: dict[str, Callable[[], Any]] = {
        "masked": lambda: open_masked(settings.model, settings.precision),
        "causal": lambda: open_causal(settings.model),
        "vectors": lambda: _vectors(settings),
    }
    return openers[way.needs]()


def _vectors(settings: BenchmarkSettings) -> Vectors:
    vectors = open_vectors(settings.model, settings.pooling)
    if settings.debias is None:
        return vectors
    names = [settings.debias_texts] if settings.debias_texts else _BUNDLED_TEXTS
    rows = [row for name in names for row in load_dataset(name, data_folder=settings.data_folder)]
    return debias(vectors, [text for row in rows for text in row.fields.values()])


def _drawn(items: list[Any], limit: int | None, unit: Callable[[Any], str]) -> list[Any]:
    """All items, or so many of whole units, by digest: the same ones every time."""
    if limit is None or limit >= len(items):
        return items
    sizes = Counter(unit(item) for item in items)
    kept: set[str] = set()
    for each in sorted(sizes, key=digest):
        if sum(sizes[one] for one in kept) + sizes[each] <= limit:
            kept.add(each)
    return [item for item in items if unit(item) in kept]


def _warnings(chosen: Benchmark, used: int, there: int) -> list[str]:
    told = [f"known faults of {chosen.name}: {chosen.faults}"]
    if used < there:
        told.append(f"{used:,} of {there:,} items: a sample, not the published benchmark")
    if used < _FEW:
        told.append(f"only {used} items: the intervals are wide")
    return told


def _rounding(way: Way, settings: BenchmarkSettings, model: Any) -> list[str]:
    if settings.precision == "float32" or way.needs != "masked":
        return []
    if model.precision == "float32":
        return ["this machine has no bfloat16 units: computed in float32"]
    if way.settles:
        return ["computed in bfloat16; pairs too near for it were scored again in float32"]
    return ["computed in bfloat16: pairs that lie nearer than some hundredths may fall either way"]
