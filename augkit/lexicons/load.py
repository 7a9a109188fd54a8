"""Read the bundled word lists; each file under ``data/`` says where its words come from."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any


def data_bytes(name: str) -> bytes:
    """A file under ``data/``, as it is."""
    return files("augkit.lexicons").joinpath("data", *name.split("/")).read_bytes()


def data_text(name: str) -> str:
    """The text of a file under ``data/``."""
    return data_bytes(name).decode("utf-8")


def data_yaml(name: str) -> Any:
    """The values of a YAML file under ``data/``; not cached."""
    from augkit.core.yaml_files import parse_bundled_yaml

    return parse_bundled_yaml(data_text(name))


@cache
def word_pairs(name: str) -> tuple[tuple[str, str], ...]:
    """The pairs of a list such as ``interchangeable``."""
    return tuple((first, second) for first, second in data_yaml(f"{name}.yaml")["pairs"])


@cache
def word_set(name: str) -> frozenset[str]:
    """The lines of a list such as ``person_nouns``.

    >>> "teacher" in word_set("person_nouns"), "table" in word_set("person_nouns")
    (True, False)
    """
    lines = data_text(f"{name}.txt").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("#"))


@cache
def word_group(file: str, group: str) -> frozenset[str]:
    """One group of words of a YAML file whose groups are words with spaces between them.

    >>> sorted(word_group("grammar", "relative_pronouns"))
    ['that', 'which', 'who', 'whom']
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

    Function words are not in it. Built by ``scripts/data/build_synonyms.py`` from WordNet 3.0.

    >>> synonyms()["movies"]
    ('films',)
    """
    return {word: tuple(listed.split(" ")) for word, listed in _packed_rows("synonyms.tsv.gz")}


@cache
def antonyms() -> Mapping[tuple[str, str], tuple[str, ...]]:
    """(Part of speech, lemma) → antonyms: direct ones, or those of similar adjectives.

    Built by ``scripts/data/build_antonyms.py`` from WordNet 3.0.

    >>> antonyms()["adjective", "tedious"], antonyms()["verb", "love"]
    (('interesting',), ('hate',))
    """
    rows = _packed_rows("antonyms.tsv.gz")
    return {(part, word): tuple(listed.split(" ")) for part, word, listed in rows}


@cache
def trigram_languages() -> list[str]:
    """The codes of the languages that ``trigram_weights`` knows, beside English."""
    return _packed_rows("language_trigrams.tsv.gz")[0][1].split(" ")


@cache
def trigram_weights() -> Mapping[str, tuple[int, ...]]:
    """Trigram → how much likelier it is in each language than in English: 4 times the logarithm.

    Built by ``scripts/data/build_language_trigrams.py`` from langdetect's profiles (Apache-2.0).

    >>> trigram_weights()["the"][trigram_languages().index("de")] < 0
    True
    """
    rows = _packed_rows("language_trigrams.tsv.gz")[1:]
    return {gram: tuple(ord(sign) - ord("N") for sign in steps) for gram, steps in rows}


def _packed_rows(name: str) -> list[list[str]]:
    import gzip

    lines = gzip.decompress(data_bytes(name)).decode("utf-8").splitlines()
    return [line.split("\t") for line in lines]


@cache
def valences() -> Mapping[str, float]:
    """Lower-case word → how pleasant it is, from VADER's lexicon (MIT): -4 to 4.

    It mixes opinions with what stories are about ("murder"): it shows that a text may still have a
    polarity, not what to edit.

    >>> valences()["great"] > 2, valences()["awful"] < -1.5
    (True, True)
    """
    from vaderSentiment.vaderSentiment import (  # type: ignore[import-untyped] # it has no types
        SentimentIntensityAnalyzer,
    )

    lexicon: dict[str, float] = SentimentIntensityAnalyzer().lexicon
    return lexicon
