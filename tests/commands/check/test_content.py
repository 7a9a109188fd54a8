import pytest

from augkit.commands.check.content import (
    check_balance,
    check_conflicts,
    check_duplicates,
    check_language,
    check_leakage,
    check_words,
)
from augkit.commands.check.contract import (
    BalanceSection,
    ConflictsSection,
    DuplicatesSection,
    LanguageSection,
    LeakageSection,
    WordsSection,
)
from augkit.core.errors import DataError


def test_repeated_rows(checked_rows):
    """Case, spaces and last signs do not matter; another label is a conflict, no repetition."""
    rows = checked_rows(["A film.", "a  film!", "A film", "A book."], ["x", "x", "y", "x"])
    (repeated,) = check_duplicates(rows, DuplicatesSection()).findings
    assert repeated.value == pytest.approx(1 / 4)
    assert repeated.rows == (1,)
    (conflict,) = check_conflicts(rows, ConflictsSection()).findings
    assert conflict.rows == (0, 1, 2)
    assert not check_duplicates(rows, DuplicatesSection(limit=0.25)).findings


def test_leakage(checked_rows):
    """Test texts of the training set are counted once each; the rows shown are those to remove."""
    train = checked_rows(["One.", "Two.", "Three."], ["x", "y", "x"])
    test = checked_rows(["two.", "TWO.", "Four."], ["y", "y", "x"])
    (leaked,) = check_leakage(train, LeakageSection(), test).findings
    assert leaked.value == pytest.approx(1 / 2)
    assert leaked.rows == (1,)
    assert not check_leakage(train, LeakageSection(limit=0.5), test).findings
    pairs = checked_rows({"a": ["One."], "b": ["Two."]}, ["x"])
    with pytest.raises(DataError, match="--text-column"):
        check_leakage(train, LeakageSection(), pairs)


def test_near_copies_of_test_texts_are_counted(checked_rows):
    """But for punctuation; they fail where the contract says so. Another number is another text."""
    train = checked_rows(["Room 12: fine!", "Two.", "7 + 7"], ["x", "y", "x"])
    test = checked_rows(["room 12, fine", "Two.", "room 3, fine", "9 - 9"], ["x", "y", "x", "y"])
    passing = check_leakage(train, LeakageSection(limit=0.25), test)
    assert not passing.findings
    assert "and 1 more but for punctuation (50.0% in all)" in passing.summary
    (near,) = check_leakage(train, LeakageSection(limit=0.25, near_limit=0.25), test).findings
    assert (near.value, near.limit, near.rows) == (0.5, 0.25, (0, 1))


def test_forbidden_words(checked_rows):
    """Whole words and phrases, in any case; signs are taken literally."""
    rows = checked_rows(["Lorem ipsum.", "Loremy", "a C++ loop", "fine"], ["x", "y", "x", "y"])
    section = WordsSection(words=("lorem", "c++", "lorem ipsum", "absent"))
    found = check_words(rows, section).findings
    assert [(one.feature, one.rows) for one in found] == [
        ("lorem", (0,)),
        ("c++", (2,)),
        ("lorem ipsum", (0,)),
    ]


def test_balance(checked_rows):
    """The rarest label must have its share."""
    rows = checked_rows(["a"] * 10, ["x"] * 9 + ["y"])
    assert not check_balance(rows, BalanceSection(limit=0.1)).findings
    (finding,) = check_balance(rows, BalanceSection(limit=0.2)).findings
    assert finding.feature == "y"


def test_language(checked_rows):
    """Rows in a language that is not allowed are counted."""
    rows = checked_rows(["The film was good.", "यह फिल्म बहुत अच्छी है।"], ["x", "y"])
    (finding,) = check_language(rows, LanguageSection()).findings
    assert finding.rows == (1,)
    assert "another script 1" in finding.message
    allowed = LanguageSection(allowed=("en", "another script"))
    assert not check_language(rows, allowed).findings
