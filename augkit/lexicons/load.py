"""Read the bundled word lists; each file under ``data/`` says where its words come from."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from augkit.core.config import parse_yaml


def data_bytes(name: str) -> bytes:
    """A file under ``data/``, as it is."""
    return files("augkit.lexicons").joinpath("data", *name.split("/")).read_bytes()


def data_text(name: str) -> str:
    """The text of a file under ``data/``."""
    return data_bytes(name).decode("utf-8")


def data_yaml(name: str) -> Any:
    """The values of a YAML file under ``data/``; not cached."""
    return parse_yaml(data_text(name), name)


@cache
def word_pairs(name: str) -> tuple[tuple[str, str], ...]:
    """The pairs of a list such as ``interchangeable``."""
    return tuple((first, second) for first, second in data_yaml(f"{name}.yaml")["pairs"])


@cache
def word_list(name: str) -> tuple[str, ...]:
    """The lines of a list such as ``named_phrases``."""
    lines = data_text(f"{name}.txt").splitlines()
    return tuple(line for line in lines if line and not line.startswith("#"))


@cache
def word_group(file: str, group: str) -> frozenset[str]:
    """One group of words of a YAML file whose groups are words with spaces between them.

    >>> sorted(word_group("grammar", "masculine_pronouns"))
    ['he', 'him', 'himself', 'his']
    """
    return frozenset(_word_groups(file)[group].split())


@cache
def _word_groups(file: str) -> Mapping[str, str]:
    groups: dict[str, str] = data_yaml(f"{file}.yaml")
    return groups


@cache
def closed_classes() -> Mapping[str, str]:
    """Lower-case function word → its class; the words of a class are interchangeable.

    >>> closed_classes()["she"], closed_classes()["with"]
    ('subject', 'preposition')
    """
    classes = data_yaml("closed_classes.yaml").items()
    return {word: name for name, members in classes for word in members}


@cache
def synonyms() -> Mapping[str, tuple[str, ...]]:
    """Lower-case word → words that can usually replace it, in the same inflected form.

    Function words are not in it. Built by ``scripts/build_synonyms.py`` from WordNet 3.0.

    >>> synonyms()["movies"]
    ('films',)
    """
    packed = data_bytes("synonyms.tsv.gz")
    lines = gzip.decompress(packed).decode("utf-8").splitlines()
    parts = (line.partition("\t") for line in lines)
    return {word: tuple(others.split(" ")) for word, _, others in parts}
