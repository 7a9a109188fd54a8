"""The command that repeats a run, read back by ``augkit run``."""

import shlex
from inspect import signature

import pytest
import typer

from augkit.cli.app import app
from augkit.cli.options import run_settings
from augkit.cli.run import command
from augkit.llm.settings import ConnectOptions
from augkit.runs.repeat import command_of
from augkit.runs.settings import RunSettings, merge_settings

COMMANDS = typer.main.get_command(app).commands
NO_SETTINGS = "config out evaluate test resume dry_run".split()
"""Options that say what else is done, and where it is written."""
ONE_MACHINE = ["workers"]
VALUES = {
    "method": "eda",
    "dataset": "my data.csv",
    "llm": "openai:x",
    "find": "tokens",
    "classifier": "models/a b",
    "id_column": "id",
    "keep_rest": True,
    "mix": "balance",
    "per_row": 2,
    "settings": ["alpha=0.2", "pairs=[[it's, no]]", "text_gates.leak_words=7", "judge.rows=50"],
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
    "examples": "data:3",
    "base_url": "http://127.0.0.1:8000/v1",
    "budget": "100calls",
    "prices": "prices.yaml",
    "cache": "replies.sqlite",
    "engine": "ray",
    "ray_address": "auto",
}


def settings_of(values):
    """The settings of a run with these options."""
    options = {name: value for name, value in values.items() if name not in NO_SETTINGS}
    in_set = options.pop("settings", None)
    names = options.keys() & (ConnectOptions.model_fields.keys() - RunSettings.model_fields.keys())
    connection = {name: options.pop(name) for name in names}
    return merge_settings(run_settings({**options, "connection": connection}, in_set))


def read_back(line):
    """The settings that the command line gives."""
    program, name, *words = shlex.split(line)
    run = COMMANDS[name]
    assert program == "augkit"
    params = run.make_context(name, words).params
    return settings_of({key: value for key, value in params.items() if value not in (None, ())})


def test_every_option_of_run_is_here():
    """A new option must be repeated, or be named as one that is not."""
    assert {*VALUES, *NO_SETTINGS, *ONE_MACHINE} == set(signature(command.callback()).parameters)


@pytest.mark.parametrize("names", [*([name] for name in VALUES), list(VALUES)])
def test_the_command_gives_the_same_settings(names, monkeypatch):
    """Of each option alone, and of all together."""
    for variable in ("AUGKIT_DATA", "AUGKIT_CACHE"):
        monkeypatch.delenv(variable, raising=False)
    settings = settings_of({name: VALUES[name] for name in names})
    assert settings != RunSettings()
    line = command_of(settings)
    assert "#" not in line
    assert read_back(line) == settings


def test_settings_of_a_file_are_named():
    """They have no option."""
    settings = RunSettings(connection={"timeout": 5, "budget": "2.00"}, examples={"judge": []})
    line, comment = command_of(settings).split("  # ")
    assert line.endswith("--budget 2.00 --seed 0")
    assert comment == "with timeout, examples in --config FILE"


def test_every_setting_has_an_option_or_a_comment():
    """So that a new setting cannot be left out in silence."""
    fields = {*RunSettings.model_fields, *ConnectOptions.model_fields}
    known = {*VALUES, *ONE_MACHINE, "options", "connection", "text_gates", "judge", "artifacts"}
    in_file = "timeout attempts backoff backoff_cap breaker min_yield".split()
    assert fields == known - {"settings"} | {*in_file}


def test_a_role_that_was_named_is_in_the_command():
    """Though it is the default: panda changes all roles unless the user names some."""
    named = RunSettings(method="panda", dataset="chats.jsonl", edit_roles=("user",))
    assert "--edit-role user" in command_of(named)
    assert "--edit-role" not in command_of(RunSettings(method="panda", dataset="chats.jsonl"))
