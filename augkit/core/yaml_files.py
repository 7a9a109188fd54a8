"""Reading YAML: plain values, and the lines that keys are on; errors name the file and the line."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

import yaml

from augkit.core.errors import ConfigError
from augkit.core.json_files import MOST_CHARACTERS, MOST_DEPTH

MOST_VALUES = 1_000_000
"""Values of a file."""
_MOST_DIGITS = 1000
_TAG = "tag:yaml.org,2002:"
_SCALARS: list[tuple[str, str, str, Callable[[str], Any]]] = [
    ("bool", r"^(?:true|True|false|False)$", "tTfF", lambda text: text[0] in "tT"),
    ("int", r"^[-+]?(?:0|[1-9][0-9]*)$", "-+0123456789", int),
    ("float", r"^[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$", "-+.0123456789", float),
    ("float", r"^[-+]?[0-9]+[eE][-+]?[0-9]+$", "-+0123456789", float),
    ("null", r"^(?:~|null|Null|)$", "~nN\0", lambda _: None),
]
"""Plain scalars that are no text: ``no`` is a word, and ``1e-3`` a number."""
_PATTERNS = [(re.compile(pattern), convert) for _, pattern, _, convert in _SCALARS]


class _BundledConstructor(yaml.constructor.SafeConstructor):
    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """A mapping; a key that is given twice is an error."""
        keys = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
        if twice := [key for key in keys if keys.count(key) > 1]:
            raise yaml.MarkedYAMLError(
                problem=f"'{twice[0]}' is given twice", problem_mark=node.start_mark
            )
        return super().construct_mapping(node, deep)


_PARSER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""In C, where PyYAML has it, which reads twenty times as fast."""


class _BundledLoader(_BundledConstructor, _PARSER):  # type: ignore[misc]
    """Values without limits. A text nested too deeply crashes it: for our own only."""

    yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {}


for _name, _pattern, _first, _ in _SCALARS:
    _BundledLoader.add_implicit_resolver(_TAG + _name, re.compile(_pattern), list(_first))
# An empty value ("key:") has no first character; PyYAML looks such resolvers up under "".
_BundledLoader.yaml_implicit_resolvers.setdefault("", []).extend(
    _BundledLoader.yaml_implicit_resolvers["~"]
)


def parse_bundled_yaml(text: str) -> Any:
    """What ``parse_yaml`` gives, sooner, for a long file that comes with augkit."""
    return yaml.load(text, Loader=_BundledLoader)  # noqa: S506 - a SafeLoader with fewer types


def parse_yaml(text: str, source: str) -> Any:
    """Plain values of a YAML text of a user; an error names the source and the line."""
    return _parsed(text, source).value


def _parsed(text: str, source: str) -> _Builder:
    if len(text) > MOST_CHARACTERS:
        raise ConfigError(
            f"{source}: more than {MOST_CHARACTERS:,} characters are too many for settings"
        )
    builder = _Builder()
    try:
        for event in yaml.parse(text, Loader=_PARSER):
            builder.take(event)
    except UnicodeEncodeError as error:
        raise ConfigError(f"{source}: this is not valid YAML: half of a character") from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{source}:{mark.line + 1}" if mark else source
        problem = getattr(error, "problem", None) or getattr(error, "reason", "not readable")
        raise ConfigError(f"{where}: this is not valid YAML: {problem}") from error
    return builder


@dataclass
class _Open:
    """A list or a mapping that has begun and not yet ended."""

    value: dict[str, Any] | list[Any]
    path: str
    key: str | None = None

    def place(self) -> str:
        """The name of the next value in it."""
        return self.path + str(len(self.value) if isinstance(self.value, list) else self.key)


