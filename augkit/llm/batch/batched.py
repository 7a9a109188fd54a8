"""``Batched``: all requests of a step in one batch, submitted once, collected when it has ended.

It stands in the place of ``Budgeted`` and a back end. A run that does not wait stops with
``BatchPending``; when it is resumed, every step asks the same requests again, finds those that were
submitted, and goes on.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from augkit.core.errors import BackendFailed, BatchPending
from augkit.core.model_types import Reply, Request
from augkit.core.types import FREE
from augkit.llm.batch.server import BatchServer, BatchState
from augkit.llm.batch.table import Batch, BatchTable, Line
from augkit.llm.faults import REFUSED, SERVER_ERROR, failed
from augkit.llm.openai_api.chat import Form, OpenAIChat
from augkit.llm.openai_api.responses import Received
from augkit.llm.reply_store import key_of
from augkit.llm.wrappers.budget import Budget

MOST_LINES = 50_000
MOST_BYTES = 100_000_000
"""What one batch may hold at OpenAI; its limit in bytes is twice this."""
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""Seconds between two looks at a batch, while a run waits for it."""


@dataclass
class Batched:
    """One model through the batch end of its server."""

    chat: OpenAIChat
    server: BatchServer
    table: BatchTable
    budget: Budget
    wait: bool = False
    sleep: Callable[[float], None] = time.sleep
    _asked: Counter[str] = field(default_factory=Counter)
    """How often each request was asked in this process: a retry is a line of its own."""

    def generate(self, requests: Sequence[Request]) -> list[Reply]:
        """One reply per request, after their batches have ended; else ``BatchPending``."""
        ids = []
        for request in requests:
            key = key_of(self.chat.identity, request).full
            self._asked[key] += 1
            ids.append(f"{key}-{self._asked[key]}")
        self._recover()
        request_of = dict(zip(ids, requests, strict=True))
        forms = {name: self.chat.form(request) for name, request in request_of.items()}
        recorded = self.table.lines(ids)
        if new := {name: request_of[name] for name in ids if name not in recorded}:
            self._submit(new, forms)
        self._collect(ids)
        lines = self.table.lines(ids)
        read = self._read([(request_of[name], forms[name], lines[name]) for name in ids])
        replies = []
        for name, reply in zip(ids, read, strict=True):
            line = lines[name]
            replies.append(self.budget.settle(None if line.settled else line.entry, reply))
            if not line.settled:
                self.table.settle(line)
        return replies

    def _recover(self) -> None:
        """Find batches that were being submitted when the run was killed, or forget them."""
        for batch in self.table.open_batches(self.chat.identity):
            if not batch.remote:
                if remote := self.server.find(batch.id, batch.created):
                    self.table.confirm(batch, remote)
                else:
                    self._forget(batch)

    def _forget(self, batch: Batch) -> None:
        """Nothing of it was served, and its lines can be submitted again."""
        for line in self.table.remove(batch):
            self.budget.spending.settle(line.entry, FREE)

    def _submit(self, requests: dict[str, Request], forms: dict[str, Form]) -> None:
        """Reserve the most that all can cost, then send them in as few batches as are allowed."""
        entries = self.budget.reserve([*requests.values()], self.chat.reasoning_tokens)
        entry_of = dict(zip(requests, entries, strict=True))
        # All are recorded before the first is sent: what is reserved for them is then found again.
        recorded = [
            (self.table.add(self.chat.identity, names, [entry_of[name] for name in names]), names)
            for names in _parts({name: forms[name] for name in requests})
        ]
        for batch, names in recorded:
            remote = self.server.submit(batch.id, {name: forms[name].body for name in names})
            self.table.confirm(batch, remote)

    def _collect(self, ids: Sequence[str]) -> None:
        """Record the answers of batches that have ended, until none of these lines is open."""
        pause = FIRST_PAUSE
        while unanswered := {
            line.batch for line in self.table.lines(ids).values() if line.status is None
        }:
            batches = self.table.open_batches(self.chat.identity)
            states = [(batch, self._look(batch)) for batch in batches if batch.id in unanswered]
            waiting = [(batch, state) for batch, state in states if not state.ended]
            if waiting and not self.wait:
                progress = ", ".join(
                    f"{batch.remote} ({state.status}, {state.answered} of {state.total} answered)"
                    for batch, state in waiting
                )
                raise BatchPending(
                    f"{self.chat.server} has the requests of this step in a batch and answers "
                    f"within 24 hours: {progress}. Continue with the same command and --resume; "
                    "with --batch-wait it waits here"
                )
            if waiting:
                self.sleep(pause)
                pause = min(1.5 * pause, LONGEST_PAUSE)

    def _look(self, batch: Batch) -> BatchState:
        state = self.server.state(batch.remote)
        if state.status == "failed":
            self._forget(batch)
            raise BackendFailed(
                f"{self.chat.server} refuses the batch {batch.remote}, so nothing was served: "
                f"{state.problem or 'no reason given'}. --resume submits it again"
            )
        if state.ended:
            self.table.answer(batch, self.server.results(state))
        return state

    def _read(self, rows: Sequence[tuple[Request, Form, Line]]) -> list[Reply]:
        """Replies; what would end a run of single calls ends this one only if all lines failed."""
        answers = [self._reply(*row) for row in rows]
        errors = [answer for answer in answers if isinstance(answer, BackendFailed)]
        if errors and len(errors) == len(rows):
            raise errors[0]
        return [
            failed(REFUSED, str(answer)) if isinstance(answer, BackendFailed) else answer
            for answer in answers
        ]

    def _reply(self, request: Request, form: Form, line: Line) -> Reply | BackendFailed:
        if not line.status:
            error = json.loads(line.body or "{}").get("error") or {}
            reason = error.get("message") or error.get("code") or "expired or cancelled"
            return failed(SERVER_ERROR, f"the batch ended without an answer ({reason})")
        try:
            return self.chat.read(request, form, Received(status=line.status, body=line.body))
        except BackendFailed as error:
            return error


def _parts(forms: dict[str, Form]) -> Iterator[list[str]]:
    """Names of lines that fit into one batch each."""
    names: list[str] = []
    size = 0
    for name, form in forms.items():
        length = len(json.dumps(form.body)) + 200
        if names and (len(names) == MOST_LINES or size + length > MOST_BYTES):
            yield names
            names, size = [], 0
        names.append(name)
        size += length
    yield names
