"""Docstrings as help screens of at most 80 columns, printed without rich, which is slow to load."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Sequence
from typing import Any

from typer.core import TyperCommand, TyperOption

_WIDTH = 76
_AS_IS = "\b\n"
"""At the start of a paragraph: click does not wrap it."""


_HYPHEN = re.compile(r"(?<=\w)-(?=\w)")
_LIST = re.compile(r"<list\[(\w+)\]>")
_UNBROKEN = "\N{NON-BREAKING HYPHEN}"


class HelpCommand(TyperCommand):
    """A command whose help breaks no word at a hyphen and shows the type of one value.

    An option that takes one value and is given twice is an error: click would take the last.
    """

    settings: Sequence[str] = ()
    """The names of the settings that --set gives, which stand at the end."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """The arguments, read once before to count the options."""
        _, _, order = self.make_parser(ctx).parse_args(list(args))
        for option in self.params:
            once = isinstance(option, TyperOption) and not (option.multiple or option.is_flag)
            if once and order.count(option) > 1:
                ctx.fail(f"{option.opts[0]} was given twice, and takes one value.")
        return super().parse_args(ctx, args)

    def get_help(self, ctx: Any) -> str:
        """The help screen."""
        for option in self.params:
            if isinstance(option, TyperOption):
                option.help = _HYPHEN.sub(_UNBROKEN, option.help or "")
                option.metavar = "<str>" if option.multiple else option.metavar
        self.help = _HYPHEN.sub(_UNBROKEN, self.help or "")
        shown = super().get_help(ctx).replace(_UNBROKEN, "-")
        shown = _LIST.sub(lambda match: f"<{match[1]}>".ljust(len(match[0])), shown)
        if not self.settings:
            return shown
        listed = textwrap.fill(", ".join(self.settings), _WIDTH, break_on_hyphens=False)
        return (
            f"{shown}\n\nSettings for --set (docs/reference/cli):\n{textwrap.indent(listed, '  ')}"
        )


def help_text(docstring: str) -> str:
    r"""The docstring with its indented paragraphs, which are commands, one command to a line.

    >>> help_text("Do it.\n\nExamples:\n\n    augkit do\n\n    augkit do --twice")
    'Do it.\n\n\x08\nExamples:\n  augkit do\n  augkit do --twice'
    """
    paragraphs: list[str] = []
    for paragraph in inspect.cleandoc(docstring).split("\n\n"):
        if not paragraph.startswith(" "):
            paragraphs.append(paragraph)
        elif paragraphs[-1].startswith(_AS_IS):
            paragraphs[-1] += "\n" + _command_line(paragraph)
        else:
            paragraphs[-1] = f"{_AS_IS}{paragraphs[-1]}\n{_command_line(paragraph)}"
    return "\n\n".join(paragraphs)


def short_help(docstring: str) -> str:
    """The first line of a docstring."""
    return inspect.cleandoc(docstring).partition("\n")[0]


def _command_line(paragraph: str) -> str:
    """A command on lines that fit, continued with a backslash as a shell reads it."""
    command = " ".join(paragraph.replace("\\\n", " ").split())
    unbroken = re.sub(r"(?<= )(--?[\w-]+) (?!-)", "\\1\N{NO-BREAK SPACE}", command)
    lines = textwrap.wrap(
        unbroken,
        _WIDTH - 2,
        initial_indent="  ",
        subsequent_indent="      ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return " \\\n".join(lines).replace("\N{NO-BREAK SPACE}", " ")
