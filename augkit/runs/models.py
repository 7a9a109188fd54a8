"""The models of a run, opened once and closed with it; none offline."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from augkit.core.protocols import Tools
from augkit.runs.manifest import CostRecord
from augkit.runs.settings import RunSettings

if TYPE_CHECKING:
    from augkit.llm.stack import OpenLLM, RunStore


STORE = Path("work", "llm.sqlite")
"""The replies and the spending of a run, in its folder."""


@dataclass(frozen=True)
class Models:
    """The tools of the method, and the store of their replies and costs."""

    tools: Tools = field(default_factory=Tools)
    remote: bool = False
    """Whether a model is reached over the network, one request at a time."""
    opened: Sequence[OpenLLM] = ()
    store: RunStore | None = None

    def cost(self, seconds: float) -> CostRecord:
        """Calls, tokens and money of the whole run, before a resume included."""
        if self.store is None:
            return CostRecord(seconds=round(seconds, 2))
        return CostRecord(**asdict(self.store.spent()), seconds=round(seconds, 2))

    def interrupt(self) -> None:
        """Begin no further call, and end those in flight soon: of all models at the same time."""
        threads = [threading.Thread(target=llm.interrupt) for llm in self.opened]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def prompts(self) -> list[str]:
        """Ids and digests of the prompts in the store."""
        return [] if self.store is None else self.store.prompts()


@contextmanager
def open_models(settings: RunSettings, folder: Path) -> Iterator[Models]:
    """Open the models that the ``settings`` name; they share one store and one budget."""
    if not settings.models:
        yield Models()
        return
    from augkit.llm.stack import RunStore, open_llm
    from augkit.llm.wrappers.logged import Logged, log_file

    with ExitStack() as closing:
        store = RunStore(folder / STORE)
        closing.callback(store.close)
        llms: dict[str, OpenLLM] = {
            tool: closing.enter_context(open_llm(spec, settings.connection, store))
            for tool, spec in settings.models.items()
        }
        remote = any(llm.batch_size == 1 for llm in llms.values())
        tools = Tools(llm=llms.get("llm"), judge=llms.get("judge"))
        if settings.log_exchanges:
            log = log_file(folder / "exchanges.jsonl")
            logged = {tool: Logged(llm, tool, log) for tool, llm in llms.items()}
            tools = Tools(llm=logged.get("llm"), judge=logged.get("judge"))
        yield Models(tools, remote, [*llms.values()], store)
