"""The models of a run, opened once and closed with it; none at all offline."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from augkit.protocols import Tools
from augkit.run.manifest import CostRecord
from augkit.run.settings import RunSettings

if TYPE_CHECKING:
    from augkit.llm.stack import RunStore


@dataclass(frozen=True)
class Models:
    """Tools for the method, and the book of what they cost."""

    tools: Tools = field(default_factory=Tools)
    remote: bool = False
    """Whether a model answers over the network, one request at a time."""
    store: RunStore | None = None

    def cost(self, seconds: float) -> CostRecord:
        """Calls, tokens and money of the whole run, also of what came before a resume."""
        if self.store is None:
            return CostRecord(seconds=round(seconds, 2))
        return CostRecord(**asdict(self.store.spent()), seconds=round(seconds, 2))

    def prompts(self) -> list[str]:
        """Ids and digests of the prompts that were answered."""
        return [] if self.store is None else self.store.replies.prompts()


@contextmanager
def open_models(settings: RunSettings, folder: Path) -> Iterator[Models]:
    """The models that the settings name, sharing one store and one budget."""
    if settings.llm == "offline" and settings.judge_llm is None:
        yield Models()
        return
    from augkit.llm.stack import RunStore, open_llm

    with ExitStack() as closing:
        store = RunStore(folder / "work" / "llm.sqlite")
        closing.callback(store.close)
        opened = {
            tool: closing.enter_context(open_llm(spec, settings.connection, store))
            for tool, spec in (("llm", settings.llm), ("judge", settings.judge_llm))
            if spec not in {None, "offline"}
        }
        remote = any(llm.batch_size == 1 for llm in opened.values())
        yield Models(Tools(**opened), remote, store)
