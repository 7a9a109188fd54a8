"""Errors for Python: arguments in place of options, and calls in place of commands.

Messages are written in the words of the command line. Every public function that reads data or
settings translates those that pass through it; one that takes ``text_column`` names that argument,
and one that takes ``text_columns`` a list.
"""

from __future__ import annotations

import inspect
import re
import shlex
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import wraps
from typing import ParamSpec, TypeVar

from augkit.core.characters import find_surrogate, half_a_character
from augkit.core.errors import AugkitError, UserError

P = ParamSpec("P")
R = TypeVar("R")

_CALLS = {
    "run": "augment_dataset",
    "check": "check",
    "shortcuts": "shortcuts",
    "evaluate": "evaluate",
    "audit": "audit",
    "split": "split",
    "fix": "fix",
}
"""Command → the function that does the same."""
_NO_ARGUMENTS = frozenset({"resume", "write-baseline", "dry-run", "all", "json", "yes", "set"})
"""Options of commands that no argument stands for."""
_LISTS = {
    "cue": "cues",
    "text-column": "text_columns",
    "edit-column": "edit_columns",
    "span-column": "span_columns",
    "answer-column": "answer_columns",
    "edit-role": "edit_roles",
    "method": "methods",
    "metric": "metrics",
    "classifier": "classifiers",
    "axis": "axes",
}
"""Options that may be given several times, and their arguments, which are lists."""
_ARGUMENTS = {"dataset": "data", "data": "data_folder", "set": "options"}
"""Options whose argument has another name."""
_PLACEHOLDERS = frozenset(
    "NAME COLUMN LABEL TOKENS FILE FOLDER DATA DATASET TEMPLATE VALUE MODEL N A B".split()
)
"""Words in place of a value, which are not quoted."""

_END = r"(?=[,;:)`]|[.,;:)]*(?:\s|$))"
# A word is looked for where one begins, so that a long one is read once.
_WORD = r"""(?:\$?(?<!\\)'(?:[^'\\]|\\.)*'|(?<![^\s`'"])[^\s`'"]*?[^\s`'".,;:)])"""
_FLAG = r"(?<![\w-])--[a-z]+(?:-[a-z]+)*"
# A word is the value of an option where the next word is an option, or the sentence ends there.
_PLACEHOLDER = rf"(?:{'|'.join(sorted(_PLACEHOLDERS))})\b"
_VALUE = rf"(?:\$?'(?:[^'\\]|\\.)*'|{_PLACEHOLDER}|{_WORD}(?=[,;:.)`]+(?:\s|$)|$|\n| --| \())"
_OPTIONS = re.compile(rf"{_FLAG}(?: {_VALUE})?(?: {_FLAG} {_VALUE})*")
_PART = re.compile(rf"({_FLAG})(?: ({_VALUE}))?")
_COMMAND = re.compile(rf"augkit ([a-z][a-z-]*)((?: {_WORD}(?![^\s`,;:).]))*){_END}")


def argument_names(message: str, arguments: Collection[str] = ()) -> str:
    """A message in the words of Python; a command that no function does stays as it is.

    >>> argument_names("Name it with --label-column NAME, or run: augkit sweep x --out y")
    'Name it with label_column=NAME, or run: augkit sweep x --out y'
    >>> argument_names("--cue Ada: no text has it. Perhaps: --text-column note --label-column kind")
    "cues=['Ada']: no text has it. Perhaps: text_columns=['note'], label_column='kind'"
    >>> argument_names("no column 'q' (--text-column)", ["text_column"])
    "no column 'q' (text_column)"
    >>> argument_names("rewrite it: augkit run 'a b.csv' -m panda --span-column tags")
    "rewrite it: augkit.augment_dataset('a b.csv', 'panda', span_columns=['tags'])"
    >>> argument_names("`augkit shortcuts` lists them")
    '`augkit.shortcuts` lists them'
    """
    written = []
    place = 0
    for match in _COMMAND.finditer(message):
        written.append(_in_prose(message[place : match.start()], arguments))
        call = _call(match[1], match[2])
        if call is None and match[1] in _CALLS and not match[2].startswith(" -"):
            call = f"augkit.{_CALLS[match[1]]}{_in_prose(match[2], arguments)}"
        written.append(match[0] if call is None else call)
        place = match.end()
    return "".join([*written, _in_prose(message[place:], arguments)])


