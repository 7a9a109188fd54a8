"""Reading YAML: plain values, and the lines that keys are on; errors name the file and the line."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from augkit.core.errors import ConfigError


class _Constructor(yaml.constructor.SafeConstructor):
    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """A mapping; a key that is given twice is an error."""
        seen: set[str] = set()
        for key, _ in node.value:
            if key.value in seen:
                raise yaml.MarkedYAMLError(
                    problem=f"'{key.value}' is given twice", problem_mark=key.start_mark
                )
            if isinstance(key, yaml.ScalarNode):
                seen.add(key.value)
        return super().construct_mapping(node, deep)


class _Loader(_Constructor, yaml.SafeLoader):
    """YAML whose plain scalars mean what people think: ``no`` is a word, ``1e-3`` a number."""


_Loader.yaml_implicit_resolvers = {}
for _tag, _pattern, _first in [
    ("bool", r"^(?:true|True|false|False)$", "tTfF"),
    ("int", r"^[-+]?(?:0|[1-9][0-9]*)$", "-+0123456789"),
    ("float", r"^[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$", "-+.0123456789"),
    ("float", r"^[-+]?[0-9]+[eE][-+]?[0-9]+$", "-+0123456789"),
    ("null", r"^(?:~|null|Null|)$", "~nN\0"),
]:
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(_pattern), list(_first))
# An empty value ("key:") has no first character; PyYAML looks such resolvers up under "".
_Loader.yaml_implicit_resolvers.setdefault("", []).extend(_Loader.yaml_implicit_resolvers["~"])


class _FastLoader(_Constructor, getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """The same in C, where PyYAML has it. A text nested too deeply crashes it: for our own only."""

    yaml_implicit_resolvers = _Loader.yaml_implicit_resolvers


def parse_bundled_yaml(text: str) -> Any:
    """What ``parse_yaml`` gives, sooner, for a long file that comes with augkit."""
    return yaml.load(text, Loader=_FastLoader)  # noqa: S506 - a SafeLoader with fewer types


def parse_yaml(text: str, source: str) -> Any:
    """Plain values of a YAML text; a syntax error names the source and the line."""
    try:
        return yaml.load(text, Loader=_Loader)  # noqa: S506 - a SafeLoader with fewer types
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{source}:{mark.line + 1}" if mark else source
        problem = getattr(error, "problem", None) or "not readable"
        raise ConfigError(f"{where}: this is not valid YAML: {problem}") from error


def utf8_text(path: Path) -> str:
    """The text of a file."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise ConfigError(f"{path}: no such file") from error
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read as UTF-8 text: {error}") from error


def read_yaml(path: Path) -> dict[str, Any]:
    """The mapping in a YAML file."""
    values = parse_yaml(utf8_text(path), str(path))
    if not isinstance(values, dict):
        content = "nothing" if values is None else f"a {type(values).__name__}"
        raise ConfigError(f"{path}: expected 'key: value' lines, found {content}")
    return values


def line_numbers(source: str) -> dict[str, int]:
    """Dotted key → line, where ``source`` is a readable YAML file."""
    path = Path(source)
    if path.suffix not in {".yaml", ".yml"} or not path.is_file():
        return {}
    lines: dict[str, int] = {}
    _collect_lines(yaml.compose(path.read_text(encoding="utf-8"), Loader=_Loader), "", lines)
    return lines


def _collect_lines(node: yaml.Node | None, prefix: str, lines: dict[str, int]) -> None:
    inner: list[tuple[object, yaml.Node, yaml.Node]] = []  # name, the node that has its line, value
    if isinstance(node, yaml.MappingNode):
        inner = [(key.value, key, value) for key, value in node.value]
    elif isinstance(node, yaml.SequenceNode):
        inner = [(index, value, value) for index, value in enumerate(node.value)]
    for name, marked, value in inner:
        lines[f"{prefix}{name}"] = marked.start_mark.line + 1
        _collect_lines(value, f"{prefix}{name}.", lines)
