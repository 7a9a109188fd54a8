"""Training an edit tagger on people's rewrites, in the format of PANDA or of one's own.

Its labels are what a person's rewrite does to each word of a text.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from difflib import SequenceMatcher
from math import ceil
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from pydantic import Field

from augkit.core.errors import DataError
from augkit.lexicons.demographics.axes import BUNDLED, read_axis
from augkit.models.language_models.edit_tagger import (
    DEFAULT_THRESHOLD,
    INSERT,
    KEEP,
    REPLACE,
    EditTagger,
    TaggerInput,
    Window,
    new_tagger,
)
from augkit.models.language_models.perturber import PairTraining, PerturberPair, training_pairs
from augkit.models.training import (
    TrainingLoop,
    check_finite,
    check_output,
    chunked,
    import_torch,
    save_trained,
    warmup_rate,
)
from augkit.text.tokens import word_spans

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

    def __str__(self) -> str:
        """For messages."""
        scores = ", ".join(f"{axis} {score.f1:.3f}" for axis, score in self.scores.items())
        return f"epoch {self.number}: loss {self.train_loss:.4f}, F1 on held-out texts: {scores}"


@dataclass(frozen=True, slots=True)
class TaggerTraining:
    """All epochs, the one whose weights were kept, and the counts of requests and pairs."""

    epochs: tuple[TaggerEpoch, ...]
    best: int
    trained_on: int
    validated_on: int
    left_out: int

    def __str__(self) -> str:
        """For messages."""
        counts = f"{self.trained_on} requests, {self.left_out} pairs left out"
        return f"epoch {self.best} of {len(self.epochs)} is kept ({counts})"


Counts = tuple[int, int, int]
"""How many people kept a word, replaced it, and put words before it."""
_CountedWindow = tuple[Window, list[Counts]]
"""A window, and how many people gave each of its words each label."""
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
    scored = [text for text in held_out if text.input.axis in axes]
    with torch.random.fork_rng():
        torch.manual_seed(settings.seed)
        tagger = new_tagger(base, axes)
        epochs, best = _Trainer(tagger, settings).train(train, scored, on_epoch)
    tagger.thresholds = {
        axis: best.scores[axis].threshold if axis in best.scores else DEFAULT_THRESHOLD
        for axis in axes
    }
    tagger.model.config.thresholds = tagger.thresholds
    return tagger, epochs, best.number


def axis_scores(tagger: EditTagger, texts: Sequence[LabelledText]) -> dict[str, AxisScore]:
    """For each axis the threshold with the best F1 of replaced words, and that F1.

    F1 = 2·Σ|T ∩ P| / (Σ|T| + Σ|P|), T the tagged words and P those that a person replaced, over
    all people's rewrites.
    """
    import numpy as np

    tags = tagger.tag([text.input for text in texts])
    best_scores = {}
    for axis in tagger.axes:
        rows = [
            (tag.replace, counts[REPLACE], sum(counts))
            for text, text_tags in zip(texts, tags, strict=True)
            if text.input.axis == axis
            for tag, counts in zip(text_tags, text.counts, strict=True)
        ]
        if rows:
            chances, replaced, people = np.array(rows).T
            scores = [_axis_score(t, chances >= t, replaced, people) for t in _THRESHOLDS]
            best_scores[axis] = max(scores, key=lambda score: score.f1)
    return best_scores


def _axis_score(threshold: float, tagged: Any, replaced: Any, people: Any) -> AxisScore:
    agreed, all_tagged = float(replaced[tagged].sum()), float(people[tagged].sum())
    all_replaced = float(replaced.sum())
    return AxisScore(
        threshold,
        precision=agreed / max(1.0, all_tagged),
        recall=agreed / max(1.0, all_replaced),
        f1=2 * agreed / (all_tagged + all_replaced) if all_tagged + all_replaced else 0.0,
    )


class _Trainer:
    """Windows in batches of like length; the rate rises, then falls linearly."""

    def __init__(self, tagger: EditTagger, settings: TaggerSettings) -> None:
        self.tagger = tagger
        self.settings = settings
        self.generator = Random(settings.seed)  # noqa: S311 - not for secrets

    def train(
        self,
        train: Sequence[LabelledText],
        held_out: Sequence[LabelledText],
        on_epoch: OnTaggerEpoch,
    ) -> tuple[list[TaggerEpoch], TaggerEpoch]:
        """All epochs, and the best one."""
        settings = self.settings
        windows = [
            (window, [text.counts[word] for _, word in window.places])
            for text in train
            for window in self.tagger.windows(text.input)
            if window.places
        ]
        updates = ceil(len(windows) / settings.batch_size) * settings.epochs
        loop = TrainingLoop[Sequence[_CountedWindow], TaggerEpoch].of(
            self.tagger.model,
            lambda batch: (self._loss(batch), 1),
            settings,
            warmup_rate(ceil(settings.warmup * updates), updates, "linear"),
        )

        def run_epoch(number: int) -> TaggerEpoch:
            began = time.monotonic()
            self.tagger.model.train()
            loss = loop.train(self._batches(windows))
            scores = axis_scores(self.tagger, held_out)
            check_finite(number, loss, 0.0)
            return TaggerEpoch(number, loss, scores, round(time.monotonic() - began, 2))

        numbers = range(1, settings.epochs + 1)
        best = loop.run(numbers, run_epoch, lambda epoch: epoch.f1, on_epoch=on_epoch)
        return loop.history, best

    def _batches(self, windows: list[_CountedWindow]) -> list[Sequence[_CountedWindow]]:
        """Batches of windows of like length, in random order."""
        self.generator.shuffle(windows)
        batches: list[Sequence[_CountedWindow]] = []
        for pool in chunked(windows, _POOL * self.settings.batch_size):
            by_length = sorted(pool, key=lambda counted: len(counted[0].tokens))
            batches += chunked(by_length, self.settings.batch_size)
        self.generator.shuffle(batches)
        return batches

    def _loss(self, batch: Sequence[_CountedWindow]) -> Any:
        """Mean cross entropy over the words of all people's rewrites."""
        import torch

        logits = self.tagger.logits([window for window, _ in batch])
        rows = [row for row, (window, _) in enumerate(batch) for _ in window.places]
        tokens = [token for window, _ in batch for token, _ in window.places]
        counts = torch.tensor(
            [word_counts for _, counts in batch for word_counts in counts],
            dtype=torch.float,
            device=logits.device,
        )
        chosen = logits[rows, tokens].log_softmax(-1)
        return -(counts * chosen).sum() / counts.sum()


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
    used = sum(sum(text.counts[0]) for part in labelled for text in part if text.counts)
    return *labelled, len(train) + len(held_out) - used


