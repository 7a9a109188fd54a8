"""Which words refer to persons, whose they are, and how the word that changes is drawn."""

import random
from collections import Counter

import pytest

from augkit.augmenters.panda.method import choices, shuffled
from augkit.augmenters.panda.person_reader import PersonReader
from augkit.augmenters.panda.references import perturbability, references
from augkit.core.edits import Span
from augkit.english.parser import SpacyParser


@pytest.mark.parametrize(
    ("text", "axis", "stated"),
    [
        ("He cares for his mother, who is 61.", "age", [[], ["61"]]),
        ("He is 30 and cares for his 61-year-old mother.", "age", [["30"], ["61"]]),
        ("Her mother's age is 61.", "age", [[], ["61"]]),
        ("He turned 50. The fee is 30.", "age", [["50"]]),
        ("He lives with a man aged 40.", "age", [[], ["40"]]),
        ("She cares for her son, who turned 19.", "age", [[], ["19"]]),
        ("A nurse, 52, lives with her daughter, who is 19.", "age", [["52"], ["19"]]),
        ("Name: Anna Berg. Age: 33. She asks.", "age", [["33"]]),
        ("The exchange student rents from an old couple.", "age", [[], ["old"]]),
        ("A nurse (42) is ill. Her boss is 60 years old.", "age", [["42"], ["60"]]),
        ("The clerk hired a 60-year-old.", "age", [[], ["60"]]),
        ("A man in his thirties met an elderly nurse.", "age", [["thirties"], ["elderly"]]),
        ("The clerk works in a bank. He is 30.", "age", [["30"]]),
        ("The applicant is a 12-year-old Black boy.", "age", [["12", "boy"]]),
        ("The applicant is a 12-year-old Black boy.", "race", [["Black"]]),
        ("A nurse sees a Black patient.", "race", [[], ["Black"]]),
        ("She speaks good English and reads. Nurse Ann Berg helps.", "race", [[], []]),
        ("Emily Nguyen rents from Dr Chavez.", "race", [["Nguyen"], ["Chavez"]]),
        ("The clerk's name is Anna. She is ill.", "gender", [["Anna", "She"]]),
        ("Her husband is ill.", "gender", [["Her"], ["husband"]]),
    ],
)
def test_the_words_of_each_person(text, axis, stated):
    """In the order in which persons are mentioned; some have none."""
    persons = PersonReader(SpacyParser()).persons(text, axis)
    assert [[text[one.start : one.end] for one in person.stated] for person in persons] == stated


def test_the_main_word_of_a_phrase():
    """What stands before and after it is not."""
    text = "We met the young man with a dog."
    start, end = PersonReader(SpacyParser()).head(text, Span(7, 31))
    assert text[start:end] == "man"
    text = "He gives an elderly patient strong pills."
    start, end = PersonReader(SpacyParser()).head(text, Span(9, 27))
    assert text[start:end] == "patient"


FIELDS = {"text": "He gave his hat to him, and an Asian woman laughed."}


def test_choices_are_all_words_with_all_other_attributes():
    """Algorithm 1 lists every (word, target ≠ source)."""
    found = references({"text": "He ran."}, ["gender"])
    assert {choice.target for choice in choices(found)} == {"woman", "non-binary"}
    assert [choice.target for choice in choices(found, "woman")] == ["woman"]
    assert choices(found, "man") == []


def test_balanced_sampling_draws_each_axis_alike():
    """Uniform follows the words; balanced gives a rare axis the share of a frequent one."""
    options = choices(references(FIELDS, ["gender", "race"]))
    draws = {
        sampling: Counter(
            shuffled(options, random.Random(seed), sampling)[0].reference.axis
            for seed in range(2000)
        )
        for sampling in ("uniform", "balanced")
    }
    pairs = {(o.reference.axis, o.reference.word, o.target) for o in options}
    share = sum(axis == "race" for axis, *_ in pairs) / len(pairs)
    assert draws["uniform"]["race"] / 2000 == pytest.approx(share, abs=0.05)
    assert draws["balanced"]["race"] / 2000 == pytest.approx(0.5, abs=0.05)


def test_a_word_is_drawn_as_often_as_another_however_often_it_stands_there():
    """Algorithm 1 draws from the set of (word, target): beside the set itself, built slowly."""
    found = references({"text": "He said he would call his girl, and he did."}, ["gender"])
    pairs = set()
    for reference in found:
        for attribute in {"man", "woman", "non-binary"} - {reference.attribute}:
            pairs.add((reference.word, attribute))
    draws = Counter(
        (first.reference.word, first.target)
        for seed in range(6000)
        for first in shuffled(choices(found), random.Random(seed), "uniform")[:1]
    )
    assert len(pairs) == 6
    assert draws.keys() == pairs
    assert all(times / 6000 == pytest.approx(1 / 6, abs=0.02) for times in draws.values())


def test_perturbability_is_equation_2():
    """(m0·NER(s) + m1·|s ∩ D|) / |s|, counted by hand: "Anna" and "her" are in the lists."""
    anna = {"text": "Anna saw her dog"}
    assert perturbability(anna, ["gender"], 1) == (1.0 * 1 + 0.5 * 2) / 4
    assert perturbability({"text": "The sky"}, ["gender"], 0) == 0
    assert perturbability({"text": ""}, ["gender"], 0) == 0


def test_a_word_of_two_axes_counts_once():
    boy = {"text": "A boy sat there"}
    assert perturbability(boy, ["gender", "age"], 0) == perturbability(boy, ["gender"], 0) == 0.125


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('"Peter a oubli\u00e9 son parapluie \u00e0 la gare."', ["peter"]),
        ('What does "Ana y su son llegan en la noche a casa" tell you, my son?', ["ana", "son"]),
        ("Peter forgot his umbrella.", ["peter", "his"]),
    ],
)
def test_in_another_language_only_names_are_references(text, words):
    """French "son" is nobody's son; a name must still change everywhere in a row."""
    assert [found.word for found in references({"text": text}, ["gender"])] == words
