"""Small language models, made on the spot, and models whose answers are known."""

from __future__ import annotations

import pytest

WORDS = (
    "the a he she his her they man woman nurse doctor old young was is are good bad rich poor "
    "black white cook went to home and said that it rained cats love hate people kind cruel . , "
    "##s ##er ##ly un ##like"
).split()


@pytest.fixture(scope="session")
def bert(tmp_path_factory):
    """The folder of a two-layer BERT with large random weights and a tokenizer of pieces."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    torch.set_num_threads(1)
    folder = tmp_path_factory.mktemp("tiny-bert")
    signs = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    letters = [*"abcdefghijklmnopqrstuvwxyz", *(f"##{one}" for one in "abcdefghijklmnopqrstuvwxyz")]
    vocabulary = list(dict.fromkeys([*signs, *WORDS, *letters]))
    (folder / "vocab.txt").write_text("\n".join(vocabulary) + "\n", encoding="utf-8")
    tokenizer = transformers.BertTokenizerFast(
        vocab={word: number for number, word in enumerate(vocabulary)}, do_lower_case=True
    )
    config = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=160,
        initializer_range=0.5,
    )
    with torch.random.fork_rng():
        torch.manual_seed(0)
        transformers.BertForMaskedLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def gpt(tmp_path_factory, bert):
    """The folder of a two-layer GPT-2 with random weights over the same pieces."""
    import torch
    import transformers

    folder = tmp_path_factory.mktemp("tiny-gpt")
    tokenizer = transformers.AutoTokenizer.from_pretrained(bert)
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
