"""Scripted answers are made up: the text gates, which have tests of their own, let them pass."""

import pytest

from augkit.augmenters import base, checks


class LetPass(checks.NoGates):
    """Lets every text pass; what methods check themselves is checked."""

    enabled = True


@pytest.fixture(autouse=True)
def _no_text_gates(monkeypatch):
    """A test that wants gates gives them: ``Tools(text_gates=TextGates())``."""
    for module in (base, checks):
        monkeypatch.setattr(module, "DEFAULT_GATES", LetPass())
