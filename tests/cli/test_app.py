import inspect
import json
import re
import subprocess
import sys

import pytest

from augkit import __version__
from augkit.cli.app import COMMANDS
from augkit.cli.options import SettingsCommand
from augkit.core import registry

START_UP = """
import sys
{what}
print(len(sys.modules), *[name for name in {heavy} if name in sys.modules])
"""
HEAVY = "torch transformers sklearn spacy datasets openai nltk numpy scipy".split()
MOST_MODULES = 250
"""Typer and pydantic with what they load are 190."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("what", "more"),
    [
        ("import augkit", []),
        ("from augkit.cli.app import app; app(['--help'], standalone_mode=False)", ["rich"]),
    ],
)
def test_start_up_loads_nothing_heavy(what, more):
    """``import augkit`` and ``--help`` load no heavy package, and few modules."""
    code = START_UP.format(what=what, heavy=[*HEAVY, *more])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules, *loaded = done.stdout.splitlines()[-1].split()
    assert loaded == []
    assert int(modules) < MOST_MODULES


def test_python_m_augkit_works():
    """``python -m augkit`` is the command."""
    done = subprocess.run(
        [sys.executable, "-m", "augkit", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"augkit {__version__}\n"


def test_list_shows_one_sentence_each_and_everything_about_one(augkit):
    """Names and descriptions; with a name all facts and settings, what it needs among them."""
    listed = augkit("list", "methods").out
    assert "needs" not in listed
    assert len(listed.splitlines()) < 60
    listed = json.loads(augkit("list", "methods", "--json").out)
    needs = {row["name"]: row["needs"] for row in listed}
    assert (
        needs.items()
        >= {
            "eda": "nothing",
            "paraphrase": "a language model (--llm)",
            "back-translation": "a language model (--llm), unless local ones translate "
            "(settings forward, backward)",
            "c-bert": "the setting model (a masked language model: a folder, or a hub id)",
            "human": "the setting file (the file of revisions: jsonl, csv, tsv or parquet)",
        }.items()
    )


SCREEN = 70
"""Lines of a help screen that people read from the beginning to the end."""


@pytest.mark.slow
@pytest.mark.parametrize("method", ["coba", "razor", "panda"])
def test_the_settings_that_most_people_need_come_first(augkit, method):
    """The others with --all; a method that names the main ones names settings that it has."""
    config = registry.find("augmenters", method).Config
    first, everything = (
        augkit("list", "methods", method).out,
        augkit("list", "methods", method, "--all").out,
    )
    assert len(first.splitlines()) < SCREEN
    assert set(config.main_settings) < set(config.model_fields)
    settings = [
        re.findall(r"^ (\w+) +\S", shown.partition("setting ")[2], re.MULTILINE)
        for shown in (first, everything)
    ]
    assert set(settings[0]) == set(config.main_settings)
    assert set(settings[1]) >= set(config.model_fields)
    left = len(config.model_fields) - len(config.main_settings)
    assert f"{left} more settings: augkit list methods {method} --all" in first


def test_the_help_of_run_fits_a_screen_and_names_the_settings_without_an_option(augkit):
    """They stand at its end, and --set gives them."""
    shown = augkit("run", "--help").out
    options, _, settings = shown.partition("Settings for --set")
    assert "--ray-address" not in options
    assert {"ray_address", "keep_rest", "base_url"} & set(re.findall(r"\w+", settings)) == {
        "ray_address",
        "keep_rest",
    }


def test_an_option_that_is_a_setting_now_says_how_it_is_given(augkit):
    """Whatever the setting; the table of what went has only what is nowhere."""
    for words, cure in (
        (("run", "--id-column", "number"), "--set id_column=VALUE"),
        (("run", "--no-quotes"), "--set quotes=false"),
        (("check", "reviews-demo", "--subset", "a"), "--set subset=VALUE"),
        (("train", "reviews-demo", "--lora"), "--set model.lora=true"),
        (("shortcuts", "--dataset", "reviews-demo"), "augkit shortcuts DATA"),
    ):
        failed = augkit(*words)
        assert failed.code == 2
        assert cure in failed.err


HELP_ROWS = 150


def test_the_commands_have_few_options():
    """All their help screens together: thirteen commands, and a row for each option."""
    rows = 0
    for command in COMMANDS.values():
        callback = command.callback() if isinstance(command, SettingsCommand) else command
        rows += len(inspect.signature(callback).parameters)
    assert len(COMMANDS) == 13
    assert rows <= HELP_ROWS


def test_the_check_tells_the_cure_and_never_the_key(augkit, monkeypatch):
    """A key is only looked for; a missing data folder comes with its command."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-123")
    printed = augkit("list", "--check").out
    assert "sk-secret-123" not in printed
    assert "set (not shown)" in printed
    assert "AUGKIT_DATA" in printed
    monkeypatch.delenv("OPENAI_API_KEY")
    assert "a local one needs none" in " ".join(augkit("list", "--check").out.split())


def test_an_unexpected_error_is_one_sentence(augkit, monkeypatch):
    """The traceback is for whoever asks for it."""

    def fail(*_):
        raise RuntimeError("the sky fell")

    monkeypatch.setattr("augkit.commands.catalogue.diagnose", fail)
    with pytest.raises(RuntimeError):
        augkit("list", "--check")
    monkeypatch.delenv("AUGKIT_DEBUG")
    failed = augkit("list", "--check")
    assert failed.code == 1
    assert "unexpected error: RuntimeError: the sky fell" in failed.err
    assert "Traceback" not in failed.err
