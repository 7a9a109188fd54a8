"""Symmetric pairs: another value that both texts shared."""

from random import Random

import pytest

from augkit.augmenters.rewriting.pairs.symmetric import other_value, symmetric_fields


@pytest.mark.parametrize(
    ("first", "second", "value"),
    [
        ("The hall opened in 1979.", "The old hall opened in 1979.", "1979"),
        ("Heat is a 1995 film.", "The film Heat is a 1995 film.", "1995"),
        ("Olsen (born May 3) is a poet.", "Olsen was born in May.", "May"),
    ],
)
def test_a_shared_value_becomes_another_one_in_both_texts(first, second, value):
    """Nothing else changes but the articles."""
    for seed in range(20):
        found = other_value(first, second, Random(seed))
        before, after = ([text.split() for text in some] for some in ((first, second), found))
        changed = {
            (old.strip("()."), new.strip("()."))
            for olds, news in zip(before, after, strict=True)
            for old, new in zip(olds, news, strict=True)
            if old != new and old not in {"a", "an"}
        }
        assert [old for old, _ in changed] == [value]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The hall opened in 1979.", "The old hall opened before 1979."),
        ("The hall opened in 1979.", "The old hall did not open in 1979."),
        ("The hall opened in 1979.", "The old hall is open."),
        ("It sold 1,979 copies.", "The old book sold 979 copies."),
        ("Heat is a film of 1995.", "Heat (1995 film) is a film."),
        ("It was the 1995 World Cup.", "They won the 1995 World Cup."),
        ("It ran 1979 -- 1983.", "The show ran in the season 1979 -- 1983."),
        ("It was the Long March.", "They went on the Long March."),
        ("He made a film in 1995.", "Ida Olsen made a film in 1995."),  # and one in 1999, perhaps
        ("It is among the films of 1995.", "Ida Olsen was in a 1995 film."),
        ("He came in May and in July.", "Ida Olsen came in May."),  # both may hold
        ("", ""),
    ],
)
def test_other_values_are_left_alone(first, second):
    """Ranges, negations, parts of names and numbers, and values of which several hold."""
    assert other_value(first, second, Random(0)) is None
    assert list(symmetric_fields({"a": first, "b": second}, Random(0))) == []


def test_each_text_is_in_a_true_and_in_a_false_pair():
    """With the given pair there are four."""
    fields = {"a": "It opened in 1979.", "b": "The hall opened in 1979."}
    pairs = [(fields, True), *symmetric_fields(fields, Random(0))]
    for name in fields:
        found = [(pair[name], true) for pair, true in pairs]
        assert len({text for text, _ in found}) == 2
        assert len(set(found)) == 4
