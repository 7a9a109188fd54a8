"""The table of the release's benchmarks, as ``release.yaml`` has it."""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import yaml

TABLE = Path(__file__).with_name("release.yaml")


@dataclass(frozen=True)
class Benchmark:
    """One line of the table: a command, what it needs, and which figures it gives."""

    name: str
    title: str
    page: str
    command: str
    minutes: float
    needs: tuple[str, ...] = ()
    quick: str | None = None
    seed: int | str | None = None
    tables: Mapping[str, Any] = field(default_factory=dict)

    @property
    def inputs(self) -> tuple[str, ...]:
        """What must be given: what is named, and what stands in braces in the command."""
        named = [name for _, name, _, _ in string.Formatter().parse(self.command) if name]
        return tuple(dict.fromkeys([*self.needs, *named]))

    @property
    def shown_command(self) -> str:
        """The command as a reader types it, with inputs in capitals."""
        shown = self.command.format(**{name: name.upper() for name in self.inputs})
        return shown if shown.startswith(("python", "augkit")) else f"python {shown}"


@dataclass(frozen=True)
class Table:
    """All benchmarks, and what inputs there are."""

    benchmarks: Mapping[str, Benchmark]
    inputs: Mapping[str, Mapping[str, str]]
    papers: Sequence[Mapping[str, Any]]
    titles: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path = TABLE) -> Table:
        """Read the YAML file."""
        found = yaml.safe_load(path.read_text(encoding="utf-8"))
        rows = {
            name: Benchmark(name, **{**about, "needs": tuple(about.get("needs", ()))})
            for name, about in found["benchmarks"].items()
        }
        papers = yaml.safe_load(path.with_name("papers.yaml").read_text(encoding="utf-8"))
        return cls(rows, found["inputs"], papers, found["pages"])

    def pages(self) -> dict[str, dict[str, str]]:
        """For each page of the release its results and their titles."""
        pages: dict[str, dict[str, str]] = {}
        for one in self.benchmarks.values():
            pages.setdefault(one.page, {})[one.name] = one.title
        return pages

    def missing(self, benchmark: Benchmark, given: Mapping[str, str]) -> str | None:
        """Why it cannot be run here, if it cannot."""
        for name in benchmark.inputs:
            about = self.inputs[name]
            there = find_spec(about["module"]) if "module" in about else name in given
            if not there:
                return f"needs {about['text']}"
        return None
