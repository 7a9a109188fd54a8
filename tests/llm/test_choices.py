"""Choices: read from what models write, with probabilities that add up to one."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augkit.core.model_types import Message, Reply, Request
from augkit.llm.choices import Position, choice_model, choice_probabilities, read_choice
from augkit.llm.made_up import conforming
from augkit.llm.reply_store import key_of
from augkit.llm.stack import open_llm
from augkit.llm.structured_output import read_answer

LETTERS = ("A", "B", "C")


def ask(choices=LETTERS, **more):
    return Request([Message("user", "Which one?")], choices=choices, **more)


def position(token, **alternatives):
    return Position(token, {name: math.log(share) for name, share in alternatives.items()})


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("B", "B"),
        (" b\n", "B"),
        ("**B**", "B"),
        ("(B) negative", "B"),
        ("B: it is dull.", "B"),
        ("The answer is B.", "B"),
        ("Let me see.\nAnswer: B", "B"),
        ("A good film", None),
        ("Both A and B", None),
        ("I cannot say", None),
        ("", None),
    ],
)
def test_a_choice_is_read_from_what_models_write(text, choice):
    """Marks around it and words that introduce it do not matter; an article is no choice."""
    assert read_choice(LETTERS, text) == choice


@pytest.mark.slow
@given(st.lists(st.text(st.characters(categories=["L", "N"]), min_size=1), min_size=1, unique=True))
def test_every_choice_is_read_as_itself(choices):
    """Also where others differ in case only."""
    assert [read_choice(choices, choice) for choice in choices] == choices


def test_a_reply_states_the_choice_alone():
    """What is around it is cut off; a text without a choice is a fault that can be retried."""
    assert read_answer(ask(), Reply("(C) neutral"), truncated=True).text == "C"
    wrong = read_answer(ask(), Reply("It depends on the film"), truncated=True)
    assert (wrong.fault, wrong.transient) == ("does not match the JSON schema", True)
    assert "A, B, C" in wrong.detail


def test_letters_are_weighed_by_their_tokens():
    """Variants of one token count for the same choice; others do not count at all."""
    tokens = [
        Position("B", {"B": math.log(0.4), " B": math.log(0.2), "A": math.log(0.2), "The": -2})
    ]
    assert choice_probabilities(LETTERS, tokens) == pytest.approx({"A": 0.25, "B": 0.75, "C": 0})


def test_a_common_beginning_is_followed_to_where_the_choices_part():
    """p("not enough") = p("not") · p(" enough" | "not")."""
    tokens = [
        position("not", **{"not": 0.5, "supported": 0.5}),
        position(" a", **{" a": 0.2, " b": 0.8}),
    ]
    weights = choice_probabilities(("supported", "not a", "not b"), tokens)
    assert weights == pytest.approx({"supported": 0.5, "not a": 0.1, "not b": 0.4})


def test_text_before_the_answer_is_skipped():
    """JSON around the choice, or "Answer:" before it."""
    tokens = [
        position('{"', **{'{"': 1.0}),
        position("choice"),
        position('":"'),
        position("B", A=0.3, B=0.6),
    ]
    assert choice_probabilities(LETTERS, tokens) == pytest.approx({"A": 1 / 3, "B": 2 / 3, "C": 0})


def test_without_log_probabilities_there_are_none():
    """Empty, not uniform."""
    assert choice_probabilities(LETTERS, []) == {}
    assert choice_probabilities(LETTERS, [Position("The", {"The": -0.1})]) == {}


@pytest.mark.slow
@given(st.lists(st.tuples(st.text(), st.dictionaries(st.text(), st.floats(-50, 0)))))
def test_probabilities_add_up_to_one_or_there_are_none(tokens):
    weights = choice_probabilities(LETTERS, [Position(*one) for one in tokens])
    assert weights == {} or sum(weights.values()) == pytest.approx(1)


@pytest.mark.parametrize("wrong", [("A", "A"), ("A", ""), ("A", " A")])
def test_choices_are_different_strings(wrong):
    """Otherwise an answer would not tell which is meant."""
    with pytest.raises(ValueError, match="choices"):
        ask(wrong)
    with pytest.raises(ValueError, match="choices"):
        ask(answer=choice_model(LETTERS))


def test_choices_are_part_of_the_key_and_are_made_up():
    """Other choices are another question; a made-up answer is always the same one."""
    assert len({key_of("m", ask(choices)) for choices in [(), LETTERS, LETTERS[::-1]]}) == 3
    assert conforming(ask()) == conforming(ask())
    assert conforming(ask()) in LETTERS


def _letter(text, logprobs=None):
    """A behaviour that answers plain questions with a text, and JSON ones with B."""
    return {
        "answer": lambda body: '{"choice": "B"}' if "response_format" in body else text,
        "logprobs": logprobs,
    }


def test_a_server_is_asked_once_and_its_probabilities_are_kept(serve, options, tmp_path):
    """The second run reads the choice and the probabilities from the cache."""
    server = serve(**_letter("B", [{"B": 0.6, "A": 0.2}]))
    for _ in range(2):
        with open_llm("openai:m", options(server, cache=tmp_path / "c.sqlite")) as llm:
            [reply] = llm.generate([ask()])
        assert reply.text == "B"
        assert reply.probabilities == pytest.approx({"A": 0.25, "B": 0.75, "C": 0})
    assert server.calls == 1


def test_a_text_without_a_choice_is_asked_for_in_json(serve, options):
    """Both calls are paid for; the second has an enum and shows the first answer."""
    server = serve(**_letter("I would rather not say"))
    with open_llm("openai:m", options(server)) as llm:
        [reply] = llm.generate([ask()])
    assert (reply.text, reply.answer, reply.fault) == ("B", None, "")
    assert (server.calls, reply.cost.calls) == (2, 2)
    schema = server.bodies[1]["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["choice"]["enum"] == ["A", "B", "C"]
    assert server.bodies[1]["messages"][1]["content"] == "I would rather not say"
