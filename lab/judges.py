"""Judges of answers: augkit's numbers beside an independent script, and AlpacaEval's leaderboard.

    python -m lab.judges --data DIR [--draws 400]

DIR/candidates has verdicts of LLMBar's judges in both orders, verdicts of AlpacaEval's judge about
20 models, and the published leaderboard of these. The script reads the files by itself and counts
with plain loops; its regression is scikit-learn's. For each model of LLMBar: right verdicts, flips
with the order, verdicts for the first and for the longer answer, and effects, each by both. Then
what length and place do to AlpacaEval's judge, win rates as published and as augkit has them, the
order of the models before and after correction against the published length-controlled one, and how
often judges without a preference raise an alarm: ``--draws`` of each kind, on the items of LLMBar.
"""

from __future__ import annotations

import gzip
import json
import math
import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import kendalltau, spearmanr
from sklearn.linear_model import LogisticRegression

from augkit.commands.audit.judges.effects import correct_effects, judge_effects
from augkit.commands.audit.judges.shares import judge_shares
from augkit.commands.audit.judges.verdicts import JudgeVerdict, Verdicts, read_verdicts
from augkit.commands.audit.judges.win_rates import win_rates
from augkit.evaluation.statistics.intervals import share_bounds
from lab.command_line import argument, arguments, print_line

Row = Mapping[str, Any]
FEWEST = 30
"""Answers of a model that are longer, and that are shorter, for the effect of length."""
EFFECTS = {"place": "shown first", "length": "twice as long", "right": "right"}


