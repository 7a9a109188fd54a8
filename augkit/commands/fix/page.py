"""The page of ``fix``: ``report.html`` in its folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from augkit.commands.fix.results import BothScores, Fixed
from augkit.commands.fix.text import detail_lines, headline, interval, parts_lines
from augkit.report.page.chart import Bar, chart
from augkit.report.page.run import write_run_page
from augkit.report.page.templates import write

_TONES = {
    "fixed": "good",
    "renamed": "caveat",
    "deleting is better": "caveat",
    "not fixed": "bad",
    "nothing to fix": "even",
    "not relied on": "even",
}
_MOST_VARIANTS = 2000


def write_fix_page(result: Fixed) -> Path | None:
    """Write the page, and those of the runs that it links to."""
    if result.folder is None:
        return None
    for method in result.tried:
        write_run_page(method.run, _MOST_VARIANTS)
    return write(
        result.folder,
        "fix.html",
        result=result,
        headline=headline(result),
        tone=_TONES[result.outcome],
        charts=list(_charts(result)),
        details=list(detail_lines(result)),
        split=" ".join(parts_lines(result)),
        header=("trained on", "test", "challenge"),
        scores=[
            (name, interval(scores.test), interval(scores.challenge))
            for name, scores in _scores(result)
        ],
        cues=[
            (
                cue.title,
                ", ".join(cue.also),
                cue.label,
                f"{cue.first.with_label:,} of {cue.first.rows:,}",
                f"{cue.first.phi:.2f}",
                "likely a shortcut" if cue.is_likely else "may belong to the label",
                cue.reason,
            )
            for cue in result.cues
        ],
    )


def _scores(result: Fixed) -> Iterator[tuple[str, BothScores]]:
    for name, scores in (("as it is", result.before), ("deleting the cue", result.deleting)):
        if scores is not None:
            yield name, scores
    yield from ((method.name, method.scores) for method in result.tried)


def _charts(result: Fixed) -> Iterator[dict[str, Any]]:
    bars = []
    for part in ("challenge", "test"):
        bars += [
            Bar.of(f"{part} set", name, getattr(scores, part)) for name, scores in _scores(result)
        ]
    yield chart("accuracy", bars, "dots are scores, lines their 95 % intervals; higher is better")
