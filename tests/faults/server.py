"""An OpenAI-compatible server on the loopback that misbehaves as told, and counts every call.

``with FaultServer(Behaviour(plan=("429", "ok"))) as server: ... server.url``.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import random
import re
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, NamedTuple

import uvicorn
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from typing_extensions import Self

from augkit.llm.made_up import fitting

FAULTS = (
    "429",
    "429-retry-after",
    "500",
    "timeout",
    "drip",
    "drip-headers",
    "truncated",
    "html",
    "no-choices",
    "bad-json",
    "wrong-schema",
    "refusal",
    "filtered",
    "cut",
    "empty",
    "reset",
    "short-body",
    "echo-key",
)
SLOW = ("timeout", "drip", "drip-headers")
_SCHEMA = re.compile(r"JSON schema, and nothing else:\n(\{.*\})", re.DOTALL)


class Call(NamedTuple):
    """A request as it was received; ``path`` with its query."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


@dataclass(frozen=True)
class Behaviour:
    """What the server does: a fault for each call of ``plan``, then draws from ``mix``, else ok.

    ``formats`` are the kinds of ``response_format`` it takes ("none": without one); another one
    gets ``format_status``. ``answer`` turns a request's body into the text of the answer. After
    ``hold_after`` calls it keeps every further one waiting. No call is answered before
    ``together`` are in flight.
    """

    plan: tuple[str, ...] = ()
    mix: dict[str, float] = field(default_factory=dict)
    seed: int = 0
    latency: float = 0.0
    together: int = 0
    hold_after: int | None = None
    hang: float = 30.0
    retry_after: str = "0.01"
    formats: frozenset[str] = frozenset({"json_schema", "json_object", "none"})
    format_status: int = 400
    format_message: str = "response_format is not supported"
    status: tuple[int, dict[str, Any]] | None = None
    usage: bool | str = True
    """Whether the tokens are counted; a text is sent in their place as it is."""
    answer: Callable[[dict[str, Any]], str | None] | None = None
    logprobs: list[dict[str, float]] | None = None
    """The probabilities of each token and its alternatives, sent where they are asked for."""
    refuse: Callable[[Call], tuple[int, Any] | None] | None = None
    """The error response to a call, or None where the server accepts it."""
    finish: Callable[[dict[str, Any], dict[str, Any]], None] | None = None
    """Changes the completion for a body before it is sent."""


def shuffled_plan(times: int, seed: int) -> tuple[str, ...]:
    """Each fault so many times, the slow ones once, with as many good answers between them."""
    plan = [fault for fault in FAULTS for _ in range(1 if fault in SLOW else times)]
    plan += ["ok"] * len(plan)
    random.Random(seed).shuffle(plan)
    return tuple(plan)


