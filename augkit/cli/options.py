"""Options made from settings, each declared once where it is validated, and options of commands."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from inspect import Parameter, Signature, signature
from pathlib import Path
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, Union, get_args, get_origin

from typer import Argument, Option

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic.fields import FieldInfo

_ENVIRONMENT = {"data_folder": "AUGKIT_DATA", "cache": "AUGKIT_CACHE"}

Settings = Annotated[
    list[str] | None,
    Option(
        "--set",
        help="a setting of the method: KEY=VALUE; of the finder: find.KEY=VALUE; of the checks "
        "of an LLM's texts: text_gates.KEY=VALUE, judge.KEY=VALUE; repeatable",
    ),
]
Config = Annotated[Path | None, Option(help="settings in a YAML file; options override it")]
DataFolder = Annotated[
    Path | None,
    Option("--data", help="data folder with NAME/SPLIT.jsonl[.gz]", envvar="AUGKIT_DATA"),
]
AsJson = Annotated[bool, Option("--json", help="as JSON")]
DryRun = Annotated[
    bool, Option("--dry-run", help="only show what would be done and what it would cost")
]


class SettingsCommand:
    """A command whose options are made from a model of settings, and from its own parameters.

    The model is imported when the options are read: ``augkit --help`` loads none.
    """

    def __init__(
        self, function: Callable[..., None], model: str, order: str, argument: str
    ) -> None:
        """Keep the function, the model as MODULE:NAME, and the names of its options in order."""
        self.__doc__ = function.__doc__
        self._function, self._model = function, model
        first, _, further = order.partition("|")
        self.further = frozenset(further.split())
        """The names of options that few people need."""
        self._order, self._argument = [*first.split(), *further.split()], argument

    def callback(self) -> Callable[..., None]:
        """The function for typer. It gets what is given of the settings, then its own options."""
        module, _, name = self._model.partition(":")
        model = getattr(import_module(module), name)
        _, *parameters = signature(self._function, eval_str=True).parameters.values()
        declared = {parameter.name: parameter for parameter in parameters}
        sections: dict[str, str] = {}
        options = []
        for name in dict.fromkeys([*self._order, *declared]):
            if name in declared:
                options.append(declared[name].replace(kind=Parameter.KEYWORD_ONLY))
            else:
                sections[name], field = _field(model, name)
                options.append(_option(name, field, is_argument=name == self._argument))

        def call(**values: Any) -> None:
            settings: dict[str, Any] = {}
            for name, section in sections.items():
                value = values.pop(name)
                if value is not None and value != []:
                    values_of = settings.setdefault(section, {}) if section else settings
                    values_of[name] = value
            self._function(settings, **values)

        call.__signature__ = Signature(options)  # type: ignore[attr-defined]
        return call


def made_from(
    model: str, order: str, argument: str = ""
) -> Callable[[Callable[..., None]], SettingsCommand]:
    """Make a command of a function that takes a mapping of settings and options of its own.

    Args:
        model: The settings, as MODULE:NAME.
        order: The names of all options: parameters of the function, or fields of the model or of
            a model in it (``budget`` is that of ``connection``). Those after ``|`` are needed by
            few people.
        argument: The one of them that is given without a flag.
    """
    return lambda function: SettingsCommand(function, model, order, argument)


def _field(model: type[BaseModel], name: str) -> tuple[str, FieldInfo]:
    """A field and the section that it is in; none: the model itself has it."""
    if name in model.model_fields:
        return "", model.model_fields[name]
    for section, field in model.model_fields.items():
        fields = getattr(_without_none(field.annotation), "model_fields", {})
        if name in fields:
            return section, fields[name]
    raise KeyError(f"{model.__name__} has no setting '{name}'")


def _option(name: str, field: FieldInfo, *, is_argument: bool) -> Parameter:
    from augkit.core.config import flags_of

    kind = _kind(field)
    flags = flags_of(name, is_list=get_origin(kind) is list)
    if kind is bool and field.default:
        flags = (f"{flags[0]}/--no-{name}",)
    if is_argument:
        info: Any = Argument(help=_help(field))
    else:
        info = Option(*flags, help=_help(field), envvar=_ENVIRONMENT.get(name))
    default = Parameter.empty if field.is_required() else None
    annotation: Any = Annotated[kind if field.is_required() else kind | None, info]
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _kind(field: FieldInfo) -> Any:
    """What typer reads: a list where the setting is one, not written with commas; else a text."""
    from pydantic import BeforeValidator

    kind = _without_none(field.annotation)
    has_commas = any(isinstance(validator, BeforeValidator) for validator in field.metadata)
    if get_origin(kind) is tuple and not has_commas:
        return list[get_args(kind)[0]]  # type: ignore[misc]
    return kind if kind in {bool, int, float, Path} else str


def _without_none(annotation: Any) -> Any:
    """The type of a setting that may be absent."""
    if get_origin(annotation) in {Union, UnionType}:
        kinds = [kind for kind in get_args(annotation) if kind is not NoneType]
        return kinds[0] if len(kinds) == 1 else str
    return annotation


def _help(field: FieldInfo) -> str:
    """The description, whether it is repeatable, and the default where none is stated."""
    text, default = field.description or "", field.default
    if get_origin(_kind(field)) is list:
        text += "; repeatable"
    if "default" in text or isinstance(default, bool) or field.is_required():
        return text
    if isinstance(default, tuple):
        default = ", ".join(default)
    return f"{text}; default: {default}" if isinstance(default, int) or default else text


def run_settings(values: dict[str, Any], settings: list[str] | None) -> dict[str, Any]:
    """The settings of a run, by section, from the values of its options and those of --set."""
    from augkit.core.config import parse_settings

    options = parse_settings(settings or [])
    sections = {name: options.pop(name, {}) for name in ("text_gates", "judge")}
    find = {"name": values.get("find"), "options": options.pop("find", {})}
    connection = {**values.get("connection", {}), "workers": values.get("workers")}
    return {**values, **sections, "find": find, "options": options, "connection": connection}
