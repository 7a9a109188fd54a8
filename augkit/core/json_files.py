"""JSON files that augkit wrote: damage is told by file and line; they are written in one step."""

from __future__ import annotations

import errno
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import orjson
from pydantic import TypeAdapter, ValidationError
from typing_extensions import Self

from augkit.core.characters import find_surrogate, half_a_character, printed
from augkit.core.errors import DataError, UserError

T = TypeVar("T")
MOST_CHARACTERS = 20_000_000
"""Of a file of settings."""
MOST_DEPTH = 100
"""Values inside values, in settings and in rows."""

_LONGEST_REASON = 160
_DAMAGE = (
    *(OSError, ValueError, LookupError, TypeError),
    *(AttributeError, ArithmeticError, RecursionError, EOFError),
)
"""What code raises that meets content of another form than augkit writes."""


class JsonArtifact:
    """A dataclass that is saved as one JSON file; sets are written as sorted lists."""

    file: ClassVar[str]

    def save(self, folder: Path) -> None:
        """Write the file."""
        save_json(folder / self.file, asdict(self))  # type: ignore[call-overload] # a dataclass

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read it back."""
        return load_json(folder / cls.file, TypeAdapter(cls).validate_python)


class Refused(ValueError):
    """A JSON text that parsers take has something in it that augkit does not take."""


def parse_json(
    text: str, source: str, fault: type[UserError] = DataError, *, whole: bool = True
) -> Any:
    """The value of a JSON text that a user hands in; a ``fault`` names the source and the line.

    ``whole`` refuses halves of characters, too.
    """
    if len(text) > MOST_CHARACTERS:
        raise fault(f"{source}: over {MOST_CHARACTERS:,} characters are too many for a JSON value")
    try:
        value = json.loads(text, object_pairs_hook=unique_keys)
        if whole:
            refuse_halves(value)
    except json.JSONDecodeError as error:
        raise fault(f"{source}:{error.lineno}: this is not valid JSON: {error.msg}") from None
    except RecursionError:
        raise fault(f"{source}: nested more than {MOST_DEPTH} deep") from None
    except Refused as error:
        raise fault(f"{source}: {error}") from error
    except ValueError as error:
        raise fault(f"{source}: this is not valid JSON: {error}") from None
    if is_deep(value):
        raise fault(f"{source}: nested more than {MOST_DEPTH} deep")
    return value


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object of its ``pairs``, as the hook of a decoder; a key given twice is an error."""
    record = dict(pairs)
    if len(record) == len(pairs):
        return record
    keys = [key for key, _ in pairs]
    twice = next(key for number, key in enumerate(keys) if key in keys[:number])
    raise Refused(
        f"the key '{printed(twice[:80])}' is given twice in one object, and a reader keeps only "
        "one of its values. Leave one of them out, or rename it"
    )


def may_repeat_keys(text: bytes, values: Any) -> bool:
    r"""Whether an object of a JSON text may give a key twice; False is certain.

    Parsers keep the last of two. What ``values``, as they were parsed, are when they are written
    again has fewer colons than the text, then. An escaped colon could make up for one.

    >>> may_repeat_keys(b'{"a": 1, "a": 2}', {"a": 2}), may_repeat_keys(b'{"a": ":"}', {"a": ":"})
    (True, False)
    """
    if b"\\u003a" in text or b"\\u003A" in text:
        return True
    try:
        again = orjson.dumps(values)
    except TypeError:  # halves of characters, and integers over 64 bits
        return True
    return text.count(b":") != again.count(b":")


def check_content(text: str) -> None:
    """Raise ``Refused`` for a JSON text with a key given twice, or half of a character.

    What is wrong with a text that is no JSON is left to the parser that reads it afterwards.
    """
    try:
        value = json.loads(text, object_pairs_hook=unique_keys)
        refuse_halves(value)
    except Refused:
        raise
    except (ValueError, RecursionError):
        return


def refuse_halves(value: Any) -> None:
    """Raise ``Refused`` where a text of the ``value``, as JSON has it, holds a lone surrogate."""
    try:
        orjson.dumps(value)
    except TypeError:  # also for an integer over 64 bits
        if found := find_surrogate(value):
            raise Refused(half_a_character(*found)) from None


