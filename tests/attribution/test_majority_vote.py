import pytest
from hypothesis import given
from hypothesis import strategies as st

from augkit.attribution.majority_vote import Vote, majority_vote, threshold
from augkit.core.errors import ConfigError

TABLE = [
    # One classifier: whatever it names is principal.
    ([["bad", "plot"]], Vote(("bad", "plot"), ())),
    # Three: two votes are enough, one is not.
    ([["bad", "plot"], ["bad", "sea"], ["plot"]], Vote(("bad", "plot"), ("sea",))),
    # Five: three are enough, two are not.
    (
        [["bad", "sea"], ["bad", "sea"], ["bad", "plot"], ["plot", "long"], ["plot"]],
        Vote(("bad", "plot"), ("sea", "long")),
    ),
    # Seven: four are enough, three are not; case does not matter, nor a word named twice.
    (
        [["Bad", "bad"], ["BAD", "sea"], ["bad", "sea"], ["bad", "SEA"], ["sun"], [], ["sun"] * 2],
        Vote(("bad",), ("sea", "sun")),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("lists", "expected"), TABLE, ids=["one", "three", "five", "seven"])
def test_the_vote_matches_a_table_made_by_hand(lists, expected):
    """A word in at least (|M| + 1) / 2 lists is principal, in fewer spurious."""
    assert majority_vote(lists) == expected
    assert majority_vote(lists, [0.8] * len(lists)) == expected


@pytest.mark.parametrize("number", [0, 2, 6])
def test_an_even_number_is_the_users_mistake(number):
    """It can tie, and that is said; so are weights that are none."""
    for vote in (threshold, lambda count: majority_vote([["bad"]] * count)):
        with pytest.raises(ConfigError, match=f"{number} classifiers can tie"):
            vote(number)
    for weights in ([0.5], [0.5, 0.5, -0.1], [0, 0, 0]):
        with pytest.raises(ConfigError, match="3 weights"):
            majority_vote([["bad"], ["bad"], []], weights)


def test_words_of_the_user_are_spurious():
    """Whatever the vote says, and also where nobody named them."""
    assert majority_vote([["he", "bad"]] * 3, spurious=["He", "she"]) == Vote(
        ("bad",), ("he", "she")
    )


def test_weights_can_overrule_the_majority():
    """One good classifier outweighs two that are worth little, and the other way round."""
    lists = [["bad"], ["sea"], ["sea"]]
    assert majority_vote(lists, [0.9, 0.3, 0.3]) == Vote(("bad",), ("sea",))
    assert majority_vote(lists, [0.9, 0.8, 0.8]) == Vote(("sea",), ("bad",))


LISTS = st.integers(0, 3).flatmap(
    lambda half: st.lists(
        st.lists(st.text("abA", max_size=2), max_size=5),
        min_size=2 * half + 1,
        max_size=2 * half + 1,
    )
)


@pytest.mark.slow
@given(LISTS, st.lists(st.text("ab", max_size=1), max_size=2))
def test_every_named_word_is_in_exactly_one_list(lists, given_words):
    """Principal and spurious words part what was named, and no one else's."""
    found = majority_vote(lists, spurious=given_words)
    named = {word.casefold() for words in [*lists, given_words] for word in words}
    assert {*found.principal, *found.spurious} == named
    assert len(found.principal) + len(found.spurious) == len(named)
    assert majority_vote([*reversed(lists)], spurious=given_words) == found
