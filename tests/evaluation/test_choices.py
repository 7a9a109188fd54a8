"""Difficulty of choices, and how often the longest candidate wins."""

import pytest

from augkit.core.choices import Choice
from augkit.evaluation.choices import (
    length_bins,
    level_of,
    levels_of,
    longest_share,
    winners_by_length,
)

LONG, SHORT = "one two three four five six", "one two"


@pytest.mark.parametrize(
    ("winner", "loser", "level"),
    [
        (LONG, SHORT, "easy"),
        (SHORT, LONG, "hard"),
        ("one two", "two one", "normal"),
        ("**one** two", "one two", "easy"),
        ("one two", "- one\n- two", "hard"),
        (SHORT + " **b**", LONG, "normal"),  # shorter and fancier
    ],
)
def test_the_winner_is_longer_fancier_or_neither(winner, loser, level):
    assert level_of(Choice((winner, loser), (0,))) == level
    assert level_of(Choice((loser, winner), (1,))) == level


def test_a_tenth_more_words_is_longer():
    """20 words against 22 are a tenth apart, and 21 are not."""
    texts = {count: " ".join(["word"] * count) for count in (20, 21, 22)}
    assert level_of(Choice((texts[21], texts[20]), (0,))) == "normal"
    assert level_of(Choice((texts[22], texts[20]), (0,))) == "easy"


def test_of_several_losers_the_mean_counts():
    assert level_of(Choice(("a b c d", "a b", "a b c d e f g h"), (0,))) == "hard"


def test_a_column_with_levels_is_believed_where_all_rows_have_one():
    easy = Choice((LONG, SHORT), (0,), columns={"difficulty": "Hard"})
    assert levels_of([easy]) == ["hard"]
    other = Choice((LONG, SHORT), (0,), columns={"difficulty": "4 of 5"})
    assert levels_of([easy, other]) == ["easy", "easy"]


def test_wins_of_the_longest_by_how_much_longer_it_is():
    choices = [
        Choice(("x" * 30, "x" * 10), (0,)),
        Choice(("x" * 10, "x" * 40), (0,)),
        Choice(("x" * 12, "x" * 10), (0,)),
        Choice(("same", "size"), (0,)),  # no longest candidate
        Choice(("x" * 30, "x" * 10), ()),  # a tie
    ]
    bins = [(part.least, part.most, part.items, part.won) for part in winners_by_length(choices)]
    assert bins == [(1.1, 1.25, 1, 1.0), (3.0, None, 2, 0.5)]
    assert longest_share(choices[0], (0, 1)) == 0.5
    assert length_bins([(1.3, 1.0, 0.0)])[0].picked == 0.0
