"""Which words a rewording must keep as names, and which are only unknown."""

import pytest

from augkit.augmenters.llm_checks.meaning import names_in, reworded_fault
from augkit.prompts.answers import WordChange


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Nobody plays it like Pacino did.", ["pacino"]),
        ("Tarantino is back.", ["tarantino"]),
        ("Quentin Soderbergh is back.", ["quentin", "soderbergh"]),
        ("nobody plays it like tarantino says", ["tarantino"]),
        ("nobody plays it like quentin soderbergh says", ["quentin", "soderbergh"]),
        ("no biggie, gonna take a selfie with my smartphone", []),
        ("Definately woth it. Recieved it realy quickly.", []),
        ("definately woth it, recieved it realy quickly", []),
        ("THE WORST RESTURANT, TERRIBEL", []),
        ("Yesss! Kinda loooved it.", []),
    ],
)
def test_names_are_distinguished_from_unknown_words(text, names):
    """By a capital within a sentence, by the lists of names, by a first name before them."""
    assert list(names_in(text)) == names


def test_a_misspelt_word_may_be_corrected_and_a_name_may_not_be_lost():
    """The first is what a rewording does anyway; the second changes what the text says."""
    words = [WordChange(old="definately", new="certainly"), WordChange(old="film", new="movie")]
    before = "This is definately the best film that Scorsese made."
    assert (
        reworded_fault(before, "This is certainly the best movie that Scorsese made.", words) == ""
    )
    lost = reworded_fault(before, "This is certainly the best movie that he made.", words)
    assert lost == "name left out: scorsese"


def test_a_name_may_be_written_with_a_hyphen():
    """It is there all the same."""
    words = [WordChange(old="loud", new="noisy")]
    before = "They play loud Kpop whenever the owner cleans the tables after lunch on weekdays."
    assert reworded_fault(before, before.replace("loud Kpop", "noisy K-pop"), words) == ""


def test_a_name_inside_other_words_is_left_out():
    """The letters of two words in a row may hold a short name."""
    words = [WordChange(old="roads", new="piano lanes")]
    before = "The second half is a long drive by Nolan over roads at the very end."
    after = "The second half is a long drive over piano lanes at the very end."
    assert reworded_fault(before, after, words) == "name left out: nolan"


def test_praise_for_blame_is_no_rewording():
    """The reason names the words that judge."""
    words = [WordChange(old="a really dull film", new="a wonderful film")]
    fault = reworded_fault("It is a really dull film.", "It is a wonderful film.", words)
    assert fault == "words of opposite polarity: dull, wonderful"
