"""JSON of users: plain values, and a sentence for everything else."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augkit.core.errors import ConfigError, DataError
from augkit.core.json_files import MOST_DEPTH, is_deep, parse_json

FAULTY = {
    "too deep to parse": ("[" * 200_000, "nested more than 100 deep"),
    "too deep for other code": ("[" * 300 + "]" * 300, "nested more than 100 deep"),
    "a long number": ("1" * 5000, "not valid JSON: Exceeds the limit"),
    "a key twice": ('{"a": 1, "a": 2}', "'a' is given twice"),
    "cut off": ('{"a":\n', ":2: this is not valid JSON"),
    "two values": ("1 2", ":1: this is not valid JSON: Extra data"),
    "nothing": ("", ":1: this is not valid JSON"),
    "a byte-order mark": ("\ufeff{}", "not valid JSON: Unexpected UTF-8 BOM"),
    "too long": (" " * 20_000_001, "over 20,000,000 characters"),
}


@pytest.mark.parametrize("name", FAULTY)
def test_what_is_no_plain_value_gets_a_sentence(name):
    """With the source, and as the error that the caller wants."""
    text, words = FAULTY[name]
    with pytest.raises(DataError, match=rf"(?s)^of\.json.*{words}"):
        parse_json(text, "of.json")
    with pytest.raises(ConfigError, match=words):
        parse_json(text, "of.json", ConfigError)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@given(VALUES)
def test_plain_values_come_back(value):
    """Lone surrogates too."""
    assert parse_json(json.dumps(value), "") == value


def depth_of(value):
    """The slow way, by recursion."""
    if not isinstance(value, dict | list):
        return 0
    inner = value.values() if isinstance(value, dict) else value
    return 1 + max(map(depth_of, inner), default=0)


@given(st.integers(MOST_DEPTH - 3, MOST_DEPTH + 5), VALUES, st.booleans())
def test_depth_is_counted_as_by_recursion(levels, value, as_objects):
    """A value with one more level than is allowed is deep."""
    for _ in range(levels):
        value = {"a": value, "b": 1} if as_objects else [1, value]
    assert is_deep(value) == (depth_of(value) > MOST_DEPTH)
