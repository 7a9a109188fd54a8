"""Grammar induction from a corpus: the grammar and the trees of all texts, trained or resumed."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import Field

from augkit.core.arrays import Flags
from augkit.core.config import StrictModel
from augkit.core.errors import DataError, MissingExtra
from augkit.core.types import digest
from augkit.grammars.trees import Trees

if TYPE_CHECKING:
    from augkit.grammars.model.grammar import Grammar
    from augkit.grammars.model.train import EpochProgress, GrammarConfig

_MOST_HELD_OUT = 2_000
"""Maximum held-out texts: more would cost time and not change when training stops."""
_TRIAL = 32
"""Texts of a short trial that estimates the time of an epoch."""


class InduceConfig(StrictModel):
    """The size of a grammar and its training; what is not set depends on the machine."""

    symbols: int | None = Field(
        None, ge=1, le=4096, description="internal symbols: 32 on a GPU, 12 without one"
    )
    leaves: int | None = Field(
        None, ge=1, le=4096, description="pre-terminal symbols: 64 on a GPU, 24 without one"
    )
    width: int | None = Field(
        None, ge=1, description="size of the embeddings: 256 on a GPU, 64 without one"
    )
    epochs: int | None = Field(
        None,
        ge=1,
        description="maximum epochs: as published 40, for pairs 10; without a GPU 6, 3",
    )
    batch_size: int | None = Field(
        None, ge=1, description="texts per step: 64 on a GPU, 16 without one"
    )
    learning_rate: float | None = Field(
        None, gt=0, description="step size: 0.001 with batches of 16, more with larger ones"
    )
    patience: int = Field(5, ge=1, description="epochs without a better held-out likelihood")
    restarts: int = Field(
        1, ge=1, description="random restarts; the grammar of the best held-out likelihood is kept"
    )
    device: str = Field("auto", description="cpu, cuda, or auto: the GPU where there is one")
    seed: int = Field(0, description="of the initial parameters and of the order of the texts")


@dataclass(frozen=True)
class EncodedTexts:
    """Arrays of word ids below ``words``, or pairs of such arrays; ``held_out`` is bool[texts]."""

    encoded: Sequence[Any]
    held_out: Flags
    words: int

    def part(self, *, held_out: bool) -> list[Any]:
        """The texts that are held out, or the others."""
        flags = zip(self.encoded, self.held_out, strict=True)
        return [text for text, held in flags if held == held_out]


@dataclass(frozen=True)
class InducedGrammar:
    """The grammar, the trees of all texts, and the settings that were used."""

    grammar: Grammar
    trees: Trees
    config: GrammarConfig
    is_small: bool


def induce_grammar(
    texts: EncodedTexts,
    config: InduceConfig,
    folder: Path | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> InducedGrammar:
    """Train on the texts that are not held out and parse all of them; no label is seen.

    With a ``folder`` an interrupted training is resumed, and existing trees are read. ``say``
    receives messages on the progress.
    """
    try:
        from augkit.grammars.model.grammar import pick_device
        from augkit.grammars.model.train import train_best
    except ImportError as error:
        raise MissingExtra("nn", "a grammar") from error
    on_gpu = pick_device(config.device).type == "cuda"
    chosen = _grammar_config(config, texts, on_gpu=on_gpu)
    train = texts.part(held_out=False)
    heldout = texts.part(held_out=True)[:_MOST_HELD_OUT]
    if not train or not heldout:
        raise DataError("there are too few rows to train a grammar and hold some out: give more")
    home = None if folder is None else folder / "grammar"
    if home is not None and home.exists():
        say(f"resuming the grammar in {home}")
    else:
        _announce(train, chosen, say)
    grammar = train_best(train, heldout, chosen, home, _reporter(chosen, say))
    trees = _parse_once(grammar, texts.encoded, folder, say)
    return InducedGrammar(grammar, trees, chosen, is_small=not on_gpu and config.symbols is None)


def _grammar_config(config: InduceConfig, texts: EncodedTexts, *, on_gpu: bool) -> GrammarConfig:
    from augkit.grammars.model.train import GrammarConfig

    pairs = isinstance(texts.encoded[0], tuple)
    if on_gpu:
        chosen: dict[str, Any] = {"symbols": 32, "leaves": 64, "width": 256, "batch_size": 64}
        chosen["epochs"] = 10 if pairs else 40
    else:
        chosen = {"symbols": 12, "leaves": 24, "width": 64, "batch_size": 16}
        chosen["epochs"] = 3 if pairs else 6
    chosen |= {key: value for key, value in config.model_dump().items() if value is not None}
    chosen.setdefault("learning_rate", 1e-3 * max(1.0, chosen["batch_size"] / 16) ** 0.75)
    return GrammarConfig(words=texts.words, pairs=pairs, **chosen)


def _announce(train: Sequence[Any], config: GrammarConfig, say: Callable[[str], None]) -> None:
    """Say what will be trained and, from a short trial, about how long an epoch takes."""
    from augkit.grammars.model.train import train_grammar

    trial = train[:: max(1, len(train) // _TRIAL)][:_TRIAL]
    once = config.model_copy(update={"epochs": 1})
    train_grammar(trial[:2], trial[:1], once)  # loading the libraries is no part of an epoch
    started = time.perf_counter()
    train_grammar(trial, trial[:1], once)
    text_seconds = (time.perf_counter() - started) / len(trial)
    say(
        f"training a grammar of {config.symbols}+{config.leaves} symbols and {config.words:,} "
        f"words on {len(train):,} texts: at most {config.epochs} epochs of about "
        f"{_duration(text_seconds * len(train))} text_seconds"
    )


def _reporter(config: GrammarConfig, say: Callable[[str], None]) -> Callable[[EpochProgress], None]:
    def report(progress: EpochProgress) -> None:
        better = "" if progress.best else " (no improvement)"
        say(
            f"epoch {progress.epoch + 1} of at most {config.epochs}: held-out log-likelihood "
            f"{progress.heldout:.2f}{better}, {progress.texts_per_second:,.0f} texts a second, "
            f"{_duration(progress.seconds)} so far"
        )

    return report


def _parse_once(
    grammar: Grammar, texts: Sequence[Any], folder: Path | None, say: Callable[[str], None]
) -> Trees:
    """The trees of all texts, read from the folder where this grammar made them."""
    from augkit.grammars.model.train import texts_digest

    if folder is None:
        return grammar.parse(texts)
    path = folder / "trees.npz"
    note = folder / "trees.json"
    written = (folder / "grammar" / "grammar.safetensors").read_bytes()
    key = digest(written.hex(), texts_digest(texts))
    if path.exists() and note.exists() and json.loads(note.read_text("utf-8"))["key"] == key:
        return Trees.load(path)
    say(f"parsing {len(texts):,} texts")
    trees = grammar.parse(texts)
    trees.save(path)
    note.write_text(json.dumps({"key": key}) + "\n", encoding="utf-8")
    return trees


def _duration(seconds: float) -> str:
    """A time in a readable unit.

    >>> _duration(8), _duration(400), _duration(8000)
    ('8 s', '7 min', '2.2 h')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
