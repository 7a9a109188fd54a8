"""Rows with nothing to edit are rejected without a parse."""

import pytest

from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.method import Coba
from augkit.core.protocols import Tools
from augkit.core.types import example
from augkit.datasets.load import load_dataset
from augkit.english.parser import SpacyParser


@pytest.mark.slow
def test_outcomes_are_those_of_parsing_every_row():
    """Sentences, pieces of sentences and signs: the same variants and the same reasons."""
    rows = load_dataset("reviews-demo")[:200]
    words = [(row.fields["text"].split(), row.label) for row in rows]
    pieces = [
        example(" ".join(listed[at : at + 4]), label)
        for listed, label in words
        for at in range(0, len(listed), 4)
    ]
    pieces += [example(text, "positive") for text in ("...", "!", "of it", "9/10", "no")]
    method = Coba(CobaConfig(copies=2))
    fitted = method.fit(rows)
    slow = Coba(CobaConfig(copies=2), Tools(parser=SpacyParser())).with_artifact(fitted.artifact)
    outcomes = list(fitted.outcomes(pieces))
    assert outcomes == list(slow.outcomes(pieces))
    assert len({outcome.reason for outcome in outcomes if hasattr(outcome, "reason")}) > 2
