"""A trained grammar: memory, chunks and files."""

import numpy as np
import pytest
import torch

from augkit.core.errors import BackendFailed, DataError
from augkit.grammars.model.grammar import Grammar, chunk_texts, explain_out_of_memory


def test_out_of_memory_is_a_clear_error():
    with pytest.raises(BackendFailed, match="batch_size"), explain_out_of_memory(7):
        torch.empty(1 << 62, dtype=torch.uint8)


@pytest.mark.parametrize(
    "message",
    [
        "[enforce fail at alloc_cpu.cpp:117] err == 0. DefaultCPUAllocator: can't allocate memory",
        "DefaultCPUAllocator: not enough memory: you tried to allocate 4611686018427387904 bytes.",
        "CUDA error: out of memory",
        "MPS backend out of memory",
        "std::bad_alloc",
        "Unable to allocate 3.81 GiB",
    ],
)
def test_every_out_of_memory_message_is_recognised(message):
    """Allocators have different messages."""
    with pytest.raises(BackendFailed, match="batch_size"), explain_out_of_memory(7):
        raise RuntimeError(message)


def test_other_errors_are_unchanged():
    with pytest.raises(RuntimeError, match="shape"), explain_out_of_memory(7):
        torch.zeros(2).view(3)


def test_chunks_hold_what_fits():
    """Texts are taken in order, together while their cells fit, alone where one is too large."""
    texts = [np.arange(n) for n in (4, 4, 30, 4)]
    assert [list(chunk) for chunk in chunk_texts(texts, 25)] == [[0, 1], [2], [3]]
    assert list(chunk_texts([], 25)) == []


def test_damaged_grammar(tmp_path):
    (tmp_path / "grammar.safetensors").write_bytes(b"\x00" * 40)
    with pytest.raises(DataError, match=r"grammar\.safetensors"):
        Grammar.load(tmp_path)
