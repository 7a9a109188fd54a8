"""Runs with a finder: it is fitted once, saved, and marks what the method changes."""

import json
import shutil

import pytest

from augkit.core.config import validate
from augkit.core.errors import ConfigError, DataError, UnknownName
from augkit.core.protocols import Tools
from augkit.core.types import example
from augkit.models.classifiers.linear import train_linear
from augkit.runs.artifacts import fit_artifacts
from augkit.runs.engines.ray import pack_folders, unpack_step
from augkit.runs.execute import augment_dataset, run
from augkit.runs.plan import make_plan
from augkit.runs.settings import RunSettings, merge_settings

WORDS = {"find": {"name": "tokens", "options": {"top": 7}}}

ROWS = 40
FRAMES = (
    "A film by {}, number {}.",
    "{} made this one, number {}.",
    "Seen in May: {} again, take {}.",
    "We saw {} and left at {}.",
    "Nothing new, {} says {}.",
)


def said(number, name):
    """A text with the name, which stands at another place in each of five."""
    return FRAMES[number % len(FRAMES)].format(name, number)


def texts(folder):
    return [
        (row["fields"]["text"], row["label"])
        for row in map(json.loads, (folder / "variants.jsonl").read_text().splitlines())
    ]


@pytest.fixture
def rows(write_rows):
    """A file of rows in which a first name gives the label away."""
    made = [{"text": said(n, "Emma"), "label": "good"} for n in range(ROWS)]
    made += [{"text": said(n, "Ada"), "label": "bad"} for n in range(ROWS)]
    made += [{"text": "Emma again.", "label": "bad"}]
    return str(write_rows(made))


def test_the_method_changes_what_the_finder_marks(rows, tmp_path):
    """Only the words of a row's own label are masked; the manifest names finder and settings."""
    folder = augment_dataset(rows, "mask-words", tmp_path / "out", **WORDS)
    expected = [(said(n, "[MASK]"), label) for label in ("good", "bad") for n in range(ROWS)]
    assert texts(folder) == expected
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["rejected_by_reason"] == {"no target": 1}
    assert manifest["finder"]["name"] == "tokens"
    assert manifest["finder"]["config"]["top"] == 7
    assert manifest["settings"]["find"] == WORDS["find"]
    assert len(list((folder / "work" / "artifacts").glob("*/features.json"))) == 1


@pytest.mark.slow
def test_worker_processes_have_the_finder(rows, tmp_path):
    one, two = (
        augment_dataset(rows, "mask-words", tmp_path / str(n), workers=n, **WORDS) for n in (1, 2)
    )
    assert (one / "dataset.jsonl").read_bytes() == (two / "dataset.jsonl").read_bytes()


def test_a_resumed_run_reads_the_fitted_finder(rows, tmp_path, monkeypatch):
    """It is not fitted again, and it must be the same finder."""
    settings = validate(RunSettings, {"dataset": rows, "method": "mask-words", **WORDS})
    folder = run(settings, tmp_path / "out")
    before = (folder / "dataset.jsonl").read_bytes()
    (folder / "dataset.jsonl").unlink()
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps(manifest | {"status": "interrupted"}))
    monkeypatch.setattr("augkit.runs.artifacts.fit_to_labelled", None)
    run(settings, folder, resume=True)
    assert (folder / "dataset.jsonl").read_bytes() == before
    other = settings.model_copy(update={"find": None})
    with pytest.raises(ConfigError, match="was started with find"):
        run(other, folder, resume=True)


def test_the_step_can_be_built_without_the_run_folder(rows, tmp_path):
    """Workers on other machines get the files of the finder."""
    settings = validate(RunSettings, {"dataset": rows, "method": "mask-words", **WORDS})
    with make_plan(settings) as plan:
        spec = fit_artifacts(plan, Tools(), tmp_path / "run")
    files = pack_folders(spec)
    shutil.rmtree(tmp_path / "run")
    (pair,) = unpack_step(spec, files)([example("Emma!", "good")])
    assert pair.variant.fields["text"] == "[MASK]!"


def test_settings_of_the_finder_are_merged(tmp_path):
    """A file's settings stay where the command line adds to them, but not for another finder."""
    path = tmp_path / "run.yaml"
    path.write_text("method: mask-words\nfind: {name: tokens, options: {top: 3, alpha: 0.1}}\n")
    added = merge_settings({"find": {"name": None, "options": {"top": 5}}}, path)
    assert added.find.model_dump() == {"name": "tokens", "options": {"top": 5, "alpha": 0.1}}
    other = merge_settings({"find": {"name": "attribution", "options": {}}}, path)
    assert other.find.model_dump() == {"name": "attribution", "options": {}}
    path.write_text("find: tokens\n")
    assert merge_settings({}, path).find.name == "tokens"
    with pytest.raises(ConfigError, match=r"--set find\.top needs a finder: pass --find NAME"):
        merge_settings({"find": {"name": None, "options": {"top": 5}}})


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"method": "eda", "find": "tokens"}, ConfigError,
         r"'eda' does not use a finder\..* mask-w"),
        ({"find": "tokn"}, UnknownName, "Did you mean 'tokens'"),
        ({"find": {"name": "tokens", "options": {"topp": 1}}}, ConfigError, "mean 'top'"),
        ({"classifier": "nowhere"}, DataError, "no classifier is saved there"),
    ],
)  # fmt: skip
def test_mistakes_are_explained(rows, settings, error, message):
    values = {"dataset": rows, "method": "mask-words", **settings}
    with pytest.raises(error, match=message), make_plan(validate(RunSettings, values)):
        pass


def test_a_classifier_is_explained(rows, tmp_path):
    """With --classifier the words of that model are marked; another finder has no use for it."""
    films = [example("A film by Emma.", "good"), example("A film by Ada.", "bad")] * 5
    classifier = tmp_path / "classifier"
    classifier.mkdir()
    train_linear(films).save(classifier)
    marked = {"find": {"name": "attribution", "options": {"words": 1}}, "classifier": classifier}
    folder = augment_dataset(rows, "mask-words", tmp_path / "out", **marked)
    assert texts(folder)[0] == ("A film by [MASK], number 0.", "good")
    with pytest.raises(ConfigError, match=r"'tokens' does not use a classifier\. .*attribution"):
        augment_dataset(rows, "mask-words", find="tokens", classifier=classifier)
    with pytest.raises(ConfigError, match=r"'mask-words' does not use a classifier"):
        augment_dataset(rows, "mask-words", classifier=classifier)
