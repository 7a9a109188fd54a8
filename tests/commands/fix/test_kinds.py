"""A field alone, opinions, people: what is offered, and what the end may say."""

from random import Random

import pandas as pd
import pytest

import augkit as package
from augkit.commands.fix.blind import cell_weights, filter_rows
from augkit.commands.fix.field_proof import FieldProof, OfferProof, PartChange, Trained, control_of
from augkit.commands.fix.linear_rows import CodedRows
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
    assert [{k: v for k, v in row.items() if k != "augkit_weight"} for row in weighed] == original
    parts = [read_jsonl(tmp_path / "out" / f"{part}.jsonl") for part in ("hard", "easy")]
    assert sum(map(len, parts)) == len(original)
    assert not [row for part in parts for row in part if row not in original]
    fewer = read_jsonl(tmp_path / "out" / "aflite.jsonl")
    assert not [row for row in fewer if row not in original]
    made = read_jsonl(tmp_path / "out" / "runs" / "coba" / "dataset.jsonl")
    assert [row["hypothesis"] for row in made if row["augkit_parent"] is None] == [
        row["hypothesis"] for row in original
    ]


def test_weights_leave_nothing_to_the_blind_model():
    """By a slow count: in each cell the weighed labels have the shares of all rows."""
    import numpy as np

    rng = Random(1)
    labels = np.array([rng.choice("ab") for _ in range(900)])
    cells = np.array([label if rng.random() < 0.7 else rng.choice("ab") for label in labels])
    weights = cell_weights(cells, labels)
    assert weights.mean() == pytest.approx(1)
    for cell in "ab":
        of_cell = cells == cell
        share = weights[of_cell & (labels == "a")].sum() / weights[of_cell].sum()
        assert share == pytest.approx((labels == "a").mean(), abs=1e-9)


def told(words, labels):
    """Rows of one text, as a blind model of its words sees them."""
    rows = [{"text": word} for word in words]
    return CodedRows(rows, labels, lambda fields: fields["text"].split())


def test_rows_that_a_word_tells_go_and_others_stay():
    """Half of the rows have a word of their label, the others a word of none."""
    import numpy as np

    rng = Random(2)
    labels = [rng.choice("ab") for _ in range(800)]
    words = [f"w{label}" if number % 2 else "same" for number, label in enumerate(labels)]
    folds = [np.array([rng.randrange(5) for _ in labels]) for _ in range(12)]
    numbers = np.arange(800)
    stay = filter_rows(told(words, labels), numbers, folds)
    gone = set(numbers) - set(stay)
    assert gone
    assert all(number % 2 for number in gone)
    assert len(stay) >= 400


def test_a_control_is_of_the_same_size():
    """Weights are dealt out within a label; fewer rows keep the labels; more are repeated."""
    import numpy as np

    labels = np.array(list("aabb") * 25)
    train = np.arange(80)
    weights = np.linspace(0.5, 1.5, 80)
    dealt = control_of(Trained(train, weights), train, labels, 0).weights
    for label in "ab":
        own = labels[train] == label
        assert sorted(dealt[own]) == sorted(weights[own])
    fewer = control_of(Trained(train[:30]), train, labels, 0).rows
    assert sorted(labels[fewer]) == sorted(labels[:30])
    more = control_of(Trained(np.concatenate([train, np.arange(90, 100)])), train, labels, 0).rows
    assert len(more) == 90
    assert set(more) <= set(train)


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


def changes(ordinary, hard, other, error=0.01):
    """Changes of an offer, each with a standard error of one point unless given."""
    return {
        "ordinary rows": PartChange(0.7, ordinary, error),
        "hard part": PartChange(0.5, hard, error),
        "hard, by another model": PartChange(0.5, other, error),
    }


def offer(hard, ordinary, *, control=0.0, other=0.01, lead=0.1):
    """An offer with these changes."""
    beside = changes(0.0, control, 0.0)
    return OfferProof(changes(ordinary, hard, other), beside, PartChange(0.5, lead, 0.01))


def proof(hard_rows=500, lead=0.1, **offers):
    """A proof of these offers."""
    return FieldProof(2_000, hard_rows, PartChange(0.5, lead, 0.01), offers)


@pytest.mark.parametrize(
    ("measured", "verdict"),
    [
        (proof(weights=offer(0.03, 0.0)), "leans less"),
        (proof(weights=offer(0.03, -0.03)), "trade"),
        (proof(weights=offer(0.03, -0.015)), "leans less"),
        (proof(weights=offer(0.03, -0.025)), "trade"),
        (proof(weights=offer(0.01, 0.0)), "no help"),
        (proof(weights=offer(0.03, 0.0, control=0.04)), "no help"),
        (proof(weights=offer(0.03, 0.0, other=-0.01)), "no help"),
        (proof(weights=offer(-0.03, 0.0)), "harm"),
        (proof(weights=offer(0.0, -0.05)), "harm"),
        (proof(weights=offer(0.01, -0.05)), "no help"),
        (proof(weights=offer(0.0, -0.05), coba=offer(0.01, 0.0)), "no help"),
        (proof(weights=offer(0.03, -0.05), coba=offer(0.04, 0.0)), "leans less"),
        (proof(weights=offer(0.03, 0.0, lead=0.01), lead=0.01), "not testable"),
        (proof(weights=offer(0.03, 0.0, lead=0.03), lead=0.01), "leans less"),
        (proof(weights=offer(0.03, 0.0), hard_rows=30), "not testable"),
    ],
)
def test_endings_of_a_field_alone(measured, verdict):
    """The rule of the page: two standard errors on the hard part, and a point of ordinary rows."""
    assert measured.verdict == verdict


@pytest.mark.parametrize(
    ("offers", "name"),
    [
        ({"weights": offer(0.03, 0.0), "coba": offer(0.04, 0.0)}, "weights"),
        ({"weights": offer(0.03, 0.0), "coba": offer(0.09, 0.0)}, "coba"),
        ({"weights": offer(0.09, -0.05), "coba": offer(0.04, 0.0)}, "coba"),
        ({"weights": offer(0.09, -0.05)}, None),
    ],
)
def test_the_simplest_offer_that_is_not_clearly_below_is_recommended(offers, name):
    """More in figures is not enough; a trade is never recommended."""
    assert proof(**offers).recommended == name


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
    assert rows["augkit_parent"].notna().sum() > 60
    assert rows["augkit_parent"].isna().sum() == 380
    assert not rows["text"].str.contains(r"\[MASK\]").any()
