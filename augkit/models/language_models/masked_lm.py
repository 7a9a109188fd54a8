"""Masked language models: the log-probability of tokens at masked positions.

Equal sequences are read once, sequences of similar length are batched, and the vocabulary head, a
third of a small model's work, is computed at the queried positions alone, as is the last layer
after its attention where the model is built like BERT. The answers are fetched from a GPU once, so
that it computes while the next batch is made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from augkit.core.arrays import Floats
from augkit.core.errors import BackendFailed, ConfigError
from augkit.core.model_types import Encoded, Masked
from augkit.models.precision import Precision, float32_products, supports
from augkit.models.pretrained import load_checkpoint
from augkit.models.token_batches import (
    batch_tokens,
    check_length,
    length_batches,
    max_positions,
    padded,
    padded_inputs,
    sent,
    token_ids,
)

if TYPE_CHECKING:
    import torch

_LIKE_BERT = frozenset({"bert", "roberta", "xlm-roberta", "camembert", "electra"})
"""Kinds of model whose last layer is attention and then something that sees single positions."""


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

    def encode(self, texts: Sequence[str], following: Sequence[str] | None = None) -> list[Encoded]:
        """The tokens of each text, or of each text and the one that follows it."""
        if not texts:
            return []
        pairs = None if following is None else list(following)
        read = self.tokenizer(list(texts), pairs, return_token_type_ids=True)
        special = set(self.tokenizer.all_special_ids)
        longest = max_positions(self.model.config)
        encoded = []
        for text, ids, segments in zip(
            texts, read["input_ids"], read["token_type_ids"], strict=True
        ):
            check_length(ids, longest, text)
            encoded.append(
                Encoded(tuple(ids), tuple(segments), tuple(map(special.__contains__, ids)))
            )
        return encoded

    def word_pieces(self, words: Sequence[str]) -> list[tuple[int, ...]]:
        """The tokens of each word inside a sentence."""
        read = token_ids(self.tokenizer, words, add_special_tokens=False)
        return [tuple(ids) for ids in read]

    def log_probabilities(self, queries: Sequence[Masked]) -> Floats:
        """Ln p(token | the rest of the sequence) for each query: float[queries]."""
        import numpy as np
        import torch

        if not queries:
            return np.empty(0)
        numbers: dict[tuple[tuple[int, ...], tuple[int, ...]], list[int]] = {}
        for number, query in enumerate(queries):
            numbers.setdefault((query.ids, query.segments), []).append(number)
        sequences = list(numbers)
        of_sequence = list(numbers.values())
        order: list[int] = []
        answers = []
        for batch in length_batches([len(ids) for ids, _ in sequences], batch_tokens(self.model)):
            asked = [number for row in batch for number in of_sequence[row]]
            rows = [at for at, row in enumerate(batch) for _ in of_sequence[row]]
            answers.append(
                self._pass(
                    [sequences[row] for row in batch], rows, [queries[number] for number in asked]
                )
            )
            order += asked
        log_p = np.empty(len(queries))
        log_p[order] = torch.cat(answers).double().cpu().numpy()
        return log_p

    def _pass(
        self,
        sequences: Sequence[tuple[tuple[int, ...], tuple[int, ...]]],
        rows: Sequence[int],
        queries: Sequence[Masked],
    ) -> torch.Tensor:
        """One batch through the model: float[queries], still on the device."""
        import torch

        device = self.model.device
        ids, segments = zip(*sequences, strict=True)
        inputs = padded_inputs(ids, self.tokenizer.pad_token_id or 0, device)
        if getattr(self.model.config, "type_vocab_size", 0) > 1:
            inputs["token_type_ids"] = padded(segments, 0, device)
        at = torch.tensor([rows, [query.position for query in queries]])
        tokens = sent(torch.tensor([query.token for query in queries]), device)
        encoder = self.model.base_model
        with (
            torch.inference_mode(),
            _rounded(encoder, self.precision),
            _heads_at(encoder, tuple(sent(at, device))),
        ):
            logits = self.model(**inputs).logits
            if logits.shape[:2] != (1, len(queries)):
                raise BackendFailed(
                    f"{type(self.model).__name__}: its head cannot be computed at single positions"
                )
            answers: torch.Tensor = logits[0].gather(1, tokens[:, None])[:, 0]
            answers -= logits[0].logsumexp(1)
        return answers


def open_masked(name: str, precision: Precision = "float32") -> MaskedLanguageModel:
    """Load a masked language model from a folder or the hub; another kind of model is an error.

    Where the device does not support the precision, the model computes in float32.
    """
    model, tokenizer = load_checkpoint(name, "masked")
    if not supports(precision, model.device.type):
        precision = "float32"
    if tokenizer.mask_token_id is None:
        raise ConfigError(f"{name}: its tokenizer has no mask token, so nothing can be masked")
    return MaskedLanguageModel(model, tokenizer, precision)


@contextmanager
def _heads_at(encoder: Any, places: tuple[torch.Tensor, ...]) -> Iterator[None]:
    """The encoder returns only these places of its output, as one sequence: [1, queries, width].

    A vocabulary head sees one position at a time, so its output there is what it would be among
    all the others. So does what follows the attention of a layer.
    """

    def keep_states(_module: Any, _args: Any, output: Any) -> Any:
        output["last_hidden_state"] = output["last_hidden_state"][places][None]
        return output

    def keep_attended(_module: Any, _args: Any, output: Any) -> Any:
        return (output[0][places][None], *output[1:])

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
    """The encoder, not the head, computes in tf32 or bfloat16 where that is the precision."""
    if precision == "float32":
        yield
        return
    import torch

    rounding = ExitStack()

    def enter(_module: Any, _args: Any) -> None:
        if precision == "tf32":
            rounding.enter_context(float32_products("high"))
        else:
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
        rounding.close()
        for hook in hooks:
            hook.remove()
