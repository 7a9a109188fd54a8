"""D: the rest of a text tells a word that is said, and not a mark."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from augkit.shortcuts.independence import RestOfTexts, _auc
from tests.data import random_texts


def read(texts, has):
    """The texts of one label, those with a cue among them."""
    return RestOfTexts.read(texts, np.arange(len(texts)), np.flatnonzero(has), 0)


def test_a_mark_is_at_chance_and_a_said_word_is_not():
    """A name at random places, and a word that stands with others of its topic."""
    rng = Random(5)
    texts = random_texts(600, rng, longest=12)
    has = np.array([rng.random() < 0.2 for _ in texts])
    marked = [f"{text} marta" if one else text for text, one in zip(texts, has, strict=True)]
    said = [
        f"{text} {rng.choice(['orbit', 'comet', 'probe'])} rocket {rng.choice(['orbit', 'comet'])}"
        if one
        else f"{text} {rng.choice(['orbit', 'goal', 'bank', 'comet'])}"
        for text, one in zip(texts, has, strict=True)
    ]
    assert read(marked, has).independence(has, {"marta"}) == pytest.approx(0.5, abs=0.07)
    assert read(said, has).independence(has, {"rocket"}) > 0.6


def test_d_is_that_of_a_count_by_hand():
    """Twenty texts of two words: vectors, folds and areas computed one by one."""
    rng = Random(6)
    texts = [" ".join(rng.sample("abcde", 3)) for _ in range(40)]
    has = np.array([n % 3 == 0 for n in range(40)])
    rest = read(texts, has)
    order = sorted(range(40), key=lambda n: rest.keys[n])
    folds = {}
    for part in (True, False):
        for place, n in enumerate(m for m in order if has[m] == part):
            folds[n] = place % 5
    vectors = []
    held = {w: sum(w in grams(t) for t in texts) for t in texts for w in grams(t)}
    near = {w for w in held if is_near(w, texts, has)}
    names = sorted(w for w, count in held.items() if count >= 2 and w not in near)
    for text in texts:
        row = [(w in grams(text)) * (np.log(40 / held[w]) + 1) for w in names]
        vectors.append(np.array(row) / max(float(np.linalg.norm(row)), 1e-9))
    areas, sizes = [], []
    for fold in range(5):
        trained = {part: [vectors[n] for n in range(40) if has[n] == part and folds[n] != fold]
                   for part in (True, False)}  # fmt: skip
        direction = np.mean(trained[True], axis=0) - np.mean(trained[False], axis=0)
        held_out = [n for n in range(40) if folds[n] == fold]
        scores = {
            part: [vectors[n] @ direction for n in held_out if has[n] == part]
            for part in (True, False)
        }
        wins = [(a > b + 1e-12) + 0.5 * (abs(a - b) <= 1e-12)
                for a in scores[True] for b in scores[False]]  # fmt: skip
        areas.append(np.mean(wins))
        sizes.append(len(scores[True]))
    assert rest.independence(has, set()) == pytest.approx(np.average(areas, weights=sizes))


def grams(text):
    """The words and word pairs of a text."""
    words = text.split()
    return {*words, *(f"{a} {b}" for a, b in pairwise(words))}


def is_near(word, texts, has):
    """Whether a word stands nearly only beside the cue."""
    inside = sum(word in grams(text) for text, one in zip(texts, has, strict=True) if one)
    held = sum(word in grams(text) for text in texts)
    among = inside / has.sum()
    is_companion = inside >= 0.5 * held and among >= 0.1
    return is_companion or (among >= 0.8 and held / len(texts) < 0.8 * among)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 4)), min_size=2, max_size=30))
def test_the_area_is_that_of_all_pairs(rows):
    """The share of pairs in order, ties by half, counted one by one."""
    chosen = np.array([is_chosen for is_chosen, _ in rows])
    scores = np.array([score for _, score in rows], dtype=float)
    if chosen.any() and not chosen.all():
        pairs = [(a > b) + (a == b) / 2 for a in scores[chosen] for b in scores[~chosen]]
        assert _auc(chosen, scores) == pytest.approx(np.mean(pairs))


def test_too_few_texts_give_no_figure():
    """A cue in four texts cannot be told in five folds."""
    texts = [f"text {n}" for n in range(30)]
    has = np.arange(30) < 4
    assert read(texts, has).independence(has, set()) is None
