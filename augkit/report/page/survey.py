"""The page of ``augkit shortcuts``: what was found, and the trees where a grammar found it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from augkit.core.survey import SURVEY_FILE
from augkit.report.page.render import read_json, write
from augkit.report.page.tree import draw

_TREES_PER_GROUP = 6
_GROUPS = 40


def write_survey_page(folder: Path, most: int) -> Path:
    """Write the page of a survey; it shows at most ``most`` rows."""
    survey = read_json(folder / SURVEY_FILE)
    groups = list(_groups(folder / "features.jsonl"))
    return write(
        folder,
        "survey.html",
        name=folder.resolve().name,
        about=survey["about"],
        warnings=survey["warnings"],
        groups=groups,
        table=None if groups else _table(survey["rows"][:most]),
    )


def _groups(path: Path) -> Iterator[dict[str, Any]]:
    """The groups of subtrees that a grammar found, strongest first, with drawings."""
    if not path.is_file():
        return
    with path.open("rb") as lines:
        for group, _ in zip(map(orjson.loads, lines), range(_GROUPS), strict=False):
            yield {
                **group,
                "drawn": [_with_drawing(one) for one in group["patterns"][:_TREES_PER_GROUP]],
            }


def _with_drawing(pattern: Mapping[str, Any]) -> dict[str, Any]:
    return {**pattern, "drawing": draw(pattern["tree"])}


def _table(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The plain values of each row, a column each."""
    flat = [dict(_flat(row)) for row in rows]
    header = list(dict.fromkeys(name for row in flat for name in row))
    return {"header": header, "rows": [[row.get(name, "") for name in header] for row in flat]}


def _flat(row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in row.items():
        if isinstance(value, Mapping):
            yield from ((f"{key} {name}", inner) for key, inner in _flat(value))
        elif value is not None and not isinstance(value, list):
            yield name, f"{value:.4g}" if isinstance(value, float) else str(value)
