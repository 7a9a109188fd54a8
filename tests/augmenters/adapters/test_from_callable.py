# ruff: noqa: NPY002 - other libraries draw from the shared state, and so does this one
"""Functions of other libraries as augmenters: provenance, and the same seed for the same row."""

import random

import numpy as np
import pytest

import augkit
from augkit.core.errors import ConfigError
from augkit.core.types import Pair, Variant, example

ROWS = [example(f"The film number {n} is long and dull.", "bad") for n in range(12)]


class Shuffler:
    """An augmenter in the manner of other libraries: it draws from the shared random state."""

    def augment(self, text):
        words = text.split()
        random.shuffle(words)
        words.insert(int(np.random.randint(len(words))), "quite")
        return [text, " ".join(words)]


def ids(step, rows):
    return {pair.original.id: pair.variant.id for pair in step(rows)}


def test_the_same_row_gives_the_same_variant_whatever_was_drawn_before():
    """Alone, in any order, after other draws, and in a chain: the shared state plays no part."""
    step = augkit.from_callable(Shuffler(), seed=3)
    together = ids(step, ROWS)
    random.seed(99)
    np.random.seed(99)
    backwards = ids(augkit.from_callable(Shuffler(), seed=3), ROWS[::-1])
    alone = {row.id: ids(step, [row])[row.id] for row in ROWS}
    assert together == backwards == alone
    assert ids(augkit.from_callable(Shuffler(), seed=4), ROWS) != together


def test_the_shared_state_is_put_back():
    random.seed(5)
    np.random.seed(5)
    wanted = (random.random(), np.random.random())
    random.seed(5)
    np.random.seed(5)
    list(augkit.from_callable(Shuffler())(ROWS))
    assert (random.random(), np.random.random()) == wanted


def test_variants_have_provenance_and_join_a_chain():
    step = augkit.chain(augkit.from_callable(str.upper, "shout"), augkit.create("mask-phrase"))
    pair = next(iter(step(ROWS[:1])))
    assert pair.original == ROWS[0]
    assert "[MASK]" in pair.variant.fields["text"]
    shouted = next(iter(augkit.from_callable(str.upper)(ROWS[:1])))
    assert shouted.provenance.method == "upper"
    assert shouted.variant.label == "bad"


def test_copies_differ_and_lists_are_read():
    """Each copy starts from another state; an unchanged first text of a list is passed over."""
    variants = augkit.from_callable(Shuffler()).augment(ROWS[0].fields["text"], n=3)
    assert len(set(variants)) == 3


def test_what_a_function_raises_is_a_refusal_of_that_row():

    def picky(text):
        if "3" in text:
            raise ValueError("not this one")
        return text + " Indeed."

    outcomes = list(augkit.from_callable(picky).outcomes(ROWS))
    refused = [one for one in outcomes if isinstance(one, Variant)]
    assert [one.reason for one in refused] == ["the function failed"]
    assert "not this one" in refused[0].detail
    assert sum(isinstance(one, Pair) for one in outcomes) == len(ROWS) - 1


def test_labels_follow_the_contract():
    """An unknown contract leaves the variant without a label; a flip is an error."""
    pair = next(iter(augkit.from_callable(str.upper, contract="unknown")(ROWS[:1])))
    assert (pair.variant.label, pair.provenance.contract) == (None, "unknown")
    with pytest.raises(ConfigError, match="never 'flipped'"):
        augkit.from_callable(str.upper, contract="flipped")
    with pytest.raises(ConfigError, match="given int"):
        augkit.from_callable(7)


def test_half_of_a_character_is_rejected():
    """No file could hold such a variant, and the rejection names what it is."""
    (rejected,) = augkit.from_callable(lambda text: f"{text} \ud83d", "cut").outcomes(ROWS[:1])
    assert isinstance(rejected, Variant)
    assert (rejected.reason, rejected.detail) == ("half of a character", "\\ud83d")
