"""Groups of features as n-grams, against plain loops over the texts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augkit.grammars.features.feature_groups import SelectionConfig, group_features, select_features
from augkit.grammars.features.mutual_information import LabelledRows
from augkit.grammars.features.ngram_features import groups_as_ngrams, phrase_occurrences
from augkit.grammars.features.subtrees import subtrees
from augkit.grammars.trees import yields

WORDS = st.lists(st.integers(0, 2), max_size=6).map(lambda words: np.array(words, dtype=np.int64))


def holds(text, phrase):
    """Whether a phrase occurs in a text, by a plain search."""
    size = len(phrase)
    return size > 0 and any(
        list(text[start : start + size]) == list(phrase) for start in range(len(text) - size + 1)
    )


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(texts=st.lists(WORDS, min_size=1, max_size=8), phrases=st.lists(WORDS, max_size=6))
def test_phrases_are_found_where_they_occur(texts, phrases):
    rows = np.arange(len(texts)) // 2
    total = len(texts)
    got = phrase_occurrences(texts, rows, phrases, total).toarray()
    for row in range(total):
        own = [text for text, index in zip(texts, rows, strict=True) if index == row]
        expected = [any(holds(text, phrase) for text in own) for phrase in phrases]
        assert got[row].tolist() == expected


def test_groups_as_ngrams_are_unions_of_phrases(make_forest):
    """A group matches the words of any member; an empty side always matches."""
    rng = np.random.default_rng(3)
    trees = make_forest(rng, 200, symbols=2, words=4)
    labelled = LabelledRows(("a", "b"), rng.integers(0, 2, 200), rng.random(200) < 0.4)
    selected = select_features(trees, subtrees(trees), trees.doc, labelled, SelectionConfig(top=30))
    groups = group_features(selected, labelled)
    sides = [yields(trees), yields(trees, target=True)]
    found = groups_as_ngrams(selected, groups, sides, np.arange(200), labelled)
    sources, targets = yields(selected.trees), yields(selected.trees, target=True)
    assert any(not len(ids) for ids in targets)
    pairs, second = (found[name][0].toarray() for name in ("n-gram pairs", "second text"))
    for row in range(200):
        first, other = sides[0][row], sides[1][row]
        for index, members in enumerate(groups.members):
            in_first = [holds(first, sources[m]) or not len(sources[m]) for m in members]
            in_other = [holds(other, targets[m]) or not len(targets[m]) for m in members]
            both = [one and two for one, two in zip(in_first, in_other, strict=True)]
            assert pairs[row, index] == any(both)
            alone = [
                (two if len(targets[m]) else one)
                for m, one, two in zip(members, in_first, in_other, strict=True)
            ]
            assert second[row, index] == any(alone)
    assert (groups.occurrences.toarray() <= pairs).all()
