"""Texts that are no string: a list of tokens, the options of a question, the messages of a chat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from augkit.core.edits import LabelledSpan
from augkit.core.options import BETWEEN

ROLES = ("role", "from")
_CONTENTS = ("content", "value", "text")
EVERY_ROLE = "all"
"""What stands for every role among the roles of a chat."""
_SAME_ROLE = {"human": "user", "gpt": "assistant", "model": "assistant"}


@dataclass(frozen=True, slots=True)
class TokenList:
    """A list of tokens, read with a space between them."""

    def read(self, value: Any) -> tuple[str, str]:
        """The text, and what is wrong with it."""
        if not isinstance(value, list) or not all(isinstance(token, str) for token in value):
            return "", "tokens are not a list of texts"
        text = " ".join(value)
        return text, "" if text.split() == value else "a token is empty or holds a space"

    def boundaries(self, field: str, value: Any) -> list[LabelledSpan]:
        """None: edits may join and split tokens."""
        del field, value
        return []

    def write(self, value: Any, text: str, boundaries: Sequence[LabelledSpan]) -> list[str]:
        """The tokens of a variant."""
        del value, boundaries
        return text.split()


@dataclass(frozen=True, slots=True)
class OptionList:
    """The options of a multiple-choice question, with an empty line between them."""

    def read(self, value: Any) -> tuple[str, str]:
        """The text, and what is wrong with it."""
        if not is_token_list(value) or len(value) < 2:
            return "", "options are not a list of two or more texts"
        if not all(text.strip() and BETWEEN not in text for text in value):
            return "", "an option is empty or holds an empty line"
        return BETWEEN.join(value), ""

    def boundaries(self, field: str, value: Any) -> list[LabelledSpan]:
        """The space between options."""
        return _boundaries(field, value)

    def write(self, value: Any, text: str, boundaries: Sequence[LabelledSpan]) -> list[str]:
        """The options of a variant."""
        del value
        return _cut(text, boundaries)


@dataclass(frozen=True, slots=True)
class Chat:
    """A list of messages, of which those of some roles are read, one after the other."""

    roles: tuple[str, ...]

    def read(self, value: Any) -> tuple[str, str]:
        """The text, and what is wrong with it."""
        if not isinstance(value, list) or not all(isinstance(part, dict) for part in value):
            return "", "messages are not a list of objects"
        texts = [holder[key] for holder, key in self._places(value)]
        fault = "" if texts else f"no text of the role {' or '.join(self.roles)}"
        return BETWEEN.join(texts), fault

    def boundaries(self, field: str, value: Any) -> list[LabelledSpan]:
        """The space between messages."""
        return _boundaries(field, [holder[key] for holder, key in self._places(value)])

    def write(self, value: Any, text: str, boundaries: Sequence[LabelledSpan]) -> list[Any]:
        """The messages of a variant; those of other roles are as they were."""
        messages: list[Any] = deepcopy(value)
        parts = _cut(text, boundaries)
        for (holder, key), part in zip(self._places(messages), parts, strict=True):
            holder[key] = part
        return messages

    def _places(self, messages: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], str]]:
        """Where the texts of the chosen roles are: an object and its key."""
        for message in messages:
            role = next((str(message[key]) for key in ROLES if key in message), "")
            key = next((key for key in _CONTENTS if key in message), None)
            if key is None or not {same_role(role), EVERY_ROLE} & {*self.roles}:
                continue
            parts = message[key]
            for holder in parts if isinstance(parts, list) else [message]:
                name = "text" if holder is not message else key
                text = holder.get(name) if isinstance(holder, dict) else None
                if isinstance(text, str) and text.strip():
                    yield holder, name


def _boundaries(field: str, parts: Sequence[str]) -> list[LabelledSpan]:
    """The space between the parts of a text; an edit over it is an edit over two parts."""
    spans = []
    end = 0
    for part in parts[:-1]:
        start = end + len(part)
        end = start + len(BETWEEN)
        spans.append(LabelledSpan(field, start, end, column="", kind="boundary"))
    return spans


def _cut(text: str, boundaries: Sequence[LabelledSpan]) -> list[str]:
    """The parts of a text."""
    starts = [0, *(span.end for span in boundaries)]
    ends = [*(span.start for span in boundaries), len(text)]
    return [text[start:end] for start, end in zip(starts, ends, strict=True)]


def same_role(role: str) -> str:
    """One name for the names of a role: "human" is "user"."""
    return _SAME_ROLE.get(role, role)


def is_chat(value: Any) -> bool:
    """Whether this is a list of messages with roles."""
    return _is_filled(value) and all(
        isinstance(message, dict) and any(key in message for key in ROLES) for message in value
    )


def is_token_list(value: Any) -> bool:
    """Whether this is a list of texts."""
    return _is_filled(value) and all(isinstance(token, str) for token in value)


def _is_filled(value: Any) -> bool:
    return isinstance(value, list) and bool(value)
