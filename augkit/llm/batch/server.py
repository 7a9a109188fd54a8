"""The batch end of a server with the OpenAI API: ``/files`` and ``/batches``."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from augkit.core.errors import BackendFailed

if TYPE_CHECKING:
    from openai import OpenAI

ENDPOINT: Literal["/v1/chat/completions"] = "/v1/chat/completions"
TAG = "augkit"
"""The key of the metadata by which a batch is found again."""
TRANSFER_SECONDS = 600.0
TRIES = 4
"""Retries of calls that change nothing. A batch is created by one call, never by two."""
PAST_SECONDS = 3600.0
"""Batches this much older than ours cannot be ours; clocks differ."""
_ENDED = frozenset({"completed", "failed", "expired", "cancelled"})

Client = Callable[[], AbstractContextManager["OpenAI"]]


class BatchState(NamedTuple):
    """Where a batch stands; ``files`` are those of its results, ``problem`` why it failed."""

    status: str
    answered: int
    total: int
    files: tuple[str, ...] = ()
    problem: str = ""

    @property
    def ended(self) -> bool:
        """Whether no more lines will be answered."""
        return self.status in _ENDED


class BatchServer:
    """Uploads requests, creates batches and downloads results; errors are ``BackendFailed``."""

    def __init__(self, client: Client, name: str, mask: Callable[[str], str]) -> None:
        """Use clients of the openai package; ``mask`` hides the key in what a server sends."""
        self._client = client
        self._name = name
        self._mask = mask

    def submit(self, tag: str, bodies: Mapping[str, dict[str, Any]]) -> str:
        """Create a batch of these bodies by line id; returns the server's id for it."""
        lines = (
            {"custom_id": name, "method": "POST", "url": ENDPOINT, "body": body}
            for name, body in bodies.items()
        )
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        content = text.encode("utf-8", "replace")
        with self._calls(retries=TRIES) as client:
            file = client.files.create(file=(f"{tag}.jsonl", content), purpose="batch")
        with self._calls(retries=0) as client:
            batch = client.batches.create(
                input_file_id=file.id,
                endpoint=ENDPOINT,
                completion_window="24h",
                metadata={TAG: tag},
            )
        return batch.id

    def find(self, tag: str, created: float) -> str | None:
        """The id of the batch with this tag; None where the server has none."""
        with self._calls(retries=TRIES) as client:
            for batch in client.batches.list(limit=100):
                if (batch.metadata or {}).get(TAG) == tag:
                    return batch.id
                if batch.created_at and batch.created_at < created - PAST_SECONDS:
                    break
        return None

    def state(self, remote: str) -> BatchState:
        """Where a batch stands."""
        with self._calls(retries=TRIES) as client:
            batch = client.batches.retrieve(remote)
        counts = batch.request_counts
        files = tuple(name for name in (batch.output_file_id, batch.error_file_id) if name)
        errors = [error.message or "" for error in (batch.errors and batch.errors.data) or []]
        answered = counts.completed + counts.failed if counts else 0
        return BatchState(
            batch.status,
            answered,
            counts.total if counts else 0,
            files,
            self._mask("; ".join(errors))[:500],
        )

    def results(self, state: BatchState) -> dict[str, tuple[int, str]]:
        """Status and body of each answered line, by its id; status 0 where it was not served."""
        answers: dict[str, tuple[int, str]] = {}
        for name in state.files:
            with self._calls(retries=TRIES) as client:
                text = client.files.content(name).text
            for line in self._mask(text).splitlines():
                answers |= _read_line(line)
        return answers

    @contextmanager
    def _calls(self, retries: int) -> Iterator[OpenAI]:
        """A client; its errors end the run, which can be resumed."""
        from openai import OpenAIError

        try:
            with self._client() as client:
                yield client.with_options(max_retries=retries, timeout=TRANSFER_SECONDS)
        except OpenAIError as error:
            detail = self._mask(" ".join(str(error).split()))[:500]
            raise BackendFailed(
                f"{self._name}: the batch end cannot be used ({detail}). Check that the server has "
                "/files and /batches and that the key may use them, then continue with --resume"
            ) from error


def _read_line(text: str) -> dict[str, tuple[int, str]]:
    """One line of a file of results; {} where it is none."""
    try:
        line = json.loads(text)
        response, error = line.get("response"), line.get("error")
        if response:
            return {line["custom_id"]: (int(response["status_code"]), json.dumps(response["body"]))}
        return {line["custom_id"]: (0, json.dumps({"error": error or {}}))}
    except (ValueError, TypeError, KeyError, AttributeError):
        return {}
