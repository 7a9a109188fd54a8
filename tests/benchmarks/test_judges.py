"""The benchmark of judges on verdicts that are made up: script and augkit agree."""

from __future__ import annotations

import gzip
import json
import random

import pytest

from benchmarks.release.judges import alpaca_eval, counted, llmbar, null_alarms

WORDS = "tea water leaf cup warm green black pot boil wait".split()


def text(rng):
    return " ".join(rng.choices(WORDS, k=rng.randint(3, 40)))


@pytest.fixture
def folder(tmp_path):
    """Files of the same shape, with judges that like the first answer, and the longer one."""
    rng = random.Random(0)
    verdicts, trials = [], []
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
        for model in ("m", "n", "gpt4_gamed"):
            p = rng.random()
            shown = ("base", model) if rng.random() < 0.5 else (model, "base")
            trials.append(
                {"item": str(number), "judge": "j", "prompt": "p", "first": texts[0],
                 "second": texts[1], "verdict": "second" if p > 0.5 else "first", "p_second": p,
                 "model": model, "first_model": shown[0], "second_model": shown[1]}
            )  # fmt: skip
    board = []
    for model in ("m", "n", "gpt4_gamed"):
        wins = [row["p_second"] if row["second_model"] == model else 1 - row["p_second"]
                for row in trials if row["model"] == model]  # fmt: skip
        board.append({"id": model, "win_rate": 100 * sum(wins) / len(wins)})
        board[-1]["length_controlled_winrate"] = board[-1]["win_rate"] + len(board)
    files = {"llmbar": verdicts, "alpacaeval": trials, "alpacaeval_leaderboard": board}
    for name, rows in files.items():
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (tmp_path / f"judge_{name}.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    return tmp_path


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


def test_win_rates_agree(folder):
    """The means, the effect of length and of the place."""
    lines = list(alpaca_eval(folder))
    by_kind = {line["kind"]: line for line in lines}
    assert by_kind["length"]["script"] == by_kind["length"]["augkit"]
    assert by_kind["place"]["script"] == by_kind["place"]["augkit"]
    rates = [line for line in lines if line["kind"] == "win rate"]
    assert len(rates) == 3
    assert all(line["difference"] < 1e-9 for line in rates)
    assert [line["number"] for line in lines if line["kind"] == "order"] == [3, 3, 2, 2]


def test_judges_without_a_preference_are_drawn(folder):
    """So many of each kind, the same at each call."""
    lines = list(null_alarms(folder, 3))
    assert [line["draws"] for line in lines] == [3, 3, 3]
    assert lines == list(null_alarms(folder, 3))


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
