"""Runs in Weights & Biases; ``WANDB_PROJECT``, ``WANDB_MODE`` and the rest are its own."""

from __future__ import annotations

from importlib.util import find_spec

from augkit.core.errors import MissingExtra
from augkit.runs.trackers.record import RunRecord

_PROJECT = "augkit"


class WandbTracker:
    """One W&B run for each augkit run."""

    def check(self) -> None:
        """W&B must be installed; whether it is logged in is its own to tell."""
        if find_spec("wandb") is None:
            raise MissingExtra("track", "--track wandb")

    def log(self, record: RunRecord) -> None:
        """Settings as the config, figures as the summary, small files beside them."""
        import wandb

        # A project in the environment wins: W&B reads it where none is given.
        settings = wandb.Settings()
        project = settings.project or _PROJECT
        with wandb.init(project=project, name=record.name, config=dict(record.settings)) as run:
            run.summary.update(dict(record.figures))
            for path in record.files:
                run.save(str(path), base_path=str(path.parent), policy="now")
