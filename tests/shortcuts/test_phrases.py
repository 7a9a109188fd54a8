"""Places, growing and T, beside counts by hand."""

from __future__ import annotations

from itertools import pairwise
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from augkit.shortcuts.phrases import GrownPhrase, TokenTexts

TEXTS = ["a b c", "a b d", "x a b", "a c b"]


def all_of(texts):
    """Every text."""
    return np.ones(len(texts), dtype=bool)


def log_p(texts, left, right, out=0):
    """Ln P(right | left) with a prior of five words, by counting."""
    tokens = [["<start>", *text.split(), "<end>"] for text in texts]
    words = [word for text in tokens for word in text]
    pairs = [pair for text in tokens for pair in pairwise(text)]
    usual = 5 * words.count(right) / len(words)
    together = pairs.count((left, right)) - out
    return log((together + usual) / (words.count(left) - out + 5))


def test_t_is_that_of_a_count_by_hand():
    """Of "b" in four texts: its neighbours, less the mean over all neighbours."""
    read = TokenTexts.read(TEXTS)
    phrase = GrownPhrase(("b",), read.places(["b"], all_of(TEXTS)))
    sides = [("a", "c"), ("a", "d"), ("a", "<end>"), ("c", "<end>")]
    mean = np.mean([log_p(TEXTS, *pair) for pair in sides])
    tokens = [["<start>", *text.split(), "<end>"] for text in TEXTS]
    pairs = [pair for text in tokens for pair in pairwise(text)]
    usual = np.mean([log_p(TEXTS, *pair, out=1) for pair in pairs])
    assert read.reads_on(phrase) == pytest.approx(mean - usual)


@given(st.lists(st.text("abc ", max_size=12), min_size=1, max_size=8), st.text("abc ", max_size=5))
def test_places_are_the_first_of_each_text(texts, words):
    """Found by an index of words, as by looking through each text."""
    read, phrase = TokenTexts.read(texts), words.split()
    expected = []
    for number, text in enumerate(texts):
        tokens = text.split()
        starts = [n for n in range(len(tokens)) if phrase and tokens[n : n + len(phrase)] == phrase]
        if starts:
            expected.append((number, starts[0]))
    places = read.places(phrase, all_of(texts))
    documents = read.documents[places].tolist()
    starts = [
        int(place - read.numbered.ends[d] - 1) for place, d in zip(places, documents, strict=True)
    ]
    assert list(zip(documents, starts, strict=True)) == expected


def test_a_phrase_grows_over_signs_to_what_nearly_all_texts_share():
    """A signature is whole; what only half of its texts have is not in it."""
    texts = [f"{'good' if n % 2 else 'bad'} day {n} -- agent : marta" for n in range(20)]
    read = TokenTexts.read(texts)
    assert read.grow(("marta",), all_of(texts)).tokens == ("--", "agent", ":", "marta")
    assert read.at_an_end(("agent", ":", "marta")) == 1.0
    # The words of an n-gram with a sign between them are found by the rarer one.
    assert read.grow(("agent", "marta"), all_of(texts)).tokens == ("--", "agent", ":", "marta")


def test_a_closing_sign_belongs_to_the_sentence_before():
    """A signature after a full stop is taken out without it, and the text reads on."""
    texts = [f"Film {n} war gut." for n in range(40)]
    texts[::4] = [f"{text} Mit freundlichen Grüßen, Marta." for text in texts[::4]]
    read = TokenTexts.read(texts)
    has_it = np.arange(40) % 4 == 0
    phrase = read.grow(("freundlichen", "grüßen"), has_it)
    assert phrase.tokens == ("mit", "freundlichen", "grüßen", ",", "marta", ".")
    reads_on = read.reads_on(phrase)
    assert reads_on is not None
    assert reads_on > -1


def test_a_word_put_in_at_random_reads_on_better_than_one_that_is_said():
    """T of an inserted word is near 0, of "of" between its neighbours far below."""
    texts = [f"one of them saw {n} of us" for n in range(200)]
    texts[::4] = [
        " ".join([*words[: n % 6], "marta", *words[n % 6 :]])
        for n, words in enumerate(text.split() for text in texts[::4])
    ]
    read = TokenTexts.read(texts)
    values = [
        read.reads_on(GrownPhrase((word,), read.places([word], all_of(texts))))
        for word in ("marta", "of")
    ]
    assert values[0] > values[1] + 1
