"""Commands use spaCy without torch, and scikit-learn without pandas and scipy.stats."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import sys
from augkit.core.light_imports import leave_torch_out
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


SKLEARN = """
import sys
from augkit.core.light_imports import leave_torch_out, prepare_sklearn
{before}
prepare_sklearn()
import sklearn.linear_model, sklearn.svm, sklearn.naive_bayes
print("pandas" in sys.modules, "scipy.stats" in sys.modules)
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


@pytest.mark.slow
@pytest.mark.parametrize("before", ["leave_torch_out()", ""])
def test_a_command_leaves_pandas_and_statistics_out_of_scikit_learn(before):
    """They are not imported before they are used, and then they are the real ones."""
    done = subprocess.run(
        [sys.executable, "-c", SKLEARN.format(before=before)],
        capture_output=True,
        text=True,
        check=False,
        env={name: value for name, value in os.environ.items() if name != "AUGKIT_SPACY_TORCH"},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("False False" if before else "True True")
