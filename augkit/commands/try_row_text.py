"""A tried row on a terminal of 80 columns: exchanges, gates and outcomes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any

from augkit.core.types import Example, Outcome, Pair
from augkit.text.printable import printable

_WIDTH = 80


def trial_lines(
    row: Example,
    exchanges: Sequence[Mapping[str, Any]],
    verdicts: Iterable[tuple[Mapping[str, str], Sequence[tuple[str, str]]]],
    outcomes: Iterable[Outcome],
) -> Iterator[str]:
    """The lines to print, none wider than a terminal."""
    yield f"ROW (label: {printable(str(row.label))})"
    yield from _fields(row.fields)
    for number, exchange in enumerate(exchanges, 1):
        yield ""
        yield from _exchange(number, exchange)
    for fields, found in verdicts:
        yield ""
        yield "GATES for"
        yield from _fields(fields)
        yield from _verdicts(found)
    for outcome in outcomes:
        yield ""
        yield from _outcome(outcome)


def _exchange(number: int, exchange: Mapping[str, Any]) -> Iterator[str]:
    yield f"EXCHANGE {number} ({exchange['tool']}, {exchange['prompt'] or 'no prompt file'})"
    for message in exchange["messages"]:
        yield from _block(f"{message['role']}:", message["content"])
    cost = exchange["cost"]
    source = "from the cache" if exchange["cached"] else "asked now"
    counts = f"{cost['prompt_tokens']} tokens read, {cost['completion_tokens']} written"
    yield from _block("answer:", exchange["reply"])
    yield f"  ({source}; {counts})"
    if exchange["fault"]:
        yield from _block("fault:", f"{exchange['fault']}: {exchange['detail']}")
    if exchange["parsed"] is not None:
        yield from _block("parsed:", json.dumps(exchange["parsed"], ensure_ascii=False, indent=1))
    if exchange["probabilities"]:
        shares = ", ".join(f"{one} {p:.2f}" for one, p in exchange["probabilities"].items())
        yield from _block("probabilities:", shares)


def _verdicts(found: Sequence[tuple[str, str]]) -> Iterator[str]:
    for reason, what in found:
        if what:
            yield from _block(f"REJECTS {reason}:", what)
    passed = [reason for reason, what in found if not what]
    yield from _block("passes:", ", ".join(passed))


def _outcome(outcome: Outcome) -> Iterator[str]:
    if isinstance(outcome, Pair):
        yield f"ACCEPTED (label {outcome.provenance.contract}: {outcome.variant.label})"
        yield from _fields(outcome.variant.fields)
    else:
        yield from wrap(f"REJECTED: {printable(outcome.reason)}", _WIDTH)
        if outcome.detail:
            yield from _block("because:", outcome.detail)


def _fields(fields: Mapping[str, str]) -> Iterator[str]:
    for name, text in fields.items():
        yield from _block(f"{printable(name)}:", text)


def _block(title: str, text: str) -> Iterator[str]:
    """A title, and the text indented under it; on one line where it fits."""
    lines = [
        line for part in text.split("\n") for line in wrap(printable(part), _WIDTH - 4) or [""]
    ]
    if len(lines) == 1 and len(title) + len(lines[0]) + 3 <= _WIDTH:
        yield f"  {title} {lines[0]}"
        return
    yield from (f"  {line}" for line in wrap(title, _WIDTH - 2))
    yield from (f"    {line}" for line in lines)
