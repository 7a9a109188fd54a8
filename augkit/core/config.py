"""Settings: strict, validated once, read from YAML; errors name the file, the line and the key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, TypeVar, get_args

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    Tag,
    ValidationError,
    model_validator,
)

from augkit.core.errors import ConfigError, did_you_mean, nearest
from augkit.core.moved import SETTINGS

_MOST_PROBLEMS = 10
"""Wrong settings that an error lists."""
_LONGEST = 400
"""Characters of a value, of its name, and of what is wrong with it."""
_SECRET = frozenset({"base_url"})
"""Settings whose values are not shown: an address may hold a password."""


class StrictModel(BaseModel):
    """Frozen, and an unknown key is an error; a list of texts may be one text."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, defer_build=True)

    @model_validator(mode="before")
    @classmethod
    def _lists(cls, values: object) -> object:
        if not isinstance(values, dict):
            return values
        single = {
            name: (value,)
            for name, value in values.items()
            if isinstance(value, str)
            and (field := cls.model_fields.get(name)) is not None
            and field.annotation == tuple[str, ...]
            and not any(isinstance(rule, BeforeValidator) for rule in field.metadata)
        }
        return {**values, **single} if single else values


class MethodConfig(StrictModel):
    """The settings of every method."""

    main_settings: ClassVar[tuple[str, ...]] = ()
    """Those that most people need, which are listed first; none: all of the method's own."""
    seed: int = Field(0, description="changes every random choice; the same seed repeats them")
    copies: int = Field(
        1,
        ge=1,
        le=1000,
        description="how often an example is rewritten; some methods give several variants each",
    )
    max_chars: int = Field(
        100_000, ge=1, description="a text longer than this is rejected, not augmented"
    )
    batch_size: int = Field(64, ge=1, description="examples handed to the method at a time")
    other_languages: Literal["reject", "keep"] = Field(
        "reject",
        description="what a method that only knows English does with rows in other languages",
    )

    @property
    def needs(self) -> frozenset[str]:
        """Tools that these settings make necessary, beside those that the method always needs."""
        return frozenset()

    @property
    def loads_model(self) -> bool:
        """Whether the method loads a large model itself, so that a run makes one augmenter."""
        return False

    @property
    def reads_any_language(self) -> bool:
        """Whether rows in other languages than English are kept; methods without rules of it do."""
        return self.other_languages == "keep"

    @property
    def variants_per_copy(self) -> int:
        """How many variants of a row belong into a training set for each of ``copies``."""
        return 3

    def digest(self) -> str:
        """Names all that shapes a variant; how many there are and how they are batched does not."""
        from augkit.core.types import digest

        return digest(self.model_dump_json(exclude=set(self.shaping_nothing)))

    @property
    def shaping_nothing(self) -> frozenset[str]:
        """Settings that shape no variant, as the others are."""
        return frozenset({"batch_size", "copies", "max_chars", "other_languages"})


# Settings that several methods have.
Temperature = Annotated[
    float, Field(ge=0, le=2, description="of a language model; 0: always the likeliest words")
]
TopP = Annotated[float, Field(gt=0, le=1, description="nucleus sampling: probability mass kept")]
MaxTokens = Annotated[int, Field(ge=1, description="longest answer of a language model, in tokens")]
ChangedField = Annotated[
    str | None,
    Field(description="the field to change in rows with several; none: the last"),
]
ChangedFields = Annotated[
    tuple[str, ...],
    Field(description="fields to change, as [hypothesis]; empty: every field of the example"),
]


class FinderConfig(StrictModel):
    """The settings of every finder; a field ``seed`` takes the seed of the run by default."""

    @property
    def loads_model(self) -> bool:
        """Whether the fitted finder holds a large model, so that a run loads it once."""
        return False


M = TypeVar("M", bound=BaseModel)

_FLAGS = {
    "axes": ("--axis",),
    "dataset": ("--dataset", "-d"),
    "field": ("--against",),
    "limit": ("--limit", "-n"),
    "method": ("--method", "-m"),
    "out": ("--out", "-o"),
    "cues": ("--cue",),
    "workers": ("--workers", "-w"),
}
"""Setting → its flags on the command line, where they are not its name."""


def flags_of(setting: str, *, is_list: bool = False) -> tuple[str, ...]:
    """The flags of a setting on the command line; that of a list is the singular.

    >>> flags_of("base_url"), flags_of("gates", is_list=True)
    (('--base-url',), ('--gate',))
    """
    name = f"--{setting.replace('_', '-')}"
    return _FLAGS.get(setting, (name.removesuffix("s") if is_list else name,))


def _where(source: str, path: str) -> str:
    """The source, where it is a file with the line of a dotted path, and the path."""
    from augkit.core.yaml_files import line_numbers

    lines = line_numbers(source)
    line = lines.get(path) or lines.get(path.rsplit(".", 1)[0])
    place = f"{source}:{line}" if line else source
    return f"{place}: {path}" if path else place


def validate(model: type[M], values: Mapping[str, Any], source: str = "settings") -> M:
    """Make a config of a mapping; the error lists every wrong key and how to fix it."""
    try:
        return model.model_validate(dict(values))
    except ValidationError as error:
        shown = error.errors()[:_MOST_PROBLEMS]
        lines = [_explain(model, dict(problem), source) for problem in shown]
        if (left := error.error_count() - len(lines)) > 0:
            lines.append(f"{source}: and {left:,} more like these")
        raise ConfigError("\n".join(lines)) from None