class FaultServer:
    """The server in a thread of this process; a context manager."""

    def __init__(self, behaviour: Behaviour | None = None, port: int = 0) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self.behave(behaviour or Behaviour())
        self._socket = socket.create_server(("127.0.0.1", port), backlog=256)
        self.port = self._socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/v1"
        # A client that is slow to ask again must not meet a connection that is just closing.
        config = uvicorn.Config(
            self,
            lifespan="off",
            log_level="critical",
            ws="none",
            http="h11",
            timeout_keep_alive=3600,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self.serve, daemon=True)

    def behave(self, behaviour: Behaviour) -> None:
        """Behave like this from now on, and begin all counts again."""
        with self._lock:
            self.behaviour = behaviour
            self.bodies: list[dict[str, Any]] = []
            self.paths: list[str] = []
            self.headers: list[dict[str, str]] = []
            self.paid: Counter[str] = Counter()
            self.in_flight = self.peak = 0
            self._assembled, self._released = asyncio.Event(), asyncio.Event()
            self.questions: Counter[str] = Counter()
            self._draw = random.Random(behaviour.seed)

    @property
    def calls(self) -> int:
        """Calls received so far."""
        return self.questions.total()

    def hold_after(self, calls: int) -> None:
        """Answer what waits and so many calls more, and keep all others waiting."""
        with self._lock:
            self.behaviour = replace(self.behaviour, hold_after=self.questions.total() + calls)
            waited_for = self._released
            self._released = asyncio.Event()
        if self._loop is not None:
            self._loop.call_soon_threadsafe(waited_for.set)

    def release(self) -> None:
        """Answer the calls that wait, and all that follow."""
        self._loop.call_soon_threadsafe(self._released.set)

    def serve(self) -> None:
        """Serve until stopped."""
        self._server.run([self._socket])

    def __enter__(self) -> Self:
        """Start, and return when calls are taken."""
        self._thread.start()
        while not self._server.started:
            time.sleep(0.005)
        return self

    def __exit__(self, *_: object) -> None:
        """Stop at once, whatever is under way."""
        self._server.should_exit = True
        self._server.force_exit = True
        self._thread.join(10)
        self._socket.close()

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Answer one request (ASGI)."""
        if scope["type"] != "http":
            return
        self._loop = asyncio.get_running_loop()
        request = Request(scope, receive)
        body = json.loads(await request.body())
        call = Call(f"{request.url.path}?{request.url.query}", dict(request.headers), body)
        self.paths.append(call.path)
        number, fault = self._note(body, call.headers)
        if self.behaviour.refuse is not None and (error := self.behaviour.refuse(call)):
            await JSONResponse(error[1], error[0])(scope, receive, send)
            return
        self.in_flight += 1
        self.peak = max(self.peak, self.in_flight)
        if self.in_flight >= self.behaviour.together:
            self._assembled.set()
        await self._assembled.wait()
        await asyncio.sleep(self.behaviour.latency)
        self.in_flight -= 1
        if self.behaviour.hold_after is not None and number > self.behaviour.hold_after:
            await self._released.wait()
        # uvicorn's send belongs to the cycle that holds the connection.
        response = await self._respond(fault, body, send.__self__.transport)
        if response is not None:
            await response(scope, receive, send)

    def _note(self, body: dict[str, Any], headers: dict[str, str]) -> tuple[int, str]:
        """The number of a call, from 1, and its fault."""
        with self._lock:
            self.bodies.append(body)
            self.headers.append(headers)
            self.questions[question(body)] += 1
            number = len(self.bodies)
            fault = self._fault(number - 1)
        return number, fault

    def _fault(self, number: int) -> str:
        if number < len(self.behaviour.plan):
            return self.behaviour.plan[number]
        draw = self._draw.random()
        for fault, share in self.behaviour.mix.items():
            draw -= share
            if draw < 0:
                return fault
        return "ok"

    async def _respond(self, fault: str, body: dict[str, Any], transport: Any) -> Response | None:
        if self.behaviour.status is not None:
            status, content = self.behaviour.status
            return JSONResponse(content, status)
        asked = body.get("response_format", {}).get("type", "none")
        if asked not in self.behaviour.formats:
            error = {"error": {"message": self.behaviour.format_message}}
            return JSONResponse(error, self.behaviour.format_status)
        if fault == "reset":
            transport.abort()
            return None
        if fault == "timeout":
            await asyncio.sleep(self.behaviour.hang)
            return None
        if fault in {"drip-headers", "short-body"}:
            await _raw(transport, fault, self.behaviour.hang)
            return None
        return self._response(fault, body)

    def _response(self, fault: str, body: dict[str, Any]) -> Response:
        completion = self._completion(fault, body)
        if fault.startswith("429"):
            wait = {"Retry-After": self.behaviour.retry_after} if fault != "429" else {}
            return JSONResponse({"error": {"message": "slow down"}}, 429, wait)
        if fault in {"500", "echo-key"}:
            said = self.headers[-1].get("authorization", "") if fault == "echo-key" else ""
            return JSONResponse({"error": {"message": f"something broke {said}"}}, 500)
        if fault == "html":
            return Response("<html><body>Welcome</body></html>", 200, media_type="text/html")
        if fault == "no-content":
            return Response(status_code=204)
        if fault == "truncated":
            text = json.dumps(completion)
            return Response(text[: len(text) // 2], 200, media_type="application/json")
        if fault == "drip":
            drip = _drip(json.dumps(completion), self.behaviour.hang)
            return StreamingResponse(drip, 200, media_type="application/json")
        if isinstance(self.behaviour.usage, str):
            text = json.dumps({**completion, "usage": "USAGE"})
            text = text.replace('"USAGE"', self.behaviour.usage)
            return Response(text, 200, media_type="application/json")
        return JSONResponse(completion)

    def _completion(self, fault: str, body: dict[str, Any]) -> dict[str, Any]:
        given = self.behaviour.answer(body) if self.behaviour.answer else None
        text = answer(body) if given is None else given
        message: dict[str, Any] = {"role": "assistant", "content": text}
        reason = {"cut": "length", "filtered": "content_filter"}.get(fault, "stop")
        if fault == "bad-json":
            message["content"] = "Sure! Here you are: {"
        elif fault == "wrong-schema":
            message["content"] = '{"something": "else"}'
        elif fault == "refusal":
            message = {"role": "assistant", "content": None, "refusal": "I cannot help with that."}
        elif fault == "cut":
            message["content"] = text[: len(text) // 2]
        elif fault == "empty":
            message["content"] = ""
        completion: dict[str, Any] = {"object": "chat.completion", "model": body["model"]}
        completion["choices"] = [{"index": 0, "message": message, "finish_reason": reason}]
        if self.behaviour.logprobs and body.get("logprobs"):
            completion["choices"][0]["logprobs"] = _logprobs(self.behaviour.logprobs)
        if fault == "no-choices":
            completion["choices"] = []
        if self.behaviour.usage:
            completion["usage"] = usage(body, text)
        self.paid[question(body)] += 1
        if self.behaviour.finish is not None:
            self.behaviour.finish(completion, body)
        return completion


def _logprobs(tokens: list[dict[str, float]]) -> dict[str, Any]:
    entries = [
        [{"token": token, "logprob": math.log(share)} for token, share in alternatives.items()]
        for alternatives in tokens
    ]
    return {"content": [{**entry[0], "top_logprobs": entry} for entry in entries]}


def question(body: dict[str, Any]) -> str:
    """Names what is asked, in whatever form the schema is sent; a retry asks the same."""
    users = [m["content"] for m in body["messages"] if m["role"] != "assistant"]
    users = [text for text in users if not text.startswith("That answer does not fit")]
    return sha256(json.dumps([users, body.get("seed")]).encode()).hexdigest()[:16]


def usage(body: dict[str, Any], text: str) -> dict[str, int]:
    """Words for tokens."""
    asked = sum(len(message["content"].split()) for message in body["messages"])
    return {"prompt_tokens": asked, "completion_tokens": len(text.split())}


def answer(body: dict[str, Any]) -> str:
    """The same answer to the same question, always; it fits the schema that was sent."""
    word = f"answer {question(body)}"
    schema = _schema(body)
    return word if schema is None else json.dumps(fitting(schema, word))


def _schema(body: dict[str, Any]) -> dict[str, Any] | None:
    wanted = body.get("response_format", {})
    schema = wanted.get("json_schema", wanted).get("schema")
    for message in body["messages"]:
        if schema is None and (stated := _SCHEMA.search(message["content"])):
            schema = json.loads(stated.group(1))
    return schema


async def _drip(text: str, seconds: float) -> Any:
    for character in text:
        yield character
        await asyncio.sleep(min(0.05, seconds))


async def _raw(transport: Any, fault: str, seconds: float) -> None:
    if fault == "short-body":
        head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n"
        transport.write(head + b'{"choices": [')
        transport.close()
        return
    transport.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    for _ in range(int(seconds / 0.05)):
        if transport.is_closing():
            return
        transport.write(b"x")
        await asyncio.sleep(0.05)
    transport.abort()


def main() -> None:
    """Serve in the foreground and print the port: a benchmark wants a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--latency", type=float, default=0.0)
    server = FaultServer(Behaviour(latency=parser.parse_args().latency))
    print(server.port, flush=True)  # noqa: T201 - how the parent learns it
    server.serve()


if __name__ == "__main__":
    main()
