"""The user's own prompts and worked examples, checked before any of them is used.

A folder has the tree of ``augkit/prompts``: its ``judge/label.yaml`` replaces ours. Examples
replace those of a prompt by its id, for all families of tasks or for some.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from pydantic import Field

from augkit.core.config import StrictModel, validate
from augkit.core.errors import ConfigError, UnknownName
from augkit.core.yaml_files import read_yaml, utf8_text
from augkit.prompts.load import PromptSet, bundled_prompt, parse_prompt, prompt_ids
from augkit.prompts.prompt import Examples, Prompt, PromptExample
from augkit.prompts.render import check_prompt

_FROM_DATA = re.compile(r"data:([1-9]\d?)")


class _UserExamples(StrictModel):
    examples: Examples = Field(min_length=1)


def read_prompts(
    folder: Path | None = None, examples: str | Mapping[str, Any] | None = None
) -> PromptSet:
    """The bundled prompts, with the files of a folder and with examples in place of ours.

    Args:
        folder: Your prompts, as files with the paths of the bundled ones.
        examples: A mapping from prompt ids, a YAML file that holds one, or ``data:3``: three rows
            of the dataset for each prompt whose answer is a label.
    """
    replaced = {} if folder is None else _read_folder(folder)
    source = "examples"
    if isinstance(examples, str):
        if drawn := _FROM_DATA.fullmatch(examples):
            return PromptSet(replaced, int(drawn[1]))
        if examples.startswith("data:"):
            raise ConfigError(f"examples: {examples}: expected a number from 1 to 99 after data:")
        source = examples
        examples = read_yaml(Path(examples))
    for prompt_id, user_examples in (examples or {}).items():
        prompt = replaced.get(prompt_id) or _bundled(prompt_id, source)
        where = f"{source}: {prompt_id}"
        by_task = validate(_UserExamples, {"examples": user_examples}, where).examples
        if not isinstance(user_examples, list | tuple):  # of some families: ours stay for others
            by_task = {**prompt.examples, **by_task}
        changed = prompt.model_copy(update={"examples": by_task})
        check_prompt(changed, where)
        _check_answers(changed, prompt, where)
        replaced[prompt_id] = changed
    return PromptSet(replaced)


def _read_folder(folder: Path) -> dict[str, Prompt]:
    paths = sorted(folder.rglob("*.yaml"))
    if not paths:
        raise ConfigError(f"{folder}: no prompt files in it (METHOD/NAME.yaml)")
    read = {}
    for path in paths:
        prompt_id = path.relative_to(folder).with_suffix("").as_posix()
        read[prompt_id] = _read_file(path, _bundled(prompt_id, str(path)))
    return read


def _read_file(path: Path, ours: Prompt) -> Prompt:
    """The user's file; it must take the inputs that the method gives."""
    prompt = parse_prompt(utf8_text(path), str(path))
    if prompt.id != ours.id:
        raise ConfigError(f"{path}: id: expected '{ours.id}', as its path, got '{prompt.id}'")
    if set(prompt.inputs) != set(ours.inputs):
        inputs = ", ".join(ours.inputs)
        raise ConfigError(f"{path}: inputs: the method gives exactly {inputs}")
    _check_answers(prompt, ours, str(path))
    # Ours show whether the templates work where the file has no examples of its own.
    check_prompt(prompt.model_copy(update={"examples": ours.examples}), str(path))
    return prompt


def _check_answers(prompt: Prompt, ours: Prompt, source: str) -> None:
    """Raise for an answer of another shape than those of our examples."""
    expected = {_shape(example) for example in chain.from_iterable(ours.examples.values())}
    for family, examples in prompt.examples.items():
        for number, example in enumerate(examples):
            if expected and _shape(example) not in expected:
                keys = " or ".join(" and ".join(keys) or "a word" for keys in sorted(expected))
                raise ConfigError(f"{source}: examples.{family}.{number}.answer: expected {keys}")


def _shape(example: PromptExample) -> tuple[str, ...]:
    return () if isinstance(example.answer, str) else tuple(example.answer)


def _bundled(prompt_id: str, source: str) -> Prompt:
    try:
        return bundled_prompt(prompt_id)
    except UnknownName:
        ids = ", ".join(prompt_ids())
        raise ConfigError(
            f"{source}: there is no prompt '{prompt_id}' to replace. Known: {ids}"
        ) from None
