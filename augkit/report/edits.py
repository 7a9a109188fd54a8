"""A rewritten text with its edits marked."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from augkit.text.printable import printable


def print_answer(text: str, answer: Mapping[str, Any], *, json_line: bool) -> None:
    """Print the new text, then the old one with every edit in brackets; or all of it as JSON."""
    if json_line:
        sys.stdout.write(json.dumps(answer, ensure_ascii=False) + "\n")
        return
    sys.stdout.write(printable(answer["output"]) + "\n")
    if answer["rejected"]:
        sys.stdout.write(f"rejected: {printable(answer['rejected'])}\n")
    else:
        sys.stdout.write(printable(marked(text, answer["edits"])) + "\n")


def marked(text: str, edits: list[Mapping[str, Any]]) -> str:
    """The text with edits as ``[before → after]``.

    >>> marked("He ran.", [{"start": 0, "end": 2, "before": "He", "after": "She"}])
    '[He → She] ran.'
    """
    for edit in sorted(edits, key=lambda edit: -int(edit["start"])):
        change = f"[{edit['before']} → {edit['after']}]"
        text = text[: edit["start"]] + change + text[edit["end"] :]
    return text
