"""Answers that occur in a text stay what the text says."""

import pytest

import augkit
from augkit.core.errors import DataError

ROW = {
    "question": ["Who wrote the book?"],
    "context": ["Jane Austen wrote it. Jane Austen was a writer."],
    "answer": ["Jane Austen"],
}


def augmented(pairs, row=ROW, **columns):
    step = augkit.create("swap", pairs=pairs)
    return augkit.as_map(step, answer_columns=["answer"], **columns)(row)


def test_an_answer_follows_its_text():
    """All places change alike, and the column with them."""
    made = augmented([["Jane", "Janet"]])
    assert made["context"][1] == "Janet Austen wrote it. Janet Austen was a writer."
    assert made["answer"] == ["Jane Austen", "Janet Austen"]


@pytest.mark.slow
def test_a_list_of_answers_stays_a_list():
    made = augmented([["Jane", "Janet"]], ROW | {"answer": [["Jane Austen", "Austen"]]})
    assert made["answer"][1] == ["Janet Austen", "Austen"]


@pytest.mark.parametrize("empty", ["", None, []])
def test_a_question_without_an_answer_is_augmented(empty):
    """As SQuAD 2 has them."""
    made = augmented([["book", "novel"]], ROW | {"answer": [empty]})
    assert made["answer"] == [empty, empty]
    assert made["question"][1] == "Who wrote the novel?"


def test_an_answer_that_does_not_occur_is_an_error():
    message = "row 1: column 'answer': 'Emily' does not occur in question or context. Correct"
    with pytest.raises(DataError, match=message):
        augmented([["book", "novel"]], ROW | {"answer": ["Emily"]})


def test_the_text_of_an_answer_can_be_named():
    step = augkit.create("swap", pairs=[["writer", "author"]])
    with pytest.raises(DataError, match="does not occur in question"):
        augkit.as_map(step, answer_columns=["answer=question"])(ROW)
    made = augkit.as_map(step, answer_columns=["answer=context"])(ROW)
    assert made["answer"][1] == "Jane Austen"
