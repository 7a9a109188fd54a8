"""Prune: what is planted is gone, rows stay as they were, and bad settings are refused."""

import json
import random

import numpy as np
import pytest
from typer.testing import CliRunner

from augkit import create, load_dataset
from augkit.augmenters.choices.aflite import AfliteSettings, aflite
from augkit.augmenters.choices.prune import PruneConfig, prune
from augkit.cli.app import app
from augkit.core.choices import Choice
from augkit.core.errors import ConfigError, UnknownName
from augkit.runs.execute import run
from augkit.runs.settings import RunSettings
from augkit.text.features.item_features import ItemTexts

WORDS = "amber basket candle dune ember fjord grove harbour island jacket kettle lantern".split()


def planted(size, strength, change, seed=0):
    """Pairs of random words, of which the winner is changed in a share of the items."""
    rng = random.Random(seed)
    rows = []
    for number in range(size):
        texts = [" ".join(rng.choices(WORDS, k=8)).capitalize() + "." for _ in range(2)]
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


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def dataset_of(folder):
    return [json.loads(line) for line in (folder / "dataset.jsonl").read_text().splitlines()]


PLANTS = {
    "longer": (lambda text: text + " Amber dune.", len),
    "bold": (lambda text: f"**{text}**", lambda text: "**" in text),
    "word": (lambda text: "Sure. " + text, lambda text: "Sure" in text),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PLANTS)
def test_what_is_planted_is_at_chance_in_what_stays(name):
    """In 300 pairs of strength 0.65, and at least 60 % of them stay."""
    change, holds = PLANTS[name]
    rows = planted(300, 0.65, change)
    result = prune(choices_of(rows), PruneConfig())
    kept = [row for row, weight in zip(rows, result.weights, strict=True) if weight]
    assert share(rows, holds) > 0.6
    assert share(kept, holds) == pytest.approx(0.5, abs=0.05)
    assert len(kept) >= 180
    assert not result.info["caveats"]


def test_named_features_are_balanced_and_nothing_else_is_asked():
    """All that stays has winners with more and with fewer characters as often."""
    rows = planted(60, 0.8, PLANTS["longer"][0])
    config = PruneConfig(features=("characters",), tolerance=0.01)
    result = prune(choices_of(rows), config)
    kept = [row for row, weight in zip(rows, result.weights, strict=True) if weight]
    assert share(kept, len) == pytest.approx(0.5, abs=0.05)
    assert result.info["prune"]["after"]["blind"] is None
    longer = sum(len(row["chosen"]) > len(row["rejected"]) for row in rows)
    assert len(kept) >= 2 * min(longer, len(rows) - longer) - 1


def test_weights_are_positive_and_balance():
    """They sum to the number of items; the ruler is at chance."""
    rows = planted(60, 0.8, PLANTS["longer"][0])
    config = PruneConfig(features=("characters", "words"), weights=True)
    weights = prune(choices_of(rows), config).weights
    gains = np.array([np.sign(len(row["chosen"]) - len(row["rejected"])) for row in rows])
    assert weights.min() > 0
    assert weights.sum() == pytest.approx(len(rows))
    assert gains @ weights / len(rows) == pytest.approx(0, abs=0.01)


def test_clean_pairs_all_stay():
    """Nothing is above chance, so nothing goes."""
    rows = planted(60, 0.5, lambda text: text)
    assert prune(choices_of(rows), PruneConfig(tolerance=0.2)).weights.min() == 1


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
    kept = [choice for choice, weight in zip(choices, result.weights, strict=True) if weight]
    right = [
        max(range(4), key=lambda place: len(choice.candidates[place])) == choice.winners[0]
        for choice in kept
    ]
    assert np.mean(right) == pytest.approx(0.25, abs=0.06)
    assert len(kept) >= 30


def test_a_run_leaves_rows_out_and_says_why(tmp_path):
    """The rows that stay are as they were; the others are among the rejected."""
    rows = planted(60, 0.8, PLANTS["longer"][0])
    settings = RunSettings(
        method="prune",
        dataset=str(write(tmp_path / "pairs.jsonl", rows)),
        options={"features": ["characters"]},
    )
    folder = run(settings, tmp_path / "out")
    written = dataset_of(folder)
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


def test_weights_are_a_column_from_the_command_line(tmp_path):
    """YAML and options are the same settings."""
    path = write(tmp_path / "pairs.jsonl", planted(60, 0.8, PLANTS["longer"][0]))
    arguments = ["run", "--method", "prune", "--dataset", str(path), "--out", str(tmp_path / "o")]
    options = ["weights=true", "weight_column=importance", "features=[characters]"]
    for option in options:
        arguments += ["--set", option]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    written = dataset_of(tmp_path / "o")
    assert sum(row["importance"] for row in written) == pytest.approx(60)


def test_python_gives_what_each_row_counts(tmp_path):
    """Without a run."""
    path = write(tmp_path / "pairs.jsonl", planted(40, 0.9, PLANTS["bold"][0]))
    method = create("prune", features=["bold phrases"])
    outcomes = list(method.outcomes(load_dataset(path, choices=True)))
    assert 0 < sum(outcome.weight == 0 for outcome in outcomes) < 40


def test_ties_stay(tmp_path):
    """A row without a winner says nothing about winners."""
    rows = [
        {"prompt": f"{n}?", "response_a": "Yes it is.", "response_b": "No.", "winner": "tie"}
        for n in range(3)
    ]
    method = create("prune")
    outcomes = list(method.outcomes(load_dataset(write(tmp_path / "t.jsonl", rows), choices=True)))
    assert [(outcome.weight, outcome.detail) for outcome in outcomes] == [(1.0, "no winner")] * 3


def test_an_unknown_feature_is_an_error():
    """It names those that there are."""
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


def test_aflite_is_algorithm_1():
    """The same items stay as by the slow version."""
    rows = ItemTexts(choices_of(planted(40, 0.9, PLANTS["word"][0])), places_matter=False)
    settings = AfliteSettings(partitions=8, slice_share=0.1, dimensions=5)
    staying = aflite(rows.labelled.texts, rows.items, settings, 7)
    expected = slow_aflite(rows.labelled.texts, rows.items, settings, 7)
    assert np.flatnonzero(staying).tolist() == expected
    assert len(expected) < 40
