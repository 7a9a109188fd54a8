"""Sequence-to-sequence models on this machine: greedy or beam decoding."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from augkit.core.errors import ConfigError
from augkit.models.pretrained import load_pretrained, to_best_device
from augkit.models.token_batches import longest_first

if TYPE_CHECKING:
    from torch import Tensor

_ROOM = 16
"""Tokens that an output may have over twice those of its input, so that short ones can grow."""


class Generation(NamedTuple):
    """The output of a model, or the reason why it cannot be used."""

    text: str
    fault: str = ""


class Seq2Seq:
    """A model and its tokenizer; threads take turns.

    The model's own generation settings are ignored: those of BART forbid repeated trigrams and
    hide that an output was truncated.
    """

    def __init__(self, model: Any, tokenizer: Any) -> None:
        """Use a model and its tokenizer, which pads to the right."""
        if tokenizer.eos_token_id is None or tokenizer.pad_token_id is None:
            raise ConfigError(
                "this tokenizer has no EOS or no padding token, so the model cannot generate: "
                "set eos_token and pad_token, and save it again"
            )
        self.model = model
        self.tokenizer = tokenizer
        self._lock = threading.Lock()
        self.model.generation_config = _plain_generation(model, tokenizer)
        most: int = tokenizer.model_max_length
        self._context = min(getattr(model.config, "max_position_embeddings", None) or most, most)

    def write(self, texts: Sequence[str], beams: int = 1, batch_size: int = 32) -> list[Generation]:
        """One output per text, in order: greedy, or the best of some beams."""
        tokens = [self.tokenizer(text)["input_ids"] for text in texts]
        outputs = [
            Generation("", f"{len(ids)} tokens, and the model takes {self._context}")
            if len(ids) > self._context
            else Generation("")
            for ids in tokens
        ]
        fitting = [row for row, output in enumerate(outputs) if not output.fault]
        for batch in longest_first([len(tokens[row]) for row in fitting], batch_size):
            rows = [fitting[number] for number in batch]
            with self._lock:
                generated = self._generate([tokens[row] for row in rows], beams)
            for row, ids in zip(rows, generated, strict=True):
                outputs[row] = self._read(ids, self._limit(tokens[row]))
        return outputs

    def _limit(self, ids: Sequence[int]) -> int:
        return min(2 * len(ids) + _ROOM, self._context - 1)

    def _generate(self, batch: Sequence[list[int]], beams: int) -> list[list[int]]:
        import torch

        padded = self.tokenizer.pad({"input_ids": list(batch)}, return_tensors="pt")
        self.model.eval()
        with torch.inference_mode():
            output: Tensor = self.model.generate(
                input_ids=padded["input_ids"].to(self.model.device),
                attention_mask=padded["attention_mask"].to(self.model.device),
                max_new_tokens=max(map(self._limit, batch)),
                num_beams=beams,
                do_sample=False,
            )
        return [row[1:] for row in output.tolist()]

    def _read(self, output: list[int], limit: int) -> Generation:
        """The text up to the EOS token, which must come within the row's own limit."""
        end = self.tokenizer.eos_token_id
        if end not in output[:limit]:
            return Generation("", f"the output did not end within {limit} tokens")
        special = {self.tokenizer.bos_token_id, self.tokenizer.pad_token_id}
        ids = [token for token in output[: output.index(end)] if token not in special]
        # Separators can be special tokens, so none but these may be skipped.
        text: str = self.tokenizer.decode(
            ids, skip_special_tokens=False, clean_up_tokenization_spaces=False
        )
        return Generation(text.strip())


def load_seq2seq(name: str) -> Seq2Seq:
    """The model in a folder, or with that name on the hub, on the GPU where there is one."""
    purpose = f"the sequence-to-sequence model '{name}'"
    model, tokenizer = load_pretrained(name, "AutoModelForSeq2SeqLM", purpose)
    return Seq2Seq(to_best_device(model), tokenizer)


def _plain_generation(model: Any, tokenizer: Any) -> Any:
    from transformers import GenerationConfig

    settings = model.generation_config
    start = settings.decoder_start_token_id
    return GenerationConfig(
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        decoder_start_token_id=model.config.decoder_start_token_id if start is None else start,
        forced_bos_token_id=settings.forced_bos_token_id,
    )
