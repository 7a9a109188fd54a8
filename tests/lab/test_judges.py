"""The benchmark of judges on verdicts that are made up: script and augkit agree."""

from __future__ import annotations

import gzip
import json
import random

import pytest

from lab.judges import counted, llmbar

WORDS = "tea water leaf cup warm green black pot boil wait".split()


def text(rng):
    return " ".join(rng.choices(WORDS, k=rng.randint(3, 40)))


@pytest.fixture
def folder(tmp_path):
    """A file of the same shape, with judges that like the first answer, and the longer one."""
    rng = random.Random(0)
    verdicts = []
    for number in range(220):
        texts = [text(rng), text(rng) + " so"]
        right = rng.randrange(2)
        for judge in ("a/x", "a/y", "b/x"):
            for order in ("original", "swapped"):
                shown = texts if order == "original" else texts[::-1]
                verdict = rng.choice(("first", "first", "second", "tie"))
                verdicts.append(
                    {"item": str(number), "judge": judge, "prompt": "p", "first": shown[0],
                     "second": shown[1], "verdict": verdict, "order": order, "mode": "compare",
                     "gold": ("first", "second")[right if order == "original" else 1 - right]}
                )  # fmt: skip
    lines = "".join(json.dumps(row) + "\n" for row in verdicts)
    (tmp_path / "judge_llmbar.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    return tmp_path


@pytest.mark.slow
def test_shares_and_effects_of_judges_agree(folder):
    """Each number of the script is augkit's, and within its interval."""
    lines = list(llmbar(folder))
    assert [line["model"] for line in lines] == ["a", "b"]
    for line in lines:
        for name in ("right", "flips", "first", "longer", "gold_longer"):
            assert line[name]["script"] == line[name]["augkit"]
            assert line[name]["low"] <= line[name]["augkit"] <= line[name]["high"]
        for name in ("place", "length", "right"):
            effect = line[f"effect of {name}"]
            assert effect["script"] == pytest.approx(effect["augkit"], abs=0.3)


def test_the_count_is_by_hand():
    """Two items, one of which flips; a tie is left out."""
    row = {"judge": "j", "gold": "first", "order": "original", "first": "aa", "second": "b"}
    swapped = {**row, "gold": "second", "order": "swapped", "first": "b", "second": "aa"}
    rows = [
        {**row, "item": "1", "verdict": "first"},
        {**swapped, "item": "1", "verdict": "first"},
        {**row, "item": "2", "verdict": "first"},
        {**swapped, "item": "2", "verdict": "second"},
        {**row, "item": "3", "verdict": "tie"},
        {**swapped, "item": "3", "verdict": "second"},
    ]
    assert counted(rows) == {
        "right": 4 / 5,
        "flips": 1 / 2,
        "first": 3 / 5,
        "longer": 4 / 5,
        "gold_longer": 1.0,
    }
