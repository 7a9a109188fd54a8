"""A small causal language model, made on the spot."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="session")
def gpt(tmp_path_factory, tiny_masked):
    """The folder of a two-layer GPT-2 with random weights over the same pieces."""
    import torch
    import transformers

    folder = tmp_path_factory.mktemp("tiny-gpt")
    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny_masked)
    config = transformers.GPT2Config(
        vocab_size=len(tokenizer),
        n_embd=32,
        n_layer=2,
        n_head=4,
        n_positions=160,
        initializer_range=0.5,
        bos_token_id=2,
        eos_token_id=3,
    )
    with torch.random.fork_rng():
        torch.manual_seed(1)
        transformers.GPT2LMHeadModel(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
