"""The one definition of a shortcut: count features, test them, group them, judge the groups."""

from __future__ import annotations

from collections.abc import Sequence

from augkit.core.types import Example
from augkit.shortcuts.association import ALPHA, least_texts
from augkit.shortcuts.counted_rows import CountedRows
from augkit.shortcuts.cues import Cue, Findings
from augkit.shortcuts.features import has_feature
from augkit.shortcuts.field_alone import fields_alone


def find_shortcuts(
    examples: Sequence[Example],
    *,
    seed: int = 0,
    alpha: float = ALPHA,
    groups: Sequence[str] = (),
) -> Findings:
    """Find what gives the labels away, and say which of it is no reason for them.

    Args:
        examples: Labelled rows, all with the same fields.
        seed: Draws the texts that are compared where there are very many.
        alpha: The chance of any cue where the labels do not depend on the texts.
        groups: What names the rows that belong together, one for each row, for a field alone.
    """
    tested = CountedRows.read(examples, alpha)
    cues = tested.judge(seed)
    least, needed = _least_rows(tested)
    return Findings(
        len(examples),
        tested.labels,
        tested.task,
        tuple(cue for cue in cues if cue.is_shortcut),
        tuple(cue for cue in cues if not cue.is_shortcut),
        fields_alone(examples, groups),
        tested.tests.features,
        least,
        needed,
    )


def rows_with(cue: Cue, examples: Sequence[Example]) -> list[int]:
    """Number the rows that have the feature that leads a cue."""
    return [number for number, row in enumerate(examples) if has_feature(cue.feature, row.fields)]


def _least_rows(tested: CountedRows) -> tuple[int | None, int]:
    """In how many rows a cue of any label is seen, and of the label that needs the fewest.

    None where it would have to be in more than half of the rows of each label.
    """
    totals = tested.fields[0].texts.totals
    size = int(totals.sum())
    seen = []
    fewest = [size]
    for of_label in totals.tolist():
        least = least_texts(size, of_label, tested.tests.corrected_for, tested.alpha)
        fewest.append(size if least is None else least)
        if least is not None and 2 * least <= of_label:
            seen.append(least)
    return max(seen, default=None), min(fewest)
