"""Evaluation end to end, on data whose answer is known."""

import json
import random

import pytest

from augkit.commands.evaluate.evaluate import evaluate
from augkit.commands.evaluate.settings import evaluation_settings
from augkit.core.errors import ConfigError, DataError, UnknownName
from augkit.core.results import read_record, record_of
from augkit.runs.execute import run
from augkit.runs.settings import RunSettings

GENDER = {"pairs": [["he", "she"], ["his", "her"], ["man", "woman"]]}
OPENINGS = ["The film", "This story", "A long drama", "The new novel", "That picture", "The show"]
PRAISE = ["moving", "clever", "warm", "bright", "honest", "tender", "lively", "sharp"]
BLAME = ["dull", "clumsy", "cold", "stale", "empty", "grim", "lazy", "noisy"]


def reviews(count, shortcut, seed):
    """Reviews of a man's or a woman's work; with ``shortcut`` the gender gives the label away."""
    rng = random.Random(seed)
    rows = []
    for number in range(count):
        label = number % 2
        woman = label if shortcut and rng.random() < 0.95 else rng.randrange(2)
        # One word in three is off its label, so that the gender is worth learning.
        words = [PRAISE, BLAME][(label + (rng.random() < 0.35)) % 2]
        person, own = (("woman", "her"), ("man", "his"))[woman]
        about = f"{rng.choice(OPENINGS)} by that {person} is {rng.choice(words)}"
        text = f"{about}, and so is {own} {rng.choice(['cast', 'plot', 'style'])}."
        rows.append({"text": text, "label": ["good", "bad"][label]})
    return rows


def fair(write_rows, train, test, **more):
    values = {
        "train": str(write_rows(train, "train.jsonl")),
        "tests": (str(write_rows(test, "test.jsonl")),),
        "metrics": ("fairscore",),
        "method": "swap",
        "options": GENDER,
    }
    return evaluate(evaluation_settings(values | more))


@pytest.mark.slow
def test_a_planted_gender_shortcut_is_found_and_its_absence_too(write_rows):
    """Fairscore parts a classifier that was trained on the shortcut from one that was not.

    The control is flat: random edits of the same size change as little in both.
    """
    test = reviews(300, shortcut=False, seed=1)
    (biased,) = fair(write_rows, reviews(1000, shortcut=True, seed=2), test)
    (clean,) = fair(write_rows, reviews(1000, shortcut=False, seed=2), test)
    assert biased.scores["changed_rows"].value >= 0.2
    assert clean.scores["changed_rows"].value <= 0.05
    assert biased.scores["above_control"].low > 0.1
    assert clean.scores["above_control"].high < 0.05
    assert biased.scores["control"].value <= 0.05
    assert clean.scores["control"].value <= 0.05


@pytest.mark.slow
def test_fairtuning_takes_a_planted_shortcut_away(write_rows, tmp_path):
    """With panda for both: planted, then fairtuned by a run of its defaults; size and labels stay.

    The paper's choice of another gender than one's own only reverses the shortcut. The control
    is flat in all.
    """
    planted = reviews(1500, shortcut=True, seed=2)
    path = str(write_rows(planted, "planted.jsonl"))
    test = str(write_rows(reviews(200, shortcut=False, seed=1), "test.jsonl"))
    gender = {"axes": ["gender"]}
    fairscores, controls = [], []
    for number, options in enumerate([None, gender | {"target": "random"}, gender]):
        train = path
        if options is not None:
            settings = RunSettings(method="panda", dataset=path, options=options)
            train = str(run(settings, tmp_path / f"run {number}") / "dataset.jsonl")
        values = {"train": train, "tests": (test,), "metrics": ("fairscore",), "options": gender}
        (record,) = evaluate(evaluation_settings(values))
        versions = 3 if options == gender else 1  # of a row, one for each gender
        assert record.rows.train == versions * len(planted)
        fairscores.append(record.scores["changed_rows"].value)
        controls.append(record.scores["control"].value)
    shortcut, reversed_shortcut, fairtuned = fairscores
    assert shortcut >= 0.2
    assert reversed_shortcut >= 0.1
    assert fairtuned <= 0.05
    assert max(controls) - min(controls) <= 0.05


