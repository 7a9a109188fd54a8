"""The models of a run, opened once and closed with it; none at all offline."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from augkit.core.protocols import Tools
from augkit.runs.engines.ray.session import Session
from augkit.runs.engines.ray.store_client import Desk, employed
from augkit.runs.manifest import CostRecord
from augkit.runs.settings import RunSettings

if TYPE_CHECKING:
    from augkit.llm.stack import OpenLLM, Store


@dataclass(frozen=True)
class Models:
    """Tools for the method, and the book of what they cost."""

    tools: Tools = field(default_factory=Tools)
    remote: bool = False
    """Whether a model answers over the network, one request at a time."""
    store: Store | None = None
    clerk: Any = None
    """The actor that keeps the store for workers elsewhere; None: the work is done here."""

    def cost(self, seconds: float) -> CostRecord:
        """Calls, tokens and money of the whole run, also of what came before a resume."""
        if self.store is None:
            return CostRecord(seconds=round(seconds, 2))
        return CostRecord(**asdict(self.store.spent()), seconds=round(seconds, 2))

    def prompts(self) -> list[str]:
        """Ids and digests of the prompts that were answered."""
        return [] if self.store is None else self.store.prompts()


@contextmanager
def open_models(
    settings: RunSettings, folder: Path, session: Session | None = None
) -> Iterator[Models]:
    """The models that the settings name, sharing one store and one budget."""
    asked = asked_models(settings)
    if not asked:
        yield Models()
        return
    from augkit.llm.stack import RunStore, open_llm

    with ExitStack() as closing:
        path = folder / "work" / "llm.sqlite"
        store: Store
        if session is None:
            clerk, store = None, RunStore(path)
        else:
            clerk = closing.enter_context(employed(session, path))
            store = Desk(clerk, seat=0)
        closing.callback(store.close)
        opened: dict[str, OpenLLM] = {
            tool: closing.enter_context(open_llm(spec, settings.connection, store))
            for tool, spec in asked.items()
        }
        remote = any(llm.batch_size == 1 for llm in opened.values())
        yield Models(Tools(**opened), remote, store, clerk)


def asked_models(settings: RunSettings) -> dict[str, str]:
    """Tool → back end, of those that are not done by rules."""
    asked = {"llm": settings.llm, "judge": settings.judge_llm or "offline"}
    return {tool: spec for tool, spec in asked.items() if spec != "offline"}
