"""YAML of users: plain values with their lines, and a sentence for everything else."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from yaml import YAMLError

from augkit.core.errors import ConfigError
from augkit.core.yaml_files import MOST_DEPTH, line_numbers, parse_bundled_yaml, parse_yaml

FAULTY = {
    "an alias": ("a: &a [1]\nb: *a", ":2: .*the alias '\\*a' is not read: write its value out"),
    "an alias inside what it stands for": ("a: &a [1, *a]", ":1: .*the alias '\\*a' is not read"),
    "an alias of nothing": ("a: *b", "alias '\\*b'"),
    "too many values": ("[" + "1," * 1_000_001 + "]", "more than 1,000,000 values"),
    "too deep, in brackets": ("a: " + "[" * 5000, f":1: .*nested more than {MOST_DEPTH} deep"),
    "too deep, by indenting": (
        "\n".join(" " * n + "a:" for n in range(500)),
        f"nested more than {MOST_DEPTH} deep",
    ),
    "a list as a key": ("? [1, 2]\n: x", ":1: .*a key is a text"),
    "a mapping as a key": ("? {a: 1}\n: x", ":1: .*a key is a text"),
    "an alias as a key": ("a: &a x\n*a : y", ":2: .*the alias"),
    "a key twice": ("a: 1\nb: 2\na: 3", ":3: .*'a' is given twice"),
    "a wrong number": ("a: !!int foo", "tag '!!int' is not used here"),
    "a date": ("a: !!timestamp 2020-01-01", "tag '!!timestamp' is not used here"),
    "a tag of a mapping": ("!!map [1]", "tag '!!map' is not used here"),
    "a program": ("a: !!python/object/apply:os.system [ls]", "tag '!!python"),
    "a long number": ("a: " + "9" * 5000, ":1: .*a number of 5,000 characters"),
    "two documents": ("a: 1\n---\nb: 2", ":2: .*a second document"),
    "a tab": ("a:\n\tb: 1", "not valid YAML"),
    "a control character": ("a: \x07", "not valid YAML: .*characters are not allowed"),
}


@pytest.mark.parametrize("name", FAULTY)
def test_what_is_no_plain_value_gets_a_sentence(name):
    """Never a traceback, and never a minute of work."""
    text, said = FAULTY[name]
    with pytest.raises(ConfigError, match=rf"(?s)^of\.yaml.*{said}"):
        parse_yaml(text, "of.yaml")


def test_keys_are_texts_as_they_are_written():
    """Labels are often numbers, and a missing or a true one is a text too."""
    text = "1: bad\nnull: none\ntrue: yes\n0.50: half\n~: tilde\n"
    assert parse_yaml(text, "") == {
        "1": "bad",
        "null": "none",
        "true": "yes",
        "0.50": "half",
        "~": "tilde",
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("no", "no"),
        ("on", "on"),
        ("Yes", "Yes"),
        ("true", True),
        ("False", False),
        ("1e-3", 0.001),
        ("1E5", 100000.0),
        ("-2.5e+3", -2500.0),
        (".5", 0.5),
        ("3.", 3.0),
        ("012", "012"),
        ("0", 0),
        ("-7", -7),
        ("1_000", "1_000"),
        ("0x1F", "0x1F"),
        ("12:30:00", "12:30:00"),
        ("2024-01-31", "2024-01-31"),
        (".inf", ".inf"),
        ("null", None),
        ("~", None),
        ("", None),
        ("'no'", "no"),
        ("'1e-3'", "1e-3"),
        ("[no, 1e-3, !!str 7]", ["no", 0.001, "7"]),
        ("nothing", "nothing"),
        ("=", "="),
    ],
)
def test_plain_scalars_mean_what_people_think(text, expected):
    """Words stay words, numbers are numbers, and nothing is octal, a date or a clock."""
    found = parse_yaml(text, "test")
    assert found == expected
    assert type(found) is type(expected)
    assert repr(parse_bundled_yaml(text)) == repr(found)


def test_an_empty_value_is_nothing():
    text, expected = "a:\nb: ''\nc: [~, '']", {"a": None, "b": "", "c": [None, ""]}
    assert parse_yaml(text, "test") == parse_bundled_yaml(text) == expected


def test_bundled_yaml_cannot_run_code():
    with pytest.raises(YAMLError):
        parse_bundled_yaml("!!python/object/apply:os.system ['true']")


def test_lines_are_those_of_keys_and_entries(tmp_path):
    """Dotted names, as errors of settings have them."""
    path = tmp_path / "a.yaml"
    path.write_text("a: 1\nb:\n  - x\n  - c: 2\nd: {e: 3}\n")
    lines = {"a": 1, "b": 2, "b.0": 3, "b.1": 4, "b.1.c": 4, "d": 5, "d.e": 5}
    assert line_numbers(str(path)) == lines


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(codec="latin-1")),
    lambda inner: st.lists(inner) | st.dictionaries(st.text("abc", min_size=1), inner),
    max_leaves=12,
)


@pytest.mark.slow
@given(VALUES)
@settings(max_examples=30)
def test_what_json_writes_comes_back(value):
    """JSON is YAML; the reader of PyYAML says the same."""
    text = json.dumps(value)
    assert parse_yaml(text, "") == value == parse_bundled_yaml(text)


@given(st.text("ab:-[]{}*&!'\"|>\n 01#,?~"))
def test_any_text_gives_values_or_a_sentence(text):
    try:
        parse_yaml(text, "any.yaml")
    except ConfigError as error:
        said = str(error)
    else:
        said = "any.yaml"
    assert said.startswith("any.yaml")
