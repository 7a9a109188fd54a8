"""What repeats a run, ``settings.yaml`` in its folder, and what resumes one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from augkit.core.json_files import write_atomically
from augkit.core.yaml_files import parse_yaml
from augkit.llm.settings import bare_address
from augkit.runs.settings import RunSettings
from augkit.text.printable import shell_line

SETTINGS_FILE = "settings.yaml"
_FIRST = ("method", "dataset", "seed")
"""Settings that are written although they may be the default."""
_ONE_MACHINE = frozenset({"workers", "artifacts", "engine", "ray_address"})
"""Settings that suit the machine of the run alone."""
_NOT_KEPT = ("workers", "data_folder", "engine", "ray_address")
"""Settings that a run folder does not record for a resume."""
_HEAD = """\
# The settings of this run that are not the default. augkit run --config FILE repeats it.
# The address of a model is left out: a file of somebody else would get your key. Give --base-url.
"""


def write_settings(folder: Path, settings: RunSettings) -> None:
    """Write the settings of a run into its folder, so that ``--config`` repeats it."""
    write_atomically(folder / SETTINGS_FILE, _HEAD + settings_text(settings))


def settings_text(settings: RunSettings) -> str:
    r"""The settings that are not the default, as YAML.

    >>> settings_text(RunSettings(method="eda", dataset="my data.csv", sample=6, quotes=False))
    'method: eda\ndataset: my data.csv\nseed: 0\nsample: 6\nquotes: false\n'
    """
    import yaml

    changed = settings.model_dump(mode="json", exclude_defaults=True, exclude={*_ONE_MACHINE})
    if "edit_roles" in settings.model_fields_set:  # some methods have another default
        changed["edit_roles"] = list(settings.edit_roles)
    connection = changed.pop("connection", {})
    for name in ("base_url", "workers"):
        connection.pop(name, None)
    if connection:
        changed["connection"] = connection
    written = {name: getattr(settings, name) for name in _FIRST} | changed
    text = yaml.safe_dump(written, sort_keys=False, allow_unicode=True)
    if not text.isascii() and parse_yaml(text, SETTINGS_FILE) != written:
        # PyYAML writes some signs that end a line, as U+0085, as if they did not.
        text = yaml.safe_dump(written, sort_keys=False)
    return text


def written_settings(folder: Path) -> str:
    """The text of the settings of a run; "" where an older augkit made the folder."""
    path = folder / SETTINGS_FILE
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""


def repeat_command(folder: Path, connection: Mapping[str, Any]) -> str:
    """The command that repeats a run, with the address of its models.

    >>> repeat_command(Path("runs/eda"), {"base_url": "http://localhost:8000/v1"})
    'augkit run --config runs/eda/settings.yaml --base-url http://localhost:8000/v1'
    """
    words = ["augkit", "run", "--config", str(folder / SETTINGS_FILE)]
    address = connection.get("base_url")
    if address:
        words += ["--base-url", bare_address(address)]
    return shell_line(words)


def resume_command(settings: RunSettings, folder: Path, more: Sequence[str] = ()) -> str:
    """The command that resumes a run, with the settings that its folder does not keep.

    >>> resume_command(RunSettings(workers=2, seed=3), Path("runs/my run"))
    "augkit run --resume --out 'runs/my run' --workers 2"
    """
    words = ["augkit", "run", "--resume", "--out", str(folder)]
    changed = settings.model_dump(mode="json", exclude_defaults=True, include={*_NOT_KEPT})
    for key in _NOT_KEPT:
        if key in changed:
            given = ["--workers"] if key == "workers" else ["--set"]
            value = changed[key] if key == "workers" else f"{key}={changed[key]}"
            words += [*given, str(value)]
    address = settings.connection.base_url or ""
    if address:
        words += ["--base-url", bare_address(address)]
    has_secrets = bare_address(address) != address.rstrip("/")
    comment = "  # add what is secret in the address" if has_secrets else ""
    return shell_line([*words, *more]) + comment
