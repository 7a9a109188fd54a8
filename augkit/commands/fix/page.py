"""The page of ``fix``: ``report.html`` in its folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from augkit.commands.fix.endings import GOOD, Ending
from augkit.commands.fix.results import Fixed
from augkit.commands.fix.text import train_line
from augkit.report.page.templates import write

_CAVEATS = frozenset(
    {"reduced", "trade", "not relied on", "not testable", "stopped", "rewrite or discard"}
)


def write_fix_page(result: Fixed) -> Path | None:
    """Write the page."""
    if result.folder is None:
        return None
    return write(
        result.folder,
        "fix.html",
        result=result,
        endings=[_shown(ending, result.folder) for ending in result.endings],
        train=train_line(result),
    )


def _shown(ending: Ending, folder: Path) -> dict[str, Any]:
    tone = "even"
    if ending.verdict in _CAVEATS:
        tone = "caveat"
    elif ending.verdict in GOOD:
        tone = "good"
    elif ending.verdict in {"not repaired", "harm"}:
        tone = "bad"
    runs = [path.parent for path in ending.files.values() if (path.parent / "report.html").exists()]
    return {
        "kind": ending.kind,
        "tone": tone,
        "headline": ending.headline,
        "done": ending.done,
        "header": ending.table[0] if ending.table else (),
        "rows": ending.table[1:],
        "details": ending.details,
        "files": {name: path.name for name, path in ending.files.items()},
        "runs": [run.relative_to(folder).as_posix() for run in runs if run != folder],
    }
