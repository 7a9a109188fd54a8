"""``report.html``: the verdict, the figures, and every variant with its changed words."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

from augkit.errors import DataError
from augkit.report.page.chart import Bar, chart
from augkit.report.page.rows import Rows, read_rows

NAME = "report.html"
_MOST_REASONS = 8


def write_page(folder: Path, most: int = 20_000) -> Path:
    """Write ``report.html`` into a run folder, from the files that lie there; so many rows."""
    manifest = _read(folder / "manifest.json")
    if manifest is None:
        raise DataError(f"{folder}: not a run folder (no manifest.json in it)")
    rows = read_rows(folder, most)
    page = _template().render(
        manifest=manifest,
        scores=_read(folder / "scores.json"),
        charts=_charts(_read(folder / "scores.json")),
        account=_read(folder / "account.json"),
        reasons=_reasons(manifest),
        command=_command(manifest),
        rows=_as_script(rows),
        style=_part("page.css"),
        script=_part("page.js"),
    )
    draft = folder / f"{NAME}.new"
    draft.write_text(page, encoding="utf-8", errors="replace")
    return draft.replace(folder / NAME)


def _template() -> Any:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.from_string(_part("page.html"))


def _part(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise DataError(f"{path}: damaged: {error}") from error


def _as_script(rows: Rows) -> Any:
    """JSON that can stand in a script element: no text of a dataset can end it."""
    from jinja2.utils import htmlsafe_json_dumps

    told = {"fields": rows.fields, "names": rows.names, "rows": rows.rows}
    return htmlsafe_json_dumps(told, separators=(",", ":"), ensure_ascii=False)


def _charts(scores: Any) -> list[Any]:
    """A chart for each metric: every test set before and after, with intervals."""
    by_metric: dict[str, list[Bar]] = {}
    for record in (scores or {}).get("results", []):
        if "difference" in record:
            continue
        name, score = _headline(record)
        if score is not None:
            bar = Bar(record["test"], record["train"], score["value"], score["low"], score["high"])
            by_metric.setdefault(name, []).append(bar)
    return [chart(name, bars) for name, bars in by_metric.items()]


def _headline(record: dict[str, Any]) -> tuple[str, dict[str, Any] | None]:
    """The one score of a record that the chart shows."""
    if "changed_rows" in record:
        return f"{record['metric']} (changed rows)", record["changed_rows"]
    return record["metric"], next(iter(record.get("scores", {}).values()), None)


def _reasons(manifest: dict[str, Any]) -> list[tuple[str, int, float]]:
    """Reason, count, and its share of the commonest one."""
    found = sorted(manifest["rejected_by_reason"].items(), key=lambda item: -item[1])
    most = found[0][1] if found else 1
    return [(reason, count, count / most) for reason, count in found[:_MOST_REASONS]]


def _command(manifest: dict[str, Any]) -> str:
    """The command that makes this run again."""
    settings = manifest["settings"]
    words = ["augkit run", f"--method {settings['method']}", f"--dataset {settings['dataset']}"]
    words += [f"--set {key}={json.dumps(value)}" for key, value in settings["options"].items()]
    words += [f"--text-column {name}" for name in settings["text_columns"]]
    flags = ("label_column", "subset", "mix", "limit", "llm", "judge_llm", "base_url")
    words += [f"--{key.replace('_', '-')} {settings[key]}" for key in flags if settings.get(key)]
    return " ".join([*words, f"--seed {settings['seed']}"])
