"""Which texts of a dataset are parsed."""

import pytest

from augkit.core.errors import DataError
from augkit.core.types import example
from augkit.grammars.model.corpus import CorpusConfig, read_corpus, split_corpus


def test_texts_over_the_limit_are_named():
    """A pair or a sentence that is too long is left out by name, and the others stay."""
    long = " ".join(["word"] * 30)
    pairs = [
        example({"premise": long, "hypothesis": "Six words are too many here."}, "a"),
        example({"premise": "A man runs.", "hypothesis": "He runs."}, "b"),
    ]
    corpus = read_corpus(pairs, CorpusConfig())
    assert [row.id for row in corpus.examples] == [pairs[1].id]
    assert [(left.id, left.reason) for left in corpus.left_out] == [(pairs[0].id, "pair too long")]
    single = [example(f"Short one here. {long}. No! Oh", "a"), example("!?", "b"), example("", "b")]
    corpus = split_corpus(single, CorpusConfig(longest=20))
    assert [left.reason for left in corpus.left_out] == [
        "sentence too long",
        "sentence of one word",
        "no word",
    ]
    assert [len(unit.sides[0]) for unit in corpus.units] == [4, 2, 2]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "no rows"),
        ([example("word", "a")], "none of the 1 rows can be parsed"),
        ([example({"a": "x y", "b": "x y", "c": "x y"}, "a")], "one text or two"),
    ],
)
def test_rows_without_a_tree_are_an_error(rows, message):
    with pytest.raises(DataError, match=message):
        read_corpus(rows, CorpusConfig())


def test_the_limit_counts_both_boundaries():
    """(a+2)(b+2) may be 225 and not more: 13 by 13 words."""
    side = " ".join("w" * 13)
    assert split_corpus([example({"a": side, "b": side}, "x")], CorpusConfig()).units
    longer = example({"a": side + " w", "b": side}, "x")
    assert not split_corpus([longer], CorpusConfig()).units
