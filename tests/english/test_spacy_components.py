"""What the pipeline sees of a word."""

from hypothesis import given
from hypothesis import strategies as st

from augkit.english.spacy_components import dictionary_classes, shape, word_features


def test_case_is_in_the_shape_alone():
    """A capital changes one feature of a word."""
    lower, upper = word_features("watched"), word_features("Watched")
    assert [a == b for a, b in zip(lower, upper, strict=True)] == [True] * 5 + [False, True]


def test_typographic_signs_are_read_as_plain_ones():
    """Curly and straight apostrophes give the same features."""
    assert word_features("n\u2019t") == word_features("n't")


def test_the_dictionary_tells_base_forms_from_inflected_ones():
    """The form "left" is a base form as an adjective and inflected as a verb."""
    assert dictionary_classes("left") == "ADJ=ADV=NOUN=VERB-"


@given(st.text(max_size=50))
def test_every_word_has_all_features(word):
    """Any string has the same number of features, and its shape is no longer than itself."""
    assert len(word_features(word)) == len(word_features("a"))
    assert len(shape(word)) <= len(word)
