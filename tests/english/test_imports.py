"""What is imported when: the rooms that every command needs load no large package."""

import subprocess
import sys

import pytest

STEPS = """
import os, sys
os.environ["AUGKIT_SPACY_TORCH"] = "0"
def absent(step, *names):
    there = [name for name in names if name in sys.modules]
    assert not there, f"{step} imports {there}"

import augkit.lexicons
absent("the lexicons", "pydantic", "lemminflect", "inflect", "spacy")

from augkit.english.morphology import agree, inflections, known_lemmas, plural_of
agree("watches", plural=True), plural_of("woman")
absent("agreement and irregular nouns", "lemminflect", "inflect", "numpy")

assert known_lemmas("walks") == {"NOUN": ("walk",), "VERB": ("walk",)}
assert inflections("learn", "VBD") == ("learned", "learnt")
import augkit.english.parser
absent("the dictionary, or the module of the parser", "spacy")

import augkit
augkit.as_map
absent("the adapter for datasets", "sklearn")
augkit.TextTransformer
assert "sklearn" in sys.modules

import spacy
assert spacy.__version__ > "3"  # after the dictionary was read without it
"""


@pytest.mark.slow
def test_large_packages_are_imported_on_use_alone() -> None:
    """One process, from what needs least to what needs most."""
    done = subprocess.run(
        [sys.executable, "-c", STEPS], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
