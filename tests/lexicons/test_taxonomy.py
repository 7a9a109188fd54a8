"""Relations between words for scenes."""

import pytest

from augkit.lexicons.taxonomy import taxonomy


@pytest.mark.parametrize(
    ("general", "word", "part", "holds"),
    [
        ("dog", "puppy", "noun", True),
        ("animal", "puppy", "noun", True),
        ("puppy", "dog", "noun", False),
        ("person", "surgeon", "noun", True),
        ("child", "girl", "noun", True),
        ("adult", "girl", "noun", False),
        ("run", "jog", "verb", True),
        ("red", "red", "modifier", True),
    ],
)
def test_a_broader_word_holds_of_the_narrower(general, word, part, holds):
    """What holds of a word is what stands above it, through all steps, and nothing else."""
    assert taxonomy().holds_of(general, word, part) is holds


@pytest.mark.parametrize(
    ("one", "other", "part", "excludes"),
    [
        ("man", "woman", "noun", True),
        ("man", "girl", "noun", True),
        ("poodle", "kitten", "noun", True),
        ("man", "doctor", "noun", False),
        ("woman", "person", "noun", False),
        ("outside", "indoors", "modifier", True),
        ("outside", "outdoors", "modifier", False),
        ("stand", "sit", "verb", True),
    ],
)
def test_exclusion_passes_down_to_narrower_words_and_both_ways(one, other, part, excludes):
    """Words exclude one another as their broader words do, in either order."""
    assert taxonomy().excludes(one, other, part) is excludes
    assert taxonomy().excludes(other, one, part) is excludes


def test_no_word_excludes_itself_or_what_holds_of_it():
    """The relations of the file do not contradict one another."""
    lexicon = taxonomy()
    for (part, word), above in lexicon.broader.items():
        for general in (word, *above):
            assert not lexicon.excludes(word, general, part), (word, general)


def test_what_stands_instead_of_a_word_excludes_it():
    lexicon = taxonomy()
    for ((part, word), _), others in lexicon.partners.items():
        for other in others:
            assert lexicon.excludes(word, other, part), (word, other)
