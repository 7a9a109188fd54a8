"""Results of benchmarks as JSON files, and Markdown tables written from them.

``write_result`` stores what was measured in ``docs/results/0.1.0/NAME.json``. Pages hold blocks

    <!-- result: NAME -->            all tables of the result, its command, date and machine
    <!-- result: NAME / TITLE -->    one table alone
    <!-- end result -->

whose content ``render_pages`` writes anew from the JSON files: any page of ``docs`` may have them.
A result that no page of its release shows gets its block at the end of ``PAGE.md`` there, where
PAGE is what ``release.yaml`` names. Prose around the blocks is left alone.
"""

from __future__ import annotations

import json
import os
import platform
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timezone
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

RELEASE = "0.1.0"
ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
FOLDER = DOCS / "results" / RELEASE
PACKAGES = ("augkit", "numpy", "scikit-learn", "spacy", "torch", "transformers")
BLOCK = re.compile(r"<!-- result: (.+?) -->\n.*?<!-- end result -->", re.DOTALL)
Row = Mapping[str, Any]
Special = Mapping[str, Callable[[], str]]


def write_result(  # noqa: PLR0913 - what a reader must know of a result
    name: str,
    command: str,
    tables: Mapping[str, Sequence[Row]],
    *,
    seed: int | str | None = None,
    minutes: float | None = None,
    copied: bool = False,
    machine: str | None = None,
    note: str | None = None,
    versions: Mapping[str, str] | None = None,
    folder: Path = FOLDER,
) -> Path:
    """Store a result: under each title the rows of a table, whose keys are the columns.

    ``machine`` and ``versions`` are this machine's unless it was measured elsewhere; ``note`` is
    one plain sentence for the reader. ``copied``: figures measured before this release, whose
    output is not at hand; they have no date.
    """
    stored = {
        "name": name,
        "command": command,
        "date": None if copied else datetime.now(timezone.utc).date().isoformat(),
        "machine": machine or machine_kind(),
        "versions": dict(versions or package_versions()),
        "seed": seed,
        "minutes": minutes,
        "note": note,
        "tables": {title: [dict(row) for row in rows] for title, rows in tables.items()},
    }
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    path.write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def machine_kind() -> str:
    """What a reader must know of this machine, without its name."""
    return f"{os.cpu_count()} CPU cores ({platform.machine()}), no GPU"


def package_versions() -> dict[str, str]:
    """The versions of Python and of the packages that figures may depend on."""
    found = {"python": platform.python_version()}
    installed = {one.metadata["Name"].lower(): one.version for one in distributions()}
    return found | {name: installed[name] for name in PACKAGES if name in installed}


def read_results(folder: Path = FOLDER) -> dict[str, dict[str, Any]]:
    """The stored results by name."""
    paths = [path for path in sorted(folder.glob("*.json")) if path.stem != "skipped"]
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in paths}


def value_text(value: Any) -> str:
    """A figure as it stands in a cell.

    >>> value_text(0.123456), value_text(12345.6), value_text(None), value_text([1.5, 2])
    ('0.1235', '12,346', '-', '1.5, 2')
    """
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
    if isinstance(value, list | tuple):
        return ", ".join(map(value_text, value))
    return str(value)


def cell_text(value: Any) -> str:
    """A value as Markdown: nothing in it is markup but links and code."""
    return re.sub(r"([|*<])", r"\\\1", value_text(value)).replace("\n", " ")


def table_text(rows: Sequence[Row]) -> str:
    """Rows as a Markdown table; a column that any row has is a column."""
    columns = list(dict.fromkeys(column for row in rows for column in row))
    lines = [[cell_text(column) for column in columns], ["---"] * len(columns)]
    lines += [[cell_text(row.get(column)) for column in columns] for row in rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def result_text(result: Mapping[str, Any], title: str | None = None) -> str:
    """All tables of a result with what a reader needs to repeat it, or one table."""
    if title is not None:
        return table_text(result["tables"][title])
    parts = [f"`{result['command']}`"]
    for name, rows in result["tables"].items():
        parts += [f"**{name}**", table_text(rows)]
    seed = "" if result["seed"] is None else f", seed {result['seed']}"
    when = result["date"] or "before this release"
    about = f"Measured {when} on {result['machine']}{seed}."
    parts.append(" ".join(filter(None, [about, result["note"]])))
    return "\n\n".join(parts)


def render_page(text: str, results: Mapping[str, Mapping[str, Any]], special: Special) -> str:
    """A page with its blocks written anew; a block of an unknown result is an error."""

    def written(match: re.Match[str]) -> str:
        name, _, title = match[1].partition(" / ")
        if name in special:
            content = special[name]()
        elif name not in results or (title and title not in results[name]["tables"]):
            raise KeyError(f"there is no result '{match[1]}'; stored: {', '.join(results)}")
        else:
            content = result_text(results[name], title or None)
        return f"<!-- result: {match[1]} -->\n\n{content}\n\n<!-- end result -->"

    return BLOCK.sub(written, text)


def add_blocks(text: str, names: Mapping[str, str]) -> str:
    """A page of the release with an empty block for each of these results that it lacks."""
    shown = {found.partition(" / ")[0] for found in BLOCK.findall(text)}
    for name, title in names.items():
        if name not in shown:
            text += f"\n## {title}\n\n<!-- result: {name} -->\n<!-- end result -->\n"
    return text


def render_pages(
    pages: Mapping[str, Mapping[str, str]],
    titles: Mapping[str, str],
    special: Special,
    docs: Path = DOCS,
) -> dict[Path, str]:
    """Every page of the docs that differs from what the stored results say, and its new text.

    ``pages`` names, for each page of the release, its results and what each is about; ``titles``
    is what a new page is called.
    """
    folder = docs / "results" / RELEASE
    results = read_results(folder)
    changed: dict[Path, str] = {}
    own = {folder / f"{page}.md" for page in pages}
    for path in sorted({*docs.rglob("*.md"), *own}):
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        text = before
        if path in own:
            stored = {name: title for name, title in pages[path.stem].items() if name in results}
            text = add_blocks(before or f"# {titles[path.stem]}\n", stored) if stored else before
        text = render_page(text, results, special)
        if text != before:
            changed[path] = text
    return changed