def test_the_record_has_what_was_promised(write_rows):
    """Both denominators with their rows, accuracy on both sides, the control, and names."""
    plain_rows = [{"text": "The new novel is warm.", "label": "good"}] * 5
    test = [*reviews(60, shortcut=False, seed=1), *plain_rows]
    (record,) = fair(write_rows, reviews(200, shortcut=True, seed=2), test)
    written = record_of(record)
    assert list(written) == [
        "metric", "direction", "scores", "rejected", "control_rejected", "method",
        "model", "train", "test", "rows", "seeds",
    ]  # fmt: skip
    assert list(record.scores) == [
        "changed_rows", "all_rows", "accuracy, original", "accuracy, perturbed",
        "control", "above_control",
    ]  # fmt: skip
    assert (record.scores["changed_rows"].n, record.scores["all_rows"].n) == (60, 65)
    assert list(written["scores"]["changed_rows"]) == ["value", "low", "high", "n"]
    assert record.scores["control"].n == 60
    assert record.perturbation.rejected == {"no listed word": 5}
    assert read_record(json.loads(json.dumps(written))) == record


def test_fairscore_equals_a_count_by_hand(write_rows):
    """Answers to four rows and their variants, asked one by one, give the same shares."""
    from augkit.augmenters.create import create
    from augkit.datasets.load import load_dataset
    from augkit.models.classifiers.linear import train_linear

    train, test = reviews(200, shortcut=True, seed=2), reviews(30, shortcut=False, seed=4)
    (record,) = fair(write_rows, train, test)
    classifier = train_linear(load_dataset(write_rows(train, "train.jsonl")))
    changed = 0
    for pair in create("swap", **GENDER)(load_dataset(write_rows(test, "test.jsonl"))):
        before, after = (classifier.predict([row])[0] for row in (pair.original, pair.variant))
        changed += before.argmax() != after.argmax()
    assert record.scores["changed_rows"].value == changed / 30


def test_the_same_evaluation_gives_the_same_record(write_rows):
    """Controls, intervals and samples are keyed: nothing differs the second time."""
    train, test = reviews(200, shortcut=True, seed=2), reviews(40, shortcut=False, seed=1)
    first, second = (fair(write_rows, train, test, seeds=2) for _ in range(2))
    assert first == second
    assert len(first[0].seeds.values) == 2


def test_pairs_of_texts_are_evaluated_too():
    """The bundled NLI set, its gendered words swapped."""
    values = {
        "train": "nli-demo",
        "tests": ("nli-demo:test",),
        "metrics": ("accuracy", "fairscore"),
    }
    pairs = [["girl", "boy"], ["man", "woman"], ["men", "women"], ["mother", "father"]]
    accuracy, fairscore = evaluate(
        evaluation_settings(values | {"method": "swap", "options": {"pairs": pairs}})
    )
    assert 0 < accuracy.scores["accuracy"].value <= 1
    assert 0 < fairscore.scores["changed_rows"].n < fairscore.scores["all_rows"].n
    assert fairscore.scores["all_rows"].n == accuracy.rows.test


@pytest.fixture
def finished_run(write_rows, tmp_path):
    """A run of swap over biased reviews: the gendered words of each row swapped and added."""
    path = write_rows(reviews(600, shortcut=True, seed=2), "train.jsonl")
    settings = RunSettings(method="swap", dataset=str(path), options=GENDER, mix="append")
    return run(settings, tmp_path / "swapped")


@pytest.mark.slow
def test_a_run_is_compared_with_its_originals(write_rows, finished_run):
    """Both classifiers are measured on the same rows, and the swapped data lowers fairscore."""
    test = str(write_rows(reviews(300, shortcut=False, seed=1), "test.jsonl"))
    values = {"run": finished_run, "tests": (test,), "metrics": ("accuracy", "fairscore")}
    records = evaluate(
        evaluation_settings(values | {"method": "swap", "options": GENDER, "seeds": 2})
    )
    originals, result, gain, biased, swapped, change = records
    assert (originals.train, result.train) == ("swapped (originals)", "swapped (result)")
    assert (originals.rows.train, result.rows.train) == (600, 1200)
    value = [record.scores["accuracy"].value for record in (originals, result)]
    assert gain.difference.value == pytest.approx(value[1] - value[0])
    assert 0 <= gain.p <= 1
    assert biased.scores["changed_rows"].value >= 0.2
    assert swapped.scores["changed_rows"].value <= 0.05
    assert change.difference.high < 0


