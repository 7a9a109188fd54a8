"""``augkit split``: a test part, and a challenge set in which a cue points the wrong way."""

from __future__ import annotations

from pathlib import Path

from augkit.commands.fix.choices import load_choice_data
from augkit.commands.fix.labelled import load_labelled_data
from augkit.commands.fix.parts import (
    FixData,
    Split,
    SplitSettings,
    check_challenge,
    write_parts,
)
from augkit.core.progress import report_progress
from augkit.datasets.choices.load import holds_choices
from augkit.datasets.likely_columns import suggesting_columns
from augkit.datasets.load import Spec


def load_data(settings: SplitSettings, data: Spec | None = None) -> FixData:
    """Read labelled rows or choices; ``data`` may be a dataset in memory."""
    spec = settings.data if data is None else data
    if holds_choices(spec, settings.reading):
        return load_choice_data(spec, settings.reading, settings.group_column)
    with suggesting_columns(spec, settings.reading):
        return load_labelled_data(spec, settings.reading)


def split_dataset(settings: SplitSettings, data: Spec | None = None) -> Split:
    """Split a dataset and write the parts."""
    dataset = load_data(settings, data)
    cues = dataset.find_cues()
    chosen = dataset.named_cues(cues, settings.cues) or dataset.usual_cues(cues)
    report_progress("splitting the rows")
    parts = dataset.split(chosen, settings, None)
    folder = settings.out or Path(f"split-{dataset.short_name}")
    result = write_parts(dataset, chosen, parts, folder)
    if settings.cues:
        check_challenge(parts, chosen, dataset.wording)
    return result
