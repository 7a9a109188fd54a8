"""``settings.yaml`` of a run folder, read back by ``augkit run --config``."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augkit.core.config import load
from augkit.runs.repeat import SETTINGS_FILE, settings_text, write_settings
from augkit.runs.settings import RunSettings, merge_settings

FILES = ("dataset.jsonl", "variants.jsonl", "rejected.jsonl")
VALUES = {
    "method": "eda",
    "dataset": "my data.csv",
    "llm": "openai:x",
    "find": {"name": "tokens", "options": {"top": 40}},
    "classifier": "models/a b",
    "id_column": "id",
    "keep_rest": True,
    "mix": "balance",
    "per_row": 2,
    "options": {"alpha": 0.2, "pairs": [["it's", "no"]], "small": 1e-5, "word": "1_000"},
    "text_gates": {"leak_words": 7},
    "judge": {"rows": 50},
    "gates": ["length", "unique"],
    "log_exchanges": True,
    "text_columns": ["a", "b c"],
    "label_column": "stars",
    "subset": "plain",
    "quotes": False,
    "data_folder": "data",
    "limit": 9,
    "sample": 6,
    "seed": 3,
    "edit_columns": ["a"],
    "edit_roles": ["user", "system"],
    "span_columns": ["answers=a"],
    "answer_columns": ["b"],
    "tag_names": "O,B-PER",
    "label_order": "1,2,3",
    "judge_llm": "openai:y",
    "prompts": "mine",
    "examples": {"judge": []},
    "connection": {"budget": "100calls", "prices": "p.yaml", "cache": "r.sqlite", "timeout": 5},
    "min_yield": 0.5,
}
ONE_MACHINE = {"workers", "artifacts", "engine", "ray_address"}


def read_back(folder, settings):
    """The settings that the file gives as ``--config``."""
    write_settings(folder, settings)
    return merge_settings({}, folder / SETTINGS_FILE)


def test_every_setting_is_here():
    """A new setting must be repeated, or be named as one of a machine."""
    assert VALUES.keys() | ONE_MACHINE == RunSettings.model_fields.keys()


@pytest.mark.parametrize("names", [*([name] for name in VALUES), list(VALUES)])
def test_the_file_gives_the_same_settings(names, tmp_path):
    """Of each setting alone, and of all together."""
    settings = RunSettings.model_validate({name: VALUES[name] for name in names})
    assert settings != RunSettings()
    assert read_back(tmp_path, settings) == settings


@given(text=st.text(min_size=1, alphabet=st.characters(exclude_categories=["Cs"])))
def test_any_text_comes_back(tmp_path_factory, text):
    """Whatever YAML would take for a number, a date, a comment or a truth value."""
    path = tmp_path_factory.getbasetemp() / "text.yaml"
    settings = RunSettings(label_column=text, options={"word": text, "list": [text]})
    path.write_text(settings_text(settings), encoding="utf-8")
    assert load(RunSettings, path) == settings


def test_the_address_of_a_model_is_left_out(tmp_path):
    """Somebody else's file would get the key of whoever repeats the run."""
    address = "http://127.0.0.1:8000/v1"
    settings = RunSettings(llm="openai:x", connection={"base_url": address, "budget": "2.00"})
    again = read_back(tmp_path, settings)
    assert again.connection.base_url is None
    assert again.connection.budget == "2.00"
    assert address not in (tmp_path / SETTINGS_FILE).read_text()


def test_a_role_that_was_named_is_written():
    """Though it is the default: panda changes all roles unless the user names some."""
    named = RunSettings(method="panda", dataset="chats.jsonl", edit_roles=("user",))
    assert "edit_roles" in settings_text(named)
    assert "edit_roles" not in settings_text(RunSettings(method="panda", dataset="chats.jsonl"))


def test_a_list_that_is_given_twice_is_written_twice(tmp_path):
    """PyYAML would write an alias for the second, which settings do not take."""
    twice = ["a", "b"]
    settings = RunSettings(method="eda", options={"one": twice, "other": twice})
    assert read_back(tmp_path, settings) == settings


@pytest.mark.slow
def test_a_run_is_repeated_byte_for_byte(augkit, write_rows):
    """By the file in its folder, with options that are not the default."""
    rows = [
        {"review": f"A good film, the {n}th, and no dull one.", "stars": n % 2} for n in range(30)
    ]
    data = write_rows(rows)
    words = ("--text-column", "review", "--label-column", "stars", "--sample", 20, "--seed", 7)
    first = augkit("run", "-m", "eda", "-d", data, *words, "--set", "copies=2", "--out", "first")
    assert first.code == 0, first.err
    again = augkit("run", "--config", Path("first", SETTINGS_FILE), "--out", "again")
    assert again.code == 0, again.err
    for name in (*FILES, SETTINGS_FILE):
        assert Path("first", name).read_bytes() == Path("again", name).read_bytes()
