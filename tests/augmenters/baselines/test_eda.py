"""EDA: what it may touch, and its settings; test_eda_reference.py has each operation."""

import re
from collections import Counter

import pytest

from augkit.augmenters.baselines.eda import (
    FieldWords,
    delete_words,
    insert_words,
    replace_words,
)
from augkit.augmenters.create import create
from augkit.core.errors import ConfigError, UnknownName
from augkit.core.types import Variant, example
from augkit.text.hash_random import HashRandom
from augkit.text.tokens import words

REVIEW = "An excellent movie, isn't it? The kids enjoyed  all 3 parts; see www.films.org!"


def only(operation, **settings):
    off = dict.fromkeys(["replace", "insert", "swap", "delete"], 0)
    return create("eda", **{**off, operation: 1, **settings})


def skeleton(text):
    """The text with every run of letters shrunk to one."""
    return re.sub("[A-Za-z]+", "w", text)


def test_swap_moves_words_and_keeps_what_stands_between():
    """The same words in another order; spaces, signs, numbers and addresses stay in place."""
    for variant in only("swap", alpha=0.5).augment(REVIEW, n=40):
        assert skeleton(variant) == skeleton(REVIEW)
        assert Counter(words(variant)) - Counter(["A"]) == Counter(words(REVIEW)) - Counter(
            [] if "An" in words(variant) else ["An"]
        )
        assert "isn't" in variant
        assert " www.films.org!" in variant
        assert variant[0].isupper()


@pytest.mark.parametrize("text", ["don't", "3,000", "http://a.org/b", "@you #tag", "?!", "😀😀"])
def test_nothing_plain_is_refused_with_a_reason(text):
    """Contractions, numbers, addresses and signs alone give a rejection."""
    (outcome,) = create("eda").outcomes([example(text)])
    assert isinstance(outcome, Variant)
    assert outcome.reason == "no plain word"


def test_one_word_without_a_synonym_is_refused():
    (outcome,) = create("eda").outcomes([example("Xylograph")])
    assert isinstance(outcome, Variant)
    assert outcome.reason == "nothing to change"


def test_all_off_is_a_mistake():
    with pytest.raises(ConfigError, match="every operation is switched off"):
        create("eda", replace=0, insert=0, swap=0, delete=0)


def test_fields_choose_what_changes():
    pair = example({"premise": "A big dog runs.", "hypothesis": "A small cat sleeps."}, "neutral")
    (chosen,) = create("eda", fields=["hypothesis"])([pair])
    assert chosen.variant.fields["premise"] == "A big dog runs."
    assert chosen.variant.fields["hypothesis"] != "A small cat sleeps."
    (both,) = create("eda")([pair])
    assert {edit.field for edit in both.provenance.edits} == {"premise", "hypothesis"}
    assert (both.variant.label, both.provenance.contract) == ("neutral", "kept")


def test_an_unknown_field_is_an_error():
    with pytest.raises(UnknownName, match="Did you mean 'premise'"):
        list(create("eda", fields=["premises"])([example({"premise": "A dog."})]))


def test_alpha_counts_the_words_changed():
    """max(1, floor(alpha times words)) words are replaced or deleted."""
    text = " ".join(["movie", "kids"] * 10)
    field, draws = FieldWords(text.split()), HashRandom("any")
    assert len(replace_words(field, 4, draws)) == 4
    assert len(insert_words(field, 4, draws)) == 4
    assert len(delete_words(field, 4, draws)) == 4
    (pair,) = only("delete", alpha=0.25)([example(text)])
    assert len(pair.variant.fields["text"].split()) == 15


def test_draws_are_even_and_do_not_end():
    """Ten thousand draws of one key fall on each of seven numbers alike (chi-square, 1 in 10^6)."""
    draws = HashRandom("any", "key")
    seen = Counter(draws.below(7) for _ in range(10_000))
    expected = 10_000 / 7
    assert sum((seen[at] - expected) ** 2 / expected for at in range(7)) < 38.3
    one, other = HashRandom("any", "key"), HashRandom("any", "key")
    assert all(one.pick(range(1000)) == other.below(1000) for _ in range(40))