def rows_of(path: Path) -> list[Row]:
    """The rows of a file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def percent(share: float | None) -> float | None:
    """In per cent, with one place."""
    return None if share is None else round(100 * share, 1)


def mean(values: Sequence[float]) -> float:
    """The mean of values, of which there is at least one."""
    return sum(values) / len(values)


def counted(rows: Sequence[Row]) -> dict[str, float]:
    """What a judge does, counted one row after another; ties are left out."""
    decided = [row for row in rows if row["verdict"] != "tie"]
    differ = [row for row in decided if len(row["first"]) != len(row["second"])]
    longer = ["first" if len(row["first"]) > len(row["second"]) else "second" for row in differ]
    orders: dict[tuple[str, str], list[str]] = defaultdict(list)
    for row in rows:
        swapped = {"first": "second", "second": "first", "tie": "tie"}
        verdict = row["verdict"] if row["order"] == "original" else swapped[row["verdict"]]
        orders[row["item"], row["judge"]].append(verdict)
    twice = [verdicts for verdicts in orders.values() if "tie" not in verdicts]
    return {
        "right": mean([row["verdict"] == row["gold"] for row in decided]),
        "flips": mean([first != second for first, second in twice]),
        "first": mean([row["verdict"] == "first" for row in decided]),
        "longer": mean([r["verdict"] == side for r, side in zip(differ, longer, strict=True)]),
        "gold_longer": mean([r["gold"] == side for r, side in zip(differ, longer, strict=True)]),
    }


def regressed(rows: Sequence[Row]) -> dict[str, float]:
    """The effects by scikit-learn; ties count half for each answer."""
    x, y, weights = [], [], []
    for row in rows:
        length, marks = (
            math.log2((1 + size(row["first"])) / (1 + size(row["second"]))) for size in (len, mark)
        )
        gold = 1 if row["gold"] == "first" else -1
        wins = {"first": 1.0, "second": 0.0, "tie": 0.5}[row["verdict"]]
        for target, weight in ((1, wins), (0, 1 - wins)):
            x.append([row["mode"] == "compare", length, marks, gold])
            y.append(target)
            weights.append(weight)
    model = LogisticRegression(C=1e9, fit_intercept=False, max_iter=1000)
    place, length, _, gold = model.fit(np.array(x), y, sample_weight=weights).coef_[0]
    return {"place": place, "length": length, "right": gold}


def mark(text: str) -> int:
    """Marks of Markdown: items of lists, bold, headings, rows of tables, code."""
    found = re.findall(r"(?m)^\s*(?:[-*•]|\d+[.)])\s", text)
    found += re.findall(r"\*\*[^*\n]+\*\*|__[^_\n]+__", text)
    found += re.findall(r"(?m)^#{1,6} ", text) + re.findall(r"(?m)^\s*\|.*\|\s*$", text)
    return len(found + re.findall(r"```|`[^`\n]+`", text))


def llmbar(folder: Path) -> Iterator[dict[str, Any]]:
    """A line for each model that judges; every number by augkit and by the script."""
    path = folder / "judge_llmbar.jsonl.gz"
    rows, verdicts = rows_of(path), read_verdicts(path)
    for model in dict.fromkeys(row["judge"].split("/")[0] for row in rows):
        script = counted([row for row in rows if row["judge"].split("/")[0] == model])
        chosen = [row for row in verdicts.rows if row.judge.split("/")[0] == model]
        shares = judge_shares(model, Verdicts(chosen))
        # the script counts ratings too, of which each answer was seen alone
        shown = judge_shares(model, Verdicts([replace(row, compared=True) for row in chosen]))
        effects = {effect.effect: effect for effect in judge_effects(model, Verdicts(chosen))}
        coefficients = regressed([r for r in rows if r["judge"].split("/")[0] == model])
        line: dict[str, Any] = {"kind": "llmbar", "model": model, "verdicts": len(chosen)}
        for name, by_script in script.items():
            score = getattr(shown, name)
            line[name] = {"script": percent(by_script), "augkit": percent(score.value)}
            line[name] |= {"low": percent(score.low), "high": percent(score.high)}
        line["compared"] = {
            "flips": percent(shares.flips.value if shares.flips else None),
            "first": percent(shares.first.value if shares.first else None),
        }
        for name, effect in EFFECTS.items():
            share = effects[effect].share
            line[f"effect of {name}"] = {
                "script": percent(1 / (1 + math.exp(-coefficients[name]))),
                "augkit": percent(share.value),
                "low": percent(share.low),
                "high": percent(share.high),
            }
        yield line


def alpaca_eval(folder: Path) -> Iterator[dict[str, Any]]:
    """What length and place do; win rates beside the published ones; the order of the models."""
    path = folder / "judge_alpacaeval.jsonl.gz"
    rows, verdicts = rows_of(path), read_verdicts(path)
    rates = {rate.model: rate for rate in win_rates(verdicts)}
    trials: dict[str, list[tuple[float, int, bool]]] = defaultdict(list)
    for row in rows:
        is_first = row["first_model"] == row["model"]
        p = 1 - row["p_second"] if is_first else row["p_second"]
        more = len(row["first"]) - len(row["second"])
        trials[row["model"]].append((p, more if is_first else -more, is_first))
    gaps, by_augkit = [], []
    for model, judged in trials.items():
        longer = [p for p, more, _ in judged if more > 0]
        shorter = [p for p, more, _ in judged if more < 0]
        if min(len(longer), len(shorter)) > FEWEST:
            gaps.append(mean(longer) - mean(shorter))
            where_longer, where_shorter = rates[model].where_longer, rates[model].where_shorter
            if where_longer and where_shorter:
                by_augkit.append(where_longer.value - where_shorter.value)
    yield {
        "kind": "length",
        "models": len(gaps),
        "positive": sum(gap > 0 for gap in gaps),
        "script": percent(mean(gaps)),
        "augkit": percent(mean(by_augkit)),
    }
    shares = judge_shares("judge", verdicts)
    places = [[p for judged in trials.values() for p, _, first in judged if first is side]
              for side in (True, False)]  # fmt: skip
    yield {
        "kind": "place",
        "script": percent(mean(places[0]) - mean(places[1])),
        "augkit": percent(
            shares.shown_first.value - shares.shown_second.value
            if shares.shown_first and shares.shown_second
            else None
        ),
        "first": percent(shares.shown_first.value if shares.shown_first else None),
        "second": percent(shares.shown_second.value if shares.shown_second else None),
    }
    board = {row["id"]: row for row in rows_of(folder / "judge_alpacaeval_leaderboard.jsonl.gz")}
    for model, published in board.items():
        corrected = rates[model].corrected
        yield {
            "kind": "win rate",
            "model": model,
            "published": round(published["win_rate"], 1),
            "augkit": percent(rates[model].judged.value),
            "published at equal length": round(published["length_controlled_winrate"], 1),
            "at equal length": percent(corrected.value if corrected else None),
            "low": percent(corrected.low if corrected else None),
            "high": percent(corrected.high if corrected else None),
            "difference": abs(published["win_rate"] / 100 - rates[model].judged.value),
        }
    for name, models in (
        ("all", list(board)),
        ("without gpt4_gamed", [model for model in board if model != "gpt4_gamed"]),
    ):
        goal = [board[model]["length_controlled_winrate"] for model in models]
        for before, values in (
            ("as judged", [rates[model].judged.value for model in models]),
            ("at equal length", [corrected_rate(rates[model]) for model in models]),
        ):
            yield {
                "kind": "order",
                "models": name,
                "number": len(models),
                "win rates": before,
                "spearman": round(float(spearmanr(values, goal)[0]), 3),
                "kendall": round(float(kendalltau(values, goal)[0]), 3),
                "mean distance": round(
                    mean([abs(100 * v - lc) for v, lc in zip(values, goal, strict=True)]), 2
                ),
            }


def corrected_rate(rate: Any) -> float:
    """The win rate at equal length."""
    return float(rate.corrected.value)


def coin(rng: random.Random, rows: Sequence[JudgeVerdict]) -> list[JudgeVerdict]:
    """A judge that throws a coin for every verdict."""
    return [replace(row, first_wins=float(rng.random() < 0.5)) for row in rows]


def steady(rng: random.Random, rows: Sequence[JudgeVerdict]) -> list[JudgeVerdict]:
    """A judge that throws a coin for every item, and says the same in both orders."""
    favourites = {row.item: max(row.first, row.second) for row in rows}
    flipped = {item: rng.random() < 0.5 for item in favourites}
    return [
        replace(row, first_wins=float((row.first == favourites[row.item]) != flipped[row.item]))
        for row in rows
    ]


def able(rng: random.Random, rows: Sequence[JudgeVerdict]) -> list[JudgeVerdict]:
    """A judge that is right in 80 % of the items, and says the same in both orders."""
    right = {row.item: rng.random() < 0.8 for row in rows}
    return [replace(row, first_wins=float((row.gold > 0) == right[row.item])) for row in rows]


def null_alarms(folder: Path, draws: int) -> Iterator[dict[str, Any]]:
    """Alarms of judges without a preference, on 200 items of LLMBar in both orders."""
    verdicts = read_verdicts(folder / "judge_llmbar.jsonl.gz")
    judge = verdicts.rows[0].judge
    rows = [row for row in verdicts.rows if row.judge == judge]
    items = sorted({row.item for row in rows})
    judges: dict[str, Callable[[random.Random, Sequence[JudgeVerdict]], list[JudgeVerdict]]]
    judges = {
        "a coin for each verdict": coin,
        "a coin for each item": steady,
        "right in 80 %": able,
    }
    for name, decide in judges.items():
        alarms = 0
        for number in range(draws):
            rng = random.Random(f"{name} {number}")
            drawn = set(rng.sample(items, 200))
            chosen = decide(rng, [row for row in rows if row.item in drawn])
            effects = correct_effects(judge_effects("", Verdicts(chosen)))
            alarms += any(effect.alarm for effect in effects)
        low, high = share_bounds(alarms, draws)
        shares = {"share": alarms / draws, "low": round(low, 4), "high": round(high, 4)}
        yield {"kind": "null", "judge": name, "draws": draws, "alarms": alarms, **shares}


def main() -> None:
    """All of it."""
    asked = arguments(
        __doc__,
        argument("--data", type=Path, required=True),
        argument("--draws", type=int, default=400),
    )
    folder = asked.data / "candidates"
    for lines in (llmbar(folder), alpaca_eval(folder), null_alarms(folder, asked.draws)):
        for line in lines:
            print_line(line)


if __name__ == "__main__":
    main()
