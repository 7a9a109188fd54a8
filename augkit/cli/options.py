"""Options made from settings, each declared once where it is validated, and options of commands."""

from __future__ import annotations

import os
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

Config = Annotated[Path | None, Option(help="settings in a YAML file; options override it")]
AsJson = Annotated[bool, Option("--json", help="as JSON")]
DryRun = Annotated[
    bool, Option("--dry-run", help="only show what would be done and what it would cost")
]
DatasetName = Annotated[
    str | None, Option("--dataset", "-d", help="a name, in place of DATA: --dataset sst2")
]
_ENVIRONMENT = {"data_folder": "AUGKIT_DATA", "cache": "AUGKIT_CACHE"}
"""Setting → the variable of the environment that gives it to all commands."""
_FLAT = frozenset({"reading", "connection", "tested_llm"})
"""Sections whose settings are given to --set without the name of the section."""
_SECTIONS = _FLAT | {"judge", "text_gates"}
"""Sections that --set knows by name: judge.KEY=VALUE."""


class SettingsCommand:
    """A command whose options are made from a model of settings, and from its own parameters.

    The settings that have no option are given by ``--set KEY=VALUE``. The model is imported when
    the options are read: ``augkit --help`` loads none.
    """

    def __init__(
        self,
        function: Callable[..., None],
        model: str,
        order: str,
        *,
        argument: str,
        owner: str,
        first: str,
    ) -> None:
        """Keep what ``made_from`` is given, with the names of the options in order."""
        self.__doc__ = function.__doc__
        self._function = function
        self._model = model
        self._order = order.split()
        self._first = first.split()
        self._argument = argument
        self._owner = owner

    @property
    def model(self) -> type[BaseModel]:
        """The model of the settings."""
        module, _, name = self._model.partition(":")
        model: type[BaseModel] = getattr(import_module(module), name)
        return model

    def hidden(self) -> list[str]:
        """The names of the settings without an option, in order."""
        return sorted(self.settings().keys() - self._order)

    def settings(self) -> dict[str, str]:
        """The settings of --set → the section that has them, none: the model itself.

        Where --set is also for somebody else's settings, an option is not given by it.
        """
        model = self.model
        sections = {"": model} | {
            name: _without_none(field.annotation)
            for name, field in model.model_fields.items()
            if name in _FLAT
        }
        names: dict[str, str] = {}
        for section, part in sections.items():
            for name, field in part.model_fields.items():
                shown = name in self._first or (self._owner and name in self._order)
                if not shown and name not in {"options", *names} and _is_plain(field):
                    names[name] = section
        return names

    def field(self, name: str) -> FieldInfo:
        """A setting, with its description."""
        return _field(self.model, name)[1]

    def setting_of(self, flag: str) -> str:
        """How --set gives what an option of that name says; "" where there is no such setting.

        >>> from augkit.cli.run import command
        >>> command.setting_of("--keep-rest"), command.setting_of("--no-quotes")
        ('keep_rest=true', 'quotes=false')
        """
        from augkit.core.config import flags_of

        for name in self.settings():
            field = self.field(name)
            is_list = get_origin(_kind(field)) is list
            if flag in {*flags_of(name), *flags_of(name, is_list=is_list)}:
                return f"{name}=true" if _kind(field) is bool else f"{name}=VALUE"
            if flag == f"--no-{name}":
                return f"{name}=false"
        return ""

    def callback(self) -> Callable[..., None]:
        """The function for typer. It gets what is given of the settings, then its own options."""
        model = self.model
        _, *parameters = signature(self._function, eval_str=True).parameters.values()
        declared = {parameter.name: parameter for parameter in parameters}
        declared["settings"] = self._set_option()
        sections: dict[str, str] = {}
        options = []
        for name in dict.fromkeys([*self._order, *declared]):
            if name in declared:
                options.append(declared[name].replace(kind=Parameter.KEYWORD_ONLY))
            else:
                sections[name], field = _field(model, name)
                options.append(_option(name, field, is_argument=name == self._argument))

        def call(**values: Any) -> None:
            settings = self._settings_given(values.pop("settings") or [])
            for name, section in sections.items():
                value = values.pop(name)
                if value is not None and value != []:
                    values_of = settings.setdefault(section, {}) if section else settings
                    values_of[name] = value
            self._function(settings, **values)

        call.__signature__ = Signature(options)  # type: ignore[attr-defined]
        return call

    def _set_option(self) -> Parameter:
        what = f"a setting {self._owner}, or another one" if self._owner else "another setting"
        info = Option("--set", help=f"{what} of those below: KEY=VALUE; repeatable")
        annotation = Annotated[list[str] | None, info]
        return Parameter("settings", Parameter.KEYWORD_ONLY, default=None, annotation=annotation)

    def _settings_given(self, words: list[str]) -> dict[str, Any]:
        """The words of --set by section; what is not the command's own stands under ``options``."""
        from augkit.core.config import parse_settings
        from augkit.core.errors import ConfigError, did_you_mean

        own = self.settings()
        fields = self.model.model_fields
        settings: dict[str, Any] = {}
        options: dict[str, Any] = {}
        for name, value in parse_settings(words).items():
            if name in _SECTIONS and name in fields and isinstance(value, dict):
                settings[name] = {**settings.get(name, {}), **value}
            elif own.get(name):
                settings.setdefault(own[name], {})[name] = value
            elif name in own:
                settings[name] = value
            else:
                options[name] = value
        for name, variable in _ENVIRONMENT.items():
            if name in own and os.environ.get(variable):
                section = settings.setdefault(own[name], {}) if own[name] else settings
                section.setdefault(name, os.environ[variable])
        if options and not self._owner:
            first = next(iter(options))
            raise ConfigError(
                f"--set {first}: no setting of this command.{did_you_mean(first, own)} "
                f"Known: {', '.join(sorted(own))}."
            )
        return settings | {"options": options} if self._owner else settings


