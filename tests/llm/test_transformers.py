"""The local back end, on a tiny random model that is made on the spot."""

from __future__ import annotations

import socket
import sys

import pytest
from pydantic import BaseModel

from augkit.core.errors import ConfigError, MissingExtra
from augkit.core.model_types import Message, Request
from augkit.llm.settings import ConnectOptions
from augkit.llm.stack import open_llm
from augkit.llm.transformers import connect

TEMPLATE = (
    "{% for m in messages %}<|{{ m.role }}|> {{ m.content }} {% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
NO_SYSTEM = "{% if messages[0].role == 'system' %}{{ raise_exception('no system') }}{% endif %}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A two-layer Llama with random weights and a tokenizer of a few words."""
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    words = ["<unk>", "<s>", "</s>", "<|user|>", "<|system|>", "<|assistant|>"]
    words += [f"w{n}" for n in range(58)]
    tokenizer = Tokenizer(
        models.WordLevel({word: n for n, word in enumerate(words)}, unk_token="<unk>")
    )
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, unk_token="<unk>", bos_token="<s>", eos_token="</s>"
    )
    fast.chat_template = TEMPLATE
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(words),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=4,
        max_position_embeddings=128,
        bos_token_id=1,
        eos_token_id=2,
    )
    path = tmp_path_factory.mktemp("tiny")
    LlamaForCausalLM(config).save_pretrained(path)
    fast.save_pretrained(path)
    return path


@pytest.fixture(scope="module")
def llm(folder):
    return connect(str(folder), ConnectOptions())


def ask(text, **more):
    settings = {"max_tokens": 12} | more
    return Request([Message("system", "w1 w2"), Message("user", text)], **settings)


def told(replies):
    return [(reply.text, reply.fault) for reply in replies]


def test_greedy_answers_are_the_same_alone_and_in_a_batch(llm):
    """Prompts of different lengths, padded on the left, give what each gives alone."""
    requests = [ask(" ".join(f"w{(n * k) % 58}" for k in range(n + 1))) for n in range(12)]
    together = llm.generate(requests)
    alone = [llm.generate([request])[0] for request in requests]
    assert told(together) == told(alone)
    assert [reply.cost for reply in together] == [reply.cost for reply in alone]


def test_sampled_answers_follow_from_their_seed(llm):
    """The same seed repeats, another differs, and company does not matter."""
    sampled = [ask("w5 w6", temperature=1.0, seed=seed) for seed in range(6)]
    together = told(llm.generate([*sampled, ask("w9")]))
    alone = [told(llm.generate([request]))[0] for request in reversed(sampled)]
    assert together[:6] == alone[::-1]
    assert len(set(together[:6])) > 1


def test_sampling_leaves_the_randomness_of_others_alone(llm):
    """Whoever else draws from torch gets what they would have got."""
    import torch

    torch.manual_seed(7)
    expected = torch.rand(3).tolist()
    torch.manual_seed(7)
    llm.generate([ask("w5", temperature=1.0, seed=1)])
    assert torch.rand(3).tolist() == expected


def test_tokens_are_counted_and_a_cut_is_told(llm):
    """Prompt tokens are those of the template; an answer that does not end is truncated."""
    [reply] = llm.generate([ask("w5 w6 w7", max_tokens=1)])
    # <|system|> w1 w2 <|user|> w5 w6 w7 <|assistant|>
    assert (reply.cost.calls, reply.cost.prompt_tokens, reply.cost.completion_tokens) == (1, 8, 1)
    assert reply.fault == "truncated"


def test_a_text_beyond_the_context_is_a_fault_of_that_row(llm):
    """The others of the batch are answered."""
    long, short = llm.generate([ask("w3 " * 200), ask("w3")])
    assert long.fault == "too long for the model"
    assert short.cost.calls == 1


def test_a_schema_is_stated_in_the_prompt_and_the_answer_checked(llm):
    """A random model writes no JSON, and that is told."""

    class Rewording(BaseModel):
        text: str

    [reply] = llm.generate([ask("w5", answer=Rewording, max_tokens=3)])
    assert reply.fault in {"does not match the JSON schema", "truncated", "empty answer"}
    assert reply.cost.prompt_tokens > 8


def test_a_template_without_a_system_role_is_managed(folder):
    """The system text then stands before the user's."""
    model = connect(str(folder), ConnectOptions())
    model._tokenizer.chat_template = NO_SYSTEM + TEMPLATE
    assert model._templated(ask("w5").messages).split() == [
        "<|user|>",
        *("w1", "w2", "w5"),
        "<|assistant|>",
    ]


def test_a_model_without_a_template_is_told(folder):
    """A base model cannot be asked."""
    from augkit.llm.transformers import LocalChat

    model = connect(str(folder), ConnectOptions())
    model._tokenizer.chat_template = None
    with pytest.raises(ConfigError, match="Instruct"):
        LocalChat(model._model, model._tokenizer, "tiny")


def test_in_the_stack_it_costs_nothing_and_is_cached(folder, tmp_path):
    """Local tokens are counted and free; a budget in money is no obstacle."""
    options = ConnectOptions(budget="0.01", cache=tmp_path / "shared.sqlite")
    with open_llm(f"transformers:{folder}", options) as llm:
        requests = [ask(f"w{n}", temperature=1.0, seed=n, max_tokens=20) for n in range(6)]
        first, again = llm.generate(requests), llm.generate(requests)
        spent = llm.spent()
    assert (llm.batch_size, spent.usd) == (16, 0.0)
    assert spent.calls >= 6
    assert [r.text for r in first if not r.fault] == [r.text for r in again if r.cached]


@pytest.mark.parametrize(
    "name", ["", "./no-such-model", "/no/such/model", "~/none", "a/b/c", "x", "/tmp"]
)
def test_a_missing_folder_is_an_error_without_the_hub(name, monkeypatch):
    """The hub is not asked, which could take half a minute."""

    def no_network(*_, **__):
        pytest.fail("the network was used")

    monkeypatch.setattr(socket, "getaddrinfo", no_network)
    with pytest.raises(ConfigError, match="no folder"):
        connect(name, ConnectOptions())


def test_a_missing_package_is_told_with_the_extra(folder, monkeypatch):
    """The command that mends it is in the message."""
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(MissingExtra, match=r"augkit\[nn\]"):
        connect(str(folder), ConnectOptions())
