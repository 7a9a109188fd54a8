"""Mirror: the loser gets what winners have, in so many pairs that it is even; the words stay."""

import random
import re

import pytest

from augkit import create, load_dataset
from augkit.augmenters.choices.mirror import FEATURES
from augkit.core.errors import UnknownName

TEXT = "Warm air rises. It cools above the hills. Rain falls then."


def styled(text, name):
    return FEATURES[name].add(text)


def pairs(size, share, name):
    """Pairs in which the winner has a feature in this share, and the loser in the others."""
    rng = random.Random(1)
    rows = []
    for number in range(size):
        texts = [f"{TEXT} So it was in year {number}.", f"{TEXT} Nobody saw it in {number}."]
        place = 0 if rng.random() < share else 1
        texts[place] = styled(texts[place], name)
        rows.append({"prompt": f"{number}?", "chosen": texts[0], "rejected": texts[1]})
    return rows


def signs(rows, name):
    amount = FEATURES[name].amount
    values = [(amount(row["chosen"]), amount(row["rejected"])) for row in rows]
    return [(first > second) - (first < second) for first, second in values]


@pytest.mark.parametrize("name", FEATURES)
def test_adding_and_taking_away_are_inverse(name):
    """More of it after adding, none after taking it away, and the same words."""
    feature = FEATURES[name]
    plain = TEXT.rstrip(".") if name == "full stop at the end" else TEXT
    assert feature.amount(plain) == 0
    assert feature.amount(feature.add(plain)) > 0
    assert feature.amount(feature.take(feature.add(plain))) == 0
    words = re.findall(r"\w+", feature.take(feature.add(plain)))
    expected = re.findall(r"\w+", plain)
    assert words == (["Answer", *expected] if name == "headings" else expected)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["list items", "openings"])
def test_a_run_makes_the_feature_even(run_rows, name):
    """80 % of the winners have it before; afterwards half of them, with the originals there."""
    rows = pairs(80, 0.8, name)
    after = run_rows("mirror", rows)
    assert sum(signs(rows, name)) > 30
    assert abs(sum(signs(after, name))) <= 0.15 * len(after)
    variants = [row for row in after if row["augkit_origin"] != "original"]
    assert variants
    assert all(sign < 0 for sign in signs(variants, name))
    for row in variants:
        assert "So it was" in row["chosen"].replace("**", "")
        assert "Nobody saw" in row["rejected"].replace("**", "")


def test_all_pairs_whose_winner_has_it_are_mirrored(write_rows):
    """In Python, with a feature that is named and ``pairs="all"``."""
    rows = pairs(20, 0.7, "bold phrases")
    dataset = load_dataset(write_rows(rows), choices=True)
    method = create("mirror", features=["bold phrases"], pairs="all").fit(dataset)
    assert len(list(method(dataset))) == sum(sign > 0 for sign in signs(rows, "bold phrases"))


def test_nothing_is_mirrored_where_nothing_is_significant(write_rows):
    dataset = load_dataset(write_rows(pairs(40, 0.5, "bold phrases")), choices=True)
    outcomes = list(create("mirror").fit(dataset).outcomes(dataset))
    assert {outcome.reason for outcome in outcomes} == {"the winner has none of the features"}


def test_questions_with_several_options_are_rejected(write_rows):
    """A style has no single loser there."""
    row = {"question": "?", "options": ["**a**", "b", "c"], "answer": 0}
    dataset = load_dataset(write_rows([row]), choices=True)
    method = create("mirror", features=["bold phrases"]).fit(dataset)
    assert [outcome.reason for outcome in method.outcomes(dataset)] == ["not a pair with a winner"]


def test_length_is_not_promised(write_rows):
    """A feature that rules cannot mirror is an error that names those that they can."""
    dataset = load_dataset(write_rows(pairs(4, 0.5, "headings")), choices=True)
    with pytest.raises(UnknownName, match="list items"):
        create("mirror", features=["characters"]).fit(dataset)
