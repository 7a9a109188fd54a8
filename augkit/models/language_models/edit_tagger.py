"""An encoder that says which words of a text change when a person becomes somebody else.

It reads ``word, attribute`` as the first segment and the text as the second; where the encoder
knows two kinds of segments, the second kind marks the selected word. Each axis has its own three
outputs (keep, replace, insert before). Texts beyond its window are read in overlapping windows,
and each word is read in the one whose edges are farthest away.
"""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from augkit.core.errors import ConfigError
from augkit.models.pretrained import load_pretrained, to_best_device
from augkit.models.token_batches import (
    batch_tokens,
    length_batches,
    max_positions,
    padded,
    padded_inputs,
)
from augkit.text.tokens import word_spans

if TYPE_CHECKING:
    from torch import Tensor

_PURPOSE = "an edit tagger is read with torch and transformers"
_MOST_TOKENS = 512
DEFAULT_THRESHOLD = 0.5
"""Where no held-out texts of an axis chose one."""
KEEP, REPLACE, INSERT = 0, 1, 2
LABELS = ("keep", "replace", "insert")
"""A word stays, is replaced or dropped, or stays and gets words before it."""


class TaggerInput(NamedTuple):
    """A text, the span of the selected word, and what the person should become."""

    text: str
    start: int
    end: int
    axis: str
    target: str

    @property
    def word(self) -> str:
        """The selected word."""
        return self.text[self.start : self.end]


class Window(NamedTuple):
    """A part of a text as the model reads it; ``places`` are (token, word) that are read here."""

    tokens: list[int]
    segments: list[int]
    axis: int
    places: list[tuple[int, int]]


class WordTag(NamedTuple):
    """A word of a text, and how likely it is replaced, and gets words before it."""

    start: int
    end: int
    replace: float
    insert: float


class EditTagger:
    """A token classifier and its tokenizer; threads take turns."""

    def __init__(self, model: Any, tokenizer: Any, name: str = "the model") -> None:
        """Use a model whose labels are ``axis:label`` for every axis that it knows."""
        labels = [model.config.id2label[number] for number in range(model.config.num_labels)]
        self.axes = tuple(axis for axis, _ in groupby(label.split(":")[0] for label in labels))
        if labels != output_names(self.axes):
            raise ConfigError(
                f"{name} is no edit tagger: its labels are {', '.join(labels[:4])} ... Train one "
                "with augkit train --model tagger:PATH"
            )
        self.model = model
        self.tokenizer = tokenizer
        self.thresholds: dict[str, float] = dict(getattr(model.config, "thresholds", None) or {})
        self._lock = threading.Lock()

    def threshold(self, axis: str) -> float:
        """The probability from which on a word of an axis changes: chosen on held-out texts."""
        return self.thresholds.get(axis, DEFAULT_THRESHOLD)

    def tag(self, inputs: Sequence[TaggerInput]) -> list[list[WordTag]]:
        """The words of each text with their probabilities, in order."""
        import torch

        spans = [word_spans(request.text) for request in inputs]
        tags = [[WordTag(*span, 0.0, 0.0) for span in of_text] for of_text in spans]
        windows = [(row, w) for row, request in enumerate(inputs) for w in self.windows(request)]
        lengths = [len(window.tokens) for _, window in windows]
        for batch in length_batches(lengths, batch_tokens(self.model)):
            with self._lock, torch.inference_mode():
                self.model.eval()
                logits = self.logits([windows[number][1] for number in batch])
            for number, values in zip(batch, logits.softmax(-1).tolist(), strict=True):
                row, window = windows[number]
                for token, word in window.places:
                    chances = values[token][REPLACE], values[token][INSERT]
                    tags[row][word] = WordTag(*spans[row][word], *chances)
        return tags

    def windows(self, request: TaggerInput) -> Iterator[Window]:
        """The input in windows; every word is read in one of them."""
        tokenizer = self.tokenizer
        head = tokenizer(f"{request.word}, {request.target}", add_special_tokens=False)["input_ids"]
        read = tokenizer(request.text, add_special_tokens=False, return_offsets_mapping=True)
        ids, offsets = read["input_ids"], read["offset_mapping"]
        first = _first_tokens(offsets, word_spans(request.text))
        begin, end = _special(tokenizer)
        before = [begin, *head, end]
        window = min(max_positions(self.model.config) or _MOST_TOKENS, _MOST_TOKENS)
        size = window - len(before) - 1
        for start, own_from, own_to in _parts(len(ids), size):
            part = range(start, min(len(ids), start + size))
            chosen = [request.start < offsets[t][1] and offsets[t][0] < request.end for t in part]
            places = [(len(before) + t - start, first[t]) for t in part if t in first]
            yield Window(
                [*before, *(ids[t] for t in part), end],
                [*[0] * len(before), *map(int, chosen), 0],
                self.axes.index(request.axis),
                [(t, w) for t, w in places if own_from <= t - len(before) + start < own_to],
            )

    def logits(self, windows: Sequence[Window]) -> Tensor:
        """The three outputs of each window's axis: float[windows, tokens, 3]."""
        import torch

        device = self.model.device
        tokens = [window.tokens for window in windows]
        inputs = padded_inputs(tokens, self.tokenizer.pad_token_id or 0, device)
        if getattr(self.model.config, "type_vocab_size", 1) > 1:
            inputs["token_type_ids"] = padded([window.segments for window in windows], 0, device)
        outputs: Tensor = self.model(**inputs).logits.float()
        by_axis = outputs.view(*outputs.shape[:2], len(self.axes), len(LABELS))
        axes = torch.tensor([window.axis for window in windows], device=device)
        chosen: Tensor = by_axis[torch.arange(len(windows), device=device), :, axes]
        return chosen


