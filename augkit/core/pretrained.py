"""Models saved by ``transformers``: a folder or a name on the hub, checked before it is loaded.

Also whether the hub answers, for datasets too.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from augkit.core.errors import BackendFailed, ConfigError
from augkit.core.types import digest

T = TypeVar("T")

PROBE_SECONDS = 3.0


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
    local_only = on_disk or not hub_answers()
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


def hub_answers() -> bool:
    """Whether the hub can be reached; its own client tries for half a minute."""
    from http.client import HTTPException
    from urllib.error import HTTPError
    from urllib.request import Request, urlopen

    from huggingface_hub.constants import ENDPOINT

    answered = threading.Event()

    def ask() -> None:
        request = Request(ENDPOINT, method="HEAD")  # noqa: S310 - the hub's own address
        try:
            urlopen(request, timeout=PROBE_SECONDS).close()  # noqa: S310
        except HTTPError:
            pass
        except (OSError, HTTPException, ValueError):
            return
        answered.set()

    # A thread, because a name look-up has no timeout.
    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(PROBE_SECONDS)
    return answered.is_set()
