"""What commands and functions say where something is wrong: the table is ``messages.yaml``.

A group of the table has ``files``, which are written into an empty folder, and rows:

- ``messages``: a command → what it must name, one text or several;
- ``python``: an expression that must raise an error → what the error must name;
- ``texts``: the text of ``file`` → what ``command`` (or each of several) must name;
- ``changes``: the same, where "OLD => NEW" is exchanged in the text ``base``.

Commands end with exit code ``code``, 2 where the group has none, and show nothing of ``never``.
A file is a text, a list of rows, or ``{make: NAME, ...}``, a function of ``tests.data`` with its
arguments. ``$NAME`` is the fixture of that name, ``slow`` marks a group that takes half a second.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pandas as pd
import pytest
import yaml

import augkit as package
from augkit.core.errors import AugkitError
from tests import data
from tests.data import read_jsonl, write_jsonl

TABLE = yaml.safe_load(Path(__file__).with_name("messages.yaml").read_text(encoding="utf-8"))
NAMES = [
    pytest.param(name, marks=[pytest.mark.slow] if group.get("slow") else [])
    for name, group in TABLE.items()
]


def write_files(files):
    """Write the files of a group into the current folder."""
    for name, content in files.items():
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        elif isinstance(content, str):
            path.write_text(content, encoding="utf-8")
        elif isinstance(content, list):
            write_jsonl(path, content)
        else:
            arguments = dict(content)
            make = getattr(data, arguments.pop("make"))
            write_jsonl(path, make(**arguments))


def cases(group):
    """Give each command of a group, the text of its file if it has one, and what it must name."""
    for command, names in group.get("messages", {}).items():
        yield command, None, names
    texts = dict(group.get("texts", {}))
    for change, names in group.get("changes", {}).items():
        old, new = change.split(" => ")
        assert old in group["base"], change
        texts[group["base"].replace(old, new)] = names
    commands = group.get("command", [])
    for text, names in texts.items():
        for command in [commands] if isinstance(commands, str) else commands:
            yield command, text, names


def missing(shown, names):
    """List what should be named, and is not."""
    shown = " ".join(shown.split())
    return [name for name in ([names] if isinstance(names, str) else names) if name not in shown]


def written():
    """List the files of the folder, but for the store of a model's replies."""
    return {path for path in Path.cwd().rglob("*") if path.is_file() and "work" not in path.parts}


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_what_is_wrong_is_named(name, augkit, request):
    """Each row of the group: its exit code, what it names, and that a mistake leaves no file."""
    group, wrong = TABLE[name], []
    expected_code = group.get("code", 2)
    never = ["Traceback", *group.get("never", [])]
    write_files(group.get("files", {}))
    for command, text, names in cases(group):
        if text is not None:
            Path(group["file"]).write_text(text, encoding="utf-8")
        before = written()
        words = re.sub(r"\$(\w+)", lambda match: str(request.getfixturevalue(match[1])), command)
        result = augkit(*shlex.split(words))
        shown = result.out + result.err
        absent = missing(shown, names)
        unwanted = [name for name in never if name in shown]
        new = written() - before if expected_code == 2 or "--dry-run" in words else set()
        if result.code != expected_code or absent or unwanted or new:
            wrong.append(f"{command}\n{text or ''}{result.code} {absent} {unwanted} {new}\n{shown}")
    for expression, names in group.get("python", {}).items():
        message = python_message(expression)
        absent = missing(message, names)
        if absent or "--" in message:
            wrong.append(f"{expression}\n{absent}\n{message}")
    if wrong:
        pytest.fail("\n".join(wrong), pytrace=False)


def python_message(expression):
    """Give the message of the error that an expression raises; options are none of Python."""
    names = {"augkit": package, "frame": lambda name: pd.DataFrame(read_jsonl(name)), "pd": pd}
    try:
        eval(expression, names)
    except (AugkitError, TypeError) as error:
        return str(error)
    return "no error"
