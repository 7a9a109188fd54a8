"""A trained grammar: how likely texts are under it, and their trees."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from augkit.core.arrays import Floats
from augkit.core.config import validate
from augkit.core.errors import BackendFailed, DataError
from augkit.core.json_files import replacing
from augkit.grammars.charts.batches import Text, TextBatch, as_sides, check_texts, make_batch
from augkit.grammars.charts.derivations import to_trees
from augkit.grammars.charts.inside import Potentials
from augkit.grammars.charts.likelihood import log_likelihood, viterbi_derivations
from augkit.grammars.charts.synchronous_cells import count_spans
from augkit.grammars.model.parameters import (
    GrammarShape,
    Tensors,
    pair_emissions,
    probability_tables,
    rule_potentials,
    word_emissions,
)
from augkit.grammars.trees import Trees
from augkit.models.precision import float32_products

_FILE = "grammar.safetensors"
_CELLS = 50_000, 5_000_000
"""Maximum cells in memory outside training, on a CPU and on a GPU."""
_BYTES = 8 << 10
"""Memory of a cell of 32 symbols, with everything that is kept for it."""


@dataclass(frozen=True)
class Grammar:
    """A grammar of sentences (id arrays) or of pairs of texts (two id arrays each)."""

    shape: GrammarShape
    parameters: Tensors

    @property
    def device(self) -> torch.device:
        """Where the parameters are."""
        return next(iter(self.parameters.values())).device

    def log_likelihood(self, texts: Sequence[Text]) -> Floats:
        """The log probability of each text, all trees summed, in full precision: float[texts]."""
        with _exact():
            parts = [
                log_likelihood(potentials, batch.lattice)
                for batch, potentials, _ in self._batches(texts)
            ]
        return np.concatenate([np.empty(0), *(part.double().cpu().numpy() for part in parts)])

    def parse(self, texts: Sequence[Text]) -> Trees:
        """The most probable tree of every text; ``doc`` is the text's number."""
        parts = []
        with _exact():
            for batch, potentials, numbers in self._batches(texts):
                derivations = viterbi_derivations(potentials, batch.lattice)
                parts.append(to_trees(derivations, batch, self.shape.symbols, numbers))
        return Trees.join(parts)

    def _batches(self, texts: Sequence[Text]) -> Iterator[tuple[TextBatch, Potentials, range]]:
        """Texts in order, as many at a time as memory allows."""
        check_texts(texts, self.shape.words)
        for numbers in chunk_texts(texts, _most_cells(self.device)):
            chosen = [texts[number] for number in numbers]
            with explain_out_of_memory(len(chosen)):
                batch = make_batch(chosen, self.shape.words)
                batch = batch.to(self.device)
                yield batch, grammar_potentials(self.parameters, self.shape, batch), numbers

    def save(self, folder: Path) -> None:
        """Write ``grammar.safetensors``."""
        save_tensors(folder / _FILE, self.parameters, {"shape": self.shape.model_dump_json()})

    @classmethod
    def load(cls, folder: Path, device: str = "auto") -> Grammar:
        """Read a saved grammar; nothing in the file is executed."""
        tensors, notes = load_tensors(folder / _FILE, pick_device(device))
        try:
            shape = json.loads(notes["shape"])
            for name in ("rank", "published"):  # files of 0.1.0 say that they have none
                if not shape.get(name):
                    shape.pop(name, None)
        except (KeyError, ValueError) as error:
            raise DataError(f"{folder / _FILE}: not a grammar saved by augkit") from error
        return cls(validate(GrammarShape, shape, str(folder / _FILE)), tensors)


@contextmanager
def _exact() -> Iterator[None]:
    """Without gradients, in full precision.

    Not inside of a generator: one that is given up would set the precision back much later.
    """
    with torch.no_grad(), float32_products("highest"):
        yield


def grammar_potentials(
    parameters: Tensors, shape: GrammarShape, batch: TextBatch, tables: Tensors | None = None
) -> Potentials:
    """The probabilities of rules, roots and the slots of a batch, under a PCFG or an SCFG.

    ``tables`` are those of ``probability_tables``, where they are known.
    """
    tables = probability_tables(parameters, shape) if tables is None else tables
    if shape.pairs:
        emissions = pair_emissions(parameters, shape, batch, tables)
    else:
        emissions = word_emissions(batch, tables)
    return rule_potentials(shape, tables, emissions)


def chunk_texts(texts: Sequence[Text], most_cells: int) -> Iterator[range]:
    """Consecutive texts whose charts have at most this many cells together (or one text)."""
    start = 0
    held = 0
    for number, text in enumerate(texts):
        a, b = (len(side) for side in as_sides(text))
        cells = int(count_spans(a) * count_spans(b))  # type: ignore[arg-type, operator]
        if number > start and held + cells > most_cells:
            yield range(start, number)
            start = number
            held = 0
        held += cells
    if start < len(texts):
        yield range(start, len(texts))


def _most_cells(device: torch.device) -> int:
    """On a GPU, as many as half of its free memory holds."""
    if device.type != "cuda":
        return _CELLS[0]
    torch.cuda.empty_cache()
    free, _ = torch.cuda.mem_get_info(device)
    return max(_CELLS[0], min(_CELLS[1], free // 2 // _BYTES))


def pick_device(name: str) -> torch.device:
    """``auto`` is the GPU where there is one."""
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    return torch.device(name)


_MEMORY_MESSAGES = re.compile(
    r"out of memory|not enough memory|bad_alloc"
    r"|(can't|can not|cannot|could not|failed to|unable to) allocate",
    re.IGNORECASE,
)
"""In the message of a ``RuntimeError``: every allocator has its own."""


@contextmanager
def explain_out_of_memory(texts: int) -> Iterator[None]:
    """Turn every kind of out-of-memory error into one that says what to do."""
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        is_known = isinstance(error, MemoryError | torch.OutOfMemoryError)
        if not is_known and not _MEMORY_MESSAGES.search(str(error)):
            raise
        raise BackendFailed(
            f"not enough memory for the charts of {texts} texts at once. Lower batch_size, or "
            "leave out the longest texts"
        ) from error


def save_tensors(path: Path, tensors: Tensors, notes: dict[str, str]) -> None:
    """Write a file of tensors atomically."""
    from safetensors.torch import save_file

    path.parent.mkdir(parents=True, exist_ok=True)
    plain = {name: value.detach().contiguous() for name, value in tensors.items()}
    with replacing(path) as draft:
        save_file(plain, str(draft), metadata=notes)


def load_tensors(path: Path, device: torch.device) -> tuple[Tensors, dict[str, str]]:
    """The tensors and notes of a file."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(str(path), framework="pt", device=str(device)) as file:
            return {name: file.get_tensor(name) for name in file.keys()}, file.metadata() or {}  # noqa: SIM118 - the file is no mapping
    except (OSError, SafetensorError) as error:
        raise DataError(f"{path}: cannot be read as a grammar: {error}") from error
