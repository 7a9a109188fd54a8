"""Options made from settings."""

from inspect import Parameter, signature
from pathlib import Path
from typing import get_args

import pytest

from augkit.cli.options import made_from

RUN = "augkit.runs.settings:RunSettings"


def options(model, order):
    """Name → type, flags and help of each option of a command that takes all it is given."""
    command = made_from(model, order)(lambda settings: None)
    parameters = signature(command.callback()).parameters.values()
    found = {}
    for parameter in parameters:
        kind, info = get_args(parameter.annotation)
        if parameter.name == "settings":
            continue
        found[parameter.name] = (
            kind,
            (info.default, *info.param_decls),
            info.help,
            parameter.default,
        )
    return found


def test_flags_and_types_follow_from_the_field():
    """A list is repeatable in the singular; a switch that is on by default can be turned off."""
    made = options(RUN, "text_columns quotes keep_rest tag_names method limit budget")
    flags = {name: option[1] for name, option in made.items()}
    assert flags == {
        "text_columns": ("--text-column",),
        "quotes": ("--quotes/--no-quotes",),
        "keep_rest": ("--keep-rest",),
        "tag_names": ("--tag-names",),
        "method": ("--method", "-m"),
        "limit": ("--limit", "-n"),
        "budget": ("--budget",),
    }
    kinds = {made[name][0] for name in ("text_columns", "quotes", "method", "limit")}
    assert kinds == {list[str] | None, bool | None, str | None, int | None}


def test_help_is_the_description_with_the_default():
    """Where the description states a default itself, none is added."""
    made = options(RUN, "method mix edit_roles")
    assert made["method"][2] == (
        "a name of `augkit list methods`; several with commas between them: the variants of all; "
        "default: coba"
    )
    assert made["mix"][2].endswith("default: the method's")
    assert made["edit_roles"][2].endswith("; repeatable; default: user")


def test_what_is_given_arrives_by_section():
    """A setting of a section is under its key, and what was not given is left out."""
    taken = []
    command = made_from(RUN, "method text_columns budget seed out")(
        lambda settings, out=None: taken.append((settings, out))
    )
    given = {"method": "eda", "text_columns": [], "budget": "2", "seed": None}
    words = ["prices=mine.yaml", "keep_rest=true", "judge.rows=9"]
    command.callback()(**given, out=Path("here"), settings=words)
    assert taken == [
        (
            {
                "method": "eda",
                "keep_rest": True,
                "judge": {"rows": 9},
                "connection": {"budget": "2", "prices": "mine.yaml"},
            },
            Path("here"),
        )
    ]


def test_a_setting_without_default_is_required():
    """As the training set of ``augkit train``."""
    assert options("augkit.commands.train:TrainSettings", "train")["train"][3] is Parameter.empty


def test_an_option_that_is_no_setting_is_an_error():
    with pytest.raises(KeyError, match="RunSettings has no setting 'methd'"):
        options(RUN, "methd")
