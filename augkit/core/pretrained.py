"""Models saved by ``transformers``: a folder or a name on the hub, checked before it is loaded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from augkit.core.errors import BackendFailed, ConfigError
from augkit.core.types import digest

T = TypeVar("T")

PROBE_SECONDS = 3.0
HUB = ("huggingface.co", 443)


def checked_name(name: str) -> str:
    """A folder, or a name for the hub; a missing folder is an error at once, not one of the hub."""
    path = Path(name).expanduser()
    if name and (path / "config.json").is_file():
        return str(path)
    looks_local = name.startswith((".", "/", "~", "\\")) or name.count("/") != 1
    if not name or looks_local or path.exists():
        raise ConfigError(
            f"transformers: no folder '{path}' with a model in it. Give the folder of a saved "
            "model (config.json, weights, tokenizer), or a name on the hub, as owner/model"
        )
    return name


def opened(name: str, load: Callable[[str, bool], T]) -> T:
    """What ``load(name, local files only)`` gives for a checked name."""
    on_disk = Path(name).exists()
    local_only = on_disk or not _hub_answers()
    try:
        return load(name, local_only)
    except (OSError, ValueError) as error:
        why = " ".join(str(error).split())[:300]
        offline = " (the hub cannot be reached)" if local_only and not on_disk else ""
        message = f"transformers: the model '{name}' cannot be loaded{offline}: {why}"
        raise BackendFailed(message) from error


def identity(name: str) -> str:
    """A path and a digest of the files there: other weights are another model."""
    path = Path(name)
    if not path.exists():
        return f"transformers:{name}"
    files = sorted(file for file in path.iterdir() if file.is_file()) if path.is_dir() else [path]
    about = [f"{file.name}:{file.stat().st_size}:{file.stat().st_mtime_ns}" for file in files]
    return f"transformers:{path.resolve()}#{digest(*about)}"


def _hub_answers() -> bool:
    """Checked first: offline, the hub's own client tries for half a minute."""
    import socket

    try:
        socket.create_connection(HUB, PROBE_SECONDS).close()
    except OSError:
        return False
    return True
