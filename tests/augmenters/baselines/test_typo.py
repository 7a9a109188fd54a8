"""typo: every kind of noise, recorded edits, and what stays as it is."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

import augkit
from augkit.augmenters.baselines.typo import keyboards, neighbours, noise_kinds
from augkit.core.edits import apply
from augkit.core.errors import ConfigError
from augkit.text.hash_random import HashRandom
from augkit.text.tokens import plain_word_spans

SENTENCE = "The modern film was slow, but everybody enjoyed it."
WORDS = st.text(string.ascii_letters, min_size=1, max_size=12)


def changed(kind, word, key="k"):
    """The word with noise of this kind, or None."""
    change = noise_kinds()[kind](word, 0, len(word), HashRandom(key))
    if change is None:
        return None
    start, end, after = change
    return word[:start] + after + word[end:]


@given(WORDS, st.text(max_size=3))
def test_keyboard_replaces_one_letter_by_a_neighbour(word, key):
    typed = changed("keyboard", word, key)
    different = [
        (old, new) for old, new in zip(word, typed, strict=True) if old.lower() != new.lower()
    ]
    assert len(different) == 1
    old, new = different[0]
    assert new.lower() in neighbours("qwerty")[old.lower()]
    assert new.isupper() == old.isupper()


@given(WORDS, st.text(max_size=3))
def test_transpose_omit_and_double_keep_the_letters(word, key):
    if transposed := changed("transpose", word, key):
        assert sorted(transposed) == sorted(word)
        assert transposed != word
    if omitted := changed("omit", word, key):
        assert len(omitted) == len(word) - 1
        assert omitted[0] == word[0]
    doubled = changed("double", word, key)
    assert len(doubled) == len(word) + 1
    assert set(doubled) == set(word)


@given(WORDS, st.text(max_size=3))
def test_case_and_space_change_no_letter(word, key):
    assert (changed("case", word, key) or word).lower() == word.lower()
    assert (changed("space", word, key) or word).replace(" ", "") == word


def test_a_text_in_one_case_stays_in_it():
    assert {changed("case", "Soup", str(key)) for key in range(20)} == {"soup", "sOUP"}
    assert {changed("case", word, str(key)) for word in ("soup", "SOUP") for key in "ab"} == {None}


def test_ocr_confuses_what_scanners_confuse():
    assert {changed("ocr", "modern", str(key)) for key in range(200)} == {
        "m0dern", "moclern", "modcrn", "modem", "moderh", "rnodern",
    }  # fmt: skip
    assert changed("ocr", "yx") is None


def test_a_word_too_short_for_a_kind_is_left_alone():
    assert changed("omit", "it") is None
    assert changed("transpose", "a") is None
    assert changed("space", "was") is None


@given(st.text(max_size=80), st.sampled_from([0.1, 0.5, 1.0]))
def test_edits_rebuild_the_variant_and_stay_in_plain_words(text, share):
    original = augkit.example(text, "label")
    for pair in augkit.create("typo", share=share, copies=2)([original]):
        assert dict(pair.variant.fields) == apply(original.fields, pair.provenance.edits)
        assert pair.variant.label == "label"
        spans = plain_word_spans(text)
        for edit in pair.provenance.edits:
            assert any(start <= edit.start and edit.end <= end + 1 for start, end in spans)


def test_the_share_of_words_is_kept():
    for share, count in ((0.1, 1), (0.5, 4), (1.0, 9)):
        pairs = list(augkit.create("typo", share=share, copies=20)([augkit.example(SENTENCE)]))
        assert {len(pair.provenance.edits) for pair in pairs} == {count}


def test_numbers_addresses_and_compounds_stay():
    text = "See www.b.org or mail a@b.org by 10:30, it's well-made."
    kept = ("www.b.org", "a@b.org", "10:30", "it's", "well-made")
    for variant in augkit.create("typo", share=1.0).augment(text, 30):
        assert all(part in variant for part in kept)


def test_only_the_chosen_fields_change():
    row = augkit.example({"premise": SENTENCE, "hypothesis": SENTENCE}, "neutral")
    pair = next(iter(augkit.create("typo", fields=["hypothesis"])([row])))
    assert pair.variant.fields["premise"] == SENTENCE
    assert pair.variant.fields["hypothesis"] != SENTENCE


@pytest.mark.parametrize(
    "settings", [{"kinds": []}, {"kinds": ["blur"]}, {"keyboard": "dvorak"}, {"share": 0}]
)
def test_bad_settings_are_errors(settings):
    with pytest.raises(ConfigError, match=next(iter(settings))):
        augkit.create("typo", **settings)


def test_keys_are_neighbours_of_each_other():
    for keyboard in keyboards():
        table = neighbours(keyboard)
        assert all(key in table[other] for key in table for other in table[key])
        assert all(2 <= len(near) <= 6 for near in table.values())
