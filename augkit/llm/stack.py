"""``open_llm``: a back end inside the wrappers that make its calls safe and cheap.

From the outside in: ``Parallel`` (remote back ends) → ``Cached`` in the run's store → ``Cached``
in the store shared by runs → ``Retrying`` → ``Interruptible`` → ``Budgeted`` → the back end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

from typing_extensions import Self

from augkit.core import registry
from augkit.core.errors import ConfigError
from augkit.core.model_types import Reply, Request
from augkit.core.protocols import LLM, Backend
from augkit.core.results import Spent
from augkit.llm.database import Database
from augkit.llm.prices import FREE_PRICE, price_of
from augkit.llm.reply_store import SCHEMA as REPLIES
from augkit.llm.reply_store import ReplyStore
from augkit.llm.settings import ConnectOptions
from augkit.llm.unanswered import note_unanswered
from augkit.llm.wrappers.budget import SCHEMA as SPENDING
from augkit.llm.wrappers.budget import Budget, Budgeted, SpendingTable, parse_budget
from augkit.llm.wrappers.cache import Cached
from augkit.llm.wrappers.parallel import Interruptible, Interruption, Parallel
from augkit.llm.wrappers.retry import Retrying, RetryPolicy


class RunStore:
    """The replies and the spending of a run, in one sqlite file; without a path, in memory.

    Open it once and pass it to every ``open_llm`` of the run: model and judge then share the
    replies and the budget.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Open or create the file."""
        self._database = Database(path, REPLIES + SPENDING)
        self.replies = ReplyStore(self._database, faults=True)
        self.spending = SpendingTable(self._database)
        self._shared: dict[Path, Database] = {}

    def shared(self, path: Path) -> ReplyStore:
        """Replies that runs share; the file is opened once."""
        if path not in self._shared:
            self._shared[path] = Database(path, REPLIES)
        return ReplyStore(self._shared[path])

    def spent(self) -> Spent:
        """What the run has spent so far, before a resume included."""
        cached, prompt_cached, repaired = self.replies.counts()
        return replace(
            self.spending.spent(), cached=cached, prompt_cached=prompt_cached, repaired=repaired
        )

    def prompts(self) -> list[str]:
        """Ids and digests of the prompts in the store."""
        return self.replies.prompts()

    def close(self) -> None:
        """Close the files."""
        for database in (self._database, *self._shared.values()):
            database.close()


@dataclass(frozen=True)
class OpenLLM:
    """An LLM ready for use; ``batch_size`` is how many requests it takes best at a time."""

    llm: LLM
    batch_size: int
    store: RunStore
    closing: ExitStack = field(default_factory=ExitStack)
    interrupt: Callable[[], None] = lambda: None
    """Begins no further call, and ends those in flight soon."""

    def generate(self, requests: Sequence[Request]) -> list[Reply]:
        """One reply per request, in order."""
        replies = self.llm.generate(requests)
        note_unanswered(replies)
        return replies

    def spent(self) -> Spent:
        """What the run has spent so far, on all its models."""
        return self.store.spent()

    def close(self) -> None:
        """Close connections and files; a store that was passed in stays open."""
        self.closing.close()

    def __enter__(self) -> Self:
        """For ``with open_llm(...) as llm``."""
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Close; a signal or Ctrl-C does not wait until a silent server answers."""
        if kind is not None and not issubclass(kind, Exception):
            self.interrupt()
        self.close()


def open_llm(
    spec: str, options: ConnectOptions | None = None, store: RunStore | None = None
) -> OpenLLM:
    """Open a language model; use it as a context manager, or call ``close``.

    Args:
        spec: Back end and model, as ``openai:gpt-4o-mini`` or ``scripted:FILE``.
        options: How it is reached, limited and cached.
        store: Where replies and spending are kept; in memory unless given.

    """
    options = options if options is not None else ConnectOptions()
    name, _, argument = spec.partition(":")
    connect: Callable[[str, ConnectOptions], Backend] = registry.find("llms", name)
    with ExitStack() as closing:
        backend = connect(argument, options)
        if not isinstance(backend, Backend):
            raise ConfigError(
                f"the back end '{name}' is made for an earlier augkit: its class needs "
                "augkit.core.protocols.Backend as its base"
            )
        closing.callback(backend.close)
        if store is None:
            store = RunStore()
            closing.callback(store.close)
        interruption = Interruption()
        budgeted = Budgeted(backend, _budget(backend, options, store))
        calls = Interruptible(budgeted, interruption, backend.abort)
        policy = RetryPolicy(
            options.attempts, options.backoff, options.backoff_cap, interruption.sleep
        )
        llm: LLM = Retrying(calls, policy)
        if options.cache is not None:
            llm = Cached(llm, store.shared(options.cache), backend.identity)
        llm = Cached(llm, store.replies, backend.identity)
        if backend.batch_size == 1:
            llm = Parallel(llm, options.workers)
            closing.callback(llm.close)
        return OpenLLM(llm, backend.batch_size, store, closing.pop_all(), calls.interrupt)


def _budget(backend: Backend, options: ConnectOptions, store: RunStore) -> Budget:
    limit = parse_budget(options.budget) if options.budget is not None else None
    price = FREE_PRICE if backend.local else price_of(backend.model, options.prices)
    if limit is not None and limit.unit == "usd" and price is None:
        raise ConfigError(
            f"the price of '{backend.model}' is unknown, so a budget in money cannot be kept. Set "
            "the budget in calls or tokens (500calls, 100000tokens), or give prices: --set "
            f"prices=FILE with 'as_of: DATE' and 'models: {{{backend.model}: {{input: 0.15, "
            "output: 0.60}}' (US dollars per million tokens)"
        )
    return Budget(store.spending, backend.model, price, limit)
