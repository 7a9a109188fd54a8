"""A run on choices: rows are read as choices and written in the shape that was read."""

import gzip
import json

import pytest

from augkit import load_dataset
from augkit.augmenters.base import Augmenter
from augkit.core import registry
from augkit.core.choices import candidate_fields, choice_fields, choice_of, winners_label
from augkit.core.config import MethodConfig
from augkit.core.errors import DataError
from augkit.core.types import Variant, refused
from augkit.runs.execute import run
from augkit.runs.settings import RunSettings


class Shorten(Augmenter[MethodConfig]):
    """Takes the full stop of the winner away."""

    name = "shorten"
    Config = MethodConfig
    reads = "choices"
    mix = "replace"

    def propose(self, batch):
        for row in batch:
            choice = choice_of(row)
            texts = list(choice.candidates)
            for place in choice.winners:
                texts[place] = texts[place].rstrip(".")
            yield Variant(row, {**row.fields, **candidate_fields(texts)}, row.label)


class Turn(Augmenter[MethodConfig]):
    """The candidates from the last to the first."""

    name = "turn"
    Config = MethodConfig
    reads = "choices"

    def propose(self, batch):
        for row in batch:
            choice = choice_of(row)
            count = len(choice.candidates)
            fields = candidate_fields(reversed(choice.candidates))
            label = winners_label(sorted(count - 1 - place for place in choice.winners))
            order = " ".join(str(number) for number in range(count, 0, -1))
            yield Variant(row, {**row.fields, **fields}, label, about={"order": order})


class ThinConfig(MethodConfig):
    """Whether rows are weighed."""

    weights: bool = False
    weight_column: str = "weight"


class Thin(Augmenter[ThinConfig]):
    """Leaves out every second row that it sees, or gives it half the weight."""

    name = "thin"
    Config = ThinConfig
    reads = "choices"
    scope = "corpus"

    def propose(self, batch):
        low = 0.5 if self.config.weights else 0.0
        for number, row in enumerate(batch):
            yield refused(row, "every second row", weight=low if number % 2 else 1.0)


METHODS = {method.name: method for method in (Shorten, Turn, Thin)}


@pytest.fixture(autouse=True)
def _methods(monkeypatch):
    find = registry.find
    monkeypatch.setattr(
        registry, "find", lambda group, name: METHODS.get(name) or find(group, name)
    )


def done(tmp_path, rows, method, **options):
    """The dataset, the rejected rows and the manifest of a run on these rows."""
    path = tmp_path / "rows.jsonl.gz"
    path.write_bytes(gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode()))
    folder = run(RunSettings(method=method, dataset=str(path), options=options), tmp_path / "out")
    lines = [(folder / name).read_text() for name in ("dataset.jsonl", "rejected.jsonl")]
    dataset, rejected = ([json.loads(line) for line in text.splitlines()] for text in lines)
    return dataset, rejected, json.loads((folder / "manifest.json").read_text())


def without_marks(rows):
    return [
        {name: value for name, value in row.items() if not name.startswith("augkit_")}
        for row in rows
    ]


PAIRS = [
    {"prompt": f"What is {n}?", "chosen": f"It is {n}.", "rejected": f"No idea {n}."}
    for n in range(4)
]


def test_the_variant_of_a_pair_is_a_pair(tmp_path):
    """Only the text that changed differs; the manifest says what the rows are."""
    dataset, _, manifest = done(tmp_path, PAIRS, "shorten")
    expected = [{**row, "chosen": row["chosen"].rstrip(".")} for row in PAIRS]
    assert without_marks(dataset) == expected
    assert manifest["dataset"]["choices"]
    assert manifest["original_labels"] == {"1": 4}


def test_conversations_stay_conversations(tmp_path):
    ask = [{"role": "user", "content": "How is it?"}]
    row = {
        "chosen": [*ask, {"role": "assistant", "content": "Warm."}],
        "rejected": [*ask, {"role": "assistant", "content": "Cold."}],
    }
    dataset, _, _ = done(tmp_path, [row], "shorten")
    answer = {"role": "assistant", "content": "Warm"}
    assert without_marks(dataset) == [{**row, "chosen": [*ask, answer]}]