def output_names(axes: Sequence[str]) -> list[str]:
    """The names of the outputs of a tagger.

    >>> output_names(["age"])
    ['age:keep', 'age:replace', 'age:insert']
    """
    return [f"{axis}:{label}" for axis in axes for label in LABELS]


def load_tagger(name: str) -> EditTagger:
    """The tagger in a folder, on the GPU where there is one."""
    model, tokenizer = load_pretrained(name, "AutoModelForTokenClassification", _PURPOSE)
    return EditTagger(to_best_device(model), tokenizer, name)


def new_tagger(base: str, axes: Sequence[str]) -> EditTagger:
    """A tagger to be trained: an encoder with new outputs for the axes."""
    names = output_names(axes)
    model, tokenizer = load_pretrained(
        base,
        "AutoModelForTokenClassification",
        _PURPOSE,
        num_labels=len(names),
        id2label=dict(enumerate(names)),
        label2id={name: number for number, name in enumerate(names)},
        ignore_mismatched_sizes=True,
    )
    if not tokenizer.is_fast:
        raise ConfigError(f"{base}: a tagger needs a fast tokenizer, which gives token offsets")
    return EditTagger(to_best_device(model), tokenizer, base)


def _first_tokens(
    offsets: Sequence[tuple[int, int]], spans: Sequence[tuple[int, int]]
) -> dict[int, int]:
    """Token → word, for the first token of each word."""
    starts, word_of_token, seen = [start for start, _ in spans], {}, set()
    for token, (start, end) in enumerate(offsets):
        word = bisect_right(starts, start) - 1
        inside = word >= 0 and start < spans[word][1] and end > start
        if inside and word not in seen:
            seen.add(word)
            word_of_token[token] = word
    return word_of_token


def _parts(count: int, size: int) -> Iterator[tuple[int, int, int]]:
    """(start, own from, own to) of windows that overlap by half; each token is owned once.

    >>> list(_parts(10, 4))
    [(0, 0, 3), (2, 3, 5), (4, 5, 7), (6, 7, 10)]
    """
    step = max(1, size // 2)
    starts = [0]
    while starts[-1] + size < count:
        starts.append(min(starts[-1] + step, count - size))
    edges = [0, *((a + b + size) // 2 for a, b in pairwise(starts)), count]
    yield from zip(starts, edges[:-1], edges[1:], strict=True)


def _special(tokenizer: Any) -> tuple[int, int]:
    begin = tokenizer.cls_token_id if tokenizer.cls_token_id is not None else tokenizer.bos_token_id
    end = tokenizer.sep_token_id if tokenizer.sep_token_id is not None else tokenizer.eos_token_id
    if begin is None or end is None:
        raise ConfigError("this tokenizer has no CLS or SEP token: choose an encoder such as BERT")
    return int(begin), int(end)
