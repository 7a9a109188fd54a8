"""Commands use spaCy without torch, and scikit-learn without pandas and scipy.stats."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import sys
from augkit.core.light_imports import leave_torch_out, prepare_sklearn
{before}
from augkit.english.parser import SpacyParser
[analysis] = SpacyParser().parse(["She lost her keys."])
assert analysis.tokens[1].lemma == "lose"
import thinc.compat
prepare_sklearn()
import sklearn.linear_model, sklearn.svm, sklearn.naive_bayes
print(thinc.compat.has_torch, *(name in sys.modules for name in ("torch", "pandas", "scipy.stats")))
import importlib.util
print(importlib.util.find_spec("torch") is not None)
"""
USED_LATER = """
import numpy as np, scipy, scipy.stats
from scipy.stats import rankdata
assert scipy.stats.__file__ and sys.modules["scipy.stats"] is scipy.stats
assert rankdata([3, 1, 2]).tolist() == [3, 1, 2]
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import label_ranking_average_precision_score
from sklearn.preprocessing import QuantileTransformer
x = np.arange(8.0)
assert IsotonicRegression(increasing="auto").fit(x, x[::-1]).increasing_ is not None
assert label_ranking_average_precision_score([[1, 0]], [[0.9, 0.1]]) == 1
QuantileTransformer(n_quantiles=8, output_distribution="normal").fit_transform(x[:, None])
import pandas, spacy.cli
assert spacy.cli.app and pandas.__version__
"""


def imported_by(program):
    """What a process says of torch, pandas and scipy.stats, and whether torch is installed."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        env={name: value for name, value in os.environ.items() if name != "AUGKIT_SPACY_TORCH"},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.slow
def test_a_command_leaves_them_out_until_they_are_used():
    """The parse is the same; what is used later is the real package."""
    found, _ = imported_by(PROGRAM.format(before="leave_torch_out()") + USED_LATER)
    assert found == "False False False False"


@pytest.mark.slow
def test_in_a_program_that_imports_augkit_nothing_changes():
    found, is_installed = imported_by(PROGRAM.format(before=""))
    assert found == ("True True" if is_installed == "True" else "False False") + " True True"
