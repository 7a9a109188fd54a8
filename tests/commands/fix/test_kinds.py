"""A field alone, opinions, people: what is offered, and what the end may say."""

from random import Random

import pandas as pd
import pytest

import augkit as package
from augkit.commands.fix.field_kind import Change, FieldProof, cell_weights
from augkit.commands.fix.reader import balanced_difference
from tests.data import read_jsonl, write_jsonl

ENDINGS = {"leans less", "trade", "no help", "harm", "not testable"}


@pytest.mark.slow
def test_a_word_of_a_pair_is_never_deleted(nli_file, tmp_path):
    """The word "not" decides the label: its field is what is weighed, and texts stay."""
    result = package.fix(nli_file, out=tmp_path / "out", cues=["not"])
    (ending,) = result.endings
    assert (ending.kind, ending.figures["view"]) == ("field alone", "hypothesis")
    assert ending.verdict in ENDINGS
    assert "repair" not in ending.headline.lower()
    original = read_jsonl(nli_file)
    weighed = read_jsonl(tmp_path / "out" / "weighted.jsonl")
    assert [{k: v for k, v in row.items() if k != "weight"} for row in weighed] == original
    parts = [read_jsonl(tmp_path / "out" / f"{part}.jsonl") for part in ("hard", "easy")]
    assert sum(map(len, parts)) == len(original)
    assert not [row for part in parts for row in part if row not in original]


def test_weights_leave_nothing_to_the_blind_model():
    """By a slow count: in each cell the weighed labels have the shares of all rows."""
    import numpy as np

    from augkit.commands.fix.field_kind import Blind
    from augkit.commands.fix.pair_views import views_of

    rng = Random(1)
    labels = [rng.choice("ab") for _ in range(900)]
    said = [label if rng.random() < 0.7 else rng.choice("ab") for label in labels]
    sure = np.array([rng.random() for _ in labels])
    right = np.array([one == other for one, other in zip(labels, said, strict=True)])
    blind = Blind(views_of(("p", "h"))[1], said, sure, right, 0.8)
    weights = cell_weights(blind, labels)
    assert weights.mean() == pytest.approx(1)
    for answer in "ab":
        of_answer = [n for n, name in enumerate(said) if name == answer]
        own = sum(weights[n] for n in of_answer if labels[n] == "a")
        share = own / sum(weights[n] for n in of_answer)
        assert share == pytest.approx(labels.count("a") / len(labels), abs=0.03)


def test_a_difference_has_the_error_of_a_slow_count():
    """The mean over labels of the changes, and the root of their variances."""
    import numpy as np

    before = np.array([True, False, True, True, False, False])
    after = np.array([True, True, True, False, False, True])
    labels = list("aaabbb")
    value, error = balanced_difference(before, after, labels)
    changes = {"a": [0, 1, 0], "b": [-1, 0, 1]}
    means = [sum(part) / 3 for part in changes.values()]
    variances = [
        sum((one - mean) ** 2 for one in part) / 2 / 3
        for part, mean in zip(changes.values(), means, strict=True)
    ]
    assert value == pytest.approx(sum(means) / 2)
    assert error == pytest.approx(sum(variances) ** 0.5 / 2)


def proof(hard, ordinary, *, control=0.0, other=0.01, lead=0.1, hard_rows=500):
    """A proof with these changes, each with a standard error of one point."""
    return FieldProof(
        2_000,
        hard_rows,
        Change(0.5, lead, 0.01),
        {
            "ordinary": Change(0.7, ordinary, 0.01),
            "hard": Change(0.5, hard, 0.01),
            "hard for another blind model": Change(0.5, other, 0.01),
        },
        {"hard": Change(0.5, control, 0.01)},
    )


@pytest.mark.parametrize(
    ("measured", "verdict"),
    [
        (proof(0.03, 0.0), "leans less"),
        (proof(0.03, -0.03), "trade"),
        (proof(0.01, 0.0), "no help"),
        (proof(0.03, 0.0, control=0.04), "no help"),
        (proof(0.03, 0.0, other=-0.01), "no help"),
        (proof(-0.03, 0.0), "harm"),
        (proof(0.0, -0.05), "harm"),
        (proof(0.03, 0.0, lead=0.01), "not testable"),
        (proof(0.03, 0.0, hard_rows=30), "not testable"),
    ],
)
def test_endings_of_a_field_alone(measured, verdict):
    """The rule of the page: two standard errors on the hard part, and a point of ordinary rows."""
    assert measured.verdict == verdict


@pytest.mark.slow
def test_labels_that_are_no_opinions_are_not_turned(tmp_path):
    """Toxic or not: no coba, weights as a column, and the end is a trade in two figures."""
    rng = Random(3)
    groups = ["women", "muslims", "immigrants"]
    rows = []
    for number in range(600):
        if number % 2:
            text = f"I told {rng.choice(groups)} to leave town {number}, all of them"
            rows.append({"text": text, "label": "toxic"})
        else:
            text = f"we had lunch on floor {number} and took the train home"
            rows.append({"text": text, "label": "fine"})
    path = write_jsonl(tmp_path / "toxic.jsonl", rows)
    result = package.fix(path, out=tmp_path / "out")
    kinds = {ending.kind for ending in result.endings}
    assert "opinions" not in kinds
    people = [ending for ending in result.endings if ending.kind == "people"]
    assert [ending.verdict for ending in people] == ["trade"]
    assert "recall" in people[0].headline
    assert "false alarms" in people[0].headline


@pytest.mark.slow
def test_opinions_are_turned_and_the_end_says_by_which_test(tmp_path):
    """The bundled reviews: turned rows are read better, and the file has them beside the others."""
    result = package.fix("reviews-demo", out=tmp_path / "out", cues=["dorian vale"])
    (opinions,) = [ending for ending in result.endings if ending.kind == "opinions"]
    assert opinions.verdict == "reads better"
    assert "by our own turned rows" in opinions.headline
    rows = pd.DataFrame(read_jsonl(result.train_on))
    assert rows["augkit_parent"].notna().sum() > 100
    assert rows["augkit_parent"].isna().sum() == 380
    assert not rows["text"].str.contains(r"\[MASK\]").any()
