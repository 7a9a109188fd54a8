"""Rewriting in one call: text, chosen word, target."""

import random
import re

import pytest

from augkit.augmenters.panda.jobs import Job, Perturbed
from augkit.augmenters.panda.rules import Rules

AXES = {
    **dict.fromkeys(("man", "woman", "non-binary"), "gender"),
    **dict.fromkeys(("white", "black", "hispanic", "asian", "native-american"), "race"),
    **dict.fromkeys(("child", "young", "middle-aged", "senior", "adult"), "age"),
}


@pytest.fixture
def rewrite():
    """Perturb the first (or n-th) occurrence of a word; a rejection is told in brackets."""

    def call(text, word, target, occurrence=0):
        fields = {str(n): part for n, part in enumerate(text.split(" <SEP> "))}
        places = [
            (name, match.start())
            for name, part in fields.items()
            for match in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", part)
        ]
        field, start = places[occurrence]
        place = (field, start, start + len(word))
        answer = Rules().perturb([Job(fields, *place, AXES[target], target, random.Random(0))])[0]
        if isinstance(answer, Perturbed):
            return " <SEP> ".join(answer.fields.values())
        return f"[{answer.reason}]"

    return call
