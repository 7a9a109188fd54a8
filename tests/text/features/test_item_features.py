"""Features of candidates, counted at once, and amounts: how much of something a text has."""

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
    for feature in item_features(check, ROWS, 1, 3):
        kind, _, quoted = feature.phrase.partition(" ")[2].partition(" '")
        for number, choice in enumerate(CHOICES):
            held = []
            for words in map(lowered_words, choice.candidates):
                places = {"first word": words[:1], "last word": words[-1:]}.get(kind, words)
                held.append(f" {quoted[:-1]} " in f" {' '.join(places)} ")
            assert (held[0] != held[1]) == (number in feature.ranked.varying), feature.phrase


@pytest.mark.parametrize(
    ("name", "text", "amount"),
    [
        ("sentences", "It is. Is it? v1.2 is!", 3),
        ("lines", "a\nb\n", 3),
        ("words", "Don't stop now.", 3),
        ("list items", "Do:\n- one\n* two\n 3. three\n- ", 4),
        ("bold phrases", "**a** and __b__, 2 ** 3", 2),
        ("headings", "# A\n## B\n#no", 2),
        ("table rows", "| a | b |\n|---|---|\nno | no", 2),
        ("pieces of code", "`a` and `b`", 2),
        ("links", "http://a.b and www.c.d", 2),
        ("quotations", 'He said "yes" and “no”.', 2),
        ("refusals", "I'm sorry, I can't. I cannot.", 3),
        ("hedges", "It seems, perhaps, as far as I know, to be, more or less.", 4),
        ("modal verbs", "It may, perhaps, be.", 1),
        ("citations", "So (Ong & Li, 1998a), as Ash et al. (2001) say [3, 4].", 3),
        ("citations", "In 1998 (see above) a[1] is [1](https://a.b), by (8 Ohm 2012).", 1),
        ("words of the first person", "I think my dog", 2),
        ("words in capitals", "NASA and US", 1),
    ],
)
def test_amounts(name, text, amount):
    assert {**LENGTHS, **FORMAT_AMOUNTS}[name](text) == amount
