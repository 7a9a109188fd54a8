"""Parts of the PANDA paper by hand, as ``docs/paper-map/panda.yaml`` names them."""

import json
import re
from collections import Counter

import pytest

from augkit.augmenters.create import create
from augkit.augmenters.panda.config import PandaConfig
from augkit.augmenters.panda.perturbers.seq2seq import Seq2SeqPerturber
from augkit.augmenters.panda.references import references
from augkit.core.model_types import Reply
from augkit.core.protocols import Tools
from augkit.core.types import Pair, example
from augkit.datasets.named import known_datasets
from augkit.evaluation.metrics.fairscore import Fairscore
from augkit.lexicons.demographics.axes import read_axis
from augkit.lexicons.demographics.find_references import finder_for
from augkit.llm.scripted import Scripted
from augkit.models.language_models.seq2seq import Generation
from augkit.runs.execute import run
from augkit.runs.settings import RunSettings


def rewritten(text, target, **settings):
    """The text after a change to the target, or the reason why there is none."""
    method = create("panda", target=target, **settings)
    (outcome,) = method.outcomes([example(text, "x")])
    return outcome.variant.fields["text"] if isinstance(outcome, Pair) else outcome.reason


def test_the_axes_have_the_papers_attributes():
    """Three genders, six groups of the US census, five ages."""
    assert {axis: len(read_axis(axis).attributes) for axis in ("gender", "race", "age")} == {
        "gender": 3,
        "race": 6,
        "age": 5,
    }


def test_ages_belong_to_the_papers_bands():
    """17 is a child, 18 and 44 are young, 45 and 64 middle-aged, 65 is a senior."""
    ages = {
        17: "child",
        18: "young",
        44: "young",
        45: "middle-aged",
        64: "middle-aged",
        65: "senior",
    }
    for years, band in ages.items():
        (hit,) = finder_for("age").find(f"Anna is {years} years old.")
        assert hit.attribute == band


def test_proxies_stay_and_names_change():
    """Neither surgeon nor pink is a reference to gender; Sue is."""
    found = references({"text": "The surgeon in pink is Sue."}, ["gender"])
    assert [(reference.word, reference.attribute) for reference in found] == [("sue", "woman")]


@pytest.mark.slow
def test_the_papers_fairtuning_keeps_size_and_labels(tmp_path):
    """Every row is there once, with its label, and each row with a person is perturbed."""
    texts = ["She lost her keys.", "He sang.", "It rained.", "My aunt left."]
    rows = [{"text": text, "label": f"l{n % 2}"} for n, text in enumerate(texts)]
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    settings = RunSettings(
        method="panda", dataset=str(path), mix="replace", options={"target": "random"}
    )
    folder = run(settings, tmp_path / "out")
    lines = (folder / "dataset.jsonl").read_text("utf-8").splitlines()
    after = [json.loads(line) for line in lines]
    assert [row["label"] for row in after] == [row["label"] for row in rows]
    assert [row["text"] == text for row, text in zip(after, texts, strict=True)] == [
        False,
        False,
        True,
        False,
    ]


def test_the_perturber_decodes_greedily():
    """The model is asked for one answer without beams."""
    asked = []

    class Model:
        def write(self, texts, beams=1, **_):
            asked.append(beams)
            return [Generation("She sang.") for _ in texts]

    method = create("panda", target="woman", axes=["gender"])
    method.__dict__["_perturber"] = Seq2SeqPerturber(Model(), 0.15)
    (outcome,) = method.outcomes([example("He sang.", "x")])
    assert outcome.variant.fields["text"] == "She sang."
    assert asked == [1]


def test_the_six_tasks_are_known():
    """CoLA and SST-2 are single texts, the four others pairs."""
    found = known_datasets()
    sizes = {name: len(found[name].fields) for name in "cola sst2 stsb qqp rte qnli".split()}
    assert sizes == {"cola": 1, "sst2": 1, "stsb": 2, "qqp": 2, "rte": 2, "qnli": 2}


def test_colours_of_things_stay():
    """The person's shirt and the chess pieces stay; the person changes."""
    assert rewritten("The white pawn attacked the black bishop.", "asian") == "no reference"
    assert rewritten("A Black woman wore a white shirt.", "asian", axes=["race"]) == (
        "An Asian woman wore a white shirt."
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("A white-trash man sang.", "a new slur"),
        ("They marched for white supremacy.", "an ideology of one group"),
    ],
)
def test_harmful_results_are_refused(text, why, augkit):
    """Neither a new slur nor a reversed oppression is written, even where it is asked for."""
    word = text.split()[1] if "trash" in text else "white"
    done = augkit("perturb", text, "--axis", "race", "--target", "black", "--word", word)
    assert why in done.out + done.err
    assert rewritten(text, "black", axes=["race"]) == "no reference"


def test_body_parts_stay():
    """The knee of a man who becomes a woman is hers; nobody is given a beard."""
    assert rewritten("He hurt his knee.", "woman") == "She hurt her knee."
    assert rewritten("He shaved his beard.", "woman") == "no word for the target"


def test_every_fairscore_has_its_caveat():
    """What is printed with it says that a low score is no proof."""
    assert "does not mean that a classifier is fair" in Fairscore.caveat


def test_a_regression_task_has_no_fairscore(tmp_path, augkit):
    """Scores from 0 to 5 are no labels whose change can be counted: the error says so."""
    rows = [
        {"text_a": f"He is number {n}.", "text_b": "A man sings.", "label": n / 7}
        for n in range(30)
    ]
    path = tmp_path / "scores.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    done = augkit("evaluate", "--train", path, "--test", path, "--metric", "fairscore")
    assert done.code != 0
    assert "a regression task" in done.err


def test_the_preset_is_algorithm_1_with_balanced_axes():
    """One request a text: a word and a target of the paper's set, each axis drawn alike."""
    text = "The old woman said that she and her aunt saw an Asian singer."
    rows = [example(text, "x", occurrence=number) for number in range(400)]
    pairs = {
        (reference.axis, reference.word.casefold(), attribute)
        for reference in references(rows[0].fields, ["gender", "race", "age"])
        for attribute in read_axis(reference.axis).attributes
        if attribute != reference.attribute
    }
    asked = []

    def refuse(request):
        asked.append(request.messages[-1].content)
        return Reply(fault="refused")

    method = create("panda", Tools(llm=Scripted(refuse)), preset="paper", perturber="llm")
    assert (method.config.target, method.config.sampling) == ("random", "balanced")
    assert method.mix == "replace"
    axes = Counter()
    for row in rows:
        asked.clear()
        list(method.outcomes([row]))
        # The first request is the draw of Algorithm 1; the next replace it where it was refused.
        _, word, target = [
            block for _, block in re.findall(r"<(data[-\d]*)>(.*?)</\1>", asked[0], re.DOTALL)
        ]
        attribute, axis = re.fullmatch(r"(.+?) \((\w+).*\)", target).groups()
        drawn = word.partition(" ")[2].casefold()
        assert any(axis == a and t == attribute and w in drawn for a, w, t in pairs)
        axes[axis] += 1
    assert set(axes) == {axis for axis, *_ in pairs}
    for count in axes.values():
        assert count / len(rows) == pytest.approx(1 / len(axes), abs=0.1)


def test_the_preset_of_panda_is_short_for_its_settings():
    """Settings that are given come first, and the digest is that of the settings."""
    spelled_out = PandaConfig(target="random", sampling="balanced", mix="replace")
    assert PandaConfig(preset="paper").digest() == spelled_out.digest()
    assert PandaConfig(preset="paper", sampling="uniform").sampling == "uniform"