class LabelledText(NamedTuple):
    """An input, and how many people gave each word of the text each label."""

    input: TaggerInput
    counts: tuple[Counts, ...]


def edit_labels(text: str, rewrite: str) -> list[int]:
    """A label for each word of ``text``; case and punctuation do not count.

    >>> edit_labels("His wife left.", "His young wife left"), edit_labels("He left.", "She left")
    ([0, 2, 0], [1, 0])
    """
    before, after = _comparable(text), _comparable(rewrite)
    first = 0
    while first < min(len(before), len(after)) and before[first] == after[first]:
        first += 1
    last = 0
    while last < min(len(before), len(after)) - first and before[-1 - last] == after[-1 - last]:
        last += 1
    labels = [KEEP] * len(before)
    changed = before[first : len(before) - last], after[first : len(after) - last]
    for kind, start, end, _, _ in SequenceMatcher(None, *changed, autojunk=False).get_opcodes():
        if kind == "insert" and first + start < len(before):
            labels[first + start] = INSERT
        elif kind in {"replace", "delete"}:
            labels[first + start : first + end] = [REPLACE] * (end - start)
    return labels


def labelled_texts(pairs: Iterable[PerturberPair]) -> list[LabelledText]:
    """The pairs by what was asked; rewrites of several people are counted together.

    The place of the selected word is not in the data: its first occurrence is taken. Pairs whose
    word is not in the text, or whose attribute is on no bundled axis, are left out.
    """
    axes = {name: axis for axis in BUNDLED for name in read_axis(axis).attributes}
    asked: dict[TaggerInput, list[list[int]]] = {}
    for pair in pairs:
        start = first_occurrence(pair.original, pair.selected_word)
        axis = axes.get(pair.target_attribute)
        if start is None or axis is None:
            continue
        end = start + len(pair.selected_word)
        key = TaggerInput(pair.original, start, end, axis, pair.target_attribute)
        asked.setdefault(key, []).append(edit_labels(pair.original, pair.perturbed))
    return [
        LabelledText(
            request,
            tuple(
                (labels.count(KEEP), labels.count(REPLACE), labels.count(INSERT))
                for labels in zip(*rewrites, strict=True)
            ),
        )
        for request, rewrites in asked.items()
    ]


def first_occurrence(text: str, word: str) -> int | None:
    """Where a word first stands as a whole word, or within one.

    >>> first_occurrence("The man saw her.", "he"), first_occurrence("The man saw her.", "man")
    (1, 4)
    """
    whole = (start for start, end in word_spans(text) if text[start:end] in {word, f"{word}'s"})
    start = next(whole, text.find(word))
    return None if start < 0 else start


def _comparable(text: str) -> list[str]:
    return [text[start:end].casefold().replace("\u2019", "'") for start, end in word_spans(text)]