@pytest.mark.slow
def test_a_run_is_compared_with_a_reference(write_rows, finished_run, tmp_path):
    """A file that is read as the run's dataset: a third classifier, paired with the result."""
    rows = reviews(600, shortcut=False, seed=2)
    reference = str(write_rows(rows, "reference.jsonl"))
    test = str(write_rows(reviews(300, shortcut=False, seed=1), "test.jsonl"))
    values = {"run": finished_run, "train": reference, "tests": (test,), "seeds": 1}
    originals, result, third, gain, gap = evaluate(evaluation_settings(values))
    assert third.train == reference
    assert [one.is_reference for one in (originals, result, third, gain)] == [0, 0, 1, 0]
    assert (gain.first, gain.second) == (originals.train, result.train)
    assert (gap.first, gap.second, gap.is_reference) == (result.train, reference, True)
    scores = [one.scores["accuracy"].value for one in (result, third)]
    assert gap.difference.value == pytest.approx(scores[1] - scores[0])
    assert gap.difference.n == 300
    assert gap.p_corrected >= gap.p
    (alone,) = evaluate(evaluation_settings({"train": reference, "tests": (test,), "seeds": 1}))
    assert alone.scores == third.scores


def test_a_run_is_compared_with_another_run(write_rows, finished_run, tmp_path):
    """The reference is then the other run's result, whatever its folder is called."""
    other = tmp_path / "others" / finished_run.name
    path = tmp_path / "train.jsonl"
    run(RunSettings(method="swap", dataset=str(path), options=GENDER, mix="replace"), other)
    test = str(write_rows(reviews(40, shortcut=False, seed=1), "test.jsonl"))
    values = {"run": finished_run, "train": str(other), "tests": (test,), "train_on": "result"}
    result, reference, gap = evaluate(evaluation_settings(values | {"seeds": 0}))
    assert (result.rows.train, reference.rows.train) == (1200, 600)
    assert (gap.first, gap.second) == ("swapped (result)", str(other))


def test_a_reference_with_other_texts_is_an_error(write_rows, finished_run):
    """The classifiers must read the same fields."""
    pair = {"premise": "A man.", "hypothesis": "A person.", "label": "good"}
    reference = str(write_rows([pair, {**pair, "label": "bad"}], "pairs.jsonl"))
    values = {"run": finished_run, "train": reference, "tests": ("reviews-demo:test",)}
    with pytest.raises(DataError, match="different text fields: text against premise"):
        evaluate(evaluation_settings(values))


@pytest.mark.slow
def test_the_dataset_of_a_run_is_read_as_any_other_file(write_rows, finished_run):
    """Trained on ``dataset.jsonl`` by its path, the classifier is that of the run's result."""
    test = str(write_rows(reviews(100, shortcut=False, seed=4), "held-out.jsonl"))
    (of_run,) = evaluate(
        evaluation_settings({"run": finished_run, "tests": (test,), "train_on": "result"})
    )
    path = str(finished_run / "dataset.jsonl")
    (of_file,) = evaluate(evaluation_settings({"train": path, "tests": (test,)}))
    assert of_file.scores == of_run.scores
    assert of_file.rows.train == of_run.rows.train


@pytest.mark.slow
@pytest.mark.parametrize(("train_on", "rows"), [("originals", 600), ("result", 1200)])
def test_one_training_set_alone(write_rows, finished_run, train_on, rows):
    """--train-on chooses what is trained on; with one training set there is no difference."""
    test = str(write_rows(reviews(20, shortcut=False, seed=1), "test.jsonl"))
    values = {"run": finished_run, "tests": (test,), "train_on": train_on}
    (record,) = evaluate(evaluation_settings(values))
    assert record.rows.train == rows


def test_samples_leave_out_an_original_with_its_variants(finished_run):
    """About a tenth is left out, the same originals in both training sets."""
    from augkit.commands.evaluate.training_sets import run_training_sets

    originals, result = run_training_sets(finished_run, "both", None)
    kept = {row.id for row in originals.sample(3)}
    assert 0.8 * 600 < len(kept) < 600
    assert len(result.sample(3)) == 2 * len(kept)
    assert kept < {row.id for row in originals.examples}
    assert kept != {row.id for row in originals.sample(4)}


def test_replaced_originals_are_read_again(write_rows, tmp_path):
    """A run that replaces rows does not hold its originals; they come from the dataset."""
    path = write_rows(reviews(60, shortcut=True, seed=2), "train.jsonl")
    settings = RunSettings(method="swap", dataset=str(path), options=GENDER, mix="replace")
    folder = run(settings, tmp_path / "replaced")
    values = {"run": folder, "tests": (str(path),)}
    originals, result, _ = evaluate(evaluation_settings(values))
    assert originals.rows.train == result.rows.train == 60
    write_rows(reviews(61, shortcut=True, seed=2), "train.jsonl")
    with pytest.raises(DataError, match="has changed since the run"):
        evaluate(evaluation_settings(values))


