"""Antonyms by part of speech, from WordNet 3.0: direct ones, or those of similar adjectives."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from functools import cache

from augkit.lexicons.load import data_bytes


@cache
def antonyms() -> Mapping[tuple[str, str], tuple[str, ...]]:
    """(Part of speech, lemma) → antonyms. Built by ``scripts/build_antonyms.py``.

    >>> antonyms()["adjective", "tedious"], antonyms()["verb", "love"]
    (('concise', 'interesting'), ('hate',))
    """
    packed = data_bytes("antonyms.tsv.gz")
    rows = (line.split("\t") for line in gzip.decompress(packed).decode("ascii").splitlines())
    return {(part, word): tuple(others.split(" ")) for part, word, others in rows}
