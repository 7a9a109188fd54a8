"""A bias benchmark: its data, which scores are less biased, how it is scored, its settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from augkit.core.results import Direction, Score
from augkit.llm.settings import ModelSettings
from augkit.models.language_models.vectors import Pooling
from augkit.models.precision import Precision

ModelKind = Literal["masked", "causal", "vectors", "llm"]
"""The kind of model that a scoring rule needs."""


@dataclass(frozen=True)
class ScoringRule:
    """A kind of model, and ``score(model, items)``.

    ``rescores_close_pairs``: where the model rounds, close texts are scored again without.
    """

    model: ModelKind
    about: str
    score: Callable[[Any, Sequence[Any]], list[Score]]
    rescores_close_pairs: bool = False


@dataclass(frozen=True)
class HubSource:
    """The data of a benchmark on the hub; ``read(subset, rows)`` makes items of them.

    Labels that are numbers on the hub are given to ``read`` by name.
    """

    repository: str
    split: str
    read: Callable[[str, Sequence[Mapping[str, Any]]], list[Any]]
    subsets: tuple[str, ...] = ("default",)


@dataclass(frozen=True)
class Benchmark:
    """A published benchmark; the first of its scoring ``rules`` is the published one.

    ``unbiased`` is the main score of an unbiased model, ``direction`` which scores are less biased:
    with "neither" those nearer to ``unbiased``. ``path`` is where the data are under ``bias/`` of
    the data folder (of ``bundled`` ones, in this package). ``caveats`` come with every result.
    """

    name: str
    about: str
    direction: Direction
    unbiased: float
    path: str
    read: Callable[[Path], list[Any]]
    rules: Mapping[str, ScoringRule]
    caveats: str
    reference: str
    bundled: bool = False
    hub: HubSource | None = None
    sampling_unit: Callable[[Any], str] = repr
    """Items of one unit are sampled together: a descriptor with all its sentences."""


class BenchmarkSettings(ModelSettings):
    """Which benchmark, which model, and how it is scored."""

    name: str = Field(description="a benchmark: `augkit list benchmarks`")
    model: str = Field(
        description="a folder with a saved model, a hub id, or an LLM, as llm:openai:NAME"
    )
    score: str | None = Field(None, description="the scoring rule; default: the published one")
    pooling: Pooling = Field(
        "first", description="the vector of a sentence: first, last or mean token"
    )
    precision: Precision = Field(
        "float32",
        description="of masked models: float32, or tf32 (GPUs) and bfloat16, faster and rounded",
    )
    debias: Literal["sentence-debias"] | None = Field(
        None, description="sentence-debias: remove the gender direction from vectors first"
    )
    debias_texts: str | None = Field(
        None, description="the dataset to estimate it on; default: the bundled ones"
    )
    data_folder: Path | None = Field(None, description="the data folder, with bias/...")
    file: Path | None = Field(None, description="the benchmark's own file or folder")
    sample: int | None = Field(None, ge=1, description="use at most N items, drawn by their texts")
    orders: int | None = Field(
        None,
        ge=1,
        description="orders of the answers in which an LLM is asked a question; default: all",
    )
    out: Path | None = Field(
        None,
        description="folder of benchmark.json; of an LLM also of its replies, to continue there "
        "(default: one under runs/)",
    )