def load(model: type[M], path: Path) -> M:
    """Read and validate a YAML file."""
    from augkit.core.yaml_files import read_yaml

    values = read_yaml(path)
    try:
        return validate(model, values, str(path))
    except ConfigError as error:  # of a check that does not know the file
        named = str(path) in str(error)
        raise error if named else ConfigError(f"{path}: {error}") from None


def parse_settings(settings: list[str]) -> dict[str, Any]:
    """Read ``key=value`` words of the command line; values are YAML, dots lead into sections.

    >>> parse_settings(["alpha=0.2", "word=no", "find.top=40"])
    {'alpha': 0.2, 'word': 'no', 'find': {'top': 40}}
    """
    from augkit.core.yaml_files import parse_yaml

    values: dict[str, Any] = {}
    for setting in settings:
        path, equals, text = setting.partition("=")
        *sections, key = (part.strip() for part in path.split("."))
        if not equals or not all((*sections, key)):
            raise ConfigError(f"--set {setting}: expected key=value, as in --set seed=3")
        section = values
        for name in sections:
            section = section.setdefault(name, {})
            if not isinstance(section, dict):
                raise ConfigError(f"--set {setting}: '{name}' is given as a plain value as well")
        section[key] = parse_yaml(text, f"--set {path}")
    return values


def check_sections(
    values: Mapping[str, Any], sections: Mapping[str, Iterable[str]]
) -> dict[str, dict[str, Any]]:
    """One mapping per section of what ``--set section.key=value`` gave; an error for others.

    ``sections`` holds the known sections and the keys to suggest; values are validated later.

    >>> check_sections({"model": {"strength": 1}}, {"model": ["strength"], "robust": ["subtract"]})
    {'model': {'strength': 1}, 'robust': {}}
    """
    for name, section in values.items():
        if name in sections and isinstance(section, dict):
            continue
        key = next(iter(section)) if isinstance(section, dict) else name
        places = {
            setting: f"{title}.{setting}" for title, keys in sections.items() for setting in keys
        }
        near = nearest(key, places)
        hint = f" Did you mean '{places[near]}'?" if near else ""
        expected = " or ".join(f"{title}.KEY=VALUE" for title in sections)
        raise ConfigError(f"--set {name}: unknown section.{hint} Expected {expected}")
    return {section: values.get(section, {}) for section in sections}


def _explain(model: type[BaseModel], problem: dict[str, Any], source: str) -> str:
    written, fields = _written(model, problem["loc"])
    where = _where(source, _shortened(".".join(written)))
    if problem["type"] == "extra_forbidden" and written[-1] in SETTINGS:
        return f"{where}: '{written[-1]}' is gone: {SETTINGS[written[-1]]}"
    if problem["type"] == "extra_forbidden":
        hint = did_you_mean(written[-1], fields)
        listed = f" Known: {', '.join(sorted(fields))}." if fields else ""
        return f"{where}: unknown key.{hint}{listed}"
    if problem["type"] == "missing":
        return f"{where}: is missing"
    message = _shortened(problem["msg"].removeprefix("Value error, "))
    got = f" (got {_shortened(repr(problem['input']))})"
    hidden = isinstance(problem["input"], dict) or written[-1] in _SECRET
    got = "" if hidden else got
    out_of_range = "_than" in problem["type"]  # what the setting is may say why
    about = f": {fields[written[-1]]}" if out_of_range and written[-1] in fields else ""
    return f"{where}: {message[:1].lower()}{message[1:]}{got}{about}"


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"


def _written(model: type[BaseModel], loc: tuple[Any, ...]) -> tuple[list[str], dict[str, str]]:
    """The path as written in a file, without tags of unions, and the keys at its end, described.

    An index of a list adds nothing: the settings are those of its items.
    """
    written: list[str] = []
    inner: type[BaseModel] | None = model
    tagged: dict[str, type[BaseModel]] = {}
    for part in loc[:-1]:
        if part in tagged:
            inner = tagged[part]
            continue
        written.append(str(part))
        if not isinstance(part, int):
            field = inner.model_fields.get(part) if inner else None
            inner = _model_in(field and field.annotation)
            tagged = _tagged_in(field)
    last = [] if loc and loc[-1] in tagged else [str(part) for part in loc[-1:]]
    fields_there = inner.model_fields if inner else {}
    return written + last, {name: field.description or name for name, field in fields_there.items()}


def _tagged_in(annotation: Any) -> dict[str, type[BaseModel]]:
    """The models of a tagged union, by tag."""
    annotation = getattr(annotation, "annotation", annotation)  # of a field
    parts = get_args(annotation)
    named = [part.tag for part in parts if isinstance(part, Tag)]
    if named and (model := _model_in(annotation)):
        return {named[0]: model}
    return {tag: model for part in parts for tag, model in _tagged_in(part).items()}


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """The settings in an annotation: in ``Inner``, ``Inner | None`` or ``tuple[Inner, ...]``."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    models = (_model_in(inner) for inner in get_args(annotation))
    return next((inner for inner in models if inner), None)
