"""Every shape of a choice is read, and written as it was read."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augkit.core.errors import DataError
from augkit.datasets.choices.load import load_choices
from augkit.datasets.choices.shapes import find_shape

YES, NO = "It is warm.", "It is cold today."


def json_line(row):
    return json.dumps(row) + "\n"


def said(role, content):
    return {"role": role, "content": content}


ASK = [said("user", "How is it?")]
SHAPES = {
    "strings": {"prompt": "How is it?", "chosen": YES, "rejected": NO},
    "messages": {
        "prompt": ASK,
        "chosen": [said("assistant", YES)],
        "rejected": [said("assistant", NO)],
    },
    "conversations": {
        "chosen": [*ASK, said("assistant", YES)],
        "rejected": [*ASK, said("assistant", NO)],
    },
    "dialogues": {
        "chosen": f"\n\nHuman: How is it?\n\nAssistant:{YES}",
        "rejected": f"\n\nHuman: How is it?\n\nAssistant:{NO}",
    },
    "lists": {"prompt": "How is it?", "chosen": [YES], "rejected": [NO]},
    "index": {"question": "How is it?", "options": [YES, NO], "answer": 0},
    "letter": {"question": "How is it?", "choices": [YES, NO], "answer": "A"},
    "small letter": {"question": "How is it?", "choices": [YES, NO], "answer": "a"},
    "text": {"question": "How is it?", "options": [YES, NO], "answer": YES},
    "several right": {"question": "How is it?", "options": [YES, NO], "answer": [0]},
    "ARC": {
        "question": "How is it?",
        "choices": {"text": [YES, NO], "label": ["1", "2"]},
        "answerKey": "1",
    },
    "TruthfulQA": {
        "question": "How is it?",
        "mc1_targets": {"choices": [YES, NO], "labels": [1, 0]},
    },
    "endings": {"ctx": "How is it?", "endings": [YES, NO], "label": "0"},
    "MMLU table": {"question": "How is it?", "A": YES, "B": NO, "C": "So so.", "answer": "A"},
    "PIQA": {"goal": "How is it?", "sol1": YES, "sol2": NO, "label": 0},
    "winner": {"prompt": "How is it?", "response_a": YES, "response_b": NO, "winner": "a"},
    "arena": {
        "conversation_a": [*ASK, said("assistant", YES)],
        "conversation_b": [*ASK, said("assistant", NO)],
        "winner": "model_a",
    },
    "numbers": {"instruction": "How is it?", "output_1": YES, "output_2": NO, "preference": 1},
    "verdict": {
        "prompt": "How is it?",
        "first": YES,
        "second": NO,
        "verdict": "first",
        "judge": "a judge",
        "gold": "second",
    },
    "scores": {"prompt": "How is it?", "completions": [YES, NO], "scores": [0.5, -1.0]},
    "scored objects": {
        "instruction": "How is it?",
        "completions": [
            {"model": "m", "response": YES, "overall_score": 7},
            {"model": "n", "response": NO, "overall_score": 2},
        ],
    },
}
SECOND_WINS = {"preference": 2}


def fitted(row, *others):
    shape = find_shape(list(row), [row])
    assert shape is not None
    return shape.fit([row, *others])


def others_of(name, row):
    """A second row, where one alone does not tell numbers from 0 from numbers from 1."""
    return [{**row, **SECOND_WINS}] if name == "numbers" else []


@pytest.mark.parametrize("name", SHAPES)
def test_a_row_is_read_and_written_as_it_was(name):
    row = SHAPES[name]
    shape = fitted(row, *others_of(name, row))
    choice = shape.read(row)
    assert choice.candidates[:2] == (YES, NO)
    assert choice.winners == (0,)
    assert "How is it?" in choice.prompt
    assert shape.write(choice) == row


@pytest.mark.parametrize("name", SHAPES)
def test_changed_texts_and_winners_are_written_in_the_same_shape(name):
    row = SHAPES[name]
    shape = fitted(row, *others_of(name, row))
    choice = shape.read(row)
    texts = ("Rather warm.", *choice.candidates[1:])
    scores = (-2.0, *choice.scores[1:]) if choice.scores else ()
    changed = replace(choice, candidates=texts, winners=(1,), scores=scores)
    again = shape.read(shape.write(changed))
    won = [again.candidates[place] for place in again.winners]
    assert won == [NO]
    assert sorted(again.candidates) == sorted(texts)
    assert again.prompt == choice.prompt
    assert row == SHAPES[name]


def test_a_verdict_says_who_judged_and_what_is_right():
    choice = fitted(SHAPES["verdict"]).read(SHAPES["verdict"])
    assert (choice.judge, choice.gold, choice.winners) == ("a judge", 1, (0,))


@pytest.mark.parametrize("winner", ["tie", "tie (bothbad)", None, ""])
def test_a_tie_has_no_winner(winner):
    row = {**SHAPES["winner"], "winner": winner}
    shape = fitted(SHAPES["winner"], row)
    choice = shape.read(row)
    assert (choice.winners, choice.decided) == ((), False)
    assert shape.write(choice) == row


def test_equal_scores_are_a_tie():
    row = {**SHAPES["scores"], "scores": [1, 1]}
    assert fitted(row).read(row).winners == ()


def test_numbers_are_from_one_only_where_zero_does_not_fit():
    """The number 2 of two options can only be the second."""
    rows = [
        {"sentence": "_ is tall.", "option1": "Ann", "option2": "Bo", "answer": n} for n in "12"
    ]
    assert [fitted(*rows).read(row).winners for row in rows] == [(0,), (1,)]
    rows = [{"goal": "Sit.", "sol1": "chair", "sol2": "moon", "label": n} for n in (0, 1)]
    assert [fitted(*rows).read(row).winners for row in rows] == [(0,), (1,)]


def test_an_answer_of_two_turns_stays_whole():
    turns = [said("assistant", "One."), said("user", "And?"), said("assistant", "Two.")]
    row = {"prompt": ASK, "chosen": turns, "rejected": [said("assistant", NO)]}
    choice = fitted(row).read(row)
    assert choice.candidates == ("One.\n\nTwo.", NO)
    assert fitted(row).write(choice) == row
    with pytest.raises(DataError, match="2 messages cannot be changed"):
        fitted(row).write(replace(choice, candidates=("Three.", NO)))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"prompt": "p", "chosen": YES, "rejected": ""}, "candidate 2 of 2 is empty"),
        ({"prompt": "p", "chosen": YES, "rejected": None}, "rejected is not a text"),
        ({"prompt": "p", "chosen": YES, "rejected": []}, "rejected is an empty list"),
        ({"prompt": "p", "chosen": 5, "rejected": NO}, "chosen is not a text or a list: number"),
    ],
)
def test_a_bad_pair_is_an_error_with_its_line(tmp_path, row, message):
    path = tmp_path / "pairs.jsonl"
    path.write_text(json_line(SHAPES["strings"]) + json_line(row), encoding="utf-8")
    with pytest.raises(DataError, match=f"line 2: .*{message}"):
        load_choices(path)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"answer": 2}, "the winner '2' is none of the 2 candidates: 0, 1"),
        ({"answer": "C"}, "the winner 'C' is none of the 2 candidates"),
        ({"options": [YES]}, "a choice needs two candidates, and there is 1"),
        ({"options": "warm"}, "options is not a list of texts: text"),
        ({"options": [YES, 3]}, "options is not a list of texts"),
    ],
)
def test_a_bad_question_is_an_error_with_its_line(tmp_path, changed, message):
    path = tmp_path / "quiz.jsonl"
    good = SHAPES["index"]
    path.write_text(json_line(good) + json_line({**good, **changed}), encoding="utf-8")
    with pytest.raises(DataError, match=f"line 2: .*{message}"):
        load_choices(path)


def test_other_columns_and_a_wrong_group_are_errors_that_list_the_columns(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text(json_line({"chosen": YES, "refused": NO}), encoding="utf-8")
    with pytest.raises(DataError, match="in its columns: chosen, refused"):
        load_choices(path)
    path.write_text(json_line({**SHAPES["strings"], "topic": "t"}), encoding="utf-8")
    with pytest.raises(DataError, match=r"no column 'topics'.*Did you mean 'topic'"):
        load_choices(path, group_column="topics")
    assert load_choices(path, group_column="topic").choices[0].group == "t"


TEXTS = st.text(min_size=1).filter(str.strip)


@pytest.mark.slow
@given(st.lists(TEXTS, min_size=2, max_size=6), st.data())
def test_any_options_come_back(texts, data):
    """By index and by letter, with any texts and any winner."""
    place = data.draw(st.integers(0, len(texts) - 1))
    first = {"question": "?", "options": texts, "answer": 0}
    row = {**first, "answer": place}
    shape = fitted(row, first)
    assert (shape.read(row).candidates, shape.read(row).winners) == (tuple(texts), (place,))
    assert shape.write(shape.read(row)) == row


@given(TEXTS, TEXTS, st.text())
def test_any_pair_comes_back(chosen, rejected, prompt):
    conversation = [said("user", prompt)]
    for row in (
        {"prompt": prompt, "chosen": chosen, "rejected": rejected},
        {"chosen": chosen, "rejected": rejected},
        {
            "chosen": [*conversation, said("assistant", chosen)],
            "rejected": [*conversation, said("assistant", rejected)],
        },
    ):
        shape = fitted(row)
        assert shape.write(shape.read(row)) == row
        swapped = replace(shape.read(row), winners=(1,))
        assert shape.write(swapped)["chosen"] == row["rejected"]
