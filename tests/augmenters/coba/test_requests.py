"""What the requests of all steps share."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

import pytest

from augkit.augmenters.coba.attempts import build_request
from augkit.augmenters.coba.identify import WordsAnswer, read_words
from augkit.augmenters.coba.job import Job
from augkit.augmenters.coba.paper_steps import TriplePlan, read_edited, read_parts, read_triples
from augkit.augmenters.coba.style import read_style
from augkit.core.model_types import Reply
from augkit.core.types import FREE, Cost, example

PAID = Cost(1, 20, 5, 0.001)
ROW = example("The plot is fine. Anna sings. I loved it.", "positive")
JOB = Job(ROW, target="negative", rng=Random(0))
INPUTS = {"fields": {}, "label": "a", "labels": ["a"], "most": 3}


@pytest.mark.parametrize("step", ["decompose", "edit", "reconstruct", "identify", "style"])
def test_a_fault_is_a_rejection_with_its_step_and_cost(step):
    """A fault of the model becomes "unusable answer" with the step and the fault."""
    reply = Reply(fault="cut short", detail="too long", cost=PAID)
    read = {
        "decompose": lambda: read_triples(ROW, reply),
        "edit": lambda: read_edited(JOB, reply),
        "reconstruct": lambda: read_parts(TriplePlan(JOB, {}, (), FREE), reply),
        "identify": lambda: read_words(ROW, reply, frozenset()),
        "style": lambda: read_style(JOB, reply),
    }[step]
    found = read()
    assert (found.reason, found.cost) == ("unusable answer", PAID)
    assert found.detail.startswith(f"{step}: cut short")


@pytest.mark.parametrize(("temperature", "sampled"), [(0.7, True), (0.0, False)])
def test_only_what_is_written_is_sampled(temperature, sampled):
    """With a generator and a temperature a request has a seed; without them it is greedy."""
    params = SimpleNamespace(temperature=temperature, max_tokens=99)
    written = build_request("coba/identify", WordsAnswer, params, Random(0), **INPUTS)
    asked = build_request("coba/identify", WordsAnswer, params, **INPUTS)
    assert (written.seed is not None, written.temperature) == (sampled, temperature)
    assert (asked.seed, asked.temperature, asked.max_tokens) == (None, 0.0, 99)
