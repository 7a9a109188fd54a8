"""Read the bundled word lists; each file under ``data/`` says where its words come from."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from augkit.config import parse_yaml


@cache
def word_pairs(name: str) -> tuple[tuple[str, str], ...]:
    """The pairs of a list such as ``interchangeable``."""
    text = files("augkit.lexicons").joinpath("data", f"{name}.yaml").read_text(encoding="utf-8")
    return tuple((first, second) for first, second in parse_yaml(text, name)["pairs"])


@cache
def word_list(name: str) -> tuple[str, ...]:
    """The lines of a list such as ``named_phrases``."""
    text = files("augkit.lexicons").joinpath("data", f"{name}.txt").read_text(encoding="utf-8")
    return tuple(line for line in text.splitlines() if line and not line.startswith("#"))


@cache
def closed_classes() -> Mapping[str, str]:
    """Lower-case function word → its class, whose words can stand in one another's place.

    >>> closed_classes()["she"], closed_classes()["with"]
    ('subject', 'preposition')
    """
    text = files("augkit.lexicons").joinpath("data", "closed_classes.yaml").read_text("utf-8")
    classes = parse_yaml(text, "closed_classes").items()
    return {word: name for name, members in classes for word in members}


@cache
def synonyms() -> Mapping[str, tuple[str, ...]]:
    """Lower-case word → words that usually can take its place, in the same inflected form.

    Function words are not in it. Built by ``scripts/build_synonyms.py`` from WordNet 3.0.

    >>> synonyms()["movies"]
    ('films',)
    """
    packed = files("augkit.lexicons").joinpath("data", "synonyms.tsv.gz").read_bytes()
    lines = gzip.decompress(packed).decode("utf-8").splitlines()
    parts = (line.partition("\t") for line in lines)
    return {word: tuple(others.split(" ")) for word, _, others in parts}
