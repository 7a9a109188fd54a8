"""The texts of candidates: strings, or the last messages of conversations with one beginning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from augkit.core.errors import DataError
from augkit.datasets.readers.blocks import kind_of
from augkit.datasets.shapes.texts import ROLES, Chat, is_chat, same_role

_ANSWER = Chat(("assistant",))
_ALL = Chat(("system", "user", "assistant"))
_TURN = "\n\nAssistant:"
"""Before an answer, where a conversation is written as one text."""
_TEXTS = ("text", "response", "content", "output", "completion", "answer")


@dataclass(frozen=True, slots=True)
class CandidateTexts:
    """What the candidates of a row share, and the text of each."""

    shared: str
    texts: tuple[str, ...]


def read_candidates(values: Sequence[Any], *, has_prompt: bool) -> CandidateTexts:
    """The texts of the candidates of one row, which are of one kind.

    Conversations are read from where they begin to differ. Of strings without a prompt the shared
    dialogue up to the last "Assistant:" is the prompt.
    """
    if len(values) < 2:
        raise DataError(f"a choice needs two candidates, and there is {len(values)}")
    if all(isinstance(candidate, str) for candidate in values):
        start = 0 if has_prompt else _answer_start(values)
        texts = tuple(candidate[start:] for candidate in values)
        return CandidateTexts(values[0][:start], texts)
    if all(is_chat(candidate) for candidate in values):
        start = _shared_messages(values)
        shared, _ = _ALL.read(values[0][:start])
        texts = tuple(_answer(candidate[start:]) for candidate in values)
        return CandidateTexts(shared, texts)
    if all(isinstance(candidate, dict) for candidate in values):
        return CandidateTexts("", tuple(str(part[text_key(part)]) for part in values))
    kinds = ", ".join(dict.fromkeys(kind_of(candidate) for candidate in values))
    raise DataError(f"candidates are texts, or all of them lists of messages; found {kinds}")


def write_candidates(
    values: Sequence[Any], read: CandidateTexts, texts: Sequence[str]
) -> list[Any]:
    """The values of candidates with these texts, in the shape of the ones that were read."""
    written = []
    for number, text in enumerate(texts):
        place = min(number, len(values) - 1)
        if text in read.texts:  # as it was, though perhaps at another place
            written.append(values[read.texts.index(text)])
        elif isinstance(values[place], str):
            written.append(read.shared + text)
        elif isinstance(values[place], dict):
            written.append({**values[place], text_key(values[place]): text})
        else:
            written.append(_with_answer(values[place], _shared_messages(values), text))
    return written


def prompt_text(value: Any) -> str:
    """A prompt as one text: a string, or the messages of a conversation."""
    if isinstance(value, str):
        return value
    if is_chat(value):
        return _ALL.read(value)[0]
    if value is None:
        return ""
    raise DataError(f"a prompt is a text or a list of messages; found {kind_of(value)}")


def text_key(candidate: Mapping[str, Any]) -> str:
    """The key of the text in a candidate that is an object."""
    for key in _TEXTS:
        if isinstance(candidate.get(key), str):
            return key
    raise DataError(
        f"a candidate has no text: it has {', '.join(candidate)}, and a text is called "
        f"{', '.join(_TEXTS)}"
    )


def _answer_start(texts: Sequence[str]) -> int:
    turn = texts[0].rfind(_TURN, 0, _shared_length(texts))
    return 0 if turn < 0 else turn + len(_TURN)


def _shared_messages(conversations: Sequence[Sequence[Any]]) -> int:
    """How many messages the conversations have in common; the last one is always an answer."""
    return min(_shared_length(conversations), *(len(messages) - 1 for messages in conversations))


def _shared_length(sequences: Sequence[Sequence[Any]]) -> int:
    """How many parts at the beginning are the same in all.

    >>> _shared_length(["abcd", "abx"])
    2
    """
    shortest = min(map(len, sequences))
    parts = zip(*sequences, strict=False)
    differ = (n for n, same in enumerate(parts) if any(part != same[0] for part in same))
    return next(differ, shortest)


def _answer(messages: list[Any]) -> str:
    text, fault = _ANSWER.read(messages)
    roles = {same_role(str(message.get(key))) for message in messages for key in ROLES}
    if fault and "assistant" not in roles:
        raise DataError("a candidate has no message of the role assistant")
    return text


def _with_answer(messages: list[Any], start: int, text: str) -> list[Any]:
    """The conversation with another answer; one of several messages cannot be told apart."""
    answers = [
        message
        for message in messages[start:]
        if any(same_role(str(message.get(key))) == "assistant" for key in ROLES)
    ]
    if len(answers) != 1:
        raise DataError(
            f"a candidate of {len(answers)} messages cannot be changed: which part is whose?"
        )
    return [*messages[:start], *_ANSWER.write(messages[start:], text, [])]
