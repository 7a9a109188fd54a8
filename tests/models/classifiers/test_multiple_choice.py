import json

import numpy as np
import pytest
from typer.testing import CliRunner

from augkit import augment_dataset
from augkit.cli.app import app
from augkit.core.errors import DataError
from augkit.core.types import Example, example
from augkit.models.classifiers.multiple_choice import (
    MultipleChoiceClassifier,
    option_pairs,
    place_labels,
)
from augkit.models.classifiers.settings import LinearConfig
from augkit.models.classifiers.train import load_trained_classifier, train_classifier

NAMES = ["Jane", "Joe", "Mary", "Paul", "Anna", "Mark"]


def choice(options, answer, question="Who came home?", passage="A man said that he came home."):
    fields = {"passage": passage, "question": question, "options": "\n\n".join(options)}
    return example(fields, answer)


def quiz(size=24):
    """The right option is the one that says "surely", at any of three places."""
    rows = []
    for number in range(size):
        options = [f"{NAMES[(number + place) % 6]} perhaps came" for place in range(3)]
        options[number % 3] = f"{NAMES[number % 6]} surely came"
        rows.append(choice(options, "ABC"[number % 3], f"Who came on day {number}?"))
    return rows


class WordCounter:
    """p(right) is the share of the letter a among a's and b's of the option."""

    labels = ("wrong", "right")

    def predict(self, examples):
        shares = []
        for row in examples:
            text = row.fields["option"]
            shares.append(text.count("a") / (text.count("a") + text.count("b")))
        return np.array([[1 - share, share] for share in shares])


def test_an_option_has_its_share_of_what_all_options_have():
    """Beside the formula, computed slowly, for rows with two and three options."""
    rows = [choice(["ab", "aaab", "abbb"], "A"), choice(["bba", "aab"], "B")]
    classifier = MultipleChoiceClassifier(("A", "B", "C"), tuple(rows[0].fields), WordCounter())
    right = [[0.5, 0.75, 0.25], [1 / 3, 2 / 3]]
    expected = [[share / sum(of_row) for share in of_row] for of_row in right]
    assert classifier.predict(rows).tolist() == [
        pytest.approx(expected[0]),
        pytest.approx([*expected[1], 0]),
    ]
    assert classifier.predict([]).shape == (0, 3)
    with pytest.raises(DataError, match="4 options"):
        classifier.predict([choice(["a", "b", "a", "b"], "A")])


def test_pairs_are_the_other_texts_and_one_option():
    """One is right; the options of a row share a group, so that they stay together."""
    row = choice(["Jane", "Joe"], "B", "Who?", "They met.")
    pairs = option_pairs(row, ("A", "B"))
    assert [pair.fields for pair in pairs] == [
        {"question": "They met.\n\nWho?", "option": "Jane"},
        {"question": "They met.\n\nWho?", "option": "Joe"},
    ]
    assert [pair.label for pair in pairs] == ["wrong", "right"]
    assert {pair.columns["pair_id"] for pair in pairs} == {row.id}


@pytest.mark.parametrize(
    ("answers", "labels"),
    [("BA", ("A", "B")), ("01", ("0", "1")), ("21", ("1", "2"))],
)
def test_places_have_letters_or_numbers(answers, labels):
    """Numbers count from 0 where the answer 0 occurs, else from 1."""
    assert place_labels([choice(["Jane", "Joe"], answer) for answer in answers])[:2] == labels


def test_answers_that_are_no_places_are_errors():
    """A text, and a place that the row does not have."""
    with pytest.raises(DataError, match="'Joe' is no place"):
        place_labels([choice(["Jane", "Joe"], "Joe")])
    rows = [*quiz(), choice(["Jane", "Joe"], "C")]
    with pytest.raises(DataError, match="'C' is none of the 2 options"):
        train_classifier(rows, LinearConfig(min_df=1))


def test_a_trained_classifier_finds_the_right_option_and_is_saved(tmp_path):
    """Words of an option decide, wherever it stands; a saved one predicts the same."""
    rows = quiz()
    classifier = train_classifier(rows, LinearConfig(min_df=1))
    new = [choice(["Mark surely came", "Anna perhaps came", "Joe perhaps came"], "A")]
    new += [choice(["Mark perhaps came", "Anna surely came"], "B")]
    new += [choice([*["Mark perhaps came"] * 4, "Anna surely came"], "E")]
    predicted = classifier.predict(new)
    assert [classifier.labels[place] for place in predicted.argmax(axis=1)] == ["A", "B", "E"]
    classifier.save(tmp_path / "saved")
    loaded = load_trained_classifier(tmp_path / "saved")
    assert isinstance(loaded, MultipleChoiceClassifier)
    assert np.array_equal(loaded.predict(new), predicted)


def test_a_text_called_options_without_several_is_a_text():
    """Rows of two plain texts are classified as before, whatever their columns are called."""
    rows = [Example({"text": word, "options": word}, word) for word in ("good", "bad") * 5]
    classifier = train_classifier(rows, LinearConfig(min_df=1))
    assert classifier.labels == ("bad", "good")


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["accuracy", "fairscore"])
def test_evaluate_measures_multiple_choice(tmp_path, metric):
    """Accuracy, and fairscore with one perturbation for passage, question and options.

    The right option of a test row may be at a place where no training row has it.
    """
    more = choice(["Joe perhaps came", *["Mark perhaps came"] * 3, "Jane surely came"], "E")
    for part, rows in {"train": quiz(), "test": [*quiz(), more]}.items():
        lines = []
        for row in rows:
            columns = {**row.fields, "options": row.fields["options"].split("\n\n")}
            lines.append(json.dumps({**columns, "answer": row.label}))
        (tmp_path / f"{part}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    texts = [
        part for name in ("passage", "question", "options") for part in ("--text-column", name)
    ]
    command = ["evaluate", "--train", tmp_path / "train.jsonl", "--test", tmp_path / "test.jsonl"]
    command += [*texts, "--label-column", "answer", "--metric", metric, "--set", "model.min_df=1"]
    result = CliRunner().invoke(app, [*map(str, command), "--out", str(tmp_path)])
    assert result.exit_code == 0, result.output
    [scores] = json.loads((tmp_path / "scores.json").read_text(encoding="utf-8"))["results"]
    expected = {"accuracy": ("accuracy", 1.0), "fairscore": ("changed_rows", 0.0)}[metric]
    assert scores["scores"][expected[0]]["value"] == expected[1]


def test_fairtuned_rows_keep_their_options_apart(tmp_path):
    """A run writes the list that it read, with the person changed in all fields alike."""
    row = {
        "passage": "Jane left.",
        "question": "What did Jane do?",
        "options": ["She left.", "It rained."],
    }
    (tmp_path / "rows.jsonl").write_text(json.dumps({**row, "answer": 0}), encoding="utf-8")
    settings = {"method": "panda", "text_columns": list(row), "label_column": "answer"}
    options = {"axes": ["gender"], "target": "man"}
    out = augment_dataset(
        tmp_path / "rows.jsonl", out=tmp_path / "run", options=options, **settings
    )
    [line] = (out / "dataset.jsonl").read_text(encoding="utf-8").splitlines()
    written = json.loads(line)
    name = written["passage"].removesuffix(" left.")
    assert name != "Jane"
    assert written["question"] == f"What did {name} do?"
    assert written["options"] == ["He left.", "It rained."]
    assert written["answer"] == 0
