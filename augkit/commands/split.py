"""``augkit split``: a test part, and a challenge set in which a cue points the wrong way."""

from __future__ import annotations

from pathlib import Path

from augkit.commands.fix.parts import Split, SplitSettings, check_challenge, write_parts
from augkit.commands.fix.prepare import load_data
from augkit.core.progress import report_progress
from augkit.datasets.load import Spec


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
