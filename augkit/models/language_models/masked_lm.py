"""Masked language models: the log-probability of tokens at masked positions.

Equal sequences are read once, sequences of similar length are batched, and the vocabulary head, a
third of a small model's work, is computed at the queried positions alone, as is the last layer
after its attention where the model is built like BERT.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

from augkit.core.arrays import Floats
from augkit.core.errors import BackendFailed, ConfigError
from augkit.core.model_types import Encoded, Masked
from augkit.models.pretrained import load_checkpoint
from augkit.models.token_batches import (
    batch_tokens,
    check_length,
    length_batches,
    max_positions,
    padded,
    padded_inputs,
)

Precision = Literal["float32", "bfloat16"]
"""What the encoder multiplies: bfloat16 is several times as fast where the hardware supports it,
and moves a log-probability by some thousandths to hundredths."""

_LIKE_BERT = frozenset({"bert", "roberta", "xlm-roberta", "camembert", "electra"})
"""Kinds of model whose last layer is attention and then something that sees single positions."""

_BFLOAT16_UNITS = ("avx512_bf16", "amx_bf16", "bf16", "sve_bf16")
"""Names of torch for the instructions of x86 and of ARM processors that multiply bfloat16."""


@dataclass(frozen=True)
class MaskedLanguageModel:
    """A loaded model; satisfies ``protocols.MaskedModel``."""

    model: Any
    tokenizer: Any
    precision: Precision = "float32"

    @property
    def exact(self) -> MaskedLanguageModel:
        """The same weights in float32; itself where that is what it computes in."""
        return self if self.precision == "float32" else replace(self, precision="float32")

    @property
    def mask(self) -> int:
        """The mask token."""
        return int(self.tokenizer.mask_token_id)

    def encode(self, text: str, second: str | None = None) -> Encoded:
        """The tokens of a text, or of a text and the one that follows it."""
        encoded = self.tokenizer(text, second, return_token_type_ids=True)
        ids = tuple(encoded["input_ids"])
        check_length(ids, max_positions(self.model.config), text)
        special = self.tokenizer.get_special_tokens_mask(ids, already_has_special_tokens=True)
        return Encoded(ids, tuple(encoded["token_type_ids"]), tuple(map(bool, special)))

    def word_pieces(self, word: str) -> tuple[int, ...]:
        """The tokens of a word inside a sentence."""
        return tuple(self.tokenizer(word, add_special_tokens=False)["input_ids"])

    def log_probabilities(self, queries: Sequence[Masked]) -> Floats:
        """Ln p(token | the rest of the sequence) for each query: float[queries]."""
        import numpy as np

        numbers: dict[tuple[tuple[int, ...], tuple[int, ...]], list[int]] = {}
        for number, query in enumerate(queries):
            numbers.setdefault((query.ids, query.segments), []).append(number)
        sequences, of_sequence = list(numbers), list(numbers.values())
        log_p = np.empty(len(queries))
        for batch in length_batches([len(ids) for ids, _ in sequences], batch_tokens(self.model)):
            wanted = [number for row in batch for number in of_sequence[row]]
            rows = [at for at, row in enumerate(batch) for _ in of_sequence[row]]
            log_p[wanted] = self._pass(
                [sequences[row] for row in batch], rows, [queries[number] for number in wanted]
            )
        return log_p

    def _pass(
        self,
        sequences: Sequence[tuple[tuple[int, ...], tuple[int, ...]]],
        rows: Sequence[int],
        queries: Sequence[Masked],
    ) -> Floats:
        """One batch through the model: float[queries]."""
        import numpy as np
        import torch

        device = self.model.device
        ids, segments = zip(*sequences, strict=True)
        inputs = padded_inputs(ids, self.tokenizer.pad_token_id or 0, device)
        if getattr(self.model.config, "type_vocab_size", 0) > 1:
            inputs["token_type_ids"] = padded(segments, 0, device)
        positions = [query.position for query in queries]
        tokens = torch.tensor([query.token for query in queries], device=device)
        encoder = self.model.base_model
        with (
            torch.inference_mode(),
            _rounded(encoder, self.precision),
            _heads_at(encoder, rows, positions),
        ):
            logits = self.model(**inputs).logits
            if logits.shape[:2] != (1, len(queries)):
                raise BackendFailed(
                    f"{type(self.model).__name__}: its head cannot be computed at single positions"
                )
            chosen = logits[0].gather(1, tokens[:, None])[:, 0] - logits[0].logsumexp(1)
        return np.asarray(chosen.double().cpu().numpy())


@cache
def supports_bfloat16(device: str) -> bool:
    """Whether a kind of device has units for bfloat16; elsewhere it would only be slower.

    Without them torch computes in float32 and rounds, or warns: this is tested with a small product
    where torch is too old to name the units of a CPU.
    """
    import torch

    if device == "cpu" and hasattr(torch.cpu, "get_capabilities"):
        units = torch.cpu.get_capabilities()
        return any(units.get(name) for name in _BFLOAT16_UNITS)
    factor = torch.ones(64, 64, device=device)
    with warnings.catch_warnings(), torch.autocast(device, torch.bfloat16):
        warnings.simplefilter("error")
        try:
            torch.nn.functional.linear(factor, factor)
        except (RuntimeError, UserWarning):
            return False
    return True


def open_masked(name: str, precision: Precision = "float32") -> MaskedLanguageModel:
    """Load a masked language model from a folder or the hub; another kind of model is an error.

    Where the device does not support ``bfloat16``, the model computes in float32.
    """
    model, tokenizer = load_checkpoint(name, "masked")
    if precision == "bfloat16" and not supports_bfloat16(model.device.type):
        precision = "float32"
    if tokenizer.mask_token_id is None:
        raise ConfigError(f"{name}: its tokenizer has no mask token, so nothing can be masked")
    return MaskedLanguageModel(model, tokenizer, precision)


@contextmanager
def _heads_at(encoder: Any, rows: Sequence[int], positions: Sequence[int]) -> Iterator[None]:
    """The encoder returns only these positions of its output, as one sequence: [1, queries, width].

    A vocabulary head sees one position at a time, so its output there is what it would be among
    all the others. So does what follows the attention of a layer.
    """

    def keep_states(_module: Any, _args: Any, output: Any) -> Any:
        output["last_hidden_state"] = output["last_hidden_state"][rows, positions][None]
        return output

    def keep_attended(_module: Any, _args: Any, output: Any) -> Any:
        return (output[0][rows, positions][None], *output[1:])

    if encoder.config.model_type in _LIKE_BERT:
        hook = encoder.encoder.layer[-1].attention.register_forward_hook(keep_attended)
    else:
        hook = encoder.register_forward_hook(keep_states)
    try:
        yield
    finally:
        hook.remove()


@contextmanager
def _rounded(encoder: Any, precision: Precision) -> Iterator[None]:
    """The encoder, not the head, computes in bfloat16 where that is the precision."""
    if precision == "float32":
        yield
        return
    import torch

    rounding = ExitStack()

    def enter(_module: Any, _args: Any) -> None:
        rounding.enter_context(torch.autocast(encoder.device.type, torch.bfloat16))

    def leave(_module: Any, _args: Any, output: Any) -> Any:
        rounding.close()
        output["last_hidden_state"] = output["last_hidden_state"].float()
        return output

    hooks = [
        encoder.register_forward_pre_hook(enter),
        encoder.register_forward_hook(leave),
    ]
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()
