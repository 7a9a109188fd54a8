"""Every error augkit raises on purpose.

AugkitError
├── UserError                 exit code 2: the caller can fix it; the message says how
│   ├── UnknownName           no such method, dataset, option ...; names the nearest one
│   ├── NameClash             two installed packages claim one name
│   ├── ConfigError           a setting is unknown or of the wrong type
│   ├── DataError             a dataset cannot be read as requested
│   ├── MissingTool           a method needs something (an LLM) that was not given
│   ├── MissingExtra          an optional package is not installed
│   ├── NotFitted             a method was not fitted to the corpus
│   ├── OutputExists          the output would overwrite something
│   └── DiskFull              no room left where the run is written
├── BudgetExhausted           exit code 3: the next call could pass the limit; resumable
└── BackendFailed             exit code 4: a model or server cannot be used; resumable
    └── RowsOpen              the run went on to its end, but some calls failed; resumable

Stopped is no AugkitError: a signal (Ctrl-C, SIGTERM) ends the command, exit code 128 + its
number; resumable.

What a *model* fails to produce for one row is not an error: it is a rejection with a reason.
"""

from __future__ import annotations

import copyreg
import difflib
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import ClassVar

from augkit.core.characters import other_spelling

_CLOSE = 0.7
"""Names as similar as this are taken for typing errors."""
_LONGEST_NAME = 80
_LONGEST_MESSAGE = 6000
_END_OF_MESSAGE = 1000
"""Characters of a message, and how many of them are those of its end, which says what to do."""
_MOST_NAMES = 1000
"""Names that are compared; with more, a typing error is not found."""


class AugkitError(Exception):
    """Base of all errors whose message is meant for the user."""

    exit_code: ClassVar[int] = 1
    run_folder: Path | None = None
    """The folder of the run that it ended."""
    continue_with: str = ""
    """The command that continues the finished work, where it is not the same command."""

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the message, which is not what the constructors of some errors take."""
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]

    def __str__(self) -> str:
        """The message; of one that quotes much of a file, its beginning and its end."""
        text = super().__str__()
        if len(text) <= _LONGEST_MESSAGE:
            return text
        return f"{text[: _LONGEST_MESSAGE - _END_OF_MESSAGE]} … {text[-_END_OF_MESSAGE:]}"


class UserError(AugkitError):
    """Something the caller can fix; the message says what and how."""

    exit_code = 2


class UnknownName(UserError):
    """A name that is not registered."""

    def __init__(
        self,
        kind: str,
        name: str,
        names: Iterable[str],
        *,
        from_packages: bool = False,
        advice: str = "",
    ) -> None:
        """Say which ``kind`` of thing ``name`` is not, the nearest name, all of them, and advice.

        ``from_packages``: packages can register such names, so one of them may be missing.
        """
        names = sorted(names)
        hint = did_you_mean(name, names)
        if from_packages and not nearest(name, names, _CLOSE):
            hint += f" Is the package that has '{beginning(name)}' installed?"
        listed = f" Known: {', '.join(names)}." if names else ""
        sentence = f"no {kind} '{beginning(name)}'.{hint}{listed}"
        super().__init__(" ".join(filter(None, (sentence, advice))))


class NameClash(UserError):
    """Two installed packages register the same name."""


class ConfigError(UserError):
    """A setting is unknown, missing or of the wrong type."""


class DataError(UserError):
    """A dataset cannot be read as requested."""


class MissingTool(UserError):
    """A method needs a tool that was not given."""

    def __init__(self, method: str, tool: str) -> None:
        """Name the ``method``, the ``tool`` and how to give it one."""
        flag = "--set judge_llm=" if tool == "judge" else "--llm "
        super().__init__(
            f"'{method}' cannot work without a model ({tool}): give it one with "
            f"{flag}openai:MODEL (and --base-url for your own server), "
            f"{flag}transformers:PATH, or {flag}scripted:FILE"
        )


class MissingExtra(UserError):
    """An optional package is not installed."""

    def __init__(self, extra: str, why: str, advice: str = "") -> None:
        """Name the ``extra`` to install, what it is needed for (``why``), and other ways."""
        message = f"{why} needs an extra package: pip install 'augkit[{extra}]'"
        super().__init__(f"{message}. {advice}" if advice else message)


class NotFitted(UserError):
    """A method that must be fitted to the corpus is used before that."""

    def __init__(self, method: str) -> None:
        """Name the ``method`` and the fix."""
        super().__init__(f"'{method}' is not fitted yet: call .fit(examples) before using it")


class OutputExists(UserError):
    """Writing would touch something that is already there."""


class DiskFull(UserError):
    """No room is left where the run is written."""


class BudgetExhausted(AugkitError):
    """The next call could pass the limit, so it was not made."""

    exit_code = 3


class BackendFailed(AugkitError):
    """A model or server cannot be used at all."""

    exit_code = 4


class RowsOpen(BackendFailed):
    """A run went on to its end, with rows that are open because calls to its models failed."""


class Stopped(BaseException):
    """A signal ends the command; not an ``Exception``, so that nothing catches it."""

    run_folder: Path | None = None
    continue_with: str = ""

    def __init__(self, number: int) -> None:
        """Keep the ``number`` of the signal."""
        super().__init__(f"signal {number}")
        self.exit_code = 128 + number


def nearest(name: str, names: Iterable[str], cutoff: float = 0.5) -> str | None:
    """The known name that looks most like ``name``, if one is close.

    ``cutoff`` is the least similarity of two names, from 0 to 1.

    >>> nearest("razr", ["coba", "razor"])
    'razor'
    """
    lowered = {candidate.lower(): candidate for candidate in islice(names, _MOST_NAMES)}
    if len(name) > _LONGEST_NAME:
        return None
    matches = difflib.get_close_matches(name.lower(), list(lowered), n=1, cutoff=cutoff)
    return lowered[matches[0]] if matches else None


def beginning(name: str) -> str:
    """A name, or what a file has in its place, short enough for a sentence."""
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…"


def listed(names: Iterable[str], most: int = 30) -> str:
    """The names with commas between them; of very many, the first.

    >>> listed(["a", "b", "c"]), listed(["a", "b", "c"], most=2)
    ('a, b, c', 'a, b and 1 more')
    """
    names = list(names)
    shown = ", ".join(map(beginning, names[:most]))
    return f"{shown} and {len(names) - most:,} more" if len(names) > most else shown


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """The nearest of the names as a question that follows a sentence; "" where none is close.

    Of one that looks the same, escapes show the difference.
    """
    names = list(islice(names, _MOST_NAMES))
    same = other_spelling([name], names) if len(name) <= _LONGEST_NAME else ""
    if same:
        return f" {same}."
    near = nearest(name, names)
    return f" Did you mean '{near}'?" if near else ""
