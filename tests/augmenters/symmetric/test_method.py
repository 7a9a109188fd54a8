"""Symmetric pairs: a value that decides, and every claim with both labels."""

import re
from collections import defaultdict
from random import Random

import pytest

from augkit.augmenters.create import create
from augkit.augmenters.symmetric.method import MOST_VALUES, symmetric_texts
from augkit.core.types import Pair, Variant, example
from augkit.english.parser import SpacyParser

NAMES = "Alder Birch Cedar Elm Hazel Maple Oak Rowan".split()


def claims(count):
    """Pairs in turn true, denied, and false by their year."""
    rows = []
    for number in range(count):
        title, year = f"{NAMES[number % 8]} House", 1850 + number
        claim = (
            f"{title} was opened in {year}.",
            f"{title} was not opened in {year}.",
            f"{title} was opened in {year + 8}.",
        )[number % 3]
        label = "REFUTES" if number % 3 else "SUPPORTS"
        evidence = f"{title} was opened in {year} ."
        rows.append(example({"evidence": evidence, "claim": claim}, label))
    return rows


def test_a_value_that_decides_makes_three_pairs_of_a_true_or_false_one():
    """Each claim has both labels then; a negated one is left."""
    rows = claims(60)
    outcomes = list(create("symmetric").fit(rows).outcomes(rows))
    pairs = [outcome for outcome in outcomes if isinstance(outcome, Pair)]
    assert len(pairs) == 3 * 40
    for pair in pairs:
        years = {re.search(r"\d{4}", text)[0] for text in pair.variant.fields.values()}
        assert (len(years) == 1) == (pair.variant.label == "SUPPORTS")
        keeps_label = pair.variant.label == pair.original.label
        assert pair.provenance.contract == ("kept" if keeps_label else "flipped")
    rejections = [outcome for outcome in outcomes if isinstance(outcome, Variant)]
    assert {rejection.reason for rejection in rejections} == {"no value decides the label"}
    assert all("not" in rejection.parent.fields["claim"] for rejection in rejections)
    used = {pair.original.id: pair.original for pair in pairs}.values()
    claimed = {(row.fields["claim"], row.label) for row in used}
    claimed |= {(pair.variant.fields["claim"], pair.variant.label) for pair in pairs}
    assert len(claimed) == 2 * len({claim for claim, _ in claimed})


def test_rows_that_are_no_true_or_false_pairs_are_rejected():
    """Single texts, neutral pairs, and all rows where one of the labels is not there."""
    single = example("It opened in 1979.", "SUPPORTS")
    neutral = example({"premise": "It opened in 1979.", "hypothesis": "Ann came."}, "neutral")
    fitted = create("symmetric").fit(claims(6))
    reasons = [outcome.reason for outcome in fitted.outcomes([single, neutral])]
    assert reasons == ["not a pair of texts", "its label is neither true nor false"]
    sentiment = [example("It opened in 1979.", label) for label in ("good", "bad")]
    pair = claims(1)
    (rejection,) = create("symmetric").fit(sentiment).outcomes(pair)
    assert rejection.reason == "its label is neither true nor false"


