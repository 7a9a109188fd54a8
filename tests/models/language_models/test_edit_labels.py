"""Labels of people's edits: what is changed, dropped, or has words put before it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augkit.models.language_models.edit_tagger import INSERT, KEEP, REPLACE
from augkit.models.language_models.perturber import PerturberPair
from augkit.models.language_models.tagger_training import (
    edit_labels,
    first_occurrence,
    labelled_texts,
)
from augkit.text.tokens import words

TEXTS = st.lists(st.sampled_from("he she his her keys the a".split()), max_size=9).map(" ".join)


@pytest.mark.parametrize(
    ("text", "rewrite", "labels"),
    [
        ("He lost his keys.", "She lost her keys", [REPLACE, KEEP, REPLACE, KEEP]),
        ("my uncle came", "my young uncle came", [KEEP, INSERT, KEEP]),
        ("Taylor Hill sang", "Thomas sang", [REPLACE, REPLACE, KEEP]),
        ("the old man", "the man", [KEEP, REPLACE, KEEP]),
        ("It rains", "it  rains !", [KEEP, KEEP]),
        ("Her\u2019s won", "her's won", [KEEP, KEEP]),
        ("he ran", "he ran home", [KEEP, KEEP]),
        ("", "she", []),
    ],
)
def test_labels_say_what_a_person_did(text, rewrite, labels):
    """Case, spaces, quotes and punctuation do not count."""
    assert edit_labels(text, rewrite) == labels


@pytest.mark.slow
@given(TEXTS, TEXTS)
@settings(deadline=None)
def test_kept_words_stand_in_the_rewrite_in_order(text, rewrite):
    """One label a word; the words that stay are a subsequence of the rewrite."""
    labels = edit_labels(text, rewrite)
    assert len(labels) == len(words(text))
    rest = iter(words(rewrite))
    kept = [word for word, label in zip(words(text), labels, strict=True) if label != REPLACE]
    assert all(word in rest for word in kept)


def pair(text, word, target, rewrite):
    return PerturberPair(
        original=text, selected_word=word, target_attribute=target, perturbed=rewrite
    )


def test_rewrites_of_several_people_are_counted_together():
    """Two who disagree on a word give it a label each; the axis is that of the target."""
    [one] = labelled_texts(
        [
            pair("He saw him", "He", "woman", "She saw him"),
            pair("He saw him", "He", "woman", "She saw her"),
        ]
    )
    assert (one.input.axis, one.input.word, one.input.target) == ("gender", "He", "woman")
    assert one.counts == ((0, 2, 0), (2, 0, 0), (1, 1, 0))


def test_what_cannot_be_placed_is_left_out():
    """A word that is not in the text, an attribute of no axis."""
    rows = [pair("He ran", "Anna", "woman", "She ran"), pair("He ran", "He", "tall", "She ran")]
    assert labelled_texts(rows) == []


def test_a_whole_word_is_preferred_to_a_part_of_one():
    """Only where it stands nowhere alone is a word looked for within others."""
    assert first_occurrence("The other he", "he") == 10
    assert first_occurrence("The man's hat", "man") == 4
    assert first_occurrence("Chairmanship", "man") == 5
    assert first_occurrence("x", "man") is None
