"""What commands say is wrong: the true cause, and commands that run as they are printed."""

from __future__ import annotations

import pandas as pd
import pytest

import augkit
from augkit.core.errors import UnknownName

REVIEWS = [{"text": f"A film, number {n}.", "label": ("good", "bad")[n % 2]} for n in range(40)]


def test_an_unknown_method_of_fix_is_refused_before_the_data_are_read(run_augkit):
    """The file does not even exist; a method that is known is not enough."""
    result = run_augkit("fix", "nothing.csv", "--method", "swap", "--method", "rasor")
    assert result.code == 2
    assert "no method 'rasor'. Did you mean 'razor'?" in result.err
    with pytest.raises(UnknownName, match="no method 'rasor'"):
        augkit.fix(pd.DataFrame(REVIEWS), methods=["swap", "rasor"])
