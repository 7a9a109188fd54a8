"""The one place that prints: nothing that a dataset or a file name holds can steer a terminal."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from augkit.text.printable import harmless, printable

if TYPE_CHECKING:
    from rich.console import Console


def show(text: object = "", *, err: bool = False) -> None:
    """Print lines on the standard output, or on the standard error output, and flush them."""
    stream = sys.stderr if err else sys.stdout
    stream.write(harmless(str(text)) + "\n")
    stream.flush()


def show_error(text: object) -> None:
    """Print lines on the standard error output: progress, warnings, and what to do next."""
    show(text, err=True)


def show_json(record: Any, *, indent: int | None = None) -> None:
    r"""Print a record as JSON, in which control and direction characters are escapes.

    >>> show_json({"text": "caf\u00e9 \x9b31m"})
    {"text": "café \u009b31m"}
    """
    text = json.dumps(record, ensure_ascii=False, indent=indent)
    unsafe = {letter for letter in text if letter != "\n" and printable(letter) != letter}
    for letter in unsafe:  # within texts: between them JSON has only spaces and line ends
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    show(text)


def safe_console(*, stderr: bool = False) -> Console:
    """A console of rich that writes out control characters; its own colours and bars stay.

    Texts are no markup: what is to be bold or red is a ``Text`` with a style.
    """
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment

    class SafeConsole(Console):
        def render(
            self, renderable: RenderableType, options: ConsoleOptions | None = None
        ) -> Iterable[Segment]:
            for text, style, control in super().render(renderable, options):
                yield Segment(text if control else harmless(text), style, control)

    # In a notebook rich would show tables by itself, and not where the text is printed.
    return SafeConsole(
        stderr=stderr, highlight=False, emoji=False, markup=False, force_jupyter=False
    )
