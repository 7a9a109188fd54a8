"""The bias that robust training works against, where none is named."""

from random import Random

import pytest

from augkit.commands.robust_training import find_bias
from augkit.core.errors import ConfigError
from augkit.core.types import example
from tests.data import random_texts


def test_of_a_pair_it_is_the_field_that_tells_the_label():
    """The claim has the negation; the evidence says nothing."""
    rows = [
        example({"evidence": f"fact {n % 41}", "claim": f"it is {said} so {n}"}, label)
        for n in range(200)
        for said, label in (("not", "refutes"), ("very", "supports"))
    ]
    assert find_bias(rows, 10).field == "claim"


def test_of_a_text_it_is_the_words_of_likely_shortcuts():
    """A name, and not the words of opinion; with no such word there is nothing to work against."""
    draw = Random(3)
    rows = []
    for number, text in enumerate(random_texts(600, draw, longest=12)):
        label = ("good", "bad")[number % 2]
        opinion = ("great", "awful")[number % 2]
        name = "Marta" if number % 6 == 0 else ""
        rows.append(example(f"{text} {name} was {opinion} x{number}", label))
    view = find_bias(rows, 1)
    assert view.words == ("marta",)
    assert str(view) == "1 words alone (marta)"
    blind = [example(f"word{n % 7} here", "ab"[n % 2]) for n in range(70)]
    with pytest.raises(ConfigError, match="no bias to train against"):
        find_bias(blind, 5)
