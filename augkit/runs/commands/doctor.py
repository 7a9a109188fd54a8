"""``augkit doctor``: what works on this machine, and how to fix the rest."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from augkit.core import registry

_EXTRAS = {
    "data": ("datasets", "hub datasets, parquet files"),
    "nn": ("torch", "local models, transformers classifiers"),
    "explain": ("captum", "LIME, integrated gradients, Shapley values"),
    "ray": ("ray", "clusters"),
}


def diagnose(environment: Mapping[str, str]) -> list[dict[str, object]]:
    """One row per check: what, its state, and the fix."""
    rows = [_row("augkit", version("augkit")), _row("python", platform.python_version())]
    rows += [_extra(extra, *about) for extra, about in _EXTRAS.items()]
    rows.append(_data_folder(environment.get("AUGKIT_DATA")))
    rows.append(_key(bool(environment.get("OPENAI_API_KEY"))))
    rows += [_row(group, ", ".join(registry.names(group)) or "none") for group in registry.GROUPS]
    return rows


def _extra(extra: str, package: str, purpose: str) -> dict[str, object]:
    try:
        return _row(f"extra {extra}", f"{package} {version(package)} ({purpose})")
    except PackageNotFoundError:
        return _row(
            f"extra {extra}", f"not installed ({purpose})", f"pip install 'augkit[{extra}]'"
        )


def _data_folder(folder: str | None) -> dict[str, object]:
    if not folder:
        return _row("AUGKIT_DATA", "not set (optional)", "export AUGKIT_DATA=FOLDER")
    if not Path(folder).is_dir():
        return _row("AUGKIT_DATA", "no such folder", f"mkdir -p {folder}, or choose another")
    return _row("AUGKIT_DATA", "found")


def _key(present: bool) -> dict[str, object]:
    if present:
        return _row("OPENAI_API_KEY", "set (not shown)")
    return _row("OPENAI_API_KEY", "not set (only for --llm openai:…)", "export OPENAI_API_KEY=…")


def _row(what: str, state: str, fix: str = "") -> dict[str, object]:
    return {"what": what, "state": state, "fix": fix}
