"""Training the PANDA perturber: a sequence-to-sequence model fine-tuned on pairs.

Qian et al. (2022), *Perturbation Augmentation for Fairer NLP*, section 4 and appendix F.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from math import ceil
from pathlib import Path
from random import Random
from typing import Any

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from augkit.core.config import StrictModel
from augkit.core.errors import DataError
from augkit.models.language_models.seq2seq import Seq2Seq, load_seq2seq
from augkit.models.training import (
    IGNORED,
    Decay,
    TrainingLoop,
    check_finite,
    check_output,
    chunked,
    import_torch,
    save_trained,
    warmup_rate,
)
from augkit.text.json_lines import read_json_lines

SEGMENT_SEP = " <SEP> "
"""Between the segments of a text."""
PERT_SEP = " <PERT_SEP> "
"""Between the selected word with its target attribute and the text."""


class PerturberPair(BaseModel):
    """A row of PANDA: a text, a word of it, the attribute it gets, and the text after that.

    The columns may also be called text, word, target and rewrite.
    """

    model_config = ConfigDict(extra="ignore", frozen=True, populate_by_name=True)

    original: str = Field(min_length=1, validation_alias=AliasChoices("original", "text"))
    selected_word: str = Field(min_length=1, validation_alias=AliasChoices("selected_word", "word"))
    target_attribute: str = Field(
        min_length=1, validation_alias=AliasChoices("target_attribute", "target")
    )
    perturbed: str = Field(min_length=1, validation_alias=AliasChoices("perturbed", "rewrite"))

    @property
    def source(self) -> str:
        """What the model reads."""
        return perturber_input(self.selected_word, self.target_attribute, self.original)


class PerturberSettings(StrictModel):
    """How to train; the defaults are those of the paper's Table 10 where it gives them.

    The paper is silent on the number of epochs, the longest text, what is held out and which
    schedule its "learning rate decay 0.01" belongs to. It is read here as the plateau schedule,
    the default of the library it used: the rate is multiplied by it when the validation loss has
    stalled.
    """

    batch_size: int = Field(64, ge=1, description="inputs per update")
    weight_decay: float = Field(0.01, ge=0)
    held_out: float = Field(0.05, ge=0, lt=1, description="share of the texts to validate on")
    validation: Path | None = Field(
        None, description="a file of pairs to validate on, instead of holding some out"
    )
    seed: int = 0
    learning_rate: float = Field(1e-5, gt=0)
    warmup_updates: int = Field(1200, ge=0, description="the rate grows linearly up to here")
    patience: int = Field(10, ge=1, description="epochs without a better loss before it stops")
    rate_decay: float = Field(0.01, gt=0, le=1, description="factor on the rate at a plateau")
    rate_patience: int = Field(3, ge=1, description="epochs without a better loss before that")
    epsilon: float = Field(1e-8, gt=0, description="Adam's ε")
    betas: tuple[float, float] = Field((0.9, 0.999), description="Adam's β₁ and β₂")
    clip: float = Field(0.1, gt=0, description="longest gradient")
    epochs: int = Field(40, ge=1, description="at most; not in the paper")
    max_tokens: int = Field(512, ge=8, description="longer pairs are left out; not in the paper")
    decay: Decay = Field(
        "none", description="linear: after the warm-up the rate falls to 0 at the last epoch"
    )


@dataclass(frozen=True, slots=True)
class PerturberEpoch:
    """The mean loss per token of one epoch, in nats."""

    number: int
    train_loss: float
    validation_loss: float
    learning_rate: float

    def __str__(self) -> str:
        """For messages."""
        losses = f"loss {self.train_loss:.4f}, on validation {self.validation_loss:.4f}"
        return f"epoch {self.number}: {losses}"


@dataclass(frozen=True, slots=True)
class PerturberTraining:
    """All epochs, the one whose weights were kept, and the counts of pairs."""

    epochs: tuple[PerturberEpoch, ...]
    best: int
    trained_on: int
    validated_on: int
    too_long: int

    def __str__(self) -> str:
        """For messages."""
        counts = f"{self.trained_on} pairs, {self.too_long} too long"
        return f"epoch {self.best} of {len(self.epochs)} is kept ({counts})"


_TokenPair = tuple[list[int], list[int]]
"""The tokens of what the model reads, and of what it should write."""
OnPerturberEpoch = Callable[[PerturberEpoch], None]


def perturber_input(word: str, attribute: str, text: str) -> str:
    """The input of the released model; the paper's text leaves out the comma.

    >>> perturber_input("He", "woman", "He lost his keys.")
    'He, woman <PERT_SEP> He lost his keys.'
    """
    return f"{word}, {attribute}{PERT_SEP}{text}"


def read_pairs(path: Path) -> list[PerturberPair]:
    """The pairs of a JSON Lines file; other columns are ignored."""
    pairs = [pair for _, pair in read_json_lines(path, PerturberPair)]
    if not pairs:
        raise DataError(f"{path}: there are no pairs in it")
    return pairs


def train_perturber(
    pairs: Sequence[PerturberPair],
    base_model: str,
    out: Path,
    settings: PerturberSettings | None = None,
    on_epoch: OnPerturberEpoch = lambda _: None,
) -> PerturberTraining:
    """Fine-tune ``base_model`` on pairs and save the best epoch's model and tokenizer in ``out``.

    The loss is the mean cross entropy per token of the perturbed text. Where no pairs are left to
    validate on, the training loss decides which epoch is the best.
    """
    settings = settings or PerturberSettings()
    check_output(out)
    if settings.validation:
        train = list(pairs)
        held_out = read_pairs(settings.validation)
    else:
        train, held_out = split_pairs(pairs, settings.held_out, settings.seed)
    torch = import_torch("training a perturber")
    model = load_seq2seq(base_model)
    with torch.random.fork_rng():
        torch.manual_seed(settings.seed)
        # Both separators become one token each, as in the released model.
        separators = [PERT_SEP.strip(), SEGMENT_SEP.strip()]
        if model.tokenizer.add_tokens(separators, special_tokens=True):
            model.model.resize_token_embeddings(len(model.tokenizer), mean_resizing=False)
        training = _Trainer(model, settings).train(train, held_out, on_epoch)
    record = {"settings": settings.model_dump(mode="json"), "base_model": base_model}
    save_trained(model.model, model.tokenizer, out, record | asdict(training))
    return training


class _Trainer:
    """Warm-up, a lower rate at a plateau, early stopping."""

    def __init__(self, seq2seq: Seq2Seq, settings: PerturberSettings) -> None:
        self.model = seq2seq.model
        self.tokenizer = seq2seq.tokenizer
        self.settings = settings

    def train(
        self,
        train: Sequence[PerturberPair],
        held_out: Sequence[PerturberPair],
        on_epoch: OnPerturberEpoch,
    ) -> PerturberTraining:
        settings = self.settings
        train_tokens = self._tokens(train)
        held_out_tokens = self._tokens(held_out)
        if not train_tokens:
            raise DataError(f"no pair to train on: {len(train)} given, and none is short enough")
        generator = Random(settings.seed)  # noqa: S311 - not for secrets
        updates = ceil(len(train_tokens) / settings.batch_size) * settings.epochs
        rate = warmup_rate(settings.warmup_updates, updates, settings.decay)
        plateau = 1.0
        loop = TrainingLoop[Sequence[_TokenPair], PerturberEpoch].of(
            self.model,
            self._loss,
            settings,
            lambda update: plateau * rate(update),
            betas=settings.betas,
            eps=settings.epsilon,
        )

        def run_epoch(number: int) -> PerturberEpoch:
            nonlocal plateau
            if loop.stalled and loop.stalled % settings.rate_patience == 0:
                plateau *= settings.rate_decay
            generator.shuffle(train_tokens)
            self.model.train()
            train_loss = loop.train(chunked(train_tokens, settings.batch_size))
            self.model.eval()
            validation_loss = train_loss
            if held_out_tokens:
                validation_loss = loop.measure(chunked(held_out_tokens, settings.batch_size))
            check_finite(number, train_loss, validation_loss)
            last_rate = loop.optimizer.param_groups[0]["lr"]
            return PerturberEpoch(number, train_loss, validation_loss, last_rate)

        best = loop.run(
            range(1, settings.epochs + 1),
            run_epoch,
            lambda epoch: -epoch.validation_loss,
            patience=settings.patience,
            on_epoch=on_epoch,
        )
        used = len(train_tokens), len(held_out_tokens)
        left_out = len(train) + len(held_out) - sum(used)
        return PerturberTraining(tuple(loop.history), best.number, *used, left_out)

    def _tokens(self, pairs: Sequence[PerturberPair]) -> list[_TokenPair]:
        """The tokens of the pairs that are short enough."""
        tokens = [
            (self.tokenizer(pair.source)["input_ids"], self.tokenizer(pair.perturbed)["input_ids"])
            for pair in pairs
        ]
        return [pair for pair in tokens if max(map(len, pair)) <= self.settings.max_tokens]

    def _loss(self, pairs: Sequence[_TokenPair]) -> tuple[Any, int]:
        """The mean loss per token of the perturbed texts, and the number of their tokens."""
        sources, targets = zip(*pairs, strict=True)
        batch = self.tokenizer.pad({"input_ids": list(sources)}, return_tensors="pt")
        padded = self.tokenizer.pad({"input_ids": list(targets)}, return_tensors="pt")
        labels = padded["input_ids"].masked_fill(padded["attention_mask"] == 0, IGNORED)
        batch = {name: batch[name] for name in ("input_ids", "attention_mask")}
        batch = {name: tensor.to(self.model.device) for name, tensor in batch.items()}
        loss = self.model(**batch, labels=labels.to(self.model.device)).loss
        return loss, int((labels != IGNORED).sum())


def split_pairs(
    pairs: Sequence[PerturberPair], share: float, seed: int
) -> tuple[list[PerturberPair], list[PerturberPair]]:
    """Pairs to train on and a share to validate on; those of one text stay together."""
    texts = sorted({pair.original for pair in pairs})
    Random(seed).shuffle(texts)  # noqa: S311 - not for secrets
    chosen = set(texts[: int(share * len(texts))])
    train = [pair for pair in pairs if pair.original not in chosen]
    return train, [pair for pair in pairs if pair.original in chosen]
