"""How far one field tells the label: its chance, its accuracy, its words."""

from __future__ import annotations

import random
from itertools import permutations
from operator import eq

import numpy as np
import pytest

from augkit.core.types import Example, example
from augkit.shortcuts.field_alone import (
    _predicted_blocks,
    alone_accuracy,
    fields_alone,
    grouped_p,
    matching_p,
)
from tests.data import random_texts


def rows_of(fields: dict[str, list[str]], labels: list[str]) -> list[Example]:
    """Rows of these columns."""
    columns = zip(*fields.values(), strict=True)
    return [
        example(dict(zip(fields, texts, strict=True)), label)
        for texts, label in zip(columns, labels, strict=True)
    ]


def test_p_is_that_of_all_orders():
    """The drawn p is close to the share of all orders of the labels with as many matches."""
    predicted, truth = list("aabbcca"), list("aabbcba")
    right = sum(map(eq, predicted, truth))
    orders = list(permutations(truth))
    extreme = sum(sum(map(eq, predicted, order)) >= right for order in orders)
    assert matching_p(predicted, truth, 0) == pytest.approx(extreme / len(orders), abs=0.01)


def test_labels_are_dealt_out_group_by_group():
    """Against all ways: groups of one size exchange their labels, and each shuffles its own."""
    predicted = ["x", "y", "x", "x", "y"]
    truth = ["x", "y", "x", "y", "y"]
    groups = ["a", "a", "b", "b", "c"]
    ways = []
    for first, second in permutations([("x", "y"), ("x", "y")]):
        for order in permutations(first):
            for second_order in permutations(second):
                dealt = [*order, *second_order, "y"]
                ways.append(sum(map(eq, predicted, dealt)))
    right = sum(map(eq, predicted, truth))
    expected = sum(way >= right for way in ways) / len(ways)
    assert grouped_p(predicted, truth, groups, seed=1) == pytest.approx(expected, abs=0.02)


def test_the_field_with_the_word_of_the_label_is_told_with_that_word():
    """The other field is at chance; balanced accuracy is the mean of both labels."""
    rng = random.Random(0)
    labels = [rng.choice(["yes", "no"]) for _ in range(240)]
    claims = [
        f"{text} {'indeed' if label == 'yes' else 'never'}"
        for text, label in zip(random_texts(240, rng), labels, strict=True)
    ]
    evidence, claim = fields_alone(
        rows_of({"evidence": random_texts(240, rng), "claim": claims}, labels)
    )
    assert claim.gain > 0.3
    assert claim.p < 0.001 < evidence.p
    assert {(word.word, word.label) for word in claim.words[:2]} == {
        ("indeed", "yes"),
        ("never", "no"),
    }
    assert claim.balanced == pytest.approx(claim.accuracy, abs=0.1)


def test_two_answers_of_a_question_stay_together():
    """A word tells the right answer from the wrong one: it is found."""
    rng = random.Random(0)
    texts = random_texts(160, rng)
    questions = [f"Question {number // 2}?" for number in range(160)]
    answers = [f"{text} {'indeed' if n % 2 else 'never'}" for n, text in enumerate(texts)]
    labels = ["right" if n % 2 else "wrong" for n in range(160)]
    question, answer = fields_alone(rows_of({"question": questions, "answer": answers}, labels))
    assert answer.gain > 0.3
    assert answer.p < 0.01
    assert question.gain <= 0.05


@pytest.mark.slow
def test_answers_without_a_shortcut_pass_though_they_come_in_pairs():
    """Which of two answers is right is drawn: at most 3 alarms in 20 sets at 5 %."""
    alarms = 0
    for seed in range(20):
        rng = random.Random(seed)
        answers = random_texts(80, rng)
        questions = [f"Question {number // 2}?" for number in range(80)]
        labels = [label for _ in range(40) for label in rng.sample(["right", "wrong"], 2)]
        fields = fields_alone(rows_of({"question": questions, "answer": answers}, labels))
        alarms += fields[1].p <= 0.05
    assert alarms <= 3


def test_too_little_to_train():
    """One field, few rows, or words that never repeat: nothing is found, nothing is raised."""
    assert not fields_alone(rows_of({"a": ["x", "y"]}, ["yes", "no"]))
    few = fields_alone(rows_of({"a": ["x", "y"], "b": ["u", "v"]}, ["yes", "no"]))
    assert [field.rows for field in few] == [0, 0]
    different = [f"x{number}" for number in range(100)]
    fields = fields_alone(rows_of({"a": different, "b": different}, ["yes", "no"] * 50))
    assert [field.p for field in fields] == [1.0, 1.0]


def test_gains_are_those_of_taking_each_word_out():
    """Σ P(true) - P(true | the word's weight taken out), row by row and word by word."""
    rng = random.Random(3)
    texts = [f"{'good' if n % 2 else 'bad'} w{rng.randint(0, 3)}" for n in range(120)]
    rows = [Example({"text": text}, "ab"[n % 2], str(n)) for n, text in enumerate(texts)]
    expected: dict[str, float] = {}
    for block in _predicted_blocks(rows, grouped=False):
        classifier = block.classifier
        terms = classifier.vocabularies[0].terms
        for row, features in zip(
            block.rows, classifier.features(block.rows).toarray(), strict=True
        ):
            truth = classifier.labels.index(row.label)
            whole = classifier.probabilities(features[None])[0, truth]
            for column, value in enumerate(features.tolist()):
                if value:
                    without = np.where(np.arange(len(features)) == column, 0, features)
                    left = classifier.probabilities(without[None])[0, truth]
                    expected[terms[column]] = expected.get(terms[column], 0) + whole - left
    found = alone_accuracy("text", rows).words
    assert {"good", "bad"} <= {word.word for word in found}
    for word in found:
        assert word.gain == pytest.approx(expected[word.word])
