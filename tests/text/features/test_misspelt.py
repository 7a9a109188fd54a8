"""Words that look misspelt, against trying every slip of every frequent word."""

from string import ascii_lowercase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augkit.text.features.misspelt import is_plain_slip, is_slip, misspelt_words

WORD = st.text("abc", min_size=1, max_size=6)


def plain_slips(word):
    """Every word with a letter doubled, or with two swapped behind the first."""
    doubled = {word[:place] + word[place - 1] + word[place:] for place in range(1, len(word) + 1)}
    pairs = range(1, len(word) - 1)
    swapped = {word[:p] + word[p + 1] + word[p] + word[p + 2 :] for p in pairs}
    return (doubled | swapped) - {word}


def slips(word):
    """Those, and every word with another, one more or one less letter within."""
    made = plain_slips(word)
    for place in range(1, len(word)):
        made |= {word[:place] + letter + word[place:] for letter in ascii_lowercase}
        if place < len(word) - 1:
            made |= {word[:place] + letter + word[place + 1 :] for letter in ascii_lowercase}
            made.add(word[:place] + word[place + 1 :])
    return made - {word}


@given(WORD, WORD)
def test_slips_are_those_of_trying_all(word, meant):
    """Letters added, left out, changed, doubled or swapped; the first letter stays."""
    assert is_slip(word, meant) == (word in slips(meant))
    assert is_plain_slip(word, meant) == (word in plain_slips(meant))


@pytest.mark.slow
@given(
    st.dictionaries(
        st.text("ab", min_size=3, max_size=6), st.sampled_from([1, 2, 4, 5, 19, 20, 45])
    )
)
def test_misspelt_words_are_rare_slips_of_frequent_ones(counts):
    """Of four letters or more, a twentieth as frequent as what was meant; a plain slip, a fifth."""
    expected = {
        word
        for word in counts
        for meant in counts
        if len(word) >= 4 <= len(meant)
        and (
            (counts[meant] >= 20 * counts[word] and word in slips(meant))
            or (counts[meant] >= 5 * counts[word] and word in plain_slips(meant))
        )
    }
    assert misspelt_words(counts) == expected
