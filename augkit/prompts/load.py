"""Loading and rendering prompts: YAML files ``augkit/prompts/<method>/<name>.yaml``.

Text of a dataset is data, never an instruction. It enters a message only through the ``data``
filter, which encloses it in two tags that do not occur in it; any other output of a text is an
error, so that no prompt can forget it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from importlib import resources
from itertools import count
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from augkit.core.config import StrictModel, parse_yaml, validate
from augkit.core.errors import ConfigError, UnknownName
from augkit.core.model_types import Message
from augkit.core.types import digest

if TYPE_CHECKING:
    from importlib.abc import Traversable

    from jinja2 import Environment, Template

TAG = "tag"
"""The variable with which a prompt can mention the tag around its data."""


class MessageTemplate(StrictModel):
    """One message of a prompt, with a jinja2 template for its content."""

    role: Literal["system", "user", "assistant"]
    content: str


class Prompt(StrictModel):
    """A prompt file."""

    id: str = Field(pattern=r"^[a-z0-9_-]+/[a-z0-9_-]+$", description="method/name, as its path")
    version: int = Field(ge=1, description="increased when the wording changes")
    source: str | None = Field(None, description="citation key of the paper it comes from")
    inputs: tuple[str, ...] = Field(description="the variables of its templates")
    messages: tuple[MessageTemplate, ...] = Field(min_length=1)

    @property
    def name(self) -> str:
        """Id, version and digest of the content, as recorded with each request."""
        return f"{self.id}@{self.version}:{digest(self.model_dump_json())}"


@lru_cache(maxsize=256)
def load_prompt(prompt_id: str) -> Prompt:
    """The bundled prompt with this id, as ``load_prompt("judge/label")``."""
    files = dict(_files())
    if prompt_id not in files:
        raise UnknownName("prompt", prompt_id, files)
    return parse_prompt(files[prompt_id].read_text(encoding="utf-8"), f"{prompt_id}.yaml")


def parse_prompt(text: str, source: str) -> Prompt:
    """Read a prompt's YAML; errors name ``source``."""
    return validate(Prompt, parse_yaml(text, source), source)


def prompt_ids() -> list[str]:
    """The ids of all bundled prompts."""
    return sorted(prompt_id for prompt_id, _ in _files())


def render(prompt: Prompt, **inputs: Any) -> tuple[Message, ...]:
    """The rendered messages of a prompt; a missing or unknown input is an error."""
    for problem, names in (
        ("needs the input", set(prompt.inputs) - set(inputs)),
        ("has no input", set(inputs) - set(prompt.inputs)),
    ):
        if names:
            raise ConfigError(f"prompt {prompt.id}: {problem} '{min(names)}'")
    given = {**inputs, TAG: _Checked(_absent_tag(inputs))}
    return tuple(
        Message(message.role, template.render(given))
        for message, template in zip(prompt.messages, _templates(prompt), strict=True)
    )


def variables(prompt: Prompt) -> set[str]:
    """The inputs that a prompt's templates use, as opposed to those it declares."""
    from jinja2 import meta

    trees = [_environment().parse(message.content) for message in prompt.messages]
    return set().union(*map(meta.find_undeclared_variables, trees)) - {TAG}


class _Checked(str):
    """Text that may be output as it is."""

    __slots__ = ()


def _absent_tag(inputs: dict[str, Any]) -> str:
    """A tag that the data determine and that does not occur in them."""
    data = json.dumps(inputs, sort_keys=True, ensure_ascii=False, default=str)
    tags = (f"data-{digest(data, str(number))[:12]}" for number in count())
    return next(tag for tag in tags if tag not in data)


def _fenced(context: Any, data: Any) -> _Checked:
    """The filter ``data``: texts as they are, anything else as JSON, between the tags."""
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    return _Checked(f"<{context[TAG]}>\n{text}\n</{context[TAG]}>")


def _only_checked(value: Any) -> Any:
    if isinstance(value, str) and not isinstance(value, _Checked):
        raise ConfigError(f"a prompt outputs {value[:50]!r} unfenced: write {{{{ ... | data }}}}")
    return value


@lru_cache(maxsize=256)
def _templates(prompt: Prompt) -> tuple[Template, ...]:
    environment = _environment()
    return tuple(
        environment.from_string(message.content.rstrip("\n")) for message in prompt.messages
    )


@lru_cache(maxsize=1)
def _environment() -> Environment:
    from jinja2 import StrictUndefined, pass_context
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined,
        autoescape=False,
        finalize=_only_checked,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["data"] = pass_context(_fenced)
    return environment


def _files() -> Iterator[tuple[str, Traversable]]:
    for folder in resources.files("augkit.prompts").iterdir():
        if folder.is_dir():
            for file in folder.iterdir():
                if file.name.endswith(".yaml"):
                    yield f"{folder.name}/{file.name.removesuffix('.yaml')}", file
