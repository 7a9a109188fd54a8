"""Names of a text and of worked examples: which must be kept, and which may not come in."""

import pytest

from augkit.augmenters.llm_checks.form import prompt_leak, whole_texts
from augkit.augmenters.llm_checks.meaning import names_in, reworded_fault
from augkit.augmenters.llm_checks.written import WrittenText
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


SCORSESE = "This is definately the best film that Scorsese made."
KPOP = "They play loud Kpop whenever the owner cleans the tables after lunch on weekdays."
NOLAN = "The second half is a long drive by Nolan over roads at the very end."


@pytest.mark.parametrize(
    ("before", "changes", "after", "fault"),
    [
        # A misspelt word may be corrected, a name may not be lost.
        (
            SCORSESE,
            {"definately": "certainly", "film": "movie"},
            "This is certainly the best movie that Scorsese made.",
            "",
        ),
        (
            SCORSESE,
            {"definately": "certainly", "film": "movie"},
            "This is certainly the best movie that he made.",
            "name left out: scorsese",
        ),
        # A name with a hyphen is there all the same.
        (KPOP, {"loud": "noisy"}, KPOP.replace("loud Kpop", "noisy K-pop"), ""),
        # The letters of two words in a row may hold a short name.
        (
            NOLAN,
            {"roads": "piano lanes"},
            "The second half is a long drive over piano lanes at the very end.",
            "name left out: nolan",
        ),
        # Praise for blame is no rewording.
        (
            "It is a really dull film.",
            {"a really dull film": "a wonderful film"},
            "It is a wonderful film.",
            "words of opposite polarity: dull, wonderful",
        ),
    ],
)
def test_what_a_rewording_may_not_change(before, changes, after, fault):
    words = [WordChange(old=old, new=new) for old, new in changes.items()]
    assert reworded_fault(before, after, words) == fault


def test_a_name_of_a_worked_example_is_a_leak():
    """Two words are enough, unless the source has them too."""
    whole = whole_texts(("The Glass Door came out in 1998.",))
    made = "He stars in The Glass Door."
    assert prompt_leak(WrittenText("He stars in it.", made, "He stars."), frozenset(), whole)
    source = "The Glass Door stars him."
    assert not prompt_leak(WrittenText("x", made, source), frozenset(), whole)