def test_rows_without_a_label_are_left_out_and_counted(write_rows):
    """Rows without a label or a text are neither trained on nor tested on; the record says so."""
    rows = [
        *reviews(60, shortcut=False, seed=1),
        {"text": "no label"},
        {"text": None, "label": "bad"},
    ]
    path = str(write_rows(rows))
    (record,) = evaluate(evaluation_settings({"train": path, "tests": (path,)}))
    assert record_of(record)["rows"] == {
        "train": 60, "test": 60, "left_out_of_train": 2, "left_out_of_test": 2, "in_train": 60,
    }  # fmt: skip


def two_files(write_rows, train, test):
    return {
        "train": str(write_rows(train, "train.jsonl")),
        "tests": (str(write_rows(test, "test.jsonl")),),
    }


SOME = reviews(20, shortcut=False, seed=1)
SCALE = [{"text_a": f"a {n}", "text_b": f"b {n}", "label": n / 5} for n in range(26)]


@pytest.mark.parametrize(
    ("train", "test", "message"),
    [
        (SOME, [{"text": "x", "label": "neutral"}], "different labels: bad, good against neutral"),
        (SOME, [{"premise": "x", "hypothesis": "y", "label": "bad"}], "different text fields"),
        (SOME, [{"text": "x"}], "none of its 1 rows has a label"),
        ([{"text": "x"}], SOME, "none of its 1 rows has a label"),
        (SOME[::2], SOME[::2], "train.*one label, 'good'"),
        (SCALE, SCALE, "train.*regression task"),
    ],
)
@pytest.mark.parametrize("metric", ["accuracy", "fairscore"])
def test_data_that_cannot_be_measured_is_explained(write_rows, train, test, message, metric):
    """Each fault of the data names the dataset and the reason."""
    values = two_files(write_rows, train, test) | {"metrics": (metric,), "method": "swap"}
    with pytest.raises(DataError, match=message):
        evaluate(evaluation_settings(values))


def test_methods_that_cannot_perturb_are_explained(write_rows):
    """A method that changes nothing, and unknown names, are errors."""
    values = two_files(write_rows, SOME, SOME) | {"metrics": ("fairscore",)}
    with pytest.raises(DataError, match=r"none of the 20 test rows \(no listed word: 20\)"):
        evaluate(
            evaluation_settings(values | {"method": "swap", "options": {"pairs": [["foo", "bar"]]}})
        )
    with pytest.raises(UnknownName, match="no method 'pandas'"):
        evaluate(evaluation_settings(values | {"method": "pandas"}))
    with pytest.raises(UnknownName, match="no metric 'fairness'"):
        evaluate(evaluation_settings(values | {"metrics": ("fairness",)}))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"tests": ("a",)}, "nothing to evaluate: pass a run folder, --train, --classifier or"),
        ({"tests": ("a",), "train": "b", "classifiers": ("c",)}, "--classifier goes alone"),
        ({"run": "c", "train": "b", "metrics": ("quality",)}, "--train is not read by --metric"),
        ({"train": "b", "tests": ()}, "no test set: pass --test DATASET"),
        ({"train": "b", "tests": ("a",), "model": {"strenght": 1}}, "Did you mean 'strength'"),
    ],
)
def test_settings_that_do_not_fit_are_explained(values, message):
    """One source, at least one test set, known settings of the model."""
    with pytest.raises(ConfigError, match=message):
        evaluate(evaluation_settings(values))


def test_an_unfinished_run_is_not_evaluated(finished_run, tmp_path):
    """The error says how to resume a stopped run, and that another folder is not a run."""
    manifest = json.loads((finished_run / "manifest.json").read_text())
    (finished_run / "manifest.json").write_text(json.dumps(manifest | {"status": "interrupted"}))
    with pytest.raises(DataError, match=r"not finished .*--resume"):
        evaluate(evaluation_settings({"run": finished_run, "tests": ("reviews-demo:test",)}))
    with pytest.raises(DataError, match="not a run folder"):
        evaluate(evaluation_settings({"run": tmp_path, "tests": ("reviews-demo:test",)}))
