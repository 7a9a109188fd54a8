"""The local back end, on a tiny random model that is made on the spot."""

import json
import math
from types import SimpleNamespace
from typing import Literal

import pytest
from pydantic import BaseModel, Field

from augkit.core.errors import ConfigError
from augkit.core.model_types import Message, Request
from augkit.llm.settings import ConnectOptions
from augkit.llm.stack import open_llm
from augkit.llm.transformers.chat import LocalChat, _gpu_rows, connect

NO_SYSTEM = "{% if messages[0].role == 'system' %}{{ raise_exception('no system') }}{% endif %}"
CONTEXT = 512


class Verdict(BaseModel):
    """An answer that a random model would hardly write by itself."""

    reason: str = Field(max_length=8)
    label: Literal["yes", "no"]
    parts: list[Literal["a", "b"]] = Field(min_length=2, max_length=2)


@pytest.fixture(scope="module")
def llm(folder):
    return connect(str(folder), ConnectOptions())


def ask(text, **more):
    settings = {"max_tokens": 12} | more
    return Request([Message("system", "be brief"), Message("user", text)], **settings)


def contents(replies):
    return [(reply.text, reply.fault, reply.cost) for reply in replies]


@pytest.mark.slow
def test_greedy_answers_are_the_same_alone_and_in_a_batch(llm):
    """Prompts and limits of different lengths, padded, give what each gives alone."""
    requests = [ask("ab " * n, max_tokens=1 + 2 * n) for n in range(12)]
    together = contents(llm.generate(requests))
    assert together == [contents(llm.generate([request]))[0] for request in requests]
    assert len({text for text, _, _ in together}) > 6


@pytest.mark.slow
def test_sampled_answers_follow_from_their_seed(llm):
    """The same seed repeats, another differs, and the rest of the batch does not matter."""
    sampled = [ask("x" * seed, temperature=1.0, top_p=0.9, seed=seed) for seed in range(6)]
    together = contents(llm.generate([*sampled, ask("w9", answer=Verdict), ask("w")]))
    alone = [contents(llm.generate([request]))[0] for request in reversed(sampled)]
    assert together[:6] == alone[::-1]
    others = [ask("same", temperature=1.0, seed=seed) for seed in range(6)]
    assert len({reply.text for reply in llm.generate(others)}) > 1


@pytest.mark.slow
def test_a_prompt_prefix_that_all_share_changes_no_answer(llm, monkeypatch):
    """Its part of the model's state is computed once, for greedy and for sampled requests."""
    from augkit.llm.transformers import decoding

    long = "The same long instruction for all of them, word for word. "
    requests = [ask(long + "z" * n, temperature=n % 2, seed=n) for n in range(7)]
    shared = contents(llm.generate(requests))
    monkeypatch.setattr(decoding, "SHORTEST_PREFIX", 10**6)
    assert contents(llm.generate(requests)) == shared


def watched(llm, monkeypatch, look):
    """What is seen of the tokens of each call of the model."""
    seen = []
    model = llm._decoder._reader._model
    forward = model.forward
    monkeypatch.setattr(
        model,
        "forward",
        lambda **inputs: seen.append(look(inputs["input_ids"])) or forward(**inputs),
    )
    return seen


@pytest.mark.slow
def test_the_shared_prefix_is_computed_once(llm, monkeypatch):
    """The model reads the instruction for one row, then only the rest of each."""
    read = watched(llm, monkeypatch, lambda tokens: tokens.numel())
    llm.generate([ask("same " * 40 + "xyz"[n], max_tokens=1) for n in range(3)])
    # <|im_start|>sbe brief<|im_start|>usame same ... | x<|im_start|> | a, three times
    assert read == [212, 2 * 2, 2, 3]


