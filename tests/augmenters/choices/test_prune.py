"""Prune: what is planted is gone, rows stay as they were, and bad settings are refused."""

import json
import random

import numpy as np
import pytest

from augkit import create, load_dataset
from augkit.augmenters.choices.aflite import AfliteSettings, aflite
from augkit.augmenters.choices.prune import PruneConfig, prune
from augkit.core.choices import Choice
from augkit.core.errors import ConfigError, UnknownName
from augkit.text.features.item_features import ItemTexts

WORDS = "amber basket candle dune ember fjord grove harbour island jacket kettle lantern".split()


def planted(size, strength, *changes, seed=0):
    """Pairs of random words, of which the winner has each change in a share of the items."""
    rng = random.Random(seed)
    rows = []
    for number in range(size):
        texts = [" ".join(rng.choices(WORDS, k=8)).capitalize() + "." for _ in range(2)]
        for change in changes:
            changed = 0 if rng.random() < strength else 1
            texts[changed] = change(texts[changed])
        rows.append({"prompt": f"Say {number}.", "chosen": texts[0], "rejected": texts[1]})
    return rows


def choices_of(rows):
    return [Choice((row["chosen"], row["rejected"]), (0,), row["prompt"]) for row in rows]


def share(rows, holds):
    """How often the winner has what the loser lacks, of the items that differ."""
    signs = [holds(row["chosen"]) - holds(row["rejected"]) for row in rows]
    return sum(sign > 0 for sign in signs) / max(1, sum(sign != 0 for sign in signs))


def kept_of(rows, result):
    return [row for row, weight in zip(rows, result.weights, strict=True) if weight]


PLANTS = {
    "longer": (lambda text: text + " Amber dune.", len),
    "bold": (lambda text: f"**{text}**", lambda text: "**" in text),
    "word": (lambda text: "Sure. " + text, lambda text: "Sure" in text),
}


@pytest.mark.slow
def test_what_is_planted_is_at_chance_in_what_stays():
    """In 200 pairs with three plants of strength 0.65, and at least 60 % of them stay."""
    rows = planted(200, 0.65, *(change for change, _ in PLANTS.values()))
    result = prune(choices_of(rows), PruneConfig())
    kept = kept_of(rows, result)
    for _, holds in PLANTS.values():
        assert share(rows, holds) > 0.58
        assert share(kept, holds) == pytest.approx(0.5, abs=0.05)
    assert len(kept) >= 120
    assert not result.info["caveats"]


def test_clean_pairs_all_stay():
    rows = planted(60, 0.5)
    assert prune(choices_of(rows), PruneConfig(tolerance=0.2)).weights.min() == 1


@pytest.mark.slow
def test_options_are_balanced_too():
    """With four options the longest is right as often as by chance, or nearly."""
    rng = random.Random(3)
    choices = []
    for number in range(120):
        options = [" ".join(rng.choices(WORDS, k=rng.randint(2, 6))) for _ in range(4)]
        longest = max(range(4), key=lambda place: len(options[place]))
        winner = longest if rng.random() < 0.6 else rng.randrange(4)
        choices.append(Choice(tuple(options), (winner,), f"Which {number}?"))
    result = prune(choices, PruneConfig(features=("characters",), tolerance=0.03))
    kept = kept_of(choices, result)
    right = [
        max(range(4), key=lambda place: len(choice.candidates[place])) == choice.winners[0]
        for choice in kept
    ]
    assert np.mean(right) == pytest.approx(0.25, abs=0.06)
    assert len(kept) >= 30


