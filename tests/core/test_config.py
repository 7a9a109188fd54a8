"""Settings: what YAML means, and what a mistake is told."""

from __future__ import annotations

import pytest
from pydantic import Field
from yaml import YAMLError

from augkit.core.config import MethodConfig, StrictModel, load, parse_settings, validate
from augkit.core.errors import ConfigError
from augkit.core.yaml_files import parse_bundled_yaml, parse_yaml, read_yaml
from augkit.shortcuts.tokens import TokensConfig


class Inner(StrictModel):
    weight: float = Field(1.0, ge=0)


class Outer(StrictModel):
    alpha: float = 0.1
    words: tuple[str, ...] = ()
    inner: Inner = Inner()
    inners: tuple[Inner, ...] = ()
    needed: int


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
        ("[no, 1e-3, 012]", ["no", 0.001, "012"]),
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
    """A key without a value, and one with a quoted empty value, differ."""
    text, expected = "a:\nb: ''\nc: [~, '']", {"a": None, "b": "", "c": [None, ""]}
    assert parse_yaml(text, "test") == parse_bundled_yaml(text) == expected


def test_yaml_cannot_run_code():
    """A tag that would build an object is refused."""
    with pytest.raises(ConfigError, match="not valid YAML"):
        parse_yaml("!!python/object/apply:os.system ['true']", "test")
    with pytest.raises(YAMLError, match="could not determine a constructor"):
        parse_bundled_yaml("!!python/object/apply:os.system ['true']")


@pytest.mark.parametrize("text", ["a: [1", "a: b: c", "\tx: 1", "a: \x00"])
def test_broken_yaml_names_the_source(text):
    """A syntax error says where it is."""
    with pytest.raises(ConfigError, match=r"^my\.yaml(:\d+)?: this is not valid YAML"):
        parse_yaml(text, "my.yaml")


def test_an_unknown_key_names_file_line_key_and_the_nearest(tmp_path):
    """The message leads straight to the line, and says all the keys there are."""
    path = tmp_path / "c.yaml"
    path.write_text("needed: 1\n\nalhpa: 0.2\n")
    with pytest.raises(ConfigError) as raised:
        load(Outer, path)
    assert str(raised.value) == (
        f"{path}:3: alhpa: unknown key. Did you mean 'alpha'? "
        "Known: alpha, inner, inners, needed, words."
    )


def test_all_mistakes_are_in_one_error(tmp_path):
    """Unknown, wrong and missing keys, nested ones too, each on a line of its own."""
    path = tmp_path / "c.yaml"
    path.write_text("alpha: fast\ninner:\n  wieght: 2\ninners:\n  - weight: 1\n  - weight: -1\n")
    with pytest.raises(ConfigError) as raised:
        load(Outer, path)
    lines = str(raised.value).splitlines()
    assert len(lines) == 4
    assert f"{path}:1: alpha: " in lines[0]
    assert "(got 'fast')" in lines[0]
    assert f"{path}:3: inner.wieght: unknown key. Did you mean 'weight'?" in lines[1]
    assert f"{path}:6: inners.1.weight: " in lines[2]
    assert lines[3] == f"{path}: needed: is missing"


def test_an_unknown_key_in_a_list_is_answered_with_the_nearest():
    """Nested in a list, the known keys are those of the inner settings."""
    with pytest.raises(ConfigError, match="Did you mean 'weight'"):
        validate(Outer, {"needed": 1, "inners": [{"wieght": 1}]})


@pytest.mark.parametrize("key", [1, None, True])
def test_keys_that_are_no_words_are_errors(key):
    """A number for a key is an unknown key, not a crash."""
    with pytest.raises(ConfigError, match=f"{key}"):
        validate(Outer, {"needed": 1, key: 1})


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "expected 'key: value' lines, found nothing"),
        (b"- 1\n", "found a list"),
        (b"\xff\xfe", "cannot be read as UTF-8"),
        (b"a: 1\na: 2\n", "twice"),
    ],
)
def test_a_file_that_is_no_mapping_is_an_error(tmp_path, content, said):
    """Empty, listed, undecodable or ambiguous files are mistakes with a reason."""
    path = tmp_path / "c.yaml"
    path.write_bytes(content)
    with pytest.raises(ConfigError, match=said):
        read_yaml(path)


def test_a_missing_file_or_a_folder_is_an_error(tmp_path):
    """The path is in the message."""
    with pytest.raises(ConfigError, match="no such file"):
        read_yaml(tmp_path / "none.yaml")
    with pytest.raises(ConfigError, match="cannot be read"):
        read_yaml(tmp_path)


def test_settings_of_the_command_line():
    """``key=value`` words: the value is YAML, and may hold an equals sign or nothing."""
    words = ["alpha=0.2", "word=no", "pairs=[[a, b]]", "text=a=b", "none="]
    assert parse_settings(words) == {
        "alpha": 0.2,
        "word": "no",
        "pairs": [["a", "b"]],
        "text": "a=b",
        "none": None,
    }


@pytest.mark.parametrize("word", ["alpha", "=3", " =3", "a=[1"])
def test_a_malformed_setting_is_an_error(word):
    """What is not key=value is a mistake that shows an example."""
    with pytest.raises(ConfigError, match="--set"):
        parse_settings([word])


def test_a_configs_digest_names_what_shapes_a_variant():
    """Batch size does not count, everything else does."""
    assert MethodConfig().digest() == MethodConfig(batch_size=3).digest()
    assert MethodConfig().digest() != MethodConfig(seed=3).digest()


@pytest.mark.parametrize("values", [{"alpha": float("nan")}, {"alpha": float("inf")}])
def test_infinities_are_no_settings(values):
    """A number that is none is refused."""
    with pytest.raises(ConfigError, match="finite"):
        validate(Outer, {"needed": 1, **values})


def test_a_config_is_frozen():
    """Settings are validated once and do not change after."""
    config = MethodConfig()
    with pytest.raises(ValueError, match="frozen"):
        config.seed = 4


def test_an_error_of_range_describes_the_setting():
    """The description may say why there is a limit."""
    with pytest.raises(ConfigError, match=r"ngrams: .* equal to 5 \(got 6\): .*mostly occur once"):
        validate(TokensConfig, {"ngrams": 6})
