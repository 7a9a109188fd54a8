"""Commands use spaCy without torch."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import sys
from augkit.english.spacy_import import leave_torch_out
{before}
from augkit.english.parser import SpacyParser
[analysis] = SpacyParser().parse(["She lost her keys."])
assert analysis.tokens[1].lemma == "lose"
import thinc.compat
print(thinc.compat.has_torch, "torch" in sys.modules)
import importlib.util
print(importlib.util.find_spec("torch") is not None)
"""


@pytest.mark.slow
@pytest.mark.parametrize("before", ["leave_torch_out()", ""])
def test_a_command_leaves_torch_out_of_spacy_and_a_program_does_not(before):
    """The parse is the same; torch is still there for others to import."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(before=before)],
        capture_output=True,
        text=True,
        check=True,
        env={name: value for name, value in os.environ.items() if name != "AUGKIT_SPACY_TORCH"},
    )
    in_thinc, is_installed = done.stdout.splitlines()
    if before:
        assert in_thinc == "False False"
    elif is_installed == "True":
        assert in_thinc == "True True"
