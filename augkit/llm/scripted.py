"""``scripted:PATH``: replies recorded by a run or written by hand. No network, no cost."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from augkit.core.config import StrictModel, validate
from augkit.core.errors import BackendFailed, ConfigError
from augkit.core.json_files import parse_json
from augkit.core.model_types import Reply, Request
from augkit.core.protocols import LLM, Backend
from augkit.core.types import Cost, digest
from augkit.llm.database import decoded
from augkit.llm.faults import NO_RECORD, failed
from augkit.llm.reply_store import key_of, read_reply
from augkit.llm.settings import ConnectOptions
from augkit.llm.structured_output import read_answer

Answers = Callable[[Request], "str | Reply | None"]

_IN_RUN = Path("work") / "llm.sqlite"
_SQLITE_HEADER = b"SQLite format 3\x00"


def connect(argument: str, options: ConnectOptions) -> LLM:  # noqa: ARG001 - the signature of all back ends
    """Replay a run folder, its sqlite file, or a JSONL file of matches and replies."""
    path = Path(argument).expanduser()
    path = path / _IN_RUN if path.is_dir() else path
    if not argument or not path.is_file():
        raise ConfigError(
            f"scripted: no file '{path}'. Give a run folder, its work/llm.sqlite, or a JSONL "
            'file with lines {"match": "part of the last message", "reply": "..."}'
        )
    with path.open("rb") as file:
        recorded = file.read(len(_SQLITE_HEADER)) == _SQLITE_HEADER
    stat = path.stat()
    file_version = digest(str(path.resolve()), str(stat.st_size), str(stat.st_mtime_ns))
    answers = _replay(path) if recorded else _matching(path)
    return Scripted(answers, identity=f"scripted:{file_version}")


class Scripted(Backend):
    """Replies from a list, in order, or from a function of the request.

    Tokens are counted as words, so that costs add up in tests. The function returns a text, a
    whole ``Reply``, or None where it has no answer.
    """

    model = "scripted"
    batch_size = 256
    local = True

    def __init__(self, answers: Sequence[str] | Answers, identity: str = "scripted") -> None:
        """Use ``answers``; ``identity`` distinguishes scripts in a cache."""
        self.identity = identity
        self._answers = answers if callable(answers) else _in_order(answers)

    def generate(self, requests: Sequence[Request]) -> list[Reply]:
        """One reply per request; a request without a match gets a fault."""
        return [self._reply(request) for request in requests]

    def _reply(self, request: Request) -> Reply:
        answer = self._answers(request)
        if answer is None:
            last = request.messages[-1].content if request.messages else ""
            return failed(NO_RECORD, f"nothing in the script matches {last[-200:]!r}")
        if isinstance(answer, str):
            words = sum(len(message.content.split()) for message in request.messages)
            cost = Cost(1, max(1, words), max(1, len(answer.split())))
            return read_answer(request, Reply(answer, cost=cost))
        return answer if answer.fault else read_answer(request, answer)


def _in_order(answers: Sequence[str]) -> Answers:
    lock = threading.Lock()
    remaining = iter(answers)

    def next_answer(_: Request) -> str | None:
        with lock:
            return next(remaining, None)

    return next_answer


def _replay(path: Path) -> Answers:
    """Requests are found whichever model answered them."""
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            connection.text_factory = decoded
            rows = connection.execute("SELECT question, reply FROM replies").fetchall()
    except sqlite3.Error as error:
        raise BackendFailed(f"scripted: {path} holds no recorded replies ({error})") from error
    recorded = {question: read_reply(text) for question, text in rows}
    return lambda request: recorded.get(key_of("", request).question)


class _Line(StrictModel):
    match: str
    reply: str | dict[str, Any] | list[Any]


def _matching(path: Path) -> Answers:
    try:
        texts = path.read_text(encoding="utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise ConfigError(f"scripted: {path} is neither sqlite nor UTF-8 JSONL") from error
    lines = [_line(text, f"{path}:{n}") for n, text in enumerate(texts, 1) if text.strip()]

    def first_match(request: Request) -> str | None:
        last = request.messages[-1].content if request.messages else ""
        reply = next((line.reply for line in lines if line.match in last), None)
        if reply is None or isinstance(reply, str):
            return reply
        return json.dumps(reply, ensure_ascii=False)

    return first_match


def _line(text: str, where: str) -> _Line:
    values = parse_json(text, where, ConfigError, whole=False)
    if not isinstance(values, dict):
        raise ConfigError(f'{where}: expected {{"match": ..., "reply": ...}}')
    return validate(_Line, values, where)