def made_from(
    model: str, order: str, *, argument: str = "", owner: str = "", first: str = ""
) -> Callable[[Callable[..., None]], SettingsCommand]:
    """Make a command of a function that takes a mapping of settings and options of its own.

    Args:
        model: The settings, as MODULE:NAME.
        order: The names of all options: parameters of the function, or fields of the model or of
            a model in it (``budget`` is that of ``connection``). The other fields are given by
            --set.
        argument: The one of them that is given without a flag.
        owner: Whose settings --set gives too, as "of the method"; they reach the function under
            ``options``.
        first: Fields that the words before all options give.
    """
    return lambda function: SettingsCommand(
        function, model, order, argument=argument, owner=owner, first=first
    )


def _is_plain(field: FieldInfo) -> bool:
    """Whether one value of --set gives the field, and no section of its own."""
    kinds = [field.annotation, *get_args(field.annotation)]
    return not any(hasattr(kind, "model_fields") for kind in kinds)


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
        info = Option(*flags, help=_help(field))
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
    text = field.description or ""
    default = field.default
    if get_origin(_kind(field)) is list:
        text += "; repeatable"
    if "default" in text or isinstance(default, bool) or field.is_required():
        return text
    if isinstance(default, tuple):
        default = ", ".join(default)
    return f"{text}; default: {default}" if isinstance(default, int) or default else text


def run_settings(values: dict[str, Any]) -> dict[str, Any]:
    """The settings of a run, by section, from the values of its options and those of --set."""
    options = dict(values.pop("options"))
    find = {"name": values.get("find"), "options": options.pop("find", {})}
    connection = {**values.get("connection", {}), "workers": values.get("workers")}
    return {**values, "find": find, "options": options, "connection": connection}


def one_dataset(data: str | None, dataset: str | None) -> str | None:
    """The dataset of a run, which is given first, or by its name after --dataset."""
    from augkit.core.errors import UserError

    if data is not None and dataset is not None:
        raise UserError(f"two datasets: {data} and --dataset {dataset}. Give one of them")
    return data or dataset
