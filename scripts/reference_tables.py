"""Docstrings, signatures and settings as Markdown, for ``reference.py``."""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined


def table(rows: Iterable[Mapping[str, object]]) -> str:
    """A Markdown table of rows with the same keys."""
    rows = list(rows)
    lines = [list(rows[0]), ["---"] * len(rows[0]), *(row.values() for row in rows)]
    return "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines)


def settings_table(model: type[BaseModel], skip: Iterable[str] = ()) -> str:
    """Every key of a model with its type, default, bounds and meaning."""
    fields = {name: field for name, field in model.model_fields.items() if name not in set(skip)}
    return table(_setting(name, field) for name, field in fields.items())


def prose(thing: Any) -> str:
    """The docstring of a thing."""
    return docstring_markdown(inspect.getdoc(thing) or "")


def docstring_markdown(text: str) -> str:
    """A docstring as Markdown: single backticks, doctests as code, arguments as a table."""
    blocks = []
    for block in text.replace("``", "`").split("\n\n"):
        if block.lstrip().startswith(">>>"):
            blocks.append(f"```pycon\n{inspect.cleandoc(block)}\n```")
        elif block.startswith(_ARGUMENTS):
            found = described_arguments(block)
            kind = "attribute" if block.startswith("Attributes") else "argument"
            blocks.append(table({kind: f"`{n}`", "meaning": text} for n, text in found.items()))
        else:
            blocks.append(block)
    return "\n\n".join(blocks)


_ARGUMENTS = ("Args:\n", "Attributes:\n")
_ARGUMENT = re.compile(r"^ {4}(\*{0,2}\w+): (.*(?:\n {8}.*)*)", re.MULTILINE)


def described_arguments(docstring: str) -> dict[str, str]:
    """Name → description, of the ``Args:`` or ``Attributes:`` of a docstring.

    >>> lines = ("Args:", "    p: The share,", "        0 to 1.", "    *n: More.")
    >>> described_arguments(chr(10).join(lines))
    {'p': 'The share, 0 to 1.', '*n': 'More.'}
    """
    blocks = [block for block in docstring.split("\n\n") if block.startswith(_ARGUMENTS)]
    found = _ARGUMENT.findall("\n".join(blocks))
    return {name: " ".join(text.split()) for name, text in found}


_LONG_DEFAULT = 80


class _Plain(str):
    """An annotation that is shown as it is written."""

    __slots__ = ()

    def __repr__(self) -> str:
        """The text itself, without quotes."""
        return str(self)


def signature(thing: Any) -> str:
    """Parameters and result as they are written in the code."""
    found = inspect.signature(thing)
    parameters = [
        parameter.replace(
            annotation=_written(parameter.annotation), default=_short(parameter.default)
        )
        for parameter in found.parameters.values()
    ]
    result = _written(found.return_annotation)
    shown = str(found.replace(parameters=parameters, return_annotation=result))
    return shown.replace("<factory>", "...").replace(" -> None", "")


def _short(default: Any) -> Any:
    return _Plain("...") if len(repr(default)) > _LONG_DEFAULT else default


def _written(annotation: Any) -> Any:
    return _Plain(annotation) if isinstance(annotation, str) else annotation


def type_name(kind: Any) -> str:
    """A type as people read it."""
    if get_origin(kind) is Annotated:
        return type_name(get_args(kind)[0])
    if get_origin(kind) is Literal:
        return ", ".join(f"`{value}`" for value in get_args(kind))
    if isinstance(kind, types.UnionType) or get_origin(kind) is Union:
        return " or ".join(map(type_name, get_args(kind))).replace("NoneType", "none")
    text = kind.__name__ if isinstance(kind, type) and not get_args(kind) else str(kind)
    return re.sub(r"\b(?:typing|collections\.abc|pathlib|augkit(?:\.\w+)*)\.", "", text)


def default_text(value: object) -> str:
    """A default value; nothing where there is none to speak of."""
    if value is PydanticUndefined or value is inspect.Parameter.empty:
        return "required"
    if isinstance(value, BaseModel):
        return "see below"
    if hasattr(value, "value"):
        value = value.value
    return "" if value in (None, (), {}, []) else f"`{value}`"


def _setting(name: str, field: FieldInfo) -> dict[str, object]:
    return {
        "key": f"`{name}`",
        "type": type_name(field.annotation),
        "default": default_text(field.get_default(call_default_factory=True)),
        "bounds": ", ".join(_bounds(field)),
        "what it does": field.description or "",
    }


def _bounds(field: FieldInfo) -> Iterator[str]:
    signs = {
        "ge": "≥",
        "gt": ">",
        "le": "≤",
        "lt": "<",
        "min_length": "length ≥",
        "max_length": "length ≤",
    }
    for constraint in field.metadata:
        for name, sign in signs.items():
            if (bound := getattr(constraint, name, None)) is not None:
                yield f"{sign} {bound}"


def _cell(value: object) -> str:
    return str(value).replace("|", "\\|").replace("\n", " ")
