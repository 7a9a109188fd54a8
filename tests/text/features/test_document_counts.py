from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augkit.text.features import document_counts
from augkit.text.features.document_counts import (
    LabelledTexts,
    feature_counts,
    format_counts,
    label_counts,
    length_counts,
    ngram_counts,
    position_counts,
    presence,
    token_counts,
)
from augkit.text.features.kinds import formats, lowered_words, surface_features
from augkit.text.features.numbering import number_texts
from augkit.text.tokens import words

ROWS = st.lists(
    st.tuples(st.text("ab c.!", max_size=12), st.integers(0, 2)), min_size=1, max_size=30
)


def labelled(rows):
    labels = np.array([label for _, label in rows])
    totals = np.bincount(labels, minlength=3)
    return LabelledTexts([text for text, _ in rows], labels, totals)


def slow_counts(rows, features, least):
    """Feature → documents by label, one document at a time."""
    counts = Counter((name, label) for text, label in rows for name in set(features(text)))
    names = {name for name, _ in counts}
    found = {name: [counts[name, label] for label in range(3)] for name in names}
    return {name: held for name, held in found.items() if sum(held) >= least}


def as_dict(*counted):
    """Feature → documents by label, of all kinds together."""
    return {
        name: held
        for one in counted
        for name, held in zip(one.names, one.counts.tolist(), strict=True)
    }


def grams(size):

    def find(text):
        found = words(text.lower())
        return [" ".join(found[at : at + size]) for at in range(len(found) - size + 1)]

    return find


@pytest.fixture(params=[3, 10_000], ids=["small blocks", "one block"])
def _block_size(request, monkeypatch):
    monkeypatch.setattr(document_counts, "_BLOCK", request.param)


@pytest.mark.usefixtures("_block_size")
class TestAgainstCountingOneByOne:
    """The fast counts are those of a plain loop, whatever the size of a block."""

    @settings(max_examples=40)
    @given(rows=ROWS, least=st.integers(1, 4))
    def test_tokens_and_ngrams(self, rows, least):
        """Words, and n-grams found from the frequent shorter ones alone."""
        texts = labelled(rows)
        assert as_dict(token_counts(texts, least)) == slow_counts(rows, grams(1), least)
        found = list(ngram_counts(texts, least, 4))
        assert [one.kind for one in found] == ["2-gram", "3-gram", "4-gram"]
        for size, one in enumerate(found, 2):
            assert as_dict(one) == slow_counts(rows, grams(size), least)

    @settings(max_examples=40)
    @given(rows=ROWS, least=st.integers(1, 4))
    def test_positions(self, rows, least):
        """First and last words; a text without a word has none."""
        texts = labelled(rows)
        first, last = position_counts(texts, least)
        assert as_dict(first) == slow_counts(rows, lambda text: grams(1)(text)[:1], least)
        assert as_dict(last) == slow_counts(rows, lambda text: grams(1)(text)[-1:], least)


@settings(max_examples=40)
@given(rows=ROWS)
def test_lengths(rows):
    texts = labelled(rows)
    for one, size in zip(length_counts(texts), (lambda text: len(words(text)), len), strict=True):
        for name, held in as_dict(one).items():
            side, bound = name.rsplit(" ", 2)[:2]
            short = side == "at most"
            expected = [0, 0, 0]
            for text, label in rows:
                expected[label] += (size(text) <= int(bound)) == short
            assert held == expected


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("See http://a.b", "a link"),
        ("to jo.lee@abc.org", "an e-mail address"),
        ("#monday", "a hashtag or mention"),
        ("GREAT", "a word in capitals"),
        ("<b>x", "mark-up"),
        ("a\nb", "a line break"),
        ("a  b", "two spaces"),
        ("a ", "space at an end"),
        ("so: é", "a character outside ASCII"),
        ("well...", "sign ..."),
        ("well......", "sign ..."),
        ("so!", "ends with !"),
        ("in 1987", "ends with a digit"),
    ],
)
def test_format(text, sign):
    assert sign in set(formats(text))
    assert sign not in set(formats("A plain sentence of words, and no more."))


@pytest.mark.slow
@settings(max_examples=40)
@given(rows=ROWS, least=st.integers(1, 4))
def test_any_features_are_counted_once_a_document_in_the_order_they_first_occur(rows, least):
    """Words and positions of odd and empty texts, as a plain loop counts them."""

    def features(text):
        return [(found.kind, found.text) for found in surface_features(lowered_words(text), 2)]

    counted = feature_counts(labelled(rows), features, least)
    assert as_dict(counted) == slow_counts(rows, features, least)
    order = list(dict.fromkeys(name for text, _ in rows for name in features(text)))
    assert counted.names == [name for name in order if name in set(counted.names)]
    numbered = number_texts([text for text, _ in rows], features)
    present = presence(numbered, counted.names)
    assert present.shape == (len(rows), len(counted.names))
    labels = np.array([label for _, label in rows])
    assert label_counts(present, labels, 3).tolist() == counted.counts.tolist()


@pytest.mark.slow
@settings(max_examples=40)
@given(rows=ROWS, least=st.integers(1, 4))
def test_formats_are_counted_by_document(rows, least):
    """A sign that is repeated counts once."""
    counted = format_counts(labelled(rows), least)
    assert as_dict(counted) == slow_counts(rows, formats, least)


@pytest.mark.slow
@pytest.mark.parametrize("largest", [5, 10**7])
@given(st.lists(st.integers(0, 40), max_size=40), st.sets(st.integers(0, 30)))
def test_places_of_ids_are_those_of_a_plain_search(largest, ids, keys):
    """By a table of small keys or by searching, in blocks: -1 for what is no key."""
    ordered = sorted(keys)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(document_counts, "_LARGEST_TABLE", largest)
        patch.setattr(document_counts, "_BLOCK_OF_IDS", 3)
        places = document_counts._positions(
            np.array(ids, dtype=np.int32), np.array(ordered, dtype=np.int64)
        )
    assert places.tolist() == [ordered.index(key) if key in keys else -1 for key in ids]
