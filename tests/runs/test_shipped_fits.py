"""The fit of the demonstration that ships with augkit."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from augkit.core.protocols import Tools
from augkit.runs import artifacts, shipped_fits
from augkit.runs.plan import make_plan
from augkit.runs.settings import RunSettings

_AGAIN = "run scripts/data/fit_demo.py"


def _fit(folder: Path) -> Path:
    settings = RunSettings(method="coba", dataset="reviews-demo", engine="local", workers=1)
    with make_plan(settings) as plan:
        return Path(artifacts.fit_artifacts(plan, Tools(), folder).artifact)


def test_the_shipped_fit_is_that_of_these_rules() -> None:
    """It was made with the files that there are now: else every command fits the demonstration."""
    (home,) = shipped_fits.FOLDER.iterdir()
    assert shipped_fits.shipped_fit(home.name) == home, _AGAIN


@pytest.mark.slow
def test_it_is_what_a_new_fit_gives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same key, records and parses; the same numbers but for rounding."""
    monkeypatch.setattr(artifacts, "shipped_fit", lambda _: None)
    fitted = _fit(tmp_path)
    (home,) = shipped_fits.FOLDER.iterdir()
    assert home.name == fitted.name, _AGAIN
    for path in filter(Path.is_file, fitted.rglob("*")):
        shipped = home / path.relative_to(fitted)
        if path.suffix == ".npz":
            new, old = np.load(path), np.load(shipped)
            assert new.files == old.files
            for name in new.files:
                np.testing.assert_allclose(new[name], old[name], atol=1e-4)
        elif path.suffix == ".json":
            assert _rounded(path) == _rounded(shipped), path.name
        else:
            assert path.read_bytes() == shipped.read_bytes(), path.name


def _rounded(path: Path) -> object:
    return json.loads(path.read_text(), parse_float=lambda number: round(float(number), 4))


def test_a_fit_made_with_other_files_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rule that changed since makes the shipped fit another one."""
    (home,) = shipped_fits.FOLDER.iterdir()
    shutil.copytree(home, tmp_path / home.name)
    monkeypatch.setattr(shipped_fits, "FOLDER", tmp_path)
    assert shipped_fits.shipped_fit("another key") is None
    (tmp_path / home.name / shipped_fits.MADE_WITH).write_text("other\n")
    assert shipped_fits.shipped_fit(home.name) is None
