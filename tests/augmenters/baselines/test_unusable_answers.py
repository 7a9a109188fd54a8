"""What all methods that ask a language model share: they need one, and some answers are none."""

import json

import pytest

from augkit.augmenters.baselines.autocad.infill import NgramFiller
from augkit.augmenters.baselines.crossaug import NameTable
from augkit.augmenters.baselines.gpt3mix import ExamplePool
from augkit.augmenters.baselines.random_edit import CorpusWords
from augkit.augmenters.create import create
from augkit.core.errors import DataError, MissingTool
from augkit.core.protocols import Tools
from augkit.core.types import example
from augkit.llm.scripted import Scripted

FILMS = [
    example(f"The {noun} was {word} and we talked about it.", label)
    for noun in ("film", "story", "cast", "plot", "script", "music", "ending", "camera")
    for word, label in (("great", "positive"), ("awful", "negative"))
]
CLAIMS = [
    example({"evidence": "Apollo 11 landed in 1969 .", "claim": "Apollo landed in 1969."}, label)
    for label in ("SUPPORTS", "REFUTES")
]
TWO = [{"text": "One."}, {"text": "Two."}]
UNUSABLE = {
    "auggpt": ["no JSON", {"versions": []}, {"versions": TWO[:1]}, {"versions": [*TWO, *TWO]}],
    "autocad": ["no JSON", {"words": ["awful"]}, {}],
    "back-translation": ["no JSON"],
    "crossaug": ["no JSON", {"claim": "x"}, {"kind": "k", "true": "x", "false": None}],
    "gpt3mix": ["no JSON", {"text": "x"}, {"subject": "s", "text": 3}],
    "paraphrase": ["no JSON", {"texts": ["x"]}],
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "answer"), [(method, one) for method, listed in UNUSABLE.items() for one in listed]
)
def test_an_answer_of_another_shape_is_a_rejection_that_was_paid(method, answer):
    written = answer if isinstance(answer, str) else json.dumps(answer)
    rows = CLAIMS if method == "crossaug" else FILMS
    settings = {"copies": 2} if method == "auggpt" else {}
    step = create(method, Tools(llm=Scripted(lambda _: written)), **settings).fit(rows)
    (rejection,) = step.outcomes(rows[:1])
    assert rejection.reason.startswith("llm: ")
    assert rejection.cost.calls >= 1


@pytest.mark.parametrize("method", ["auggpt", "back-translation", "gpt3mix", "paraphrase"])
def test_a_method_that_needs_a_model_says_so(method):
    with pytest.raises(MissingTool, match="--llm"):
        create(method)


@pytest.mark.parametrize(
    ("artifact", "name"),
    [
        (CorpusWords, "vocabulary.json"),
        (ExamplePool, "examples.json"),
        (NameTable, "names.json"),
        (NgramFiller, "ngrams.json"),
    ],
)
def test_a_damaged_artifact_is_an_error_that_names_its_file(tmp_path, artifact, name):
    for content in (None, "{"):
        if content is not None:
            (tmp_path / name).write_text(content, encoding="utf-8")
        with pytest.raises(DataError, match=name.replace(".", r"\.")):
            artifact.load(tmp_path)
