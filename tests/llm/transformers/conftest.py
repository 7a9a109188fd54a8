"""A tiny random model with a byte-level tokenizer, saved as a folder and as a GGUF file."""

import pytest

TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m.role[0] }}{{ m.content }}{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>a{% endif %}"
)
SPECIAL = ["<|im_end|>", "<|endoftext|>", "<|im_start|>"]
END, PAD = 0, 1
MERGES = [("~", "~"), ("^", "^")]
WIDTH, INNER, LAYERS, HEADS, CONTEXT = 32, 64, 2, 4, 512


def byte_tokens():
    from tokenizers.pre_tokenizers import ByteLevel

    return [*SPECIAL, *sorted(ByteLevel.alphabet()), *map("".join, MERGES)]


def tiny_model():
    """A two-layer Qwen2 with random weights, sharp enough that rounding does not decide."""
    import torch
    from transformers import Qwen2Config, Qwen2ForCausalLM

    torch.manual_seed(0)
    config = Qwen2Config(
        vocab_size=len(byte_tokens()),
        hidden_size=WIDTH,
        intermediate_size=INNER,
        num_hidden_layers=LAYERS,
        num_attention_heads=HEADS,
        num_key_value_heads=HEADS,
        max_position_embeddings=CONTEXT,
        bos_token_id=END,
        eos_token_id=END,
        pad_token_id=PAD,
        initializer_range=0.2,
        tie_word_embeddings=False,
    )
    return Qwen2ForCausalLM(config).eval()


def tiny_tokenizer():
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    vocabulary = {token: number for number, token in enumerate(byte_tokens())}
    tokenizer = Tokenizer(models.BPE(vocabulary, MERGES))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.decoder = decoders.ByteLevel()
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        additional_special_tokens=SPECIAL[2:],
        padding_side="left",
    )
    fast.chat_template = TEMPLATE
    return fast


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    path = tmp_path_factory.mktemp("tiny")
    tiny_model().save_pretrained(path)
    tiny_tokenizer().save_pretrained(path)
    return path


@pytest.fixture(scope="session")
def gguf_file(tmp_path_factory):
    """The same weights, as llama.cpp's converter names them."""
    gguf = pytest.importorskip("gguf")
    path = tmp_path_factory.mktemp("gguf") / "tiny.gguf"
    writer = gguf.GGUFWriter(path, "qwen2")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_rope_freq_base(10000.0)
    tokens = byte_tokens()
    kinds = gguf.TokenType
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("qwen2")
    writer.add_token_list(tokens)
    writer.add_token_types([kinds.CONTROL if t in SPECIAL else kinds.NORMAL for t in tokens])
    writer.add_token_merges([" ".join(pair) for pair in MERGES])
    writer.add_bos_token_id(END)
    writer.add_eos_token_id(END)
    writer.add_pad_token_id(PAD)
    writer.add_chat_template(TEMPLATE)
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.QWEN2, LAYERS)
    for name, weights in tiny_model().state_dict().items():
        written = names.get_name(name, try_suffixes=(".weight", ".bias"))
        writer.add_tensor(written, weights.numpy())
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
