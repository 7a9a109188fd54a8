"""The command that repeats a run: every setting that is not the default."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from augkit.core.config import flags_of
from augkit.llm.settings import bare_address
from augkit.runs.settings import RunSettings
from augkit.text.printable import shell_line

_FIRST = ("method", "dataset")
_LAST = "seed"
_ONE_MACHINE = frozenset({"workers", "artifacts"})
"""Settings that suit the machine of the run alone."""
_NOT_KEPT = ("workers", "data_folder", "engine", "ray_address")
"""Settings that a run folder does not record for a resume."""
_SECTIONS = ("text_gates", "judge")
_WITH_COMMAS = ("tag_names", "label_order")
_WITHOUT_OPTION = frozenset("timeout attempts backoff backoff_cap breaker min_yield".split())
"""Settings of a ``--config`` file only."""


def command_of(settings: RunSettings) -> str:
    """The command line; a comment names what must be in a ``--config`` file.

    >>> command_of(RunSettings(method="eda", dataset="my data.csv", sample=6, quotes=False))
    "augkit run --method eda --dataset 'my data.csv' --no-quotes --sample 6 --seed 0"
    """
    changed = settings.model_dump(mode="json", exclude_defaults=True, exclude={*_ONE_MACHINE})
    if "edit_roles" in settings.model_fields_set:  # some methods have another default
        changed["edit_roles"] = list(settings.edit_roles)
    connection = changed.pop("connection", {})
    connection.pop("workers", None)
    changed |= connection
    in_file = sorted(_WITHOUT_OPTION & changed.keys())
    if isinstance(changed.get("examples"), dict):
        in_file.append("examples")
    words = ["augkit", "run"]
    for key in _FIRST:
        words += _words(key, getattr(settings, key))
    for key in sorted(changed.keys() - {*_FIRST, _LAST, *in_file}):
        words += _words(key, changed[key])
    comment = f"  # with {', '.join(in_file)} in --config FILE" if in_file else ""
    return shell_line([*words, *_words(_LAST, settings.seed)]) + comment


def resume_command(settings: RunSettings, folder: Path, more: Sequence[str] = ()) -> str:
    """The command that resumes a run, with the settings that its folder does not keep.

    >>> resume_command(RunSettings(workers=2, seed=3), Path("runs/my run"))
    "augkit run --resume --out 'runs/my run' --workers 2"
    """
    changed = settings.model_dump(mode="json", exclude_defaults=True, include={*_NOT_KEPT})
    words = [word for key in _NOT_KEPT if key in changed for word in _words(key, changed[key])]
    address = settings.connection.base_url or ""
    if address:
        words += _words("base_url", bare_address(address))
    has_secrets = bare_address(address) != address.rstrip("/")
    comment = "  # add what is secret in the address" if has_secrets else ""
    return shell_line(["augkit", "run", "--resume", "--out", str(folder), *words, *more]) + comment


def _words(key: str, value: Any) -> Iterator[str]:
    if key == "options":
        yield from _set("", value)
    elif key == "find":
        yield from ("--find", value["name"], *_set("find.", value.get("options", {})))
    elif key in _SECTIONS:
        yield from _set(f"{key}.", value)
    elif isinstance(value, bool):
        yield f"--{'' if value else 'no-'}{key.replace('_', '-')}"
    elif isinstance(value, list) and key not in _WITH_COMMAS:
        [flag, *_] = flags_of(key, is_list=True)
        yield from (word for element in value for word in (flag, str(element)))
    else:
        text = ",".join(value) if isinstance(value, list) else str(value)
        yield from (flags_of(key)[0], text)


def _set(section: str, values: Mapping[str, Any]) -> Iterator[str]:
    for key, value in values.items():
        yield from ("--set", f"{section}{key}={json.dumps(value, ensure_ascii=False)}")
