"""The words of texts, and which are known."""

import pytest

from augkit.core.errors import DataError
from augkit.grammars.model.corpus import (
    UNKNOWN,
    WordVocabulary,
    count_vocabulary,
    split_words,
)


def test_frequent_words_are_known(tmp_path):
    """Rare words are unknown, ties are in alphabetical order, and the words survive being saved."""
    known = count_vocabulary([["b", "a", "b", "a", "c"], ["[UNK]", "[UNK]"]], size=3, min_count=2)
    assert known.words == (UNKNOWN, "a", "b")
    assert known.encode(["b", "zebra"]).tolist() == [2, 0]
    known.save(tmp_path / "words.json")
    assert WordVocabulary.load(tmp_path / "words.json") == known
    (tmp_path / "bad.json").write_text('["a"]')
    with pytest.raises(DataError, match="damaged"):
        WordVocabulary.load(tmp_path / "bad.json")
    with pytest.raises(DataError, match="cannot be read as a vocabulary"):
        WordVocabulary.load(tmp_path / "none.json")
    with pytest.raises(DataError, match="vocabulary is empty"):
        count_vocabulary([["a", "b"]])


def test_spans_of_words():
    """A word's span gives it back, whatever lower-casing does to its length."""
    text = "İt<br/>cost 4/10, naïve!"
    assert [text[word.start : word.end] for word in split_words(text)] == [
        "İt", "cost", "4", "/", "10", ",", "naïve", "!",
    ]  # fmt: skip
