"""Intervals of scores, differences between two classifiers, and their significance."""

from typing import Literal

Interval = Literal["exact", "bootstrap"]
"""How the interval of a share is computed."""
