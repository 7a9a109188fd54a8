from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augkit.commands.check import document_counts
from augkit.commands.check.document_counts import (
    length_counts,
    ngram_counts,
    position_counts,
    signs,
    token_counts,
)
from augkit.commands.check.field_texts import FieldTexts
from augkit.text.tokens import words

ROWS = st.lists(
    st.tuples(st.text("ab c.!", max_size=12), st.integers(0, 2)), min_size=1, max_size=30
)


def field_of(rows):
    """The rows as a field; all three labels exist."""
    labels = np.array([label for _, label in rows])
    totals = np.bincount(labels, minlength=3)
    return FieldTexts("text", [text for text, _ in rows], labels, totals)


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
    """All n-grams of a size of a text."""

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
        field = field_of(rows)
        assert as_dict(token_counts(field.table, field, least)) == slow_counts(
            rows, grams(1), least
        )
        found = list(ngram_counts(field.table, field, least, 4))
        assert [one.kind for one in found] == ["2-gram", "3-gram", "4-gram"]
        for size, one in enumerate(found, 2):
            assert as_dict(one) == slow_counts(rows, grams(size), least)

    @settings(max_examples=40)
    @given(rows=ROWS, least=st.integers(1, 4))
    def test_positions(self, rows, least):
        """First and last words; a text without a word has none."""
        field = field_of(rows)
        first, last = position_counts(field.table, field, least)
        assert as_dict(first) == slow_counts(rows, lambda text: grams(1)(text)[:1], least)
        assert as_dict(last) == slow_counts(rows, lambda text: grams(1)(text)[-1:], least)


@settings(max_examples=40)
@given(rows=ROWS)
def test_lengths(rows):
    """Every bound splits all rows in two."""
    field = field_of(rows)
    for one, size in zip(
        length_counts(field.table, field), (lambda text: len(words(text)), len), strict=True
    ):
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
    """Each part of the format is seen, and not in a plain sentence."""
    assert sign in set(signs(text))
    assert sign not in set(signs("A plain sentence of words, and no more."))
