"""A ragged batch of texts as the emissions need it: the words of every slot, each pair once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray

from augkit.core.arrays import Ints
from augkit.core.errors import DataError
from augkit.grammars.charts.synchronous_cells import MAX_LENGTH, Lattice, make_lattice
from augkit.grammars.trees import ABSENT

Text: TypeAlias = Ints | tuple[Ints, Ints]


_PINNED_BYTES = 1 << 16


@dataclass(frozen=True)
class TextBatch:
    """Texts side by side, and their slots by kind.

    ``word_a`` and ``word_b`` are int64[slots], -1 for the empty word. ``changed``, ``dropped``,
    ``added`` and ``copied`` are the slots of the kinds w/w, w/empty, empty/w and copy. A target
    word of a changed or added slot depends on its source word (the vocabulary's size stands for
    the empty one): the distinct source words are ``types``; the distinct (type, target word)
    combinations, sorted, are ``combination_type`` and ``combination_word``, those of type k from
    ``type_ends[k]`` on; ``changed_at`` and ``added_at`` say which one a slot has.
    """

    lattice: Lattice
    type_ends: Ints
    word_a: torch.Tensor
    word_b: torch.Tensor
    changed: torch.Tensor
    dropped: torch.Tensor
    added: torch.Tensor
    copied: torch.Tensor
    types: torch.Tensor
    combination_type: torch.Tensor
    combination_word: torch.Tensor
    changed_at: torch.Tensor
    added_at: torch.Tensor

    def to(self, device: torch.device) -> TextBatch:
        """The same batch elsewhere, copied at once."""
        lattice, type_ends, *tensors = vars(self).values()
        if device.type == tensors[0].device.type:
            return self
        whole = to_device(torch.cat(tensors), device)
        return TextBatch(lattice, type_ends, *split_tensor(whole, map(len, tensors)))


def split_tensor(tensor: torch.Tensor, sizes: Iterable[int]) -> tuple[torch.Tensor, ...]:
    """Its first rows, those after them, and so on."""
    return torch.split_with_sizes(tensor, list(sizes))


def to_device(array: NDArray[Any] | torch.Tensor, device: torch.device) -> torch.Tensor:
    """An array as a tensor on a device; the host does not wait for a GPU.

    A copy from ordinary memory waits, unless it is small: larger ones are pinned first.
    """
    tensor = torch.as_tensor(array)
    if device.type == "cuda" and tensor.nbytes >= _PINNED_BYTES:
        tensor = tensor.pin_memory()
    return tensor.to(device, non_blocking=True)


def make_batch(texts: Sequence[Text], words: int) -> TextBatch:
    """The batch of some texts; ``words`` is the size of the vocabulary."""
    sides = [as_sides(text) for text in texts]
    lattice = make_lattice([(len(a), len(b)) for a, b in sides])
    word_a, word_b = _slot_words(sides)
    has_a = word_a != ABSENT
    has_b = word_b != ABSENT
    same = word_a == word_b
    changed = np.flatnonzero(has_a & has_b & ~same)
    added = np.flatnonzero(~has_a & has_b)
    source = np.where(has_a, word_a, words)
    code = (source * (words + 1) + word_b)[np.concatenate([changed, added])]
    combinations, at = np.unique(code, return_inverse=True)
    types, combination_type = np.unique(combinations // (words + 1), return_inverse=True)
    arrays = (
        *(word_a, word_b, changed, np.flatnonzero(has_a & ~has_b), added),
        *(np.flatnonzero(same & has_a), types, combination_type, combinations % (words + 1)),
        *(at[: len(changed)], at[len(changed) :]),
    )
    ends = np.searchsorted(combination_type.reshape(-1), np.arange(len(types) + 1))
    return TextBatch(lattice, ends, *(torch.from_numpy(array.reshape(-1)) for array in arrays))


def as_sides(text: Text) -> tuple[Ints, Ints]:
    """A sentence is a pair with an empty target."""
    return text if isinstance(text, tuple) else (text, np.empty(0, np.int64))


def _slot_words(sides: Sequence[tuple[Ints, Ints]]) -> tuple[Ints, Ints]:
    """The words of every slot, in the order of the slots' numbers."""
    none = np.array([ABSENT])
    first = []
    second = []
    for a, b in sides:
        first.append(np.repeat(np.concatenate([none, a]), len(b) + 1))
        second.append(np.tile(np.concatenate([none, b]), len(a) + 1))
    return np.concatenate(first), np.concatenate(second)


def check_texts(texts: Sequence[Text], words: int) -> None:
    """Raise ``DataError`` for texts that no tree can span, and for ids outside the vocabulary."""
    wrong = [
        number
        for number, text in enumerate(texts)
        if not 2 <= max(len(side) for side in as_sides(text)) <= MAX_LENGTH
    ]
    if wrong:
        shown = ", ".join(map(str, wrong[:10])) + (" …" if len(wrong) > 10 else "")
        raise DataError(
            f"{len(wrong)} of {len(texts)} texts have fewer than 2 or more than {MAX_LENGTH} words "
            f"on their longer side, so no tree can span them: numbers {shown}. Leave them out"
        )
    for number, text in enumerate(texts):
        if any(len(side) and not 0 <= side.min() <= side.max() < words for side in as_sides(text)):
            raise DataError(f"text {number} has a word id outside 0 … {words - 1}")