def few_long_ones():
    return [
        ask("q" * n, max_tokens=4 + 20 * (n % 5 == 0), temperature=1, seed=n) for n in range(20)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("joins", [True, False])
def test_rows_that_outlast_others_are_not_changed_by_that(llm, monkeypatch, joins):
    """New rows join them, or they continue in the next batch where the model allows no joining."""
    at_once = contents(llm.generate(few_long_ones()))
    monkeypatch.setattr(llm._decoder, "_batch", 6)
    monkeypatch.setattr(llm._decoder._reader, "joins", joins)
    assert contents(llm.generate(few_long_ones())) == at_once


def test_new_rows_take_the_place_of_finished_ones(llm, monkeypatch):
    """Batches that wait for their longest row would take 24 steps each, and there would be four."""
    monkeypatch.setattr(llm._decoder, "_batch", 6)
    shapes = watched(llm, monkeypatch, lambda tokens: tuple(tokens.shape))
    llm.generate(few_long_ones())
    steps = [rows for rows, width in shapes if width == 1]
    assert max(steps) == 6
    assert len(steps) < 2 * 24


@pytest.mark.slow
def test_memory_that_runs_out_makes_batches_smaller(llm, monkeypatch):
    """The rows of the failed batch go on where they were."""
    import torch

    requests = [ask("q" * n, temperature=1.0, seed=n) for n in range(8)]
    expected = contents(llm.generate(requests))
    forward, sizes = llm._decoder._reader._model.forward, []

    def small(*args, **kwargs):
        sizes.append(len(kwargs["input_ids"]))
        if len(sizes) > 3 and sizes[-1] > 2:
            raise torch.OutOfMemoryError
        return forward(*args, **kwargs)

    monkeypatch.setattr(llm._decoder._reader._model, "forward", small)
    monkeypatch.setattr(llm._decoder, "_batch", 8)
    assert contents(llm.generate(requests)) == expected
    assert (max(sizes), sizes.count(4), llm._decoder._batch) == (8, 1, 2)


@pytest.mark.parametrize(("gigabytes", "rows"), [(1, 16), (24, 192), (141, 1024)])
def test_a_gpu_is_given_as_many_rows_as_its_memory_is_good_for(monkeypatch, gigabytes, rows):
    """No fewer than a processor, and no more than it makes good use of."""
    import torch

    memory = SimpleNamespace(total_memory=gigabytes * 2**30)
    monkeypatch.setattr(torch.cuda, "get_device_properties", lambda _: memory)
    assert _gpu_rows(torch.device("cuda")) == rows


def test_sampling_leaves_the_randomness_of_others_alone(llm):
    """Whoever else draws from torch gets what they would have got."""
    import torch

    torch.manual_seed(7)
    expected = torch.rand(3).tolist()
    torch.manual_seed(7)
    llm.generate([ask("w5", temperature=1.0, seed=1)])
    assert torch.rand(3).tolist() == expected


def test_tokens_are_counted_and_a_truncated_answer_is_reported(llm):
    """Prompt tokens are those of the template; an answer that does not end is truncated."""
    [reply] = llm.generate([ask("abc", max_tokens=1)])
    # <|im_start|>sbe brief<|im_start|>uabc<|im_start|>a
    assert (reply.cost.calls, reply.cost.prompt_tokens, reply.cost.completion_tokens) == (1, 17, 1)
    assert reply.fault == "truncated"


def test_a_text_beyond_the_context_is_a_fault_of_that_row(llm):
    """The others of the batch are answered."""
    long, short, choice = llm.generate(
        [ask("x" * CONTEXT), ask("w3"), ask("x" * (CONTEXT - 16), choices=("a", "bb"))]
    )
    assert (long.fault, choice.fault) == ("too long for the model",) * 2
    assert short.cost.calls == 1


@pytest.mark.slow
@pytest.mark.parametrize("temperature", [0.0, 1.5])
def test_a_schema_is_enforced_while_decoding(llm, temperature):
    """Even a random model then answers in JSON that fits, and is not shown the schema."""
    pytest.importorskip("llguidance")
    requests = [
        ask("q" * n, answer=Verdict, max_tokens=120, temperature=temperature, seed=n)
        for n in range(5)
    ]
    replies = llm.generate(requests)
    assert [reply.fault for reply in replies] == [""] * 5
    for reply, n in zip(replies, range(5), strict=True):
        assert isinstance(reply.answer, Verdict)
        assert json.dumps(json.loads(reply.text), ensure_ascii=False) == reply.text
        assert reply.cost.prompt_tokens == 14 + n


def test_without_llguidance_the_schema_is_in_the_prompt_and_the_answer_checked(llm, monkeypatch):
    """A random model writes no JSON, and that is a fault."""
    monkeypatch.setattr(llm._grammars, "_tokens", None)
    [reply] = llm.generate([ask("w5", answer=Verdict, max_tokens=3)])
    assert reply.fault in {"does not match the JSON schema", "truncated", "empty answer"}
    assert reply.cost.prompt_tokens > 100


def slow_log_probability(llm, text, choice):
    """By the whole sequence, without cache, padding or batch."""
    import torch

    ids = llm._tokens(f"<|im_start|>sbe brief<|im_start|>u{text}<|im_start|>a")
    chosen = llm._tokens(choice)
    with torch.no_grad():
        logits = llm._decoder._reader._model(input_ids=torch.tensor([ids + chosen])).logits[0]
    logs = torch.log_softmax(logits.double(), dim=-1)[len(ids) - 1 :]
    end = logs[len(chosen), [0, 1]].logsumexp(dim=0)
    return sum(logs[i, token].item() for i, token in enumerate(chosen)) + end.item()


def test_choices_have_the_probabilities_that_the_model_gives_them(llm):
    """Also where one choice begins like another; the most probable one is the answer."""
    choices = ("a", "ab", "no", "neutral")
    texts = ["q" * n for n in range(4)]
    replies = llm.generate([*(ask(text, choices=choices) for text in texts), ask("w")])
    for text, reply in zip(texts, replies[:4], strict=True):
        logs = [slow_log_probability(llm, text, choice) for choice in choices]
        total = sum(map(math.exp, logs))
        expected = {c: math.exp(log) / total for c, log in zip(choices, logs, strict=True)}
        assert reply.probabilities == pytest.approx(expected, rel=1e-3)
        assert reply.text == max(expected, key=expected.get)
        assert reply.cost.completion_tokens == len(reply.text) + 1


def test_the_prompt_of_a_choice_is_read_once(llm, monkeypatch):
    read = watched(llm, monkeypatch, lambda tokens: tuple(tokens.shape))
    llm.generate([ask("q", choices=("a", "b", "no"))])
    assert read == [(1, 14), (3, 1), (3, 1), (1, 1)]  # the end after one letter, then after two


def test_a_sampled_choice_follows_its_probabilities(llm):
    """Over many seeds each choice is drawn about as often as it is probable."""
    requests = [ask("q", choices=("a", "b"), temperature=1.0, seed=seed) for seed in range(200)]
    replies = llm.generate(requests)
    share = sum(reply.text == "a" for reply in replies) / 200
    assert share == pytest.approx(replies[0].probabilities["a"], abs=0.12)


def test_a_template_without_a_system_role_is_managed(folder, monkeypatch):
    """The system text then stands before the user's."""
    model = connect(str(folder), ConnectOptions())
    monkeypatch.setattr(
        model._tokenizer, "chat_template", NO_SYSTEM + model._tokenizer.chat_template
    )
    assert model._templated(ask("w5").messages) == "<|im_start|>ube brief\n\nw5<|im_start|>a"


def test_a_model_without_a_template_is_an_error(folder, monkeypatch):
    model = connect(str(folder), ConnectOptions())
    monkeypatch.setattr(model._tokenizer, "chat_template", None)
    with pytest.raises(ConfigError, match="Instruct"):
        LocalChat(model._decoder._reader._model, model._tokenizer, "tiny")


def test_in_the_stack_it_costs_nothing_and_is_cached(folder, tmp_path):
    """Local tokens are counted and free; a budget in money is no obstacle."""
    options = ConnectOptions(budget="0.01", cache=tmp_path / "shared.sqlite")
    with open_llm(f"transformers:{folder}", options) as llm:
        requests = [ask(f"w{n}", choices=("yes", "no")) for n in range(6)]
        first, again = llm.generate(requests), llm.generate(requests)
        spent = llm.spent()
    assert (llm.batch_size, spent.usd, spent.calls) == (16, 0.0, 6)
    assert [r.text for r in first] == [r.text for r in again if r.cached]
