"""A scripted model that follows its prompts, and the server that misbehaves."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from augkit.core.model_types import Request

_MATERIAL = re.compile(r"<(data[-\d]*)>(.*?)</\1>", re.DOTALL)
ANTONYMS = {"wonderful": "dreadful", "loved": "hated", "sleeps": "works", "fine": "poor"}


def material(text: str) -> list[Any]:
    """The data between the tags of a message, parsed where it is JSON."""
    return [_read(inner) for _, inner in _MATERIAL.findall(text)]


def _read(inner: str) -> Any:
    return json.loads(inner) if inner[:1] in {"{", "["} else inner


def _decompose(shown: list[Any]) -> dict[str, Any]:
    triples = []
    for sentence in shown[0]:
        words = sentence["text"].rstrip(".!").split()
        triple = {"subject": words[0], "predicate": words[1], "object": " ".join(words[2:])}
        triples.append({"sentence": sentence["number"], **triple})
    return {"triples": triples}


def _edit(shown: list[Any]) -> dict[str, Any]:
    changed = [
        {key: ANTONYMS.get(value, value) for key, value in triple.items() if key != "part"}
        for triple in shown[2]
    ]
    return {"triples": changed}


def _reconstruct(shown: list[Any]) -> dict[str, Any]:
    def sentence(triple: dict[str, str]) -> str:
        return " ".join(word for word in triple.values() if word) + "."

    return {part["key"]: " ".join(map(sentence, part["triples"])) for part in shown[0]}


def _joint(shown: list[Any]) -> dict[str, Any]:
    changes, written = _flipped(shown[0])
    return {"changes": changes, "texts": [written] * 3}


def _joint_pair(shown: list[Any]) -> dict[str, Any]:
    changes, written = _flipped(shown[1])
    return {"fact": shown[0], **changes[0], "text": written}


def _flipped(text: str) -> tuple[list[dict[str, str]], str]:
    """The words of a text that have antonyms, and the text with these."""
    known = [word for word in ANTONYMS if word in text]
    written = text
    for word in known:
        written = written.replace(word, ANTONYMS[word])
    same = [{"old": text.split(maxsplit=1)[0], "new": text.split(maxsplit=1)[0]}]
    return [{"old": word, "new": ANTONYMS[word]} for word in known] or same, written


def _judge(system: str, text: str) -> str:
    labels = dict(re.findall(r"^(\w)\. <data>(.*?)</data>", system, re.MULTILINE))
    letters = {label: letter for letter, label in labels.items()}
    bad = any(word in text for word in ("dreadful", "hated", "poor"))
    if "negative" in letters:
        return letters["negative" if bad else "positive"]
    return letters["contradiction" if "works" in text else min(letters)]


_ANSWERS: dict[str, Callable[[list[Any]], dict[str, Any]]] = {
    "take texts apart": _decompose,
    "which words of an example decide": lambda shown: {
        "principal": [w for w in ANTONYMS if w in str(shown[0])],
        "spurious": ["Anna", "absent"],
    },
    "turn the opinion of a text around": _joint,
    "change a text so that another label fits": _joint,
    "relates otherwise to a first text": _joint_pair,
    "change statements": _edit,
    "write texts from statements": _reconstruct,
    "carry the style": lambda shown: {"ids": [shown[0][0]["id"]]},
}


def answer(messages: list[tuple[str, str]]) -> str:
    """The answer of the obedient model to a conversation of (role, content)."""
    system = messages[0][1]
    if "label the texts" in system:
        return _judge(system, messages[-1][1])
    made = next(make for sign, make in _ANSWERS.items() if sign in " ".join(system.split()))
    return json.dumps(made(material(messages[-1][1])))


@pytest.fixture
def obedient() -> Callable[[Request], str]:
    """A scripted model that follows its instructions, by a small table of words."""
    return lambda request: answer([(m.role, m.content) for m in request.messages])


@pytest.fixture
def obedient_server() -> Callable[[dict[str, Any]], str]:
    """The same as the answer of a server to the body of a request."""
    return lambda body: answer([(m["role"], m["content"]) for m in body["messages"]])
