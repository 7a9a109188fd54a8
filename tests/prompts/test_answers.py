"""Closed shapes of answers: exactly what was asked for is an answer, and nothing else."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augkit.core.model_types import Message, Request
from augkit.llm.made_up import conforming
from augkit.prompts.answers import TextsAnswer, exactly, limit_tokens, named_texts

NAMES = st.lists(st.text(min_size=1), min_size=1, max_size=6, unique=True)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_another_number_of_texts_is_no_answer(count):
    with pytest.raises(ValueError, match="validation error"):
        exactly(2, TextsAnswer)(texts=["x"] * count)


@pytest.mark.slow
@given(NAMES)
def test_any_names_come_back_in_their_order(names):
    """Whatever signs they have: words of a text are names."""
    answer = named_texts(tuple(names))
    schema = answer.model_json_schema()
    assert list(schema["properties"]) == schema["required"] == names
    texts = {name: f"new {name}" for name in names}
    assert answer.model_validate_json(json.dumps(texts)).by_name == texts


@pytest.mark.slow
@given(NAMES)
def test_every_name_is_needed(names):
    with pytest.raises(ValueError, match="validation error"):
        named_texts(tuple(names)).model_validate_json(json.dumps(dict.fromkeys(names[1:], "x")))


def test_made_up_answers_have_the_shape():
    """Dry runs can imitate them."""
    request = Request([Message("user", "x")], answer=named_texts(("1 he", "2 his")))
    assert list(json.loads(conforming(request))) == ["1 he", "2 his"]


@pytest.mark.parametrize(
    ("texts", "most", "tokens"),
    [([], 500, 40), (["x" * 100], 500, 90), (["x" * 100] * 6, 200, 200), (["\u4f60" * 10], 99, 55)],
)
def test_the_longest_answer_follows_from_the_texts(texts, most, tokens):
    """By bytes, because other scripts have more tokens in a letter; the setting is the limit."""
    request = Request([Message("user", "x")], max_tokens=most)
    assert limit_tokens(request, texts).max_tokens == tokens
