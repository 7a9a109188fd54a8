"""YAML of users: plain values with their lines, and a sentence for everything else."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augkit.core.errors import ConfigError
from augkit.core.yaml_files import MOST_DEPTH, line_numbers, parse_bundled_yaml, parse_yaml

BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 12)
)
FAULTY = {
    "an alias inside what it stands for": ("a: &a [1, *a]", ":1: .*'\\*a' is inside"),
    "a mapping in itself": ("a: &a\n  b: *a", ":2: .*'\\*a' is inside"),
    "an alias of nothing": ("a: *b", "alias '\\*b'"),
    "aliases of aliases": (BOMB, "more than 1,000,000 values with its aliases"),
    "too deep, in brackets": ("a: " + "[" * 5000, f":1: .*nested more than {MOST_DEPTH} deep"),
    "too deep, by indenting": (
        "\n".join(" " * n + "a:" for n in range(500)),
        f"nested more than {MOST_DEPTH} deep",
    ),
    "a list as a key": ("? [1, 2]\n: x", ":1: .*a key is a text"),
    "a mapping as a key": ("? {a: 1}\n: x", ":1: .*a key is a text"),
    "an alias as a key": ("a: &a x\n*a : y", ":2: .*a key is a text"),
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


def test_values_are_what_people_think():
    """Words of other YAML readers stay words; quotes make text."""
    text = "[no, Off, 1e-3, .5, -7, '7', !!str 7, 0x1F, 2020-01-01, true, ~, '', 1_000]"
    expected = [
        "no",
        "Off",
        0.001,
        0.5,
        -7,
        "7",
        "7",
        "0x1F",
        "2020-01-01",
        True,
        None,
        "",
        "1_000",
    ]
    assert parse_yaml(text, "") == expected


def test_an_alias_stands_for_its_value():
    """Once for each place, and the number of values is counted with them."""
    assert parse_yaml("a: &a {x: [1]}\nb: *a\nc: &c 2\nd: *c", "") == {
        "a": {"x": [1]},
        "b": {"x": [1]},
        "c": 2,
        "d": 2,
    }


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


@given(VALUES)
def test_what_json_writes_comes_back(value):
    """JSON is YAML; the reader of PyYAML says the same."""
    text = json.dumps(value)
    assert parse_yaml(text, "") == value == parse_bundled_yaml(text)


@given(st.text("ab:-[]{}*&!'\"|>\n 01#,?~"))
def test_any_text_gives_values_or_a_sentence(text):
    """Nothing else comes out."""
    try:
        parse_yaml(text, "any.yaml")
    except ConfigError as error:
        said = str(error)
    else:
        said = "any.yaml"
    assert said.startswith("any.yaml")