def _in_prose(text: str, arguments: Collection[str]) -> str:
    return _OPTIONS.sub(lambda match: _named(_PART.findall(match[0]), arguments), text)


def _named(options: Sequence[tuple[str, str]], arguments: Collection[str]) -> str:
    """Options as arguments; one that is given several times is a list of all its values."""
    values: dict[str, list[str]] = {}
    for flag, value in options:
        values.setdefault(flag.removeprefix("--"), []).extend([value] if value else [])
    return ", ".join(_argument(flag, shown, arguments) for flag, shown in values.items())


def _argument(flag: str, values: Sequence[str], arguments: Collection[str]) -> str:
    if flag == "set" and values and "." not in values[-1].partition("=")[0]:
        return ", ".join(map(_setting, values))
    name = flag.replace("-", "_")
    if flag.startswith("no-") and not values:
        return f"{name.removeprefix('no_')}=False"
    is_list = f"{name}s" in arguments or (flag in _LISTS and name not in arguments)
    if is_list:
        name = _LISTS.get(flag, f"{name}s")
    elif name not in arguments:
        name = _ARGUMENTS.get(flag, name)
    shown = [_literal(value) for value in values]
    if not shown:
        return name
    return f"{name}=[{', '.join(shown)}]" if is_list else f"{name}={shown[-1]}"


def _setting(word: str) -> str:
    """``KEY=VALUE`` of --set is an argument with its value.

    >>> _setting("quotes=false"), _setting("cache=FILE"), _setting("tag_names=O,B")
    ('quotes=False', 'cache=FILE', "tag_names='O,B'")
    >>> _setting("'labels={neutral: LABEL}'")
    "labels='{neutral: LABEL}'"
    """
    if word.startswith("'"):  # the whole of it is quoted for the shell
        name, _, value = shlex.split(word)[0].partition("=")
        return f"{name}={value!r}"
    name, _, value = word.partition("=")
    if value in {"true", "false"}:
        return f"{name}={value.capitalize()}"
    return f"{name}={_literal(value)}"


def _literal(value: str) -> str:
    """A value of the shell as Python writes it."""
    if value in _PLACEHOLDERS or value.isdecimal():
        return value
    if value.startswith("$'"):
        return value[1:]
    return repr(shlex.split(value)[0])


def _call(command: str, rest: str) -> str | None:
    """The call that does what a whole command does; None where it is prose, or there is none."""
    if command not in _CALLS:
        return None
    try:
        positional, options = _parsed(re.findall(rf"{_WORD}(?=\s|$)", rest))
    except ValueError:
        return None
    if _NO_ARGUMENTS & {flag.removeprefix("--") for flag, _ in options}:
        return None
    words = dict(options)
    first = [words.pop(name) for name in ("--dataset", "--method") if name in words]
    if not rest:
        return f"augkit.{_CALLS[command]}"
    given = [_literal(word) for word in (*positional, *first)]
    kept = [option for option in options if option[0] in words]
    named = _named(kept, ("label_column", "test" if command == "check" else "tests"))
    return f"augkit.{_CALLS[command]}({', '.join(filter(None, (*given, named)))})"


def _parsed(words: Sequence[str]) -> tuple[list[str], list[tuple[str, str]]]:
    """The words before the options, at most one, and each option with its value."""
    short = {"-m": "--method", "-d": "--dataset", "-o": "--out"}
    positional: list[str] = []
    options: list[tuple[str, str]] = []
    rest: Iterator[str] = iter(words)
    for word in rest:
        if word.startswith("-"):
            options.append((short.get(word, word), next(rest)))
        elif options or positional:
            raise ValueError(word)
        else:
            positional.append(word)
    return positional, options


def arguments_of(function: Callable[..., object]) -> frozenset[str]:
    """The names of its arguments."""
    return frozenset(inspect.signature(function).parameters)


def naming_arguments(
    function: Callable[P, R], made_by: Callable[..., object] | None = None
) -> Callable[P, R]:
    """The function, with errors that name its arguments, or those of the function that made it."""
    arguments = arguments_of(made_by or function)

    @wraps(function)
    def call(*args: P.args, **values: P.kwargs) -> R:
        try:
            if found := find_surrogate({**dict(enumerate(args, 1)), **values}):
                raise UserError(f"{function.__name__}: {half_a_character(*found)}")
            return function(*args, **values)
        except AugkitError as error:
            error.args = (argument_names(str(error), arguments), *error.args[1:])
            raise

    return call
