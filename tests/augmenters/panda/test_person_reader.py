"""Whose the references of a text are."""

import pytest

from augkit.augmenters.panda.person_reader import PersonReader
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
