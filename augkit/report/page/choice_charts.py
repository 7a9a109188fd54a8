"""Charts of choices: which rules find the winner, what a reward model goes by, and lengths."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from augkit.core.results import LONGEST_WINS, Result, Survey
from augkit.evaluation.choices import LEVELS
from augkit.evaluation.metrics.choice_accuracy import PICKED, WON
from augkit.evaluation.statistics.intervals import share_bounds
from augkit.report.page.chart import Bar, chart

_MOST_FEATURES = 12
_INTERVALS = "dots are shares, lines their 95 % intervals"


def choice_survey_charts(survey: Survey) -> Iterator[dict[str, Any]]:
    """What found the winners before and after a run: single features, and the length."""
    bars = []
    compared = [row for row in survey.rows if "feature" in row and "after" in row]
    for row in compared[:_MOST_FEATURES]:
        name = f"the winner {row['feature']}"
        after = row["after"]
        bars.append(Bar(name, "before", row["accuracy"]))
        bars.append(Bar(name, "after", after["accuracy"] if after["items"] else None))
    if bars:
        chance = f"{100 * survey.about.get('chance', 0.5):.0f} %"
        caption = f"the strongest before; a rule that knows nothing is right in {chance}"
        yield chart("How often a rule by one feature alone is right", bars, caption, together=True)
    lengths = [
        _length_bar(row["least"], row["most"], series, row[series]["share"], row[series]["items"])
        for row in survey.rows
        if row.get("kind") == LONGEST_WINS
        for series in ("before", "after")
        if series in row
    ]
    if lengths:
        yield chart("How often the longest candidate wins, by length", lengths, _INTERVALS)


def reward_charts(results: Sequence[Result]) -> Iterator[dict[str, Any]]:
    """How reward models decide choices: by difficulty, and by the lengths of candidates."""
    measured = [result for result in results if "easy" in result.scores or result.by_length]
    levels = [
        Bar.of(f"{level}, {result.test}", result.train, result.scores[level])
        for level in ("accuracy", *LEVELS)
        for result in measured
        if level in result.scores
    ]
    if levels:
        yield chart("Accuracy of the reward model by difficulty", levels, _INTERVALS)
    tests = {test: [r for r in measured if r.test == test] for test in (r.test for r in measured)}
    picks = []
    for test, of_test in tests.items():
        picks += [
            Bar.of(test, f"picked: {result.train}", result.scores[PICKED])
            for result in of_test
            if PICKED in result.scores
        ]
        if WON in of_test[0].scores:
            picks.append(Bar.of(test, "wins", of_test[0].scores[WON]))
    if picks:
        yield chart("How often the longest candidate is picked and wins", picks, _INTERVALS)
    for of_test in tests.values():
        yield from _picked_by_length(of_test)


def _picked_by_length(results: Sequence[Result]) -> Iterator[dict[str, Any]]:
    """How often the longest candidate is picked and wins, by how much longer it is."""
    bars = []
    for part in results[0].by_length:
        bars += [
            _length_bar(other.least, other.most, f"picked: {result.train}", picked, other.items)
            for result in results
            for other in result.by_length
            if other.least == part.least and (picked := other.picked) is not None
        ]
        bars.append(_length_bar(part.least, part.most, "wins", part.won, part.items))
    if len({bar.series for bar in bars}) > 1:
        title = f"The same by length, {results[0].test}"
        yield chart(title, bars, _INTERVALS)


def _length_bar(least: float, most: float | None, series: str, share: float, items: int) -> Bar:
    """A share of items whose longest candidate is so many times as long as the shortest."""
    reach = f"{least:g} times or more" if most is None else f"{least:g} to {most:g} times"
    low, high = share_bounds(round(share * items), items)
    return Bar(f"{reach} as long as the shortest", series, share, min(low, share), max(high, share))
