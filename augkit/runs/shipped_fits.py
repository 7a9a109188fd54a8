"""Fits that ship with augkit, so that what everybody runs first is not fitted anew.

A fit is taken where its rows and settings are asked for, and only as long as every file that shapes
it is as it was. ``scripts/data/fit_demo.py`` makes it: coba on ``reviews-demo``.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

FOLDER = Path(str(files("augkit.runs").joinpath("fitted")))
MADE_WITH = "made_with.txt"
_PACKAGE = Path(str(files("augkit")))
_SHAPING = (
    "augmenters/coba/fit.py",
    "augmenters/coba/job.py",
    "attribution",
    "english/*.py",
    "english/pipeline",
    "english/polarity",
    "labels/fit.py",
    "lexicons/*.py",
    "lexicons/data/*contexts.yaml",
    "lexicons/data/evaluative",
    "lexicons/data/grammar.yaml",
    "lexicons/data/irregular.yaml",
    "lexicons/data/negation.yaml",
    "lexicons/data/stop_words.txt",
    "models/classifiers",
    "models/ensembles",
    "models/folds.py",
    "text",
)


def shipped_fit(key: str) -> Path | None:
    """The folder of the fit that ships under a key; None where there is none that still holds."""
    home = FOLDER / key
    if not home.is_dir():
        return None
    recorded = (home / MADE_WITH).read_text(encoding="utf-8").strip()
    return home if recorded == digest_of_sources() else None


def digest_of_sources() -> str:
    """Names the contents of the files that shape a fit, whatever their line ends."""
    total = sha256()
    for path in sorted(set(_sources())):
        total.update(path.relative_to(_PACKAGE).as_posix().encode())
        total.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return total.hexdigest()[:20]


def _sources() -> Iterator[Path]:
    for pattern in _SHAPING:
        for path in _PACKAGE.glob(pattern):
            inside = path.rglob("*") if path.is_dir() else [path]
            yield from (file for file in inside if file.is_file() and file.suffix != ".pyc")
