"""Results and their files: what is written is read again."""

import json

import pytest

from augkit.core.errors import DataError
from augkit.core.results import (
    SCORES_FILE,
    Comparison,
    Evaluation,
    LLMAnswers,
    OneLabel,
    Perturbation,
    Result,
    RowCounts,
    Score,
    Spent,
    Spread,
    read_evaluation,
    record_of,
)

SCORE = Score("accuracy", 0.8, 0.7, 0.9, 50)
PLAIN = Result("accuracy", "higher", "a", "t", {"accuracy": SCORE})
FULL = Result(
    metric="fairscore",
    direction="lower",
    train="b",
    test="t",
    scores={"changed_rows": Score("changed_rows", 0.1, 0.0, 0.2, 50)},
    skipped={"grammar": "not installed"},
    perturbation=Perturbation("swap", {"no listed word": 5}, {}),
    model={"kind": "llm"},
    rows=RowCounts(20, 50, 1, 2, in_train=None, ood=7),
    is_reference=True,
    weak_test=("few texts",),
    seeds=Spread((0.1, 0.2), "each seed"),
    llm=LLMAnswers(
        questions=3,
        unanswered={"refused": 1},
        position_effect={"first option": Score("first option", 0.1, 0.0, 0.2, 3)},
        cost=Spent(calls=6, usd=None, unpriced={"tiny": 6}),
    ),
    one_label=OneLabel("bad", 49, 50, 0.5),
    judge={"members": {"linear": 0.9}, "warnings": []},
)
CHANGE = Comparison(
    metric="accuracy",
    direction="higher",
    score="accuracy",
    difference=Score("accuracy difference", 0.1, 0.05, 0.15, 50),
    p=0.01,
    first="a",
    second="b",
    test="t",
    p_corrected=0.02,
    over_seeds=Spread((0.1,), "each seed"),
)


def test_an_evaluation_is_read_as_it_was_written(tmp_path):
    """Every field, also those that most results do not have; a folder without one has none."""
    assert read_evaluation(tmp_path) is None
    evaluation = Evaluation({"improved": ["accuracy"]}, [PLAIN, FULL, CHANGE])
    (tmp_path / SCORES_FILE).write_text(json.dumps(evaluation.as_json()))
    assert read_evaluation(tmp_path) == evaluation


def test_what_is_absent_has_no_key():
    """A count of rows that is not known is there as null, one of 0 is not."""
    assert list(record_of(PLAIN)) == ["metric", "direction", "scores", "train", "test"]
    rows = record_of(FULL)["rows"]
    assert (rows["in_train"], rows["ood"]) == (None, 7)


@pytest.mark.parametrize("text", ["{", "[]", '{"verdict": {}, "results": [{"metric": "a"}]}'])
def test_a_damaged_file_is_named(tmp_path, text):
    (tmp_path / SCORES_FILE).write_text(text)
    with pytest.raises(DataError, match=r"scores\.json: damaged"):
        read_evaluation(tmp_path)
