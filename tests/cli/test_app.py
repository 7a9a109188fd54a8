import json
import re
import subprocess
import sys

import pytest

from augkit.core import registry
from augkit.runs.settings import RunSettings

HEAVY = (
    "torch",
    "transformers",
    "sklearn",
    "spacy",
    "datasets",
    "openai",
    "nltk",
    "numpy",
    "scipy",
)

START_UP = """
import sys
{what}
print(len(sys.modules), *[name for name in {heavy} if name in sys.modules])
"""
MOST_MODULES = 250
"""Typer and pydantic with what they load are 190."""


@pytest.mark.parametrize(
    "what",
    [
        "import augkit",
        "import augkit.cli.app",
        "from augkit.cli.app import app; app(['--help'], standalone_mode=False)",
    ],
)
def test_start_up_loads_nothing_heavy(what):
    """``import augkit`` and ``--help`` load no heavy package, and few modules."""
    code = START_UP.format(what=what, heavy=HEAVY)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules, *loaded = done.stdout.splitlines()[-1].split()
    assert loaded == []
    assert int(modules) < MOST_MODULES


def test_help_teaches(augkit):
    """The help of run shows examples, exit codes and every option of the plan."""
    help_text = augkit("run", "--help-all").out
    assert "augkit run --method eda --dataset reviews-demo" in help_text
    assert "Exit codes" in help_text
    for option in ("--limit", "--seed", "--out", "--set", "--config", "--dry-run", "--resume"):
        assert option in help_text
    for option in ("--engine", "--workers", "--mix", "--budget", "--llm", "--judge-llm"):
        assert option in help_text


def test_the_version_is_the_package_s(augkit):
    """--version prints the version."""
    import augkit as package

    assert augkit("--version").out.strip() == f"augkit {package.__version__}"


def test_methods_and_datasets_are_listed(augkit):
    """``augkit list`` names the methods, the bundled sets, and answers in JSON when asked."""
    methods = augkit("list", "methods").out
    assert "eda" in methods
    assert "swap" in methods
    assert "reviews-demo" in augkit("list", "datasets").out
    assert '"name": "openai"' in augkit("list", "llms", "--json").out


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("augmenters", "Did you mean 'methods'? Known: methods, datasets, llms"),
        ("finder", "Did you mean 'finders'? Known: finders, methods"),
        ("zzz", "there is no list of 'zzz'. Known: methods"),
    ],
)
def test_an_unknown_list_is_answered_with_the_known_ones(augkit, kind, said):
    """The nearest name first."""
    done = augkit("list", kind)
    assert done.code == 2
    assert said in done.err


def test_list_shows_one_sentence_each_and_everything_about_one(augkit):
    """Names and descriptions; with a name all facts and settings, what it needs among them."""
    listed = augkit("list", "methods").out
    assert "needs" not in listed
    assert len(listed.splitlines()) < 60
    about = augkit("list", "methods", "eda").out
    assert "needs" in about
    assert "alpha" in about
    listed = augkit("list", "methods", "--json").out.splitlines()
    needs = {row["name"]: row["needs"] for row in map(json.loads, listed)}
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
    wrong = augkit("list", "methods", "humn")
    assert wrong.code == 2
    assert "Did you mean 'human'?" in wrong.err


SCREEN = 70
"""Lines of a help screen that people read from the beginning to the end."""


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


def test_the_help_of_run_shows_what_most_people_need_and_where_the_others_are(augkit):
    """All options work, and --help-all shows them."""
    first, everything = augkit("run", "--help").out, augkit("run", "--help-all").out
    assert len(first.splitlines()) < SCREEN < len(everything.splitlines())
    assert "--budget" in first
    assert "--ray-address" not in first
    assert re.search(r"\d+ more options: .*augkit run --help-all", first)
    assert "--ray-address" in everything
    assert "--help-all" not in everything


def test_doctor_tells_the_cure_and_never_the_key(augkit, monkeypatch):
    """A key is only looked for; a missing data folder comes with its command."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-123")
    printed = augkit("doctor").out
    assert "sk-secret-123" not in printed
    assert "set (not shown)" in printed
    assert "metrics" not in printed
    listed = augkit("doctor", "--all").out
    assert "metrics" in listed
    assert "augmenters" not in listed
    assert "AUGKIT_DATA" in printed
    monkeypatch.delenv("OPENAI_API_KEY")
    assert "a local one needs none" in " ".join(augkit("doctor").out.split())


def test_python_m_augkit_works():
    """``python -m augkit`` is the command."""
    done = subprocess.run(
        [sys.executable, "-m", "augkit", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("augkit ")


def test_an_unexpected_error_is_one_sentence(augkit, monkeypatch):
    """The traceback is for whoever asks for it."""

    def fail(*_):
        raise RuntimeError("the sky fell")

    monkeypatch.setattr("augkit.commands.catalogue.diagnose", fail)
    with pytest.raises(RuntimeError):
        augkit("doctor")
    monkeypatch.delenv("AUGKIT_DEBUG")
    failed = augkit("doctor")
    assert failed.code == 1
    assert "unexpected error: RuntimeError: the sky fell" in failed.err
    assert "Traceback" not in failed.err


def test_help_names_the_default_method(augkit):
    """In the help of the commands that have it."""
    default = RunSettings().method
    for command in ("run", "try"):
        assert f"default: {default}" in " ".join(augkit(command, "--help").out.split())


def test_an_option_of_one_value_is_given_once(augkit):
    """Click would take the last and say nothing; a list may be given as often as needed."""
    result = augkit("evaluate", "--train", "a.csv", "--train", "b.csv", "--test", "c.csv")
    assert result.code == 2
    assert "--train was given twice" in result.err
    listed = augkit("run", "--set", "alpha=0.1", "--set", "alfa=0.2", "-m", "eda", "--dry-run")
    assert "alfa: unknown key" in listed.err
