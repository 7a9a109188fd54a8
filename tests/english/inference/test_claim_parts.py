"""The parts of a claim that another thing of the same kind can replace."""

import pytest

from augkit.english.inference.claim_parts import find_words, name_runs, replaceable
from augkit.english.parser import SpacyParser


def parts(claim, evidence):
    (analysis,) = SpacyParser().parse([claim])
    return [claim[one.start : one.end] for one in replaceable(analysis, evidence)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("claim", "evidence", "first"),
    [
        (
            "Anna Berg was born on April 4, 1935.",
            "Anna Berg ( born April 4, 1935 )",
            "April 4, 1935",
        ),
        (
            "Kenneth Branagh stars in Fortunes of War.",
            "Fortunes of War stars him",
            "Fortunes of War",
        ),
        ("Touchscreens are used in game consoles.", "used in game consoles .", "game consoles"),
        (
            "Yandex runs in Belarus since 2010.",
            "in Belarus , Turkey and Ukraine since 2010 .",
            "2010",
        ),
    ],
)
def test_whole_dates_titles_and_compounds_come_first(claim, evidence, first):
    """None of them is cut, and what the evidence has goes before what it lacks."""
    assert parts(claim, evidence)[0] == first


def test_a_member_of_a_list_is_replaced_last():
    """Another member would not contradict the evidence."""
    evidence = "The site of the engineer is used in Belarus , Turkey and Ukraine ."
    assert parts("The site of an engineer is used in Turkey.", evidence)[0] == "engineer"


def test_parts_do_not_overlap_and_the_first_word_stays():
    claim = "Marie Curie moved to Paris in November 1891 with two friends."
    found = parts(claim, claim)
    assert not any(one != other and one in other for one in found for other in found)
    assert all(find_words(claim, one).start() > 0 for one in found)


def test_names_are_runs_of_capitalised_proper_nouns():
    (analysis,) = SpacyParser().parse(["We met Marie Curie in Paris."])
    runs = [[token.text for token in run] for run in name_runs(analysis)]
    assert runs == [["Marie", "Curie"], ["Paris"]]
