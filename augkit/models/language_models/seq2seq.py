"""Sequence-to-sequence models on this machine: text in, text out, the likeliest one."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from augkit.core.errors import ConfigError, MissingExtra
from augkit.core.pretrained import checked_name, opened

if TYPE_CHECKING:
    from torch import Tensor

_ROOM = 16
"""Tokens that an answer may have over twice those of its text, so that short ones can grow."""


class Written(NamedTuple):
    """What a model wrote, or the reason why that cannot be used."""

    text: str
    fault: str = ""


class Seq2Seq:
    """A model and its tokenizer; threads take turns.

    The model's own settings for generation are left aside: those of BART forbid to say three words
    twice and hide that an answer was cut.
    """

    def __init__(self, model: Any, tokenizer: Any) -> None:
        """Use a model and its tokenizer, which pads to the right."""
        if tokenizer.eos_token_id is None or tokenizer.pad_token_id is None:
            raise ConfigError(
                "this tokenizer has no end sign or no padding sign, so the model cannot write: "
                "set eos_token and pad_token, and save it again"
            )
        self.model = model
        self.tokenizer = tokenizer
        self._lock = threading.Lock()
        self.model.generation_config = _plain_generation(model, tokenizer)
        self._context = _context(model, tokenizer)

    def write(self, texts: Sequence[str], beams: int = 1, batch_size: int = 32) -> list[Written]:
        """One answer per text, in order: greedy, or the best of some beams."""
        tokens = [self.tokenizer(text)["input_ids"] for text in texts]
        written = [self._too_long(ids) for ids in tokens]
        fitting = [place for place, refused in enumerate(written) if not refused.fault]
        for places in _batches(fitting, tokens, batch_size):
            with self._lock:
                outputs = self._draw([tokens[place] for place in places], beams)
            for place, output in zip(places, outputs, strict=True):
                written[place] = self._read(output, self._limit(tokens[place]))
        return written

    def _too_long(self, ids: Sequence[int]) -> Written:
        if len(ids) <= self._context:
            return Written("")
        return Written("", f"{len(ids)} tokens, and the model takes {self._context}")

    def _limit(self, ids: Sequence[int]) -> int:
        return min(2 * len(ids) + _ROOM, self._context - 1)

    def _draw(self, batch: Sequence[list[int]], beams: int) -> list[list[int]]:
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

    def _read(self, output: list[int], limit: int) -> Written:
        """The text up to the end sign, which must come within the row's own limit."""
        end = self.tokenizer.eos_token_id
        if end not in output[:limit]:
            return Written("", f"the answer did not end within {limit} tokens")
        signs = {self.tokenizer.bos_token_id, self.tokenizer.pad_token_id}
        ids = [token for token in output[: output.index(end)] if token not in signs]
        # Separators can be special tokens, so none but these may be skipped.
        text: str = self.tokenizer.decode(
            ids, skip_special_tokens=False, clean_up_tokenization_spaces=False
        )
        return Written(text.strip())


def load_seq2seq(name: str) -> Seq2Seq:
    """The model in a folder, or with that name on the hub, on the GPU where there is one."""
    checked = checked_name(name)
    try:
        import torch
        import transformers
    except ImportError as error:
        raise MissingExtra("nn", f"the sequence-to-sequence model '{name}'") from error

    def load(name: str, local_only: bool) -> tuple[Any, Any]:
        tokenizer = transformers.AutoTokenizer.from_pretrained(
            name, padding_side="right", local_files_only=local_only
        )
        model = transformers.AutoModelForSeq2SeqLM.from_pretrained(
            name,
            dtype=torch.float32,  # weights saved in half precision could not be trained further
            local_files_only=local_only,
        )
        return model, tokenizer

    model, tokenizer = opened(checked, load)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    return Seq2Seq(model.to(device).eval(), tokenizer)


def _plain_generation(model: Any, tokenizer: Any) -> Any:
    from transformers import GenerationConfig

    own = model.generation_config
    start = own.decoder_start_token_id
    return GenerationConfig(
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        decoder_start_token_id=model.config.decoder_start_token_id if start is None else start,
        forced_bos_token_id=own.forced_bos_token_id,
    )


def _context(model: Any, tokenizer: Any) -> int:
    """The most tokens that the model reads."""
    told: int = tokenizer.model_max_length
    return min(getattr(model.config, "max_position_embeddings", None) or told, told)


def _batches(
    places: Sequence[int], tokens: Sequence[Sequence[int]], size: int
) -> Iterator[list[int]]:
    """Places in batches of texts of similar length, the longest first."""
    order = sorted(places, key=lambda place: -len(tokens[place]))
    return (order[start : start + size] for start in range(0, len(order), size))
