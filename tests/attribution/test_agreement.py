import pytest

from augkit.attribution.majority_vote import agreement


def test_shares_of_a_table_made_by_hand():
    """Two examples, three classifiers: who names what is counted word by word."""
    lists = [
        [["bad", "plot"], ["bad", "sea"], ["bad", "plot"]],  # by all: bad; two: plot; one: sea
        [["good"], ["good"], ["sun", "good"]],  # by all: good; one: sun
        [[], [], []],  # nobody names a word: not counted
    ]
    found = agreement(lists)
    assert (found.by_all, found.by_several, found.by_one) == pytest.approx((2 / 5, 1 / 5, 2 / 5))
    assert found.rows_with_common == 1.0
    assert found.rows == 2
    assert [pair[:2] for pair in found.pairs] == [(0, 1), (0, 2), (1, 2)]
    assert [share for *_, share in found.pairs] == pytest.approx([0.75, 0.75, 0.5])


def test_one_classifier_and_no_rows():
    """One classifier agrees with itself; without rows there is nothing to share out."""
    alone = agreement([[["bad"]], [["good", "sun"]]])
    assert (alone.by_all, alone.by_several, alone.by_one, alone.pairs) == (1.0, 0.0, 0.0, ())
    assert agreement([]).rows == 0
