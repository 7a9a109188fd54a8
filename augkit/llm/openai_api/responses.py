"""Reading responses of an OpenAI-compatible server: pure functions of status, headers and body."""

from __future__ import annotations

import email.utils
import json
import math
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from augkit.core.characters import printed
from augkit.core.errors import BackendFailed
from augkit.core.model_types import Reply
from augkit.core.types import Cost
from augkit.llm.choices import Position
from augkit.llm.faults import MALFORMED, RATE_LIMITED, REFUSED, SERVER_ERROR, TOO_LONG, failed

MOST_SAID = 500
"""Characters of what a server says."""
MOST_TOKENS = 10**9
"""No call reads or writes so many: a usage beyond it is not believed."""
_ABOUT_FORMAT = re.compile(r"response_format|json_schema|json_object|grammar|schema", re.IGNORECASE)
_ABOUT_LENGTH = re.compile(
    r"context[ _](?:length|window|size)|maximum context|too many tokens|prompt is too long"
    r"|context_length_exceeded",
    re.IGNORECASE,
)
_ABOUT_CONTENT = re.compile(
    r"content_filter|content_policy|content management policy", re.IGNORECASE
)
_TAG = "think|thinking|thought|reasoning"
_REASONING_BEGINS = re.compile(rf"\s*<(?:{_TAG})>", re.IGNORECASE)
_REASONING_ENDS = re.compile(rf"</(?:{_TAG})>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Received:
    """The outcome of a call: status, headers and body, or a fault of the connection."""

    status: int = 0
    headers: Mapping[str, str] | None = None
    body: str = ""
    fault: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """An error response, parsed."""

    status: int
    code: str
    detail: str
    retry_after: float | None
    param: str = ""
    redirects_to: str = ""

    @property
    def about_format(self) -> bool:
        """Whether the server objects to the output format."""
        return self.status in {400, 422, 500, 501} and bool(_ABOUT_FORMAT.search(self.detail))

    def names(self, parameter: str) -> bool:
        """Whether the server objects to this parameter by its name."""
        return self.param == parameter or bool(re.search(rf"\b{parameter}\b", self.detail))

    def reply(self, model: str, server: str) -> Reply:
        """A fault of this request, or ``BackendFailed`` where every other would fail as well."""
        if self.status == 429 and self.code != "insufficient_quota":
            return failed(RATE_LIMITED, self.detail, self.retry_after)
        if self.status in {408, 409, 425} or not 300 <= self.status < 500:
            return failed(SERVER_ERROR, f"{self.status} {self.detail}", self.retry_after)
        refusal = f"{self.code} {self.detail}" if self.status in {400, 422} else ""
        if self.status == 413 or _ABOUT_LENGTH.search(refusal):
            return failed(TOO_LONG, self.detail)
        if _ABOUT_CONTENT.search(refusal):
            return failed(REFUSED, self.detail)
        if self.status < 400:
            raise BackendFailed(
                f"{server} redirects to another address ({self.status}): "
                f"{self.redirects_to or 'none given'}. Texts and keys are sent to no address but "
                "the one that you give. If that is the right one, give it with --base-url"
            )
        raise BackendFailed(
            f"{server} {self._explained(model)}: {self.detail or 'no reason given'}"
        )

    def _explained(self, model: str) -> str:
        explanations = {
            401: "rejects the API key (401). Set OPENAI_API_KEY (for Azure AZURE_OPENAI_API_KEY) "
            "to a valid one. Message",
            402: "payment required (402). Message",
            403: "denies access (403). Use a key with the permission. Message",
            404: f"has no model '{model}' or no chat API at this address (404). Check the name "
            "of the model and --base-url, which usually ends in /v1. Message",
            429: "reports that the account has no quota left. Add credit, then --resume. Message",
        }
        return explanations.get(self.status, f"rejects the request ({self.status}). Message")


def read_status(received: Received) -> Problem:
    """Parse an error response; servers put the reason in several places."""
    error = _error_object(received.body)
    message = error.get("message") or error.get("detail") or received.body
    code = error.get("code") or error.get("type") or ""
    detail = message if isinstance(message, str) else json.dumps(message)
    headers = received.headers or {}
    return Problem(
        status=received.status,
        code=str(code),
        detail=shorten(detail),
        retry_after=retry_after(headers),
        param=str(error.get("param") or ""),
        redirects_to=shorten(headers.get("redirects-to", "")),
    )


def shorten(text: str) -> str:
    """What a server says, short enough for a message."""
    return printed(" ".join(text[:MOST_SAID].split()))


class Completion(NamedTuple):
    """A chat completion: the reply, whether it reached max_tokens, whether the model reasoned.

    ``odd_usage`` is a usage that cannot be: it counts as not reported.
    """

    reply: Reply
    truncated: bool = False
    reasoned: bool = False
    odd_usage: str = ""


def read_body(body: str) -> Completion:
    """The text and the cost of a chat completion.

    Servers have sent truncated JSON, a web page and an empty list of choices with status 200.
    """
    try:
        data = _loads(body)
    except (ValueError, RecursionError):
        detail = f"truncated or broken JSON: {body[:100]!r}"
        if body.lstrip()[:1] == "<":
            detail = "a web page instead of JSON. Check --base-url, which usually ends in /v1"
        return Completion(failed(MALFORMED, detail))
    choice = _at(data, "choices", 0)
    message = _at(choice, "message")
    if not isinstance(message, dict):
        return Completion(failed(MALFORMED, f"no choices in {body[:200]!r}"))
    cost = read_cost(data)
    ended = choice.get("finish_reason")
    if message.get("refusal") or ended == "content_filter":
        detail = shorten(str(message.get("refusal") or "content filter")[:300])
        return Completion(Reply(fault=REFUSED, detail=detail, cost=cost))
    written = _text_of(message.get("content"))
    text = without_reasoning(written)
    prompt_cached = _at(data, "usage", "prompt_tokens_details", "cached_tokens")
    if prompt_cached is None:  # as llama.cpp reports it
        prompt_cached = _at(data, "timings", "cache_n")
    reply = Reply(text, cost=cost, prompt_cached=_count(prompt_cached))
    counted = _count(_at(data, "usage", "completion_tokens_details", "reasoning_tokens"))
    hidden = message.get("reasoning_content") or message.get("reasoning")
    reasoned = bool(counted or hidden or text != written)
    return Completion(reply, ended == "length", reasoned, odd_usage(data))


def without_reasoning(text: str) -> str:
    """The answer after a reasoning part in tags; the opening tag may be in the chat template.

    >>> without_reasoning("<think>Is it? Yes.</think> Fine.")
    'Fine.'
    """
    opened = _REASONING_BEGINS.match(text)
    closed = _REASONING_ENDS.search(text)
    if closed is not None and (opened or "<" not in text[: closed.start()]):
        return text[closed.end() :].lstrip()
    return "" if opened else text


def read_positions(body: str) -> list[Position]:
    """The tokens of a chat completion with their log-probabilities; none where it has none."""
    try:
        content = json.loads(body)["choices"][0]["logprobs"]["content"]
        ends = [n for n, token in enumerate(content, 1) if _REASONING_ENDS.search(token["token"])]
        return [
            Position(
                token["token"],
                {top["token"]: float(top["logprob"]) for top in token["top_logprobs"]},
            )
            for token in content[ends[-1] if ends else 0 :]
        ]
    except (ValueError, LookupError, TypeError):
        return []


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds the server asks to wait, given as a number, in milliseconds or as a date.

    >>> retry_after({"retry-after": "2.5"})
    2.5
    """
    for name, divisor in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) / divisor
        except ValueError:
            continue
        return None if math.isnan(seconds) else max(0.0, seconds)
    date = email.utils.parsedate_tz(headers.get("retry-after", "")[:MOST_SAID])
    try:
        return None if date is None else max(0.0, email.utils.mktime_tz(date) - time.time())
    except (ValueError, OverflowError):  # a year or a time of day that no clock shows
        return None


def _error_object(body: str) -> dict[str, Any]:
    try:
        data = _loads(body)
    except (ValueError, RecursionError):
        return {}
    if isinstance(data, list) and data:
        data = data[0]
    error = data.get("error", data) if isinstance(data, dict) else data
    return error if isinstance(error, dict) else {"message": str(error)}


def read_cost(data: Any) -> Cost:
    """Tokens as the server counted them; none where it reports no usage, or one that cannot be."""
    usage = _at(data, "usage")
    if not isinstance(usage, dict) or odd_usage(data):
        return Cost(calls=1)
    return Cost(1, _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens")))


def odd_usage(data: Any) -> str:
    """The first count of a usage that no call can have, in words; "" where there is none.

    >>> odd_usage({"usage": {"prompt_tokens": 12, "completion_tokens": -3}})
    'completion_tokens: -3'
    """
    usage = _at(data, "usage")
    for name in ("prompt_tokens", "completion_tokens") if isinstance(usage, dict) else ():
        value = usage.get(name)
        if value is not None and _count(value) != value:
            return f"{name}: {str(value)[:40]}"
    return ""


def _count(value: object) -> int:
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_TOKENS
    return int(value) if is_count else 0  # type: ignore[call-overload] # it is an int


def _loads(body: str) -> Any:
    """JSON; an integer with more digits than Python reads is a float, which no count is."""
    try:
        return json.loads(body)
    except json.JSONDecodeError:
        raise
    except ValueError:
        return json.loads(body, parse_int=float)


def _at(data: Any, *path: str | int) -> Any:
    """What stands at a path of keys and indices; None where there is nothing."""
    for step in path:
        holder = dict if isinstance(step, str) else list
        if not isinstance(data, holder) or (isinstance(data, list) and not data):
            return None
        data = data.get(step) if isinstance(data, dict) else data[0]
    return data


def _text_of(content: object) -> str:
    """The text of a string or of a list of parts."""
    if isinstance(content, list):
        texts = [part.get("text") for part in content if isinstance(part, dict)]
        content = "".join(text for text in texts if isinstance(text, str))
    return content if isinstance(content, str) else ""
