"""What a server accepts, discovered from its errors: parameters, their names, output formats.

Servers of the OpenAI chat API differ, and a model may differ from others on the same server. There
is no table of vendors: a request is sent in the best form, and what an error names is left out or
renamed from then on. A refused request is not paid for.
"""

from __future__ import annotations

import json
import logging
import re
import threading
from typing import Any

from augkit.core.model_types import Request
from augkit.llm.choices import choice_tokens
from augkit.llm.openai_api.responses import Problem
from augkit.llm.structured_output import (
    CONSTRAINTS,
    OUTPUT_FORMATS,
    OutputFormat,
    response_format,
    with_schema,
)

OLD_LIMIT = "max_tokens"
NEW_LIMIT = "max_completion_tokens"
TOP_LOGPROBS = 20
REASONING_TOKENS = 2048
"""Room for the hidden reasoning of a model, which counts towards the limit on tokens."""
SUSPICIONS = 2
"""Unexplained failures in a row, in a format that has never worked, before the next is tried."""

_OPTIONAL = ("seed", "top_p", "top_logprobs", "logprobs", "temperature")
"""Parameters that can be left out; where an error names several, the first is."""
_CHANGES_ANSWERS = frozenset({"seed", "top_p", "temperature"})
_UNKNOWN = re.compile(
    r"unsupported|not supported|unrecognized|unknown|unexpected|not permitted|not allowed|extra",
    re.IGNORECASE,
)


class Dialect:
    """The form of requests to one model on one server; all threads share what one has found."""

    def __init__(self, model: str, limit: str = OLD_LIMIT) -> None:
        """Begin with the best form; ``limit`` is the name of the limit on tokens."""
        self._model = model
        self._lock = threading.Lock()
        self._limits = [limit, OLD_LIMIT if limit == NEW_LIMIT else NEW_LIMIT]
        self._omitted: set[str] = set()
        self._schema_without: frozenset[str] = frozenset()
        self.reasoning_tokens = 0
        """Room beyond a request's limit, where the model was seen to reason."""
        self.formats = FormatMemory()

    def payload(self, request: Request, used: OutputFormat) -> dict[str, Any]:
        """The body of a request, with its schema in the output format ``used``."""
        messages = [
            {"role": message.role, "content": message.content}
            for message in with_schema(request, used)
        ]
        most_tokens = request.max_tokens + self.reasoning_tokens
        if request.choices and not self.reasoning_tokens:
            # A choice is short, but not what a model reasons before it.
            most_tokens = min(most_tokens, choice_tokens(request.choices))
        body: dict[str, Any] = {
            "model": self._model,
            "messages": messages,
            "temperature": request.temperature,
            self._limits[0]: most_tokens,
        }
        if request.temperature > 0:
            body["top_p"] = request.top_p
        if request.seed is not None:
            body["seed"] = request.seed
        if request.choices:
            body |= {"logprobs": True, "top_logprobs": TOP_LOGPROBS}
        if wanted := response_format(request, used, self._schema_without):
            body["response_format"] = wanted
        return {name: value for name, value in body.items() if name not in self._omitted}

    def learn(self, problem: Problem, sent: dict[str, Any], used: OutputFormat) -> bool:
        """Whether an error response has shown another form, in which to send the request again."""
        if problem.status in {400, 422} and (
            self._renamed(problem, sent) or self._omits(problem, sent)
        ):
            return True
        if "response_format" not in sent:
            return False
        return (
            (problem.about_format and self._simplifies_schema(problem, sent))
            or (problem.about_format and self.formats.failed(used, certain=True))
            or (problem.status == 500 and self.formats.failed(used, certain=False))
        )

    def _renamed(self, problem: Problem, sent: dict[str, Any]) -> bool:
        """An error that names the other limit, or that does not know the one that was sent."""
        name = next((name for name in (OLD_LIMIT, NEW_LIMIT) if name in sent), "")
        if not name or not (problem.names(OLD_LIMIT) or problem.names(NEW_LIMIT)):
            return False
        asked = problem.names(NEW_LIMIT if name == OLD_LIMIT else OLD_LIMIT)
        if not asked and not _UNKNOWN.search(problem.detail):
            return False
        with self._lock:
            if name == self._limits[0] and len(self._limits) > 1:
                self._limits.pop(0)
            return name != self._limits[0]

    def _omits(self, problem: Problem, sent: dict[str, Any]) -> bool:
        named = [name for name in _OPTIONAL if name in sent and problem.names(name)]
        if not named:
            return False
        name = named[0]
        with self._lock:
            if name not in self._omitted:
                self._omitted |= {name, "top_logprobs"} if name == "logprobs" else {name}
                if name in _CHANGES_ANSWERS:
                    logging.getLogger(__name__).warning(
                        "%s does not accept the parameter '%s'; calls are made without it: %s",
                        *(self._model, name, problem.detail),
                    )
        return True

    def _simplifies_schema(self, problem: Problem, sent: dict[str, Any]) -> bool:
        """Leave out the keywords that an error names, or all where it only speaks of the schema."""
        text = json.dumps(sent["response_format"])
        present = frozenset(name for name in CONSTRAINTS if f'"{name}":' in text)
        named = frozenset(name for name in present if problem.names(name))
        refused = named or (present if "schema" in problem.detail.lower() else frozenset())
        with self._lock:
            self._schema_without |= refused
        return bool(refused)


class FormatMemory:
    """The best output format a server has not rejected; one that has worked once is kept.

    Many threads send at the same time, so each failure names the format it was sent in: it counts
    only where that format is still in use.
    """

    def __init__(self) -> None:
        """Begin with the best format."""
        self._lock = threading.Lock()
        self._index = 0
        self._suspicions = 0
        self._proven = False

    @property
    def current(self) -> OutputFormat:
        """The format for the next request."""
        return OUTPUT_FORMATS[self._index]

    def worked(self, used: OutputFormat) -> None:
        """A reply in this format was valid."""
        with self._lock:
            self._proven |= used == self.current

    def failed(self, used: OutputFormat, *, certain: bool) -> bool:
        """The format caused a failure, or may have; returns whether another one is now in use."""
        with self._lock:
            if used == self.current and not self._proven:
                self._suspicions += SUSPICIONS if certain else 1
                if self._suspicions >= SUSPICIONS:
                    self._index = min(self._index + 1, len(OUTPUT_FORMATS) - 1)
                    self._suspicions = 0
            return used != self.current