class _Builder:
    """Makes plain values of the events of a YAML text, without recursion.

    Keys are texts as they are written. What cannot be told plainly is an error: a key that is no
    text or is given twice, a tag, an alias, and more than the limits allow.
    """

    def __init__(self) -> None:
        self.value: Any = None
        self.lines: dict[str, int] = {}
        """Dotted key → line."""
        self._open: list[_Open] = []
        self._documents = 0
        self._values = 0

    def take(self, event: yaml.Event) -> None:
        """Take the next event."""
        if isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                raise _problem("there is a second document after '---'", event)
        elif isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
            self._begin(event)
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            self._open.pop()
        elif isinstance(event, yaml.AliasEvent):
            raise _problem(f"the alias '*{event.anchor}' is not read: write its value out", event)
        elif isinstance(event, yaml.ScalarEvent):
            self._take_scalar(event)

    def _take_scalar(self, event: yaml.ScalarEvent) -> None:
        _refuse_tag(event)
        inside = self._open[-1] if self._open else None
        if inside and isinstance(inside.value, dict) and inside.key is None:
            if event.value in inside.value:
                raise _problem(f"'{event.value}' is given twice", event)
            inside.key = event.value
            self.lines[inside.place()] = _line(event)
            return
        self._add(_scalar(event), event)

    def _begin(self, event: yaml.MappingStartEvent | yaml.SequenceStartEvent) -> None:
        _refuse_tag(event)
        if len(self._open) >= MOST_DEPTH:
            raise _problem(f"nested more than {MOST_DEPTH} deep", event)
        value: Any = {} if isinstance(event, yaml.MappingStartEvent) else []
        path = f"{self._open[-1].place()}." if self._open else ""
        self._add(value, event)
        self._open.append(_Open(value, path))

    def _add(self, value: Any, event: yaml.Event) -> None:
        """Put a value where the text has it."""
        self._values += 1
        if self._values > MOST_VALUES:
            raise _problem(f"more than {MOST_VALUES:,} values", event)
        if not self._open:
            self.value = value
            return
        inside = self._open[-1]
        if isinstance(inside.value, list):
            self.lines.setdefault(inside.place(), _line(event))
            inside.value.append(value)
        elif inside.key is None:
            raise _problem("a key is a text, not a list or a mapping", event)
        else:
            inside.value[inside.key] = value
            inside.key = None


def _scalar(event: yaml.ScalarEvent) -> Any:
    """A plain scalar as what it looks like; one in quotes or with the tag ``!!str`` is text."""
    if not event.implicit[0] or event.tag:
        return event.value
    for pattern, convert in _PATTERNS:
        if pattern.match(event.value):
            if len(event.value) > _MOST_DIGITS:
                raise _problem(f"a number of {len(event.value):,} characters", event)
            return convert(event.value)
    return event.value


def _refuse_tag(event: yaml.Event) -> None:
    tag = getattr(event, "tag", None)
    if tag not in {None, "!", f"{_TAG}str"}:
        shown = str(tag).replace(_TAG, "!!")
        raise _problem(f"the tag '{shown}' is not used here: write the value plainly", event)


def _line(event: yaml.Event) -> int:
    mark: Any = event.start_mark
    return int(mark.line) + 1


def _problem(text: str, event: yaml.Event) -> yaml.MarkedYAMLError:
    mark: Any = event.start_mark
    return yaml.MarkedYAMLError(problem=text, problem_mark=mark)


def utf8_text(path: Path) -> str:
    """The text of a file."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            return file.read(MOST_CHARACTERS + 1)
    except FileNotFoundError as error:
        raise ConfigError(f"{path}: no such file") from error
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read as UTF-8 text: {error}") from error


def read_yaml(path: Path) -> dict[str, Any]:
    """The mapping in a YAML file."""
    return parse_mapping(utf8_text(path), str(path))


def parse_mapping(text: str, source: str) -> dict[str, Any]:
    """The mapping that a YAML text is; an error names the source."""
    values = parse_yaml(text, source)
    if not isinstance(values, dict):
        content = "nothing" if values is None else f"a {type(values).__name__}"
        raise ConfigError(f"{source}: expected 'key: value' lines, found {content}")
    return values


def line_numbers(source: str) -> dict[str, int]:
    """Dotted key → line, where ``source`` is a readable YAML file."""
    path = Path(source)
    if path.suffix not in {".yaml", ".yml"} or not path.is_file():
        return {}
    state = path.stat()
    return _lines(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=8)
def _lines(path: Path, *_state: int) -> dict[str, int]:
    """The lines of a file in one state: each of many errors asks for them."""
    return _parsed(utf8_text(path), str(path)).lines
