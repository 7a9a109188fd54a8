"""The studies that come with augkit: files of ``configs/sweeps``, which are in the package."""

from __future__ import annotations

from pathlib import Path

from augkit.core.errors import UnknownName
from augkit.core.yaml_files import read_yaml

_PACKAGE = Path(__file__).parents[2]
_FOLDERS = (_PACKAGE / "configs" / "sweeps", _PACKAGE.parent / "configs" / "sweeps")
"""In an installed package; in a checkout."""
_ENDINGS = (".yaml", ".yml")


def named_sweeps() -> dict[str, Path]:
    """Name → file, of all studies that come with augkit."""
    folder = next(filter(Path.is_dir, _FOLDERS), None)
    paths = sorted(folder.glob("*.yaml"), key=lambda path: _by_number(path.stem)) if folder else ()
    return {path.stem: path for path in paths}


def _by_number(name: str) -> list[tuple[int, str]]:
    """A key for sorting in which numbers are numbers.

    >>> sorted(["table-10", "table-3-llm", "table-3"], key=_by_number)
    ['table-3', 'table-3-llm', 'table-10']
    """
    return [(int(part), "") if part.isdigit() else (0, part) for part in name.split("-")]


def find_sweep(study: str) -> Path:
    """The file of a study: a path, or the name of one that comes with augkit."""
    path = Path(study).expanduser()
    if path.is_file() or path.suffix in _ENDINGS or len(path.parts) > 1:
        return path
    named = named_sweeps()
    if study not in named:
        raise UnknownName("study", study, named)
    return named[study]


def sweep_list() -> list[dict[str, str]]:
    """Name and question of every study that comes with augkit."""
    return [
        {"name": name, "what it measures": str(read_yaml(path).get("description", ""))}
        for name, path in named_sweeps().items()
    ]
