"""EDA: what each operation may and may not touch."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augkit.augmenters.baselines.eda import (
    FieldWords,
    delete_words,
    insert_words,
    replace_words,
    swap_words,
)
from augkit.augmenters.create import create
from augkit.core.errors import ConfigError, UnknownName
from augkit.core.types import Pair, Rejection, example
from augkit.lexicons.load import synonyms
from augkit.text.hash_random import HashRandom
from augkit.text.tokens import words

REVIEW = "An excellent movie, isn't it? The kids enjoyed  all 3 parts; see www.films.org!"


def only(operation, **settings):
    """EDA with one operation switched on."""
    off = dict.fromkeys(["replace", "insert", "swap", "delete"], 0)
    return create("eda", **{**off, operation: 1, **settings})


def texts(augmenter, text=REVIEW, n=40):
    return augmenter.augment(text, n=n)


def skeleton(text):
    """The text with every run of letters shrunk to one."""
    return re.sub("[A-Za-z]+", "w", text)


def test_replacement_changes_words_with_synonyms_only():
    """Each changed word becomes one of its synonyms in its casing; all else is as it was."""
    for variant in texts(only("replace", alpha=0.3)):
        before, after = re.split(r"(\W+)", REVIEW), re.split(r"(\W+)", variant)
        changed = [pair for pair in zip(before, after, strict=True) if pair[0] != pair[1]]
        assert changed
        for old, new in changed:
            assert (old, new) == ("An", "A") or new.lower() in synonyms()[old.lower()]


def test_replacement_keeps_casing_and_article():
    """The words "An excellent MOVIE" become "A superb FILM", not "An superb film"."""
    variants = texts(only("replace", alpha=1.0), "An excellent MOVIE")
    assert set(variants) == {"A superb FILM", "An outstanding FILM"}


def test_insertion_adds_a_synonym_and_takes_nothing():
    """All words of the original are still there in order, and one of their synonyms is new."""
    for variant in texts(only("insert"), "We saw a movie."):
        assert variant in {
            "We film saw a movie.",
            "We saw film a movie.",
            "We saw a film movie.",
            "We saw a movie film.",
        }


def test_swap_moves_words_and_keeps_what_stands_between():
    """The same words in another order; spaces, signs, numbers and addresses stay in place."""
    for variant in texts(only("swap", alpha=0.5)):
        assert skeleton(variant) == skeleton(REVIEW)
        assert Counter(words(variant)) - Counter(["A"]) == Counter(words(REVIEW)) - Counter(
            [] if "An" in words(variant) else ["An"]
        )
        assert "isn't" in variant
        assert " www.films.org!" in variant
        assert variant[0].isupper()


def test_deletion_leaves_no_hole():
    """A deleted word takes one space along, capitals stay, and something is always left."""
    for variant in texts(only("delete", alpha=0.9), "The quick dog runs home."):
        assert "  " not in variant
        assert variant.startswith("The")
        assert words(variant)


def test_a_deletion_refits_the_article():
    """An article that loses its word agrees with the next one."""
    assert "A film" in texts(only("delete"), "An old film")


@pytest.mark.parametrize("text", ["don't", "3,000", "http://a.org/b", "@you #tag", "?!", "😀😀"])
def test_nothing_plain_is_refused_with_a_reason(text):
    """Contractions, numbers, addresses and signs alone give a rejection."""
    (outcome,) = create("eda").outcomes([example(text)])
    assert isinstance(outcome, Rejection)
    assert outcome.reason == "no plain word"


def test_one_word_without_a_synonym_is_refused():
    """There is nothing to swap, delete or replace in it."""
    (outcome,) = create("eda").outcomes([example("Xylograph")])
    assert isinstance(outcome, Rejection)
    assert outcome.reason == "nothing to change"


def test_another_operation_is_drawn_where_one_finds_nothing():
    """A text without synonyms is still swapped when both operations are on."""
    augmenter = create("eda", insert=0, delete=0, replace=1000, swap=0.001)
    assert augmenter.augment("zig zag") == ["zag zig"]


def test_weights_shift_the_choice():
    """An operation of weight 0 never happens."""
    for variant in texts(create("eda", delete=0, insert=0), "big dogs and small cats run", n=30):
        assert len(variant.split()) == 6


def test_all_off_is_a_mistake():
    """Switching everything off is told when the method is made."""
    with pytest.raises(ConfigError, match="every operation is switched off"):
        create("eda", replace=0, insert=0, swap=0, delete=0)


def test_fields_choose_what_changes():
    """Only the named field of a pair is touched; by default all are."""
    pair = example({"premise": "A big dog runs.", "hypothesis": "A small cat sleeps."}, "neutral")
    (chosen,) = create("eda", fields=["hypothesis"])([pair])
    assert chosen.variant.fields["premise"] == "A big dog runs."
    assert chosen.variant.fields["hypothesis"] != "A small cat sleeps."
    (both,) = create("eda")([pair])
    assert {edit.field for edit in both.provenance.edits} == {"premise", "hypothesis"}
    assert (both.variant.label, both.provenance.contract) == ("neutral", "kept")


def test_an_unknown_field_is_an_error():
    """A field that the dataset does not have stops the run with the nearest name."""
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


def test_more_copies_begin_with_the_fewer():
    """The first variants of a text do not depend on how many are asked for."""
    parent = example("A fine old film about two brothers and their very long way home.", "good")
    few, many = (list(create("eda", copies=count).outcomes([parent])) for count in (2, 9))
    assert [one.variant.fields for one in few] == [one.variant.fields for one in many[:2]]


@given(
    st.lists(st.sampled_from(["a", "an", "The", "film", "FILM", "good", "I", "old"]), max_size=8),
    st.integers(),
)
def test_swap_is_a_permutation_within_casings(items, seed):
    """Swapping never invents or loses a word, and capitals stay where they were."""
    changed = swap_words(FieldWords(items), 3, HashRandom(str(seed)))
    order = [changed.get(index, word) for index, word in enumerate(items)]
    assert Counter(order) == Counter(items)
    assert [word[0].isupper() for word in order] == [word[0].isupper() for word in items]


@given(
    st.text(max_size=60),
    st.integers(0, 5),
    st.sampled_from(["replace", "insert", "swap", "delete"]),
)
def test_any_text_gives_a_variant_or_a_refusal(text, seed, operation):
    """Whatever the characters, the base can sign what EDA drafts."""
    for outcome in only(operation, alpha=0.5, seed=seed).outcomes([example(text)]):
        assert isinstance(outcome, Pair) or outcome.reason