def is_deep(value: Any) -> bool:
    """Whether values inside values are nested deeper than other code bears.

    >>> is_deep([[1]]), is_deep(json.loads("[" * 200 + "]" * 200))
    (False, True)
    """
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(MOST_DEPTH):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True


def save_json(path: Path, record: Mapping[str, Any]) -> None:
    """Write a record on one line."""
    path.write_text(json.dumps(record, default=sorted) + "\n", encoding="utf-8")


@contextmanager
def naming_damage(where: Path | str, advice: str) -> Iterator[None]:
    """Raise ``DataError`` for the damage that reading a file meets; ``advice`` is a sentence."""
    try:
        yield
    except _DAMAGE as error:
        if isinstance(error, OSError) and error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise  # a full disk damages nothing
        raise DataError(f"{where}: {_reason(error)}. {advice}") from error


def _reason(error: BaseException) -> str:
    """What is wrong with a file, in one line."""
    if isinstance(error, OSError):
        missing = isinstance(error, FileNotFoundError)
        return "missing" if missing else f"cannot be read: {error.strerror or error}"
    reason = str(error)
    if isinstance(error, ValidationError):
        reason = first_problem(error)
    elif isinstance(error, RecursionError):
        reason = "nested too deeply"
    elif isinstance(error, KeyError):
        reason = f"no {error}"
    return f"damaged: {' '.join(reason.split())[:_LONGEST_REASON]}"


def first_problem(error: ValidationError) -> str:
    """The first of the problems that pydantic lists, with the key that has it."""
    problem = error.errors(include_url=False, include_input=False)[0]
    key = ".".join(map(str, problem["loc"]))
    return f"'{key}': {problem['msg']}" if key else problem["msg"]


def load_json(
    path: Path,
    build: Callable[[Any], T],
    advice: str = "Restore it from a copy, or make the folder again",
) -> T:
    """What ``build`` makes of the content of a file; raises ``DataError`` where it is damaged."""
    with naming_damage(path, advice):
        text = path.read_text(encoding="utf-8")
        return build(json.loads(text, parse_float=_finite))


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"a number too large ({text[:20]})")
    return number


def find_json(path: Path, build: Callable[[Any], T], advice: str) -> T | None:
    """As ``load_json``, but None where there is no file."""
    return load_json(path, build, advice) if path.exists() else None


def load_json_lines(path: Path, build: Callable[[Any], T], advice: str) -> Iterator[T]:
    """What ``build`` makes of each line of a file; an error names the line."""
    with naming_damage(path, advice):
        lines = path.open("rb")
    with lines:
        for number, line in enumerate(lines, 1):
            try:
                record = build(_parse_line(line))
            except _DAMAGE:
                with naming_damage(f"{path}, line {number}", advice):
                    raise
            yield record


def _parse_line(line: bytes) -> Any:
    """The value of a line that augkit wrote; the parser in C is asked first."""
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError:  # numbers over 64 bits
        return json.loads(line)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give the path to write to; what is written there replaces ``path`` in one step.

    A kill, an error or a full disk never leaves half of a file under its name.
    """
    draft = path.with_name(path.name + ".new")
    yield draft
    draft.replace(path)


def write_atomically(path: Path, text: str) -> None:
    """Write a small file in one step."""
    with replacing(path) as draft:
        draft.write_text(text, encoding="utf-8")


def write_json(path: Path, record: Any) -> None:
    """Write a record with a value on each line, in one step."""
    write_atomically(path, json.dumps(record, ensure_ascii=False, indent=1) + "\n")


def write_json_lines(
    path: Path, rows: Iterable[Mapping[str, Any]], default: Callable[[Any], Any] | None = None
) -> None:
    """Write each row on a line, in one step; ``default`` turns what is no JSON into what is."""
    lines = (json.dumps(row, ensure_ascii=False, default=default) + "\n" for row in rows)
    write_atomically(path, "".join(lines))
