"""Rendering prompts.

Text of a dataset is data, never an instruction. It enters a message only through the ``data``
filter, which encloses it in two tags that do not occur in it; any other output of a text is an
error, so that no prompt can forget it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import chain, count
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any

from augkit.core.errors import ConfigError
from augkit.core.model_types import Message
from augkit.prompts.prompt import Prompt, strings_in

if TYPE_CHECKING:
    from jinja2 import Environment, Template

TAG = "tag"
"""The variable with which a prompt can mention the tag around its data."""
_USUAL_TAG = "data"
"""The tag itself, wherever the data do not hold it: a constant one keeps prompt caches valid."""


def render(prompt: Prompt, /, **inputs: Any) -> tuple[Message, ...]:
    """The rendered messages of a prompt; a missing or unknown input is an error.

    The system messages come first, then each worked example as the question and its answer, then
    the question itself.
    """
    from jinja2 import TemplateError

    for problem, names in (
        ("needs the input", set(prompt.inputs) - set(inputs)),
        ("has no input", set(inputs) - set(prompt.inputs)),
    ):
        if names:
            raise ConfigError(f"prompt {prompt.id}: {problem} '{min(names)}'")
    tag = _Checked(_absent_tag([inputs, *(example.inputs for example in prompt.shown)]))
    templates = [(message, _template(message.content.rstrip("\n"))) for message in prompt.messages]

    def turns(values: Mapping[str, Any], *, system: bool) -> list[Message]:
        values = {**values, TAG: tag}
        try:
            return [
                Message(message.role, template.render(values))
                for message, template in templates
                if (message.role == "system") is system
            ]
        except (TemplateError, *_FAULTS) as error:
            raise ConfigError(f"prompt {prompt.id}: {error}") from None

    shown: list[Message] = []
    for example in prompt.shown:
        shown += turns(example.inputs, system=False)
        shown.append(Message("assistant", example.answer_text))
    return (*turns(inputs, system=True), *shown, *turns(inputs, system=False))


def letter(number: int) -> str:
    """The letter of the choice with this number; its number from 1 where letters do not suffice.

    >>> letter(0), letter(25), letter(26)
    ('A', 'Z', '27')
    """
    return ascii_uppercase[number] if number < len(ascii_uppercase) else str(number + 1)


def variables(prompt: Prompt) -> set[str]:
    """The inputs that a prompt's templates use, as opposed to those it declares."""
    from jinja2 import meta

    contents = [message.content for message in prompt.messages]
    trees = map(_environment().parse, contents)
    return set().union(*map(meta.find_undeclared_variables, trees)) - {TAG}


_FAULTS = (
    TypeError,
    ValueError,
    LookupError,
    ArithmeticError,
    AttributeError,
    SyntaxError,
    RecursionError,
)
"""What the templates of users raise, beside the errors of jinja2."""


class _Checked(str):
    """Text that may be output as it is."""

    __slots__ = ()


def _absent_tag(inputs: object) -> str:
    """The usual tag, or the first numbered one that does not occur in the data."""
    data = "\0".join(strings_in(inputs))
    tags = chain([_USUAL_TAG], (f"{_USUAL_TAG}-{number}" for number in count(2)))
    return next(tag for tag in tags if not re.search(rf"<[^\w<]*{tag}\b", data, re.IGNORECASE))


def _fenced(context: Any, data: Any) -> _Checked:
    """The filter ``data``: texts as they are, anything else as JSON, between the tags."""
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    return _Checked(f"<{context[TAG]}>{text}</{context[TAG]}>")


def _only_checked(value: Any) -> Any:
    if isinstance(value, str) and not isinstance(value, _Checked):
        raise ConfigError(f"a prompt outputs {value[:50]!r} unfenced: write {{{{ ... | data }}}}")
    return value


@lru_cache(maxsize=1024)
def _template(content: str) -> Template:
    return _environment().from_string(content)


def check_prompt(prompt: Prompt, source: str) -> None:
    """Raise ``ConfigError`` for a template that cannot work, or an example that does not fit it."""
    from jinja2 import TemplateSyntaxError

    where = source
    try:
        for number, message in enumerate(prompt.messages):
            where = f"{source}: messages.{number}.content"
            _template(message.content.rstrip("\n"))
    except TemplateSyntaxError as error:
        raise ConfigError(f"{where}: line {error.lineno}: {error.message}") from None
    except _FAULTS as error:
        raise ConfigError(f"{where}: this cannot be a template: {error}") from None
    if unknown := variables(prompt) - set(prompt.inputs):
        raise ConfigError(f"{source}: messages: '{min(unknown)}' is not one of the inputs")
    question = tuple(message for message in prompt.messages if message.role != "system")
    asked = prompt.model_copy(update={"messages": question, "examples": {}})
    asked = asked.model_copy(update={"inputs": tuple(sorted(variables(asked)))})
    try:
        for family, examples in prompt.examples.items():
            for number, example in enumerate(examples):
                where = f"{source}: examples.{family}.{number}"
                not_used = set(prompt.inputs) - set(asked.inputs)
                render(asked, **{k: v for k, v in example.inputs.items() if k not in not_used})
    except ConfigError as error:
        raise ConfigError(f"{where}: {error}") from None


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
    environment.filters["letter"] = lambda number: _Checked(letter(number))
    return environment