TURNED = [
    (
        {"question": "Which?", "options": ["a b", "c d", "e f"], "answer": "A"},
        {"question": "Which?", "options": ["e f", "c d", "a b"], "answer": "C"},
    ),
    (
        {
            "prompt": "Which?",
            "response_a": "left",
            "response_b": "right",
            "model_a": "M",
            "model_b": "N",
            "winner": "model_b",
        },
        {
            "prompt": "Which?",
            "response_a": "right",
            "response_b": "left",
            "model_a": "N",
            "model_b": "M",
            "winner": "model_a",
        },
    ),
    (
        {"prompt": "Which?", "completions": ["a", "b", "c"], "scores": [3, 2.5, 1]},
        {"prompt": "Which?", "completions": ["c", "b", "a"], "scores": [1, 2.5, 3]},
    ),
    (
        {
            "question": "Which?",
            "choices": {"text": ["a b", "c d"], "label": ["A", "B"]},
            "answerKey": "B",
        },
        {
            "question": "Which?",
            "choices": {"text": ["c d", "a b"], "label": ["A", "B"]},
            "answerKey": "A",
        },
    ),
]


@pytest.mark.parametrize(("row", "turned"), TURNED)
def test_another_order_takes_along_what_belongs_to_a_candidate(tmp_path, row, turned):
    """Scores, names of models and the answer."""
    dataset, _, _ = done(tmp_path, [row], "turn")
    assert without_marks(dataset) == [row, turned]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (PAIRS[0], "named by their columns"),
        (
            {"prompt": "?", "first": "a", "second": "b", "verdict": "first", "judge": "J"},
            "the order that the judge was shown",
        ),
    ],
)
def test_an_order_that_means_something_cannot_be_changed(tmp_path, row, said):
    """The column says who won, and a verdict is about the order shown."""
    with pytest.raises(DataError, match=said):
        done(tmp_path, [row], "turn")


def test_rows_can_be_left_out(tmp_path):
    dataset, rejected, manifest = done(tmp_path, PAIRS, "thin")
    assert without_marks(dataset) == PAIRS[::2]
    assert [row["row"] for row in rejected] == [2, 4]
    assert manifest["rejected_by_reason"] == {"every second row": 2}
    assert manifest["result_labels"] == {"1": 2}


def test_rows_can_be_weighed(tmp_path):
    """In a column that the input does not have; one that it has is an error."""
    dataset, rejected, _ = done(tmp_path, PAIRS, "thin", weights=True)
    assert [row["weight"] for row in dataset] == [1, 0.5, 1, 0.5]
    assert not rejected
    with pytest.raises(DataError, match=r"a column 'weight' already.*weight_column=NAME"):
        done(tmp_path, [{**row, "weight": 1} for row in PAIRS], "thin", weights=True)


def test_a_chain_leaves_out_rows_after_they_were_rewritten(tmp_path):
    """A step that sees all rows gets what the step before made of them."""
    rows = [*PAIRS, {"prompt": "Why?", "chosen": "Because", "rejected": "No."}]
    dataset, rejected, manifest = done(tmp_path, rows, "compose", steps=["shorten", "thin"])
    texts = [row["chosen"] for row in dataset]
    assert texts == ["It is 0", "It is 2", "Because"]
    assert {row["reason"] for row in rejected} >= {"thin: every second row"}
    assert manifest["mix"] == "replace"


def test_a_tie_has_no_label_and_a_choice_without_a_prompt_no_such_field(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({"response_a": "a", "response_b": "b", "winner": "tie"}) + "\n")
    (row,) = load_dataset(path, choices=True)
    assert (row.label, list(row.fields), row.locked) == (
        None,
        ["candidate 1", "candidate 2"],
        frozenset(),
    )
    choice = choice_of(row)
    assert choice_fields(choice) == dict(row.fields)
    assert not choice.winners


def test_columns_of_labelled_rows_are_refused_with_what_is_read(tmp_path):
    with pytest.raises(DataError, match=r"no choice is found in its columns: text, label\."):
        done(tmp_path, [{"text": "a", "label": "b"}], "thin")