@pytest.mark.slow
def test_a_run_leaves_rows_out_and_says_why(run_rows, tmp_path):
    rows = planted(60, 0.8, PLANTS["longer"][0])
    written = run_rows("prune", rows, "features=[characters]", "tolerance=0.01")
    folder = tmp_path / "out"
    rejected = (folder / "rejected.jsonl").read_text().splitlines()
    assert len(written) + len(rejected) == 60
    assert {"left out"} == {json.loads(line)["reason"] for line in rejected}
    assert any("has more characters" in json.loads(line)["detail"] for line in rejected)
    before = {row["prompt"]: row for row in rows}
    for row in written:
        plain = {name: value for name, value in row.items() if not name.startswith("augkit")}
        assert plain == before[row["prompt"]]
    info = json.loads((folder / "run_info.json").read_text())
    assert info["prune"]["kept"] == len(written)
    assert info["prune"]["after"]["blind"] is None  # nothing but the named feature is asked
    assert share(written, len) == pytest.approx(0.5, abs=0.05)
    longer = sum(len(row["chosen"]) > len(row["rejected"]) for row in rows)
    assert len(written) >= 2 * min(longer, len(rows) - longer) - 1


@pytest.mark.slow
def test_weights_are_a_column_from_the_command_line(run_rows):
    options = ("weights=true", "weight_column=importance", "features=[characters]")
    written = run_rows("prune", planted(60, 0.8, PLANTS["longer"][0]), *options)
    weights = np.array([row["importance"] for row in written])
    gains = np.array([np.sign(len(row["chosen"]) - len(row["rejected"])) for row in written])
    assert weights.min() > 0
    assert weights.sum() == pytest.approx(60)
    assert gains @ weights / 60 == pytest.approx(0, abs=0.01)


def test_ties_stay(write_rows):
    """A row without a winner says nothing about winners."""
    rows = [
        {"prompt": f"{n}?", "response_a": "Yes it is.", "response_b": "No.", "winner": "tie"}
        for n in range(3)
    ]
    method = create("prune")
    outcomes = list(method.outcomes(load_dataset(write_rows(rows), choices=True)))
    assert [(outcome.weight, outcome.detail) for outcome in outcomes] == [(1.0, "no winner")] * 3


def test_an_unknown_feature_is_an_error():
    with pytest.raises(UnknownName, match="characters"):
        prune(choices_of(planted(20, 0.8, PLANTS["longer"][0])), PruneConfig(features=("x",)))


def test_aflite_has_no_weights():
    """A setting that would be ignored is an error."""
    with pytest.raises(ConfigError, match="aflite"):
        create("prune", algorithm="aflite", weights=True)


def slow_aflite(texts, items, settings, seed):
    """Algorithm 1 word by word, with the models of the real one."""
    from augkit.augmenters.choices.aflite import frozen_vectors
    from augkit.models.conditional_logit import fit_conditional_logit

    generator = np.random.default_rng(seed)
    vectors = frozen_vectors(texts, settings.dimensions)
    first = len(items.sizes)
    t, k = round(settings.train_share * first), round(settings.slice_share * first)
    left = list(range(first))
    while len(left) > t:
        tested, right = {}, {}
        for drawn in [generator.permutation(len(left)) for _ in range(settings.partitions)]:
            train = sorted(left[number] for number in drawn[:t])
            mask = np.isin(np.arange(first), train)
            slopes = fit_conditional_logit(vectors[mask[items.numbers]], items.part(mask))
            for number in drawn[t:]:
                item = left[number]
                scores = vectors[items.numbers == item] @ slopes
                won = items.won[items.numbers == item]
                top = scores == scores.max()
                tested[item] = tested.get(item, 0) + 1
                right[item] = right.get(item, 0) + (top & won).sum() / top.sum()
        score = {item: right.get(item, 0) / max(1, tested.get(item, 0)) for item in left}
        above = sorted((i for i in left if score[i] > settings.cutoff), key=lambda i: -score[i])
        gone = above[: min(k, len(left) - t)]
        left = [item for item in left if item not in gone]
        if len(above[:k]) < k:
            break
    return left


@pytest.mark.slow
def test_aflite_is_algorithm_1():
    rows = ItemTexts(choices_of(planted(40, 0.9, PLANTS["word"][0])), places_matter=False)
    settings = AfliteSettings(partitions=8, slice_share=0.1, dimensions=5)
    staying = aflite(rows.labelled.texts, rows.items, settings, 7)
    expected = slow_aflite(rows.labelled.texts, rows.items, settings, 7)
    assert np.flatnonzero(staying).tolist() == expected
    assert len(expected) < 40
