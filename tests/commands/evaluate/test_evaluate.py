"""Evaluation end to end, on data whose answer is known."""

import json

import pytest

from augkit.commands.evaluate.evaluate import evaluate
from augkit.commands.evaluate.settings import evaluation_settings
from augkit.core.errors import DataError
from augkit.core.results import read_record, record_of
from augkit.runs.execute import run
from augkit.runs.settings import RunSettings
from tests.data import GENDER, gendered_reviews, write_jsonl


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
def test_fairtuning_takes_a_planted_shortcut_away(write_rows, tmp_path):
    """With panda for both: planted, then fairtuned by a run of its defaults; size and labels stay.

    The paper's choice of another gender than one's own only reverses the shortcut. The control
    is flat in all.
    """
    planted = gendered_reviews(1500, shortcut=True, seed=2)
    path = str(write_rows(planted, "planted.jsonl"))
    test = str(write_rows(gendered_reviews(200, shortcut=False, seed=1), "test.jsonl"))
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
    test = [*gendered_reviews(60, shortcut=False, seed=1), *plain_rows]
    (record,) = fair(write_rows, gendered_reviews(200, shortcut=True, seed=2), test)
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


def test_the_same_evaluation_gives_the_same_record(write_rows):
    """Controls, intervals and samples are keyed: nothing differs the second time."""
    train, test = (
        gendered_reviews(200, shortcut=True, seed=2),
        gendered_reviews(40, shortcut=False, seed=1),
    )
    first, second = (fair(write_rows, train, test, seeds=2) for _ in range(2))
    assert first == second
    assert len(first[0].seeds.values) == 2


@pytest.fixture(scope="module")
def finished_run(tmp_path_factory):
    """A run of swap over biased reviews: the gendered words of each row swapped and added."""
    folder = tmp_path_factory.mktemp("finished")
    path = write_jsonl(folder / "train.jsonl", gendered_reviews(600, shortcut=True, seed=2))
    settings = RunSettings(method="swap", dataset=str(path), options=GENDER, mix="append")
    return run(settings, folder / "swapped")


@pytest.mark.slow
def test_a_run_is_compared_with_its_originals(write_rows, finished_run):
    """Both classifiers are measured on the same rows, and the swapped data lowers fairscore."""
    test = str(write_rows(gendered_reviews(300, shortcut=False, seed=1), "test.jsonl"))
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
    rows = gendered_reviews(600, shortcut=False, seed=2)
    reference = str(write_rows(rows, "reference.jsonl"))
    test = str(write_rows(gendered_reviews(300, shortcut=False, seed=1), "test.jsonl"))
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


@pytest.mark.slow
def test_a_run_is_compared_with_another_run(write_rows, finished_run, tmp_path):
    """The reference is then the other run's result, whatever its folder is called."""
    other = tmp_path / "others" / finished_run.name
    path = str(finished_run.parent / "train.jsonl")
    run(RunSettings(method="swap", dataset=path, options=GENDER, mix="replace"), other)
    test = str(write_rows(gendered_reviews(40, shortcut=False, seed=1), "test.jsonl"))
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
def test_one_training_set_alone(write_rows, finished_run):
    """--train-on chooses what is trained on; the run's result is read as any other file, too."""
    test = str(write_rows(gendered_reviews(100, shortcut=False, seed=4), "test.jsonl"))
    values = {"run": finished_run, "tests": (test,)}
    (originals,) = evaluate(evaluation_settings(values | {"train_on": "originals"}))
    (result,) = evaluate(evaluation_settings(values | {"train_on": "result"}))
    assert (originals.rows.train, result.rows.train) == (600, 1200)
    path = str(finished_run / "dataset.jsonl")
    (of_file,) = evaluate(evaluation_settings({"train": path, "tests": (test,)}))
    assert (of_file.scores, of_file.rows.train) == (result.scores, 1200)


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
    path = write_rows(gendered_reviews(60, shortcut=True, seed=2), "train.jsonl")
    settings = RunSettings(method="swap", dataset=str(path), options=GENDER, mix="replace")
    folder = run(settings, tmp_path / "replaced")
    values = {"run": folder, "tests": (str(path),)}
    originals, result, _ = evaluate(evaluation_settings(values))
    assert originals.rows.train == result.rows.train == 60
    write_rows(gendered_reviews(61, shortcut=True, seed=2), "train.jsonl")
    with pytest.raises(DataError, match="has changed since the run"):
        evaluate(evaluation_settings(values))


def test_rows_without_a_label_are_left_out_and_counted(write_rows):
    """Rows without a label or a text are neither trained on nor tested on; the record says so."""
    rows = [
        *gendered_reviews(60, shortcut=False, seed=1),
        {"text": "no label"},
        {"text": None, "label": "bad"},
    ]
    path = str(write_rows(rows))
    (record,) = evaluate(evaluation_settings({"train": path, "tests": (path,)}))
    assert record_of(record)["rows"] == {
        "train": 60, "test": 60, "left_out_of_train": 2, "left_out_of_test": 2, "in_train": 60,
    }  # fmt: skip


def test_an_unfinished_run_is_not_evaluated(finished_run, tmp_path):
    """The error says how to resume a stopped run."""
    manifest = json.loads((finished_run / "manifest.json").read_text())
    (tmp_path / "manifest.json").write_text(json.dumps(manifest | {"status": "interrupted"}))
    with pytest.raises(DataError, match=r"not finished .*--resume"):
        evaluate(evaluation_settings({"run": tmp_path, "tests": ("reviews-demo:test",)}))
