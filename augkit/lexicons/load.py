"""Read the bundled word lists; each file under ``data/`` says where its words come from."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from augkit.config import parse_yaml


@cache
def word_pairs(name: str) -> tuple[tuple[str, str], ...]:
    """The pairs of a list such as ``interchangeable``."""
    text = files("augkit.lexicons").joinpath("data", f"{name}.yaml").read_text(encoding="utf-8")
    return tuple((first, second) for first, second in parse_yaml(text, name)["pairs"])
