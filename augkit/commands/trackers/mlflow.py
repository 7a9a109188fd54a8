"""The MLflow tracker: logs to ``MLFLOW_TRACKING_URI``, by default the database ``mlflow.db``."""

from __future__ import annotations

import re
from importlib.util import find_spec

from augkit.commands.trackers.record import RunRecord
from augkit.core.errors import ConfigError, MissingExtra

_EXPERIMENT = "augkit"
_LONGEST = 6_000
"""MLflow rejects longer values of a parameter."""


class MlflowTracker:
    """One MLflow run for each augkit run, in the experiment ``augkit``."""

    def check(self) -> None:
        """MLflow must be installed, and its store must answer."""
        if find_spec("mlflow") is None:
            raise MissingExtra("track", "--track mlflow")
        import mlflow

        try:
            mlflow.set_experiment(_EXPERIMENT)
        except Exception as error:  # of any store: a database, a server, files
            raise ConfigError(
                f"--track mlflow: {mlflow.get_tracking_uri()} cannot be used: {error}. Set "
                "MLFLOW_TRACKING_URI to a server or a database, as in sqlite:////tmp/mlflow.db"
            ) from error

    def log(self, record: RunRecord) -> None:
        """Log settings as parameters, metrics, and small files as artifacts."""
        import mlflow

        mlflow.set_experiment(_EXPERIMENT)
        with mlflow.start_run(run_name=record.name):
            settings = {_allowed(key): str(value) for key, value in record.settings.items()}
            mlflow.log_params({key: value[:_LONGEST] for key, value in settings.items()})
            mlflow.log_metrics({_allowed(key): value for key, value in record.metrics.items()})
            for path in record.files:
                mlflow.log_artifact(str(path))


def _allowed(name: str) -> str:
    """MLflow takes letters, digits, ``_ - . / :`` and spaces in a name."""
    return re.sub(r"[^\w\-./: ]", "_", name)
