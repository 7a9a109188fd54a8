"""The page of ``fix``: ``report.html`` in its folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from augkit.commands.fix.parts import further_names, judged_as
from augkit.commands.fix.results import HELPED, BothScores, Fixed
from augkit.commands.fix.text import detail_lines, headline, interval, parts_lines
from augkit.report.page.chart import Bar, chart
from augkit.report.page.run import write_run_page
from augkit.report.page.templates import write

_TONES = {
    "fixed": "good",
    "at a cost": "caveat",
    "renamed": "caveat",
    "deleting is better": "caveat",
    "not fixed": "bad",
    "nothing to fix": "even",
    "undecided": "caveat",
    "not relied on": "even",
}
_MOST_VARIANTS = 2000
_ON_PAGE, _BELOW = "for reasons on the page", "for reasons below"


def write_fix_page(result: Fixed) -> Path | None:
    """Write the page, and those of the runs that it links to."""
    if result.folder is None:
        return None
    for method in result.tried:
        write_run_page(method.run, _MOST_VARIANTS)
    lines = list(detail_lines(result))
    return write(
        result.folder,
        "fix.html",
        result=result,
        headline=headline(result),
        tone=_TONES[result.outcome],
        charts=list(_charts(result)),
        details=[line.replace(_ON_PAGE, _BELOW) for line in lines if not line.startswith("Page: ")],
        fixed=result.outcome in HELPED | {"deleting is better"},
        split=" ".join(parts_lines(result)),
        header=("trained on", "test", "challenge"),
        scores=[
            (name, interval(scores.test), interval(scores.challenge))
            for name, scores in _scores(result)
        ],
        cues=[
            (
                cue.title + further_names(cue),
                cue.points_to,
                cue.counts,
                f"{cue.strength:.2f}",
                f"{judged_as(cue)}: {cue.reason}",
            )
            for cue in result.cues
        ],
    )


def _scores(result: Fixed) -> list[tuple[str, BothScores]]:
    return [(name, scores) for name, scores in result.scored if scores is not None]


def _charts(result: Fixed) -> Iterator[dict[str, Any]]:
    for part in ("challenge", "test"):
        bars = [Bar.of(name, part, getattr(scores, part)) for name, scores in _scores(result)]
        title = f"accuracy on the {part} set"
        yield chart(title, bars, "dots are scores, lines their 95 % intervals; higher is better")
