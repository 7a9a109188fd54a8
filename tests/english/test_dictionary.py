"""lemminflect's tables, read word by word."""

from __future__ import annotations

import subprocess
import sys

import pytest

_COMMAND = """
import os, sys
os.environ["AUGKIT_SPACY_TORCH"] = "0"
from augkit.english.morphology import inflections, known_lemmas
print(known_lemmas("walks"), inflections("learn", "VBD"), "spacy" in sys.modules)
import spacy
print(spacy.__version__ > "3")
"""


@pytest.mark.slow
def test_every_word_has_what_lemminflect_reads() -> None:
    """The tables know the words of lemminflect's own loaders, in the same order, and no others."""
    from lemminflect.codecs.InflectionLUCodec import InflectionLUCodec
    from lemminflect.codecs.LemmaLUCodec import LemmaLUCodec

    from augkit.english.dictionary import lemminflect

    package = lemminflect()
    lemmatizer, inflections = package.Lemmatizer(), package.Inflections()
    for oracle, table in (
        (LemmaLUCodec.load(lemmatizer.lemma_lu_fn), lemmatizer.lemma_dict),
        (InflectionLUCodec.load(inflections.infl_lu_fn), inflections.infl_dict),
    ):
        read = {word: list(table.get(word, {}).items()) for word in oracle}
        assert read == {word: list(content.items()) for word, content in oracle.items()}
        assert table.get("blorp", {}) == {}


@pytest.mark.slow
def test_words_are_looked_up_without_spacy() -> None:
    """In a command of ours spaCy is not imported for the dictionary, and can be later."""
    done = subprocess.run(
        [sys.executable, "-c", _COMMAND], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [
        "{'NOUN': ('walk',), 'VERB': ('walk',)} ('learned', 'learnt') False",
        "True",
    ]
