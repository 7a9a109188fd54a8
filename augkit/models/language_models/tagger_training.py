"""Training an edit tagger on people's rewrites, in the format of PANDA or of one's own."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any

from pydantic import Field

from augkit.core.errors import DataError
from augkit.lexicons.demographics.axes import BUNDLED
from augkit.models.language_models.edit_labels import REPLACE, LabelledText, labelled_texts
from augkit.models.language_models.edit_tagger import (
    DEFAULT_THRESHOLD,
    EditTagger,
    Window,
    new_tagger,
)
from augkit.models.language_models.perturber import PairTraining, PerturberPair, training_pairs
from augkit.models.training import (
    AdamWSteps,
    BestEpoch,
    check_finite,
    check_output,
    chunked,
    import_torch,
    save_trained,
)

_THRESHOLDS = tuple(number / 20 for number in range(2, 19))
_POOL = 16
"""Batches that are filled together from windows of like length, so that little is padded."""


class TaggerSettings(PairTraining):
    """How to train an edit tagger."""

    learning_rate: float = Field(2e-4, gt=0, description="at most; it falls linearly to 0")
    warmup: float = Field(0.06, ge=0, lt=1, description="share of the updates with a rising rate")
    clip: float = Field(1.0, gt=0, description="longest gradient")
    epochs: int = Field(8, ge=1)
    held_out: float = Field(
        0.05, gt=0, lt=1, description="share of the texts that choose the epoch and thresholds"
    )


@dataclass(frozen=True, slots=True)
class AxisScore:
    """Precision, recall and F1 of the replaced words of held-out texts, at the best threshold."""

    threshold: float
    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class TaggerEpoch:
    """The mean loss per word, and the scores by axis."""

    number: int
    train_loss: float
    scores: dict[str, AxisScore]
    seconds: float

    @property
    def f1(self) -> float:
        """The mean F1 of the axes."""
        return sum(score.f1 for score in self.scores.values()) / max(1, len(self.scores))


@dataclass(frozen=True, slots=True)
class TaggerTraining:
    """All epochs, the one whose weights were kept, and the counts of requests and pairs."""

    epochs: tuple[TaggerEpoch, ...]
    best: int
    trained_on: int
    validated_on: int
    left_out: int


OnTaggerEpoch = Callable[[TaggerEpoch], None]


def train_tagger(
    pairs: Sequence[PerturberPair],
    base: str,
    out: Path,
    settings: TaggerSettings | None = None,
    on_epoch: OnTaggerEpoch = lambda _: None,
) -> TaggerTraining:
    """Fine-tune an encoder to tag the words that people change; save the best epoch in ``out``."""
    settings = settings or TaggerSettings()
    check_output(out)
    import_torch("training a tagger")
    train, held_out, left_out = _split(pairs, settings)
    tagger, epochs, best = fit_tagger(train, held_out, base, settings, on_epoch)
    training = TaggerTraining(tuple(epochs), best, len(train), len(held_out), left_out)
    record = {"settings": settings.model_dump(mode="json"), "base_model": base}
    save_trained(tagger.model, tagger.tokenizer, out, record | asdict(training))
    return training


def fit_tagger(
    train: Sequence[LabelledText],
    held_out: Sequence[LabelledText],
    base: str,
    settings: TaggerSettings,
    on_epoch: OnTaggerEpoch = lambda _: None,
) -> tuple[EditTagger, list[TaggerEpoch], int]:
    """A trained tagger with the thresholds of its best epoch, all epochs, and the best one."""
    import torch

    axes = [axis for axis in BUNDLED if any(text.input.axis == axis for text in train)]
    known = [text for text in held_out if text.input.axis in axes]
    with torch.random.fork_rng():
        torch.manual_seed(settings.seed)
        tagger = new_tagger(base, axes)
        epochs, best = _Trainer(tagger, settings).train(train, known, on_epoch)
    scores = epochs[best - 1].scores
    tagger.thresholds = {a: scores[a].threshold if a in scores else DEFAULT_THRESHOLD for a in axes}
    tagger.model.config.thresholds = tagger.thresholds
    return tagger, epochs, best


def axis_scores(tagger: EditTagger, texts: Sequence[LabelledText]) -> dict[str, AxisScore]:
    """For each axis the threshold with the best F1 of replaced words, and that F1.

    F1 = 2·Σ|T ∩ P| / (Σ|T| + Σ|P|), T the tagged words and P those that a person replaced, over
    all people's rewrites.
    """
    import numpy as np

    tags = tagger.tag([text.input for text in texts])
    found = {}
    for axis in tagger.axes:
        rows = [
            (tag.replace, counts[REPLACE], sum(counts))
            for text, some in zip(texts, tags, strict=True)
            if text.input.axis == axis
            for tag, counts in zip(some, text.counts, strict=True)
        ]
        if rows:
            chances, replaced, people = np.array(rows).T
            scores = [_axis_score(t, chances >= t, replaced, people) for t in _THRESHOLDS]
            found[axis] = max(scores, key=lambda score: score.f1)
    return found


def _axis_score(threshold: float, tagged: Any, replaced: Any, people: Any) -> AxisScore:
    both, ours, theirs = (
        float(v) for v in (replaced[tagged].sum(), people[tagged].sum(), replaced.sum())
    )
    f1 = 2 * both / (ours + theirs) if ours + theirs else 0.0
    return AxisScore(threshold, both / max(1.0, ours), both / max(1.0, theirs), f1)


class _Trainer:
    """The loop: AdamW, warm-up and linear decay, the best epoch's weights."""

    def __init__(self, tagger: EditTagger, settings: TaggerSettings) -> None:
        self.tagger = tagger
        self.settings = settings
        self.generator = Random(settings.seed)  # noqa: S311 - not for secrets
        self.optimizer = AdamWSteps(
            tagger.model,
            settings.clip,
            lr=settings.learning_rate,
            weight_decay=settings.weight_decay,
        )
        self.updates = 0

    def train(
        self,
        train: Sequence[LabelledText],
        held_out: Sequence[LabelledText],
        on_epoch: OnTaggerEpoch,
    ) -> tuple[list[TaggerEpoch], int]:
        windows = [
            (window, [text.counts[word] for _, word in window.places])
            for text in train
            for window in self.tagger.windows(text.input)
            if window.places
        ]
        batches = -(-len(windows) // self.settings.batch_size)
        epochs: list[TaggerEpoch] = []
        best = BestEpoch(self.tagger.model)
        for number in range(1, self.settings.epochs + 1):
            began = time.monotonic()
            loss = self._pass(windows, batches * self.settings.epochs)
            scores = axis_scores(self.tagger, held_out)
            check_finite(number, loss, 0.0)
            epochs.append(TaggerEpoch(number, loss, scores, round(time.monotonic() - began, 2)))
            on_epoch(epochs[-1])
            best.update(number, epochs[-1].f1)
        best.restore()
        return epochs, best.number

    def _pass(self, windows: list[tuple[Window, list[Any]]], updates: int) -> float:
        self.tagger.model.train()
        losses = []
        for batch in self._batches(windows):
            self._set_rate(updates)
            loss = self._loss(batch)
            self.optimizer.step(loss)
            losses.append(loss.detach())
        return float(sum(losses)) / len(losses)

    def _batches(self, windows: list[Any]) -> list[Sequence[Any]]:
        """Batches of windows of like length, in random order."""
        self.generator.shuffle(windows)
        batches: list[Sequence[Any]] = []
        for pool in chunked(windows, _POOL * self.settings.batch_size):
            ordered = sorted(pool, key=lambda each: len(each[0].tokens))
            batches += chunked(ordered, self.settings.batch_size)
        self.generator.shuffle(batches)
        return batches

    def _loss(self, batch: Sequence[tuple[Window, list[Any]]]) -> Any:
        """Mean cross entropy over the words of all people's rewrites."""
        import torch

        logits = self.tagger.logits([window for window, _ in batch])
        rows = [row for row, (window, _) in enumerate(batch) for _ in window.places]
        tokens = [token for window, _ in batch for token, _ in window.places]
        counts = torch.tensor(
            [given for _, some in batch for given in some], dtype=torch.float, device=logits.device
        )
        chosen = logits[rows, tokens].log_softmax(-1)
        return -(counts * chosen).sum() / counts.sum()

    def _set_rate(self, updates: int) -> None:
        self.updates += 1
        warm = self.settings.warmup * updates
        rising, falling = self.updates / max(1.0, warm), 1 - self.updates / (updates + 1)
        self.optimizer.set_rate(self.settings.learning_rate * min(rising, falling))


def _split(
    pairs: Sequence[PerturberPair], settings: TaggerSettings
) -> tuple[list[LabelledText], list[LabelledText], int]:
    """What to train on, what to choose on, and how many pairs are left out."""
    train, held_out = training_pairs(pairs, settings)
    labelled = labelled_texts(train), labelled_texts(held_out)
    if not all(labelled):
        raise DataError(
            f"{len(train)} pairs to train on and {len(held_out)} to validate on, and of one of "
            "these no pair has its word in its text and an attribute of gender, race or age. Give "
            "more pairs, or a file with --set validation=FILE"
        )
    used = sum(sum(text.counts[0]) for some in labelled for text in some if text.counts)
    return *labelled, len(train) + len(held_out) - used
