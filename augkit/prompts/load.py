"""Loading prompts: YAML files ``augkit/prompts/<method>/<name>.yaml``, or the user's instead.

A prompt is a system message, worked examples as turns of user and assistant, and the question. All
but the question is the same for every row, so that a server can reuse what it computed for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from itertools import chain
from typing import TYPE_CHECKING

from augkit.core.config import validate
from augkit.core.errors import UnknownName
from augkit.core.protocols import Prompts
from augkit.core.types import digest
from augkit.core.yaml_files import parse_mapping
from augkit.lexicons.label_meanings import Family
from augkit.prompts.prompt import Prompt, strings_in
from augkit.prompts.render import check_prompt

if TYPE_CHECKING:
    from importlib.abc import Traversable

# Code that nothing closes is no template; it is taken to the end, and not read from each brace.
_TEMPLATE_CODE = re.compile(r"\{[{%].*?(?:[%}]\}|\Z)", re.DOTALL)


@dataclass(frozen=True)
class PromptSet:
    """The prompts of a run: the bundled ones, and the user's in their place."""

    replaced: Mapping[str, Prompt] = field(default_factory=dict, hash=False)
    rows_as_examples: int = 0
    """How many rows of the dataset are worked examples where an answer is a label; 0: ours are."""

    def load(self, prompt_id: str, family: Family = "other") -> Prompt:
        """The prompt with this id, with the worked examples of a family of tasks."""
        whole = self.replaced.get(prompt_id)
        return _bundled_for(prompt_id, family) if whole is None else whole.for_family(family)

    def fixed_texts(self, method: str) -> list[str]:
        """All that the prompts of a method say before a question: rules, examples and answers.

        They are in the folder of its name; those of coba-style are in that of coba.
        """
        folders = {method.replace("-", "_"), method.partition("-")[0]}
        ids = [prompt_id for prompt_id in prompt_ids() if prompt_id.partition("/")[0] in folders]
        prompts = [self.replaced.get(prompt_id) or bundled_prompt(prompt_id) for prompt_id in ids]
        texts: list[str] = []
        for prompt in prompts:
            for example in chain.from_iterable(prompt.examples.values()):
                texts += strings_in([*example.inputs.values(), example.answer])
            for message in prompt.messages:
                texts += _TEMPLATE_CODE.split(message.content)
        return texts

    @property
    def digest(self) -> str:
        """Names what differs from the bundled prompts; "" where nothing does."""
        if self == BUNDLED:
            return ""
        return digest(
            str(self.rows_as_examples), *(prompt.name for prompt in self.replaced.values())
        )


BUNDLED = PromptSet()
_ACTIVE: ContextVar[Prompts] = ContextVar("prompts", default=BUNDLED)


@contextmanager
def active_prompts(prompts: Prompts | None) -> Iterator[None]:
    """Inside, ``load_prompt`` takes prompts from this set; None: the bundled ones.

    An augmenter enters its own, so that none of its requests can miss the user's prompts.
    """
    token = _ACTIVE.set(BUNDLED if prompts is None else prompts)
    try:
        yield
    finally:
        _ACTIVE.reset(token)


def current_prompts() -> Prompts:
    """The prompts that ``load_prompt`` takes from."""
    return _ACTIVE.get()


def load_prompt(prompt_id: str, family: Family = "other") -> Prompt:
    """The prompt with this id, as ``load_prompt("judge/label")``: the user's, else the bundled."""
    prompt: Prompt = _ACTIVE.get().load(prompt_id, family)
    return prompt


@lru_cache(maxsize=256)
def bundled_prompt(prompt_id: str) -> Prompt:
    """The bundled prompt with this id, with the examples of all families."""
    files = dict(_files())
    if prompt_id not in files:
        raise UnknownName("prompt", prompt_id, files)
    return parse_prompt(files[prompt_id].read_text(encoding="utf-8"), f"{prompt_id}.yaml")


@lru_cache(maxsize=1024)
def _bundled_for(prompt_id: str, family: Family) -> Prompt:
    return bundled_prompt(prompt_id).for_family(family)


def parse_prompt(text: str, source: str) -> Prompt:
    """Read a prompt's YAML; errors name ``source``."""
    prompt = validate(Prompt, parse_mapping(text, source), source)
    check_prompt(prompt, source)
    return prompt


@lru_cache(maxsize=1)
def prompt_ids() -> tuple[str, ...]:
    """The ids of all bundled prompts."""
    return tuple(sorted(prompt_id for prompt_id, _ in _files()))


def _files() -> Iterator[tuple[str, Traversable]]:
    for folder in resources.files("augkit.prompts").iterdir():
        if folder.is_dir():
            for file in folder.iterdir():
                if file.name.endswith(".yaml"):
                    yield f"{folder.name}/{file.name.removesuffix('.yaml')}", file
