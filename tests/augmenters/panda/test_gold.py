import importlib.util
import random
import sys
from pathlib import Path

import pytest

from augkit.augmenters.panda.jobs import Job, Perturbed
from augkit.augmenters.panda.requests import Wish, joined, to_job
from augkit.augmenters.panda.rules import Rules

GOLD = Path(__file__).parents[2] / "gold"


def _scorer():
    spec = importlib.util.spec_from_file_location("gold_score", GOLD / "score.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["gold_score"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["dev", "dev2", "dev3", "dev4", "dev5", "dev6", "dev7", "dev8"])
def test_the_development_files_of_the_gold_set_are_rewritten_as_accepted(name):
    """At least 98 % are exactly accepted, and all but one in a hundred that must stay do."""
    score = _scorer()
    items = score.load_gold(GOLD / f"panda_{name}.jsonl")
    jobs = [
        to_job(Wish(i.text, i.axis, i.target, i.word, i.start), random.Random(i.id)) for i in items
    ]
    assert all(isinstance(job, Job) for job in jobs)
    outputs = {
        item.id: joined(answer.fields) if isinstance(answer, Perturbed) else item.text
        for item, answer in zip(items, Rules().perturb(jobs), strict=True)
    }
    result = score.score(items, outputs)
    assert result["accepted"] >= 0.98
    assert result["must_not_change_kept"] >= 0.99
