"""JSON of users: plain values, and a sentence for everything else."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augkit.core.errors import ConfigError, DataError
from augkit.core.json_files import MOST_DEPTH, is_deep, may_repeat_keys, parse_json

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


@pytest.mark.slow
@given(VALUES)
@settings(max_examples=40)
def test_plain_values_come_back(value):
    """What JSON can hold is read as it was written."""
    assert parse_json(json.dumps(value), "") == value


def depth_of(value):
    """The slow way, by recursion."""
    if not isinstance(value, dict | list):
        return 0
    inner = value.values() if isinstance(value, dict) else value
    return 1 + max(map(depth_of, inner), default=0)


@pytest.mark.slow
@given(st.integers(MOST_DEPTH - 3, MOST_DEPTH + 5), VALUES, st.booleans())
def test_depth_is_counted_as_by_recursion(levels, value, as_objects):
    """A value with one more level than is allowed is deep."""
    for _ in range(levels):
        value = {"a": value, "b": 1} if as_objects else [1, value]
    assert is_deep(value) == (depth_of(value) > MOST_DEPTH)


@pytest.mark.parametrize("escape", ["\\u003a", "\\u003A"])
def test_an_escaped_colon_hides_no_key(escape):
    """Written again it is a plain colon, which would make up for that of the key that was lost."""
    line = f'{{"a": "1", "a": "{escape}"}}'.encode()
    assert may_repeat_keys(line, json.loads(line))
    other = b'{"a": "\\u003c:", "b": {"a": [" :"]}}'
    assert not may_repeat_keys(other, json.loads(other))


OBJECTS = st.dictionaries(st.text(), st.text() | st.lists(st.text()), min_size=1)


@pytest.mark.slow
@given(OBJECTS, st.sampled_from([":", " :", ": ", "\t:\n"]), st.booleans())
@settings(max_examples=60)
def test_every_key_given_twice_is_found(record, colon, ascii_only):
    """Whatever keys, texts and spaces there are, and nothing else is."""
    members = [
        json.dumps(key, ensure_ascii=ascii_only) + colon + json.dumps(inner)
        for key, inner in record.items()
    ]
    plain = f"{{{', '.join(members)}}}"
    twice = f"{{{', '.join([*members, members[0]])}}}"
    assert not may_repeat_keys(plain.encode(), record)
    assert parse_json(plain, "of.json") == record
    assert may_repeat_keys(twice.encode(), json.loads(twice))
    with pytest.raises(DataError, match="is given twice"):
        parse_json(twice, "of.json")
