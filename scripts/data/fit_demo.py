"""Fit coba to reviews-demo, the demonstration that everybody runs first: augkit/runs/fitted.

python scripts/data/fit_demo.py

Run it after a change of what shapes the fit; tests/runs/test_shipped_fits.py says when. Until then
the demonstration is fitted anew by every command, as any other dataset is.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import mkdtemp

from augkit.core.light_imports import leave_torch_out
from augkit.core.protocols import Tools
from augkit.runs.artifacts import fit_artifacts
from augkit.runs.plan import make_plan
from augkit.runs.settings import RunSettings
from augkit.runs.shipped_fits import FOLDER, MADE_WITH, digest_of_sources


def main() -> None:
    """Write the fit, in place of the one before."""
    leave_torch_out()
    shutil.rmtree(FOLDER, ignore_errors=True)
    fitted = fit_demo()
    shutil.copytree(fitted, FOLDER / fitted.name)
    made_with = FOLDER / fitted.name / MADE_WITH
    made_with.write_text(digest_of_sources() + "\n", encoding="utf-8")


def fit_demo() -> Path:
    """The folder of a new fit, named by its key."""
    folder = Path(mkdtemp())
    settings = RunSettings(method="coba", dataset="reviews-demo", engine="local", workers=1)
    with make_plan(settings) as plan:
        return Path(fit_artifacts(plan, Tools(), folder).artifact)


if __name__ == "__main__":
    main()
