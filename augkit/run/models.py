"""The models of a run, opened once and closed with it; none at all offline."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from augkit.protocols import Tools
from augkit.run.manifest import CostRecord
from augkit.run.settings import RunSettings

if TYPE_CHECKING:
    from augkit.llm.stack import OpenLLM


@dataclass(frozen=True)
class Models:
    """Tools for the method, and what they have cost so far."""

    tools: Tools = field(default_factory=Tools)
    opened: tuple["OpenLLM", ...] = ()

    @property
    def remote(self) -> bool:
        """Whether the main model answers one request at a time over the network."""
        return bool(self.opened) and self.opened[0].batch_size == 1

    def cost(self, seconds: float) -> CostRecord:
        """Calls, tokens and money of the whole run, also of what came before a resume."""
        return CostRecord(seconds=round(seconds, 2))

    def prompts(self) -> list[str]:
        """Ids of the prompts used."""
        return []


@contextmanager
def open_models(settings: RunSettings, folder: Path) -> Iterator[Models]:
    """The models that the settings name, sharing one store and one budget."""
    yield Models()