PARSER = SpacyParser()
TRUE = [
    ("The hall opened in 1979.", "The old hall opened in 1979.", "1979"),
    ("Heat is a 1995 film by a Dane.", "Heat is a film from 1995.", "1995"),
    ("Heat is a 1995 crime film.", "Heat was released in 1995.", "1995"),
    ("Ida Olsen (born May 3, 1962) is a poet.", "Ida Olsen was born in May.", "May"),
    ("Ida Olsen (May 3, 1902 -- May 9, 1962) was a poet.", "Ida Olsen died in 1962.", "1962"),
    ("She has won three Grammy Awards.", "Ida Olsen has won three Grammy Awards.", "three"),
    ("Heat is their fourth studio album.", "Heat is the fourth album.", "fourth"),
    ("Ida Olsen (born 1962) is a Danish poet.", "Ida Olsen is a Danish poet.", "Danish"),
    ("It was directed by Susan Walker.", "The film was directed by Susan Walker.", "Susan Walker"),
]
FALSE = [
    ("The hall opened in 1979.", "The hall opened in 1984.", "1979", "1984"),
    ("Ida Olsen (born May 3, 1962) is a poet.", "Ida Olsen was born in June.", "May", "June"),
    ("Ida Olsen (born 1962) is a Danish poet.", "Ida Olsen is Swedish.", "Danish", "Swedish"),
]
LEFT = {
    "a range": ("The hall opened in 1979.", "The old hall opened before 1979."),
    "the start of a range": ("It ran from 1979 to 1983.", "The show began in 1979."),
    "a negation": ("The hall opened in 1979.", "The old hall did not open in 1979."),
    "no shared value": ("The hall opened in 1979.", "The old hall is open."),
    "part of a number": ("It sold 1,979 copies.", "The old book sold 979 copies."),
    "part of a title": ("Heat is a film of 1995.", "Heat (1995 film) is a film."),
    "part of a name": ("It was the 1995 World Cup.", "They won the 1995 World Cup."),
    "an event that may come back": ("He won it in 1995.", "James Olsen won the contest in 1995."),
    "one of several works": ("He made a film in 1995.", "Ida Olsen made a film in 1995."),
    "one of several persons": ("It stars Ida Olsen, a Dane.", "Heat stars a Danish actor."),
    "an unknown subject": ("Heat is a 1995 film.", "There is a 1995 film called Heat."),
    "another event": ("She was born in May 1962.", "Ida Olsen was baptized in May 1962."),
    "something not said": ("The hall opened in 1979.", "The old hall opened for kings in 1979."),
    "the date of birth": ("Olsen (1902 -- 1962) was a poet.", "Ida Olsen died in 1902."),
    "part of a nationality": ("Ida Olsen is a South Korean poet.", "Ida Olsen is Korean."),
    "a home": ("Ida Olsen is a Danish poet from Aarhus.", "Ida Olsen is Danish."),
    "one of two makers": ("It was written by Ann Lee and Bo Oh.", "Heat was written by Ann Lee."),
    "another count": ("She has three sons.", "Ida Olsen has three awards."),
    "a plan": ("It is set to be released in 2017.", "Heat was released in 2017."),
    "a slip of grammar": ("She was born on May 3.", "Ida Olsen was born on May."),
    "the year of a title": ("Heat was released in 1995.", "Heat (1995 film) was shown in 1995."),
    "nothing": ("", ""),
}


def pairs_of(first, second, *, true, seed=0):
    [analysis] = PARSER.parse([second])
    return list(symmetric_texts(first, analysis, true=true, rng=Random(seed)))


@pytest.mark.parametrize(("first", "second", "value"), TRUE)
def test_a_value_of_a_true_pair_becomes_another_one(first, second, value):
    """Nothing else changes but the articles."""
    for seed in range(5):
        changed = pairs_of(first, second, true=True, seed=seed)[0]
        for old, new in ((first, changed.first), (second, changed.second)):
            assert value not in new
            gone = {word.strip("(),.") for word in {*old.split()} - {*new.split()}}
            assert gone - {"a", "an"} == set(value.split())


@pytest.mark.parametrize(("first", "second", "held", "value"), FALSE)
def test_the_values_of_a_false_pair_are_exchanged(first, second, held, value):
    """With the value of the other text each of them is in a true pair."""
    new_first, new_second = first.replace(held, value), second.replace(value, held)
    assert pairs_of(first, second, true=False) == [(new_first, new_second)]


def test_each_text_is_in_a_pair_of_either_label():
    """One changed text flips the label, both keep it."""
    text = "The hall opened in 1979."
    fields = {"evidence": text, "claim": text}
    rows = [example(fields, label) for label in ("SUPPORTS", "REFUTES")]
    pairs = list(create("symmetric").fit(rows)(rows[:1]))
    labels = defaultdict(set)
    for row in (rows[0], *(pair.variant for pair in pairs)):
        for name, part in row.fields.items():
            labels[name, part].add(row.label)
    assert [pair.provenance.contract for pair in pairs] == ["flipped", "flipped", "kept"]
    assert [pair.variant.label for pair in pairs] == ["REFUTES", "REFUTES", "SUPPORTS"]
    assert all(found == {"SUPPORTS", "REFUTES"} for found in labels.values())


@pytest.mark.parametrize(("first", "second"), LEFT.values(), ids=LEFT)
def test_values_that_do_not_decide_are_left_alone(first, second):
    assert pairs_of(first, second, true=True) == []


def test_a_false_pair_that_differs_in_more_is_left_alone():
    assert pairs_of("The hall opened in 1979.", "The hall burnt in 1984.", true=False) == []
    text = "She formed Heat, whose first album was released in 1979."
    assert pairs_of(text, "Olsen's first album was released in 1984.", true=False) == []
    assert pairs_of("It opened in 1979 or 1980.", "The hall opened in 1984.", true=False) == []


def test_no_more_than_two_values_are_changed():
    text = "Ida Olsen was born on May 3, 1962."
    assert len(pairs_of(text, text, true=True)) == MOST_VALUES
