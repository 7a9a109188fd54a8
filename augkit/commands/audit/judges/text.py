"""What ``augkit audit --judge`` prints, and its page: shares, effects, win rates by model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from augkit.commands.audit.judges.effects import FAMILY, LENGTH, MARKDOWN, PLACE, RIGHT
from augkit.commands.audit.judges.run import JUDGES_FILE
from augkit.core.json_files import load_json
from augkit.core.results import Score, read_answers
from augkit.report.page.chart import Bar, chart
from augkit.report.page.templates import write
from augkit.report.terminal import llm_notes, print_lines, print_rows
from augkit.text.printable import shown_p

Record = Mapping[str, Any]
_LONGEST_NAME = 24
_LONGEST_PAIR = 32
_SHORT = {
    PLACE: "first",
    LENGTH: "twice as long",
    MARKDOWN: "Markdown x 2",
    FAMILY: "own family",
    RIGHT: "right",
}
_MOST_CHARTED = 40


def print_judges(record: Record) -> None:
    """Print the verdict, a line for each judge, what moves them, and the win rates."""
    print_lines(*record["verdict"])
    print_rows(_share_rows(record), spare=["items"])
    print_lines(_legend(record))
    if len({effect["judge"] for effect in record["effects"]}) > 1:
        print_rows(list(_by_judge(record["effects"])))
        print_lines("Per cent of wins of an answer that is so, all else equal; * alarm")
    elif record["effects"]:
        print_rows([_effect(effect) for effect in record["effects"]])
    if record["win_rates"]:
        print_rows([_win_rate(rate) for rate in record["win_rates"]], spare=["verdicts"])
    print_lines(*llm_notes(read_answers(record.get("llm"))))
    print_lines(*(f"Caveats: {caveat}" for caveat in record["caveats"]))
    files = "report.html, judges.json" + (", verdicts.jsonl" if "model" in record else "")
    print_lines(f"{record['folder']}: {files}")


def _share_rows(record: Record) -> list[dict[str, str]]:
    """A row for each judge, or kind of pair; columns in which all are empty are left out."""
    asked = "model" in record
    rows = []
    for judge in record["judges"]:
        gold = judge["gold_longer"]
        beside = "" if gold is None else f" ({_percent(gold)})"
        name = _cut(judge["judge"] or "no name", _LONGEST_PAIR if asked else _LONGEST_NAME)
        rows.append(
            {
                "pairs: what is new" if asked else "judge": name,
                "verdicts": f"{judge['verdicts']:,}",
                "items": f"{judge['items']:,}",
                **{key: _percent(judge[key]) for key in ("right", "flips", "first")},
                "longer": _percent(judge["longer"]) + beside,
            }
        )
    names = [name for name in rows[0] if any(row[name] for row in rows)]
    return [{name: row[name] for name in names} for row in rows]


def _legend(record: Record) -> str:
    """What the columns of the shares are."""
    meanings = {
        "right": "right",
        "flips": "changed with the order (flips)",
        "first": "for the answer shown first",
        "longer": "for the longer one",
    }
    judges = record["judges"]
    shown = [text for key, text in meanings.items() if any(judge[key] for judge in judges)]
    gold = any(judge["gold_longer"] for judge in judges)
    beside = " (in brackets: how often the right one is longer)" if gold else ""
    return f"Per cent of verdicts: {', '.join(shown)}{beside}"


def _by_judge(effects: Sequence[Record]) -> Iterator[dict[str, str]]:
    """A row for each judge, with a column for each effect."""
    names = [name for name in _SHORT if any(effect["effect"] == name for effect in effects)]
    longest = _LONGEST_NAME - 8 * (FAMILY in names)
    for judge, rows in groupby(effects, itemgetter("judge")):
        cells = {row["effect"]: _percent(row["share"]) + "*" * row["alarm"] for row in rows}
        shown = {_SHORT[name]: cells.get(name, "") for name in names}
        yield {"judge": _cut(judge or "no name", longest), **shown}


def _effect(effect: Record) -> dict[str, str]:
    is_tested = effect["effect"] != RIGHT
    return {
        "the answer": effect["effect"],
        "wins": _interval(effect["share"]),
        "corrected": shown_p(effect["p_corrected"]) if is_tested else "",
        "": "alarm" if effect["alarm"] else "",
    }


def _win_rate(rate: Record) -> dict[str, str]:
    corrected = rate["corrected"]
    moved = rate["corrected_rank"]
    return {
        "model": _cut(rate["model"]),
        "verdicts": f"{rate['verdicts']:,}",
        "length": f"{rate['characters']:,.0f}",
        "win rate": _percent(rate["judged"]),
        "of equal length": "" if corrected is None else _interval(corrected),
        "rank": f"{rate['rank']}" if moved in {None, rate["rank"]} else f"{rate['rank']} → {moved}",
    }


def _percent(score: Record | None) -> str:
    return "" if score is None else f"{100 * score['value']:.1f}"


def _interval(score: Record) -> str:
    return f"{100 * score['value']:.1f} ({100 * score['low']:.1f} to {100 * score['high']:.1f})"


def _cut(name: str, longest: int = _LONGEST_NAME) -> str:
    return name if len(name) <= longest else f"{name[: longest - 1]}…"


def write_judges_page(folder: Path, most: int) -> Path:
    """Write the page of an audit of judges; it shows at most ``most`` rows of each table."""
    advice = "Delete it and repeat augkit audit"
    return load_json(folder / JUDGES_FILE, lambda record: _write_page(folder, record, most), advice)


def _write_page(folder: Path, record: Mapping[str, Any], most: int) -> Path:
    shares = _share_rows(record)[:most]
    effects = [
        {"judge": effect["judge"] or "no name", **_effect(effect)}
        for effect in record["effects"][:most]
    ]
    rates = [_win_rate(rate) for rate in record["win_rates"][:most]]
    subject = record["judges"][0]["subject"]
    bars = [
        Bar.of(judge["judge"] or "no name", name.replace("_", " "), Score(**judge[name]))
        for judge in record["judges"][:_MOST_CHARTED]
        for name in ("shown_first", "shown_second")
        if judge[name] is not None and judge["subject"] == subject
    ]
    return write(
        folder,
        "judges.html",
        name=folder.resolve().name,
        found=record,
        subject=subject,
        chart=chart(f"verdicts for {subject}", bars, "with 95 % intervals") if bars else None,
        tables=[
            (title, list(rows[0]), [list(row.values()) for row in rows])
            for title, rows in (
                ("What the judges do, in per cent of verdicts", shares),
                ("What moves them: how often an answer wins, all else equal", effects),
                ("Win rates, and those of answers of equal length", rates),
            )
            if rows
        ],
    )
