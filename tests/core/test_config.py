"""Settings: what YAML means, and what a mistake is told."""

import pytest
from pydantic import Field

from augkit.core.config import MethodConfig, StrictModel, load, parse_settings, validate
from augkit.core.errors import ConfigError
from augkit.core.yaml_files import read_yaml
from augkit.shortcuts.tokens import TokensConfig


class Inner(StrictModel):
    weight: float = Field(1.0, ge=0)


class Outer(StrictModel):
    alpha: float = 0.1
    words: tuple[str, ...] = ()
    inner: Inner = Inner()
    inners: tuple[Inner, ...] = ()
    needed: int


def test_all_mistakes_are_in_one_error(tmp_path):
    """Unknown, wrong and missing keys, nested ones too: file, line, key and the nearest."""
    path = tmp_path / "c.yaml"
    path.write_text(
        "alhpa: 2\nalpha: fast\ninner:\n  wieght: 2\ninners:\n  - wieght: 1\n  - weight: -1\n"
    )
    with pytest.raises(ConfigError) as raised:
        load(Outer, path)
    lines = str(raised.value).splitlines()
    expected = [
        (1, "alhpa: ", "Did you mean 'alpha'? Known: alpha, inner, inners, needed, words."),
        (2, "alpha: ", "(got 'fast')"),
        (4, "inner.wieght: ", "Did you mean 'weight'?"),
        (6, "inners.0.wieght: ", "Did you mean 'weight'?"),
        (7, "inners.1.weight: ", "(got -1)"),
    ]
    assert len(lines) == len(expected) + 1
    for number, key, said in expected:
        (line,) = [line for line in lines if line.startswith(f"{path}:{number}: {key}")]
        assert said in line
    assert f"{path}: needed: is missing" in lines


@pytest.mark.parametrize("key", [1, None, True])
def test_keys_that_are_no_words_are_errors(key):
    with pytest.raises(ConfigError, match=f"{key}"):
        validate(Outer, {"needed": 1, key: 1})


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "nothing"),
        (b"- 1\n", "a list"),
        (b"\xff\xfe", "UTF-8"),
        (b"a: 1\na: 2\n", "twice"),
    ],
)
def test_a_file_that_is_no_mapping_is_an_error(tmp_path, content, said):
    path = tmp_path / "c.yaml"
    path.write_bytes(content)
    with pytest.raises(ConfigError, match=said):
        read_yaml(path)


def test_a_missing_file_or_a_folder_is_an_error(tmp_path):
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
    with pytest.raises(ConfigError, match="--set"):
        parse_settings([word])


def test_a_configs_digest_names_what_shapes_a_variant():
    """Batch size does not count, everything else does."""
    assert MethodConfig().digest() == MethodConfig(batch_size=3).digest()
    assert MethodConfig().digest() != MethodConfig(seed=3).digest()


@pytest.mark.parametrize("values", [{"alpha": float("nan")}, {"alpha": float("inf")}])
def test_infinities_are_no_settings(values):
    with pytest.raises(ConfigError, match="finite"):
        validate(Outer, {"needed": 1, **values})


def test_an_error_of_range_describes_the_setting():
    """The description may say why there is a limit."""
    with pytest.raises(ConfigError, match=r"top: .* 1 \(got 0\): lines of a table"):
        validate(TokensConfig, {"top": 0})
