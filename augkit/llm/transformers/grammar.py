"""Constrained decoding: which tokens can follow, given a JSON schema. Needs ``llguidance``."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import Tensor

LAYOUT: Any = {"whitespace_flexible": False, "key_separator": ": ", "item_separator": ", "}
"""As ``json.dumps`` writes; free white space invites endless runs of it."""


class Grammars:
    """Compiles schemas for one tokenizer; no matchers where ``llguidance`` is not installed."""

    def __init__(self, tokenizer: Any, vocabulary: int, ends: Sequence[int]) -> None:
        """Read the vocabulary of a tokenizer that has a Rust back end."""
        # A tokenizer may have tokens that the model does not know, or fewer than it has scores.
        self._vocabulary = max(vocabulary, len(tokenizer))
        self._tokens = _read_vocabulary(tokenizer, self._vocabulary, ends)
        self._executor: Any = None
        if self._tokens is not None:
            from llguidance import LLExecutor

            self._executor = LLExecutor()  # computes the masks of many matchers on all cores
        self._compiled = lru_cache(maxsize=256)(self._compile)

    def matcher(self, schema: dict[str, Any]) -> Any:
        """A fresh matcher for an answer; None where answers cannot be constrained."""
        compiled = None if self._tokens is None else self._compiled(json.dumps(schema))
        return None if compiled is None else compiled.deep_copy()

    def bitmask(self, matchers: Sequence[Any]) -> Tensor:
        """The tokens that each matcher allows: int32[rows, tokens / 32]; None allows all."""
        import torch

        words = (self._vocabulary + 31) // 32
        bits = torch.full((len(matchers), words), -1, dtype=torch.int32)
        used = [(matcher, row) for row, matcher in enumerate(matchers) if matcher is not None]
        if used:
            self._executor.unsafe_compute_mask_ptr(used, bits.data_ptr(), 4 * words, len(matchers))
        return bits

    def _compile(self, schema: str) -> Any:
        from llguidance import LLMatcher

        grammar = LLMatcher.grammar_from_json_schema(schema, overrides=LAYOUT)
        matcher = LLMatcher(self._tokens, grammar, log_level=0)
        if matcher.is_error():
            logging.getLogger(__name__).warning(
                "this JSON schema cannot be enforced while decoding (%s); answers are checked "
                "afterwards: %s",
                *(matcher.get_error().splitlines()[0], schema[:200]),
            )
            return None
        return matcher


def _read_vocabulary(tokenizer: Any, vocabulary: int, ends: Sequence[int]) -> Any:
    backend: Any = getattr(tokenizer, "backend_tokenizer", None)
    try:
        from llguidance import LLTokenizer

        return LLTokenizer(backend.to_str(), n_vocab=vocabulary, eos_token=list(ends))
    except (ImportError, AttributeError, ValueError) as error:
        logging.getLogger(__name__).warning(
            "answers in JSON are not enforced while decoding (%s); they are checked afterwards. "
            "For the former, install augkit[local-llm] and use a model with a fast tokenizer",
            error,
        )
        return None
