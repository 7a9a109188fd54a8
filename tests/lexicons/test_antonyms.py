"""The antonym table: direct ones first, adjectives through those they are similar to."""

from augkit.lexicons.antonyms import antonyms


def test_direct_and_indirect_antonyms():
    """A direct antonym is given; an adjective without one gets those of similar ones."""
    assert antonyms()["verb", "love"] == ("hate",)
    assert "interesting" in antonyms()["adjective", "tedious"]


def test_no_word_is_its_own_antonym():
    """Nothing is its own opposite, and all words are small letters."""
    for (_, word), others in antonyms().items():
        assert word not in others
        assert word == word.lower()
