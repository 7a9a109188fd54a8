"""What every benchmark does alike: it reads its arguments and prints a JSON line."""

from __future__ import annotations

import argparse
import json
from typing import Any, NamedTuple


class Argument(NamedTuple):
    """A name or flag, and what argparse is to know of it."""

    name: str
    options: dict[str, Any]


def argument(name: str, **options: Any) -> Argument:
    """An argument, in the words of ``ArgumentParser.add_argument``."""
    return Argument(name, options)


def arguments(doc: str | None, *accepted: Argument) -> argparse.Namespace:
    """The arguments that were typed; ``--help`` shows the docstring of the benchmark."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=doc, formatter_class=raw)
    for name, options in accepted:
        parser.add_argument(name, **options)
    return parser.parse_args()


def print_line(record: Any) -> None:
    """Print a record as one line of JSON, at once."""
    print(json.dumps(record, ensure_ascii=False), flush=True)
