"""Made-up answers to requests: for tests, and as long as real ones for the estimate of a run.

``conforming`` answers fit the schema of a request and no more. ``imitated`` ones follow the worked
examples of its prompt, which show what an answer looks like: how many items its lists have, and
which part of the question each of its strings comes from. An answer to the question itself is made
in the same way, of the words of its own data. So it has about the length of a real answer, and
passes most checks of the method, which then makes the calls that would follow.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count, cycle
from typing import Any

from augkit.core.model_types import Request
from augkit.core.types import digest
from augkit.llm.structured_output import schema_text, strict_schema


def conforming(request: Request) -> str:
    """A text that fits the request's schema or choices; its strings are determined by the request.

    Enums give their first value, arrays one item (or as many as they need), unions their first
    branch that is not null; of choices it is any.
    """
    key = digest(*(m.content for m in request.messages), str(request.seed))
    if request.choices:
        return request.choices[int(key, 16) % len(request.choices)]
    word = f"made-up-{key}"
    if request.answer is None:
        return f"{word}."
    return json.dumps(fitting(json.loads(schema_text(request.answer)), word), ensure_ascii=False)


def fitting(schema: dict[str, Any], word: str) -> Any:
    """A value that fits a JSON schema; its strings begin with ``word``.

    >>> fitting({"type": "object", "properties": {"n": {"type": "integer"}}}, "w")
    {'n': 1}
    """
    return _value(schema, schema.get("$defs", {}), word)


def _value(schema: dict[str, Any], defs: dict[str, Any], word: str) -> Any:
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    if "$ref" in schema:
        return _value(defs[schema["$ref"].rpartition("/")[2]], defs, word)
    for union in ("anyOf", "oneOf", "allOf"):
        if union in schema:
            branches = schema[union]
            of_a_value = (branch for branch in branches if branch.get("type") != "null")
            return _value(next(of_a_value, branches[0]), defs, word)
    return _typed_value(schema, defs, word)


def _typed_value(schema: dict[str, Any], defs: dict[str, Any], word: str) -> Any:
    kind = schema.get("type", "string")
    if kind == "object":
        return {
            name: _value(inner, defs, f"{word}-{name}")
            for name, inner in schema.get("properties", {}).items()
        }
    if kind == "array":
        count = max(1, schema.get("minItems", 1))
        items = schema.get("prefixItems") or [schema.get("items", {})] * count
        return [_value(item, defs, f"{word}-{index}") for index, item in enumerate(items)]
    if kind in {"integer", "number"}:
        return _number(schema, whole=kind == "integer")
    padded = word.ljust(schema.get("minLength", 1), "x")
    text = padded[: schema.get("maxLength", len(padded))]
    return {"boolean": True, "null": None}.get(kind, text)


def _number(schema: dict[str, Any], *, whole: bool) -> float:
    step = 1 if whole else 0.5
    if "exclusiveMinimum" in schema:
        least = schema["exclusiveMinimum"] + step
    else:
        least = schema.get("minimum", 1)
    highest = schema.get("maximum", schema.get("exclusiveMaximum", least + 1) - step)
    number: float = min(least, highest)
    return number


LEAST_SHARE = 0.3
"""A string of an example comes from the data that hold at least this share of its words."""
PART = 0.7
SMALL_PART = 0.35
"""A string with a smaller share of the length of its data is a part of them, or a small part."""
PHRASE = 4
"""So many words are a small part of any text."""
SHORT = 3
"""A string of at most so many words may come from no data at all, as a name or a reason."""
_OPENING = re.compile(r"<([\w-]+)>")


@dataclass(frozen=True)
class _Turn:
    """A worked example: the pieces of data of its question, and its answer."""

    pieces: Sequence[str]
    answer: Any


def imitated(request: Request) -> str:
    """An answer to a request, after one of its worked examples; without any it merely conforms."""
    texts = [message.content for message in request.messages]
    if request.choices:
        return request.choices[int(digest(*texts)[:8], 16) % len(request.choices)]
    pieces = _pieces(texts[-1])
    if request.answer is None:
        return f"{conforming(request)} {max(pieces, key=len, default='')}".strip()
    mark = digest(*texts, str(request.seed))
    turns = _turns(request)
    turn = turns[int(mark[:8], 16) % len(turns)] if turns else _Turn((), None)
    schema = strict_schema(request.answer)
    strings = max(1, json.dumps(schema).count('"type": "string"'))
    writer = _Writer(schema.get("$defs", {}), turn.pieces, pieces, mark[:6], strings)
    return json.dumps(writer.value(schema, turn.answer), ensure_ascii=False)


def _turns(request: Request) -> list[_Turn]:
    turns = []
    for question, answer in zip(request.messages, request.messages[1:], strict=False):
        if question.role == "user" and answer.role == "assistant":
            try:
                turns.append(_Turn(_pieces(question.content), json.loads(answer.content)))
            except ValueError:  # an answer in plain text
                continue
    return turns


def _pieces(question: str) -> list[str]:
    """The data of a question, in the order of their places in it."""
    pieces = []
    end = 0
    unclosed = set()
    for opening in _OPENING.finditer(question):
        tag = opening[1]
        if opening.start() < end or tag in unclosed:
            continue
        closing = question.find(f"</{tag}>", opening.end())
        if closing < 0:
            unclosed.add(tag)
            continue
        pieces.append(question[opening.end() : closing].strip())
        end = closing + len(f"</{tag}>")
    return pieces or [question]


def _length(shown: int, theirs: int, ours: int) -> int:
    """Words of a string, where the example has ``shown`` for a piece of data with ``theirs``.

    A rewriting is longer or shorter than its source by as many words as in the example. A small
    part of a text is as long as there. Anything else is in proportion to the text.

    >>> _length(12, 10, 30), _length(4, 10, 30), _length(5, 10, 30), _length(40, 10, 30)
    (32, 4, 15, 120)
    """
    if theirs * PART <= shown <= theirs / PART:
        return max(1, ours + shown - theirs)
    small = max(PHRASE, theirs * SMALL_PART)
    return shown if shown <= small else round(shown * ours / max(1, theirs))


@dataclass(frozen=True)
class _Writer:
    """Writes values that fit a schema, after those of an example."""

    defs: dict[str, Any]
    example: Sequence[str]
    question: Sequence[str]
    mark: str
    strings: int = 1
    """How many strings share the words of the data where there is no example."""
    number: Iterator[int] = field(default_factory=count)

    def value(self, schema: dict[str, Any], shown: Any) -> Any:
        """A value for a schema; ``shown`` is the value of the example, None where it has none."""
        schema = self.defs.get(str(schema.get("$ref", "")).rpartition("/")[2], schema)
        free = schema.get("type") == "string" and not {"enum", "const"} & schema.keys()
        if free and isinstance(shown, str):
            return self._string(schema, shown)
        if schema.get("type") == "object":
            fields = shown if isinstance(shown, dict) else {}
            first = next(iter(fields.values()), None)  # names may be those of the question
            return {
                name: self.value(inner, fields.get(name, first))
                for name, inner in schema.get("properties", {}).items()
            }
        if schema.get("type") == "array":
            examples = shown if isinstance(shown, list) and shown else [None]
            items = schema.get("prefixItems")
            if not items:
                least = schema.get("minItems", 0)
                most = schema.get("maxItems", len(examples))
                items = [schema.get("items", {})] * max(least, min(most, len(examples)))
            return list(map(self.value, items, cycle(examples)))
        if "enum" in schema:
            return schema["enum"][int(self.mark, 16) % len(schema["enum"])]
        # Without an example, a string is a part of the longest piece of data.
        words = max(self.question, key=len, default="").split()
        text = " ".join([*words[: len(words) // self.strings], self.mark])
        return fitting({**schema, "$defs": self.defs}, text)

    def _string(self, schema: dict[str, Any], shown: str) -> str:
        """Words of the piece of data that the example's string comes from, some made up."""
        held = set(shown.lower().split())
        pairs = list(zip(self.question, self.example, strict=False))
        shares = [
            len(held & set(theirs.lower().split())) / max(1, len(held)) for _, theirs in pairs
        ]
        share = max(shares, default=0.0)
        if not pairs or (share < LEAST_SHARE and len(held) <= SHORT):
            return shown[: schema.get("maxLength", len(shown))]
        if share < LEAST_SHARE:  # from the piece that is most nearly as long
            shares = [-abs(len(theirs) - len(shown)) for _, theirs in pairs]
        piece, theirs = pairs[shares.index(max(shares))]
        words = piece.split()
        length = _length(len(shown.split()), len(theirs.split()), len(words))
        taken = (words * (length // max(1, len(words)) + 1))[:length]
        written = " ".join(self._changed(taken, share, piece))
        return written[: schema.get("maxLength", len(written))]

    def _changed(self, words: list[str], share: float, piece: str) -> list[str]:
        """Keep the share that the example keeps: the longest words change, none of other data."""
        fixed = set(" ".join(text for text in self.question if text is not piece).split())
        free = [index for index, word in enumerate(words) if word.strip(",.;") not in fixed]
        longest = sorted(free, key=lambda index: -len(words[index]))
        changed = list(words)
        for index in longest[: max(1, round((1 - share) * len(words)))]:
            changed[index] = words[index][::-1]
        for index in longest[:1]:  # never just a copy, nor the same twice
            changed[index] = f"{self.mark}{next(self.number)}"
        return changed
