"""The table of negation words and selections from it."""

import pytest

from augkit.english.negation import negation_pattern, negation_words, with_apostrophes


def test_words_of_groups() -> None:
    assert negation_words("particle", "pronoun") == {"not", "nobody", "none", "nothing"}
    assert negation_words() == frozenset()


def test_unknown_group_is_an_error() -> None:
    with pytest.raises(KeyError, match="particles"):
        negation_words("particles")


@pytest.mark.parametrize("text", ["It is not.", "NOT so", "It isn\u2019t.", "DON'T", "it isn t ."])
def test_pattern_finds(text: str) -> None:
    """Words in any casing and contractions with either apostrophe are found."""
    assert negation_pattern("particle").search(text) is not None


@pytest.mark.parametrize("text", ["a knot", "nothing", "notable", "ant", "plan t", "Don T."])
def test_pattern_finds_whole_words_of_its_groups_only(text: str) -> None:
    """Parts of words and words of other groups are not found."""
    assert negation_pattern("particle").search(text) is None


def test_all_spellings_of_not() -> None:
    """The contraction is listed as tokenisers leave it, with either apostrophe and without."""
    groups = ("particle", "contraction", "typographic", "informal")
    assert negation_words(*groups) == {"not", "n't", "n t", "n\u2019t", "nt"}


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("i didn t like it , it wasn t good", "i didn't like it , it wasn't good"),
        ("Won t go back. You can t.", "Won't go back. You can't."),
        ("Don T. wasn t-shirt", "Don T. wasn t-shirt"),
    ],
)
def test_apostrophes_that_a_file_lost(text: str, read: str) -> None:
    """Of contracted auxiliaries only, and no offset moves."""
    assert with_apostrophes(text) == read
