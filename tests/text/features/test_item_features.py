"""Features of candidates, counted at once, against plain functions of one text."""

import numpy as np
import pytest

from augkit.core.choices import Choice
from augkit.text.features.amounts import FORMAT_AMOUNTS, LENGTHS
from augkit.text.features.item_features import ItemTexts, item_features
from augkit.text.features.kinds import lowered_words

CHOICES = [
    Choice(
        ("I may go. We can't, sorry!", "No: it is, perhaps, caf\u00e9 time."), (0,), "May we go?"
    ),
    Choice(("I think. More", "or less I think as far as I know I think more or less"), (0,), "So?"),
    Choice(("", "Sure, it is. It\u2019s 3."), (1,), "Is it so?"),
    Choice(("sure, it is not", "I am SURE.\n- one\n- two"), (1,)),
]
ROWS = ItemTexts(CHOICES, places_matter=True)


@pytest.mark.parametrize("name", [*LENGTHS, *FORMAT_AMOUNTS])
def test_amounts_of_all_texts_are_those_of_each(name):
    amount = {**LENGTHS, **FORMAT_AMOUNTS}[name]
    expected = [amount(text) for choice in CHOICES for text in choice.candidates]
    assert ROWS.amounts(name, amount).tolist() == expected


def test_words_of_the_prompt_are_a_share_of_the_different_words():
    expected = []
    for choice in CHOICES:
        for text in choice.candidates:
            words = {*lowered_words(text)}
            shared = words & {*lowered_words(choice.prompt)}
            expected.append(len(shared) / len(words) if words else 0.0)
    assert ROWS.shared_words == pytest.approx(np.array(expected))


@pytest.mark.parametrize("check", ["tokens", "ngrams", "position"])
def test_features_of_words_are_found_in_the_texts_that_hold_them(check):
    """Each feature, and in which items it divides the candidates."""
    for feature in item_features(check, ROWS, 1, 3):
        kind, _, quoted = feature.phrase.partition(" ")[2].partition(" '")
        for number, choice in enumerate(CHOICES):
            held = []
            for words in map(lowered_words, choice.candidates):
                places = {"first word": words[:1], "last word": words[-1:]}.get(kind, words)
                held.append(f" {quoted[:-1]} " in f" {' '.join(places)} ")
            assert (held[0] != held[1]) == (number in feature.ranked.varying), feature.phrase
