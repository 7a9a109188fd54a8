"""The Weights & Biases tracker; it reads ``WANDB_PROJECT``, ``WANDB_MODE`` and so on itself."""

from __future__ import annotations

from importlib.util import find_spec

from augkit.commands.trackers.record import RunRecord
from augkit.core.errors import ConfigError, MissingExtra

_PROJECT = "augkit"


class WandbTracker:
    """One W&B run for each augkit run."""

    def check(self) -> None:
        """W&B must be installed, and either be offline or know a key."""
        if find_spec("wandb") is None:
            raise MissingExtra("track", "--track wandb")
        import wandb

        online = wandb.setup().settings.mode == "online"
        if online and not wandb.login(prompt=False, verify=False):
            raise ConfigError(
                "--track wandb: nobody is logged in. Run `wandb login`, or log to files: "
                "WANDB_MODE=offline"
            )

    def log(self, record: RunRecord) -> None:
        """Log settings as the config, metrics as the summary, and small files."""
        import wandb

        # A project in the environment comes first.
        project = wandb.setup().settings.project or _PROJECT
        with wandb.init(project=project, name=record.name, config=dict(record.settings)) as run:
            run.summary.update(dict(record.metrics))
            for path in record.files:
                run.save(str(path), base_path=str(path.parent), policy="now")
