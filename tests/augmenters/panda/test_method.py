import json

import pytest
import spacy
from typer.testing import CliRunner

import augkit
from augkit.cli.app import app
from augkit.core.errors import UserError
from augkit.core.types import Pair, example


def test_a_fixed_target_is_reached_and_recorded():
    """The variant keeps its label and says axis, source, target and word."""
    panda = augkit.create("panda", axes=["gender"], target="woman")
    [pair] = panda([example("He lost his keys.", "sad")])
    assert pair.variant.fields["text"] == "She lost her keys."
    assert pair.variant.label == "sad"
    assert pair.provenance.about == {
        "axis": "gender",
        "source": "man",
        "target": "woman",
        "word": pair.provenance.about["word"],
    }


def test_all_targets_give_a_variant_each():
    """Every attribute other than the source is reached once."""
    panda = augkit.create("panda", axes=["gender"], target="all")
    pairs = list(panda([example("He sang.")]))
    assert {pair.provenance.about["target"] for pair in pairs} == {"woman", "non-binary"}


def test_a_text_without_a_reference_is_rejected():
    """The outcome is a rejection with a reason, not a copy."""
    [outcome] = augkit.create("panda").outcomes([example("The sky is blue.")])
    assert not isinstance(outcome, Pair)
    assert outcome.reason == "no reference"


def test_a_rejected_draw_is_followed_by_another():
    """Where one reference cannot be changed the next one is."""
    panda = augkit.create("panda", axes=["gender"], target="woman")
    [pair] = panda([example("The dog lost his ball, and a man laughed.")])
    assert pair.variant.fields["text"] == "The dog lost his ball, and a woman laughed."


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"axes": ["gendr"]}, "gender"),
        ({"axes": ["gender"], "target": "wman"}, "Did you mean 'woman'"),
        (
            {"axes": ["gender"], "target": "senior"},
            "Known: all, auto, complete, man, non-binary, random",
        ),
    ],
)
def test_unknown_axes_and_targets_are_errors(settings, message):
    """The error names the nearest and all known ones."""
    with pytest.raises(UserError, match=message):
        augkit.create("panda", **settings)


def test_it_replaces_by_default():
    """Variants stand in the place of their rows."""
    assert augkit.create("panda").mix == "replace"


def test_texts_below_the_least_perturbability_are_rejected_with_their_score():
    """Eq. 2 with the settings m0 and m1; the score of a variant is recorded."""
    rows = [example("He lost his keys."), example("He admired Tolstoy."), example("Rain.")]
    settings = {"axes": ["gender"], "target": "woman", "min_perturbability": 0.2}
    first, second, third = augkit.create("panda", **settings).outcomes(rows)
    assert first.provenance.scores == {"perturbability": 0.25}  # two words of the lists
    assert second.provenance.scores == {"perturbability": 0.5}  # a word and a name
    assert (third.reason, third.detail) == ("low perturbability", "0.0000 is below 0.2")
    words_alone = augkit.create("panda", **settings, entity_weight=0)
    assert [outcome.__class__.__name__ for outcome in words_alone.outcomes(rows)] == [
        "Pair",
        "Rejection",
        "Rejection",
    ]
    names_alone = augkit.create("panda", **settings, word_weight=0)
    assert [outcome.__class__.__name__ for outcome in names_alone.outcomes(rows)] == [
        "Rejection",
        "Pair",
        "Rejection",
    ]


@pytest.mark.parametrize("entities", ["spacy:", "stanza"])
def test_an_unknown_entity_recogniser_is_an_error(entities):
    """Before anything is read."""
    with pytest.raises(UserError, match="entit"):
        augkit.create("panda", entities=entities)


def test_perturbability_is_set_on_the_command_line_and_in_yaml(tmp_path):
    """Both reject the same rows, by a pipeline of the user's own."""
    nlp = spacy.blank("en")
    nlp.add_pipe("entity_ruler").add_patterns([{"label": "PERSON", "pattern": "Kowalczyk"}])
    nlp.to_disk(tmp_path / "ner")
    rows = [{"text": "He met Kowalczyk.", "label": "a"}, {"text": "He met her.", "label": "b"}]
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    options = {
        "axes": ["gender"],
        "min_perturbability": 1,
        "entities": f"spacy:{tmp_path / 'ner'}",
        "entity_weight": 3,
        "word_weight": 0,
    }
    run = {"method": "panda", "dataset": str(tmp_path / "rows.jsonl"), "workers": 1}
    (tmp_path / "run.yaml").write_text(json.dumps({**run, "options": options}), encoding="utf-8")
    flags = [part for key, value in options.items() for part in ("--set", f"{key}={value}")]
    command = ["run", "-m", "panda", "-d", run["dataset"], "--workers", "1", *flags]
    for name, arguments in (("cli", command), ("yaml", ["run", "--config", tmp_path / "run.yaml"])):
        result = CliRunner().invoke(app, [*map(str, arguments), "--out", str(tmp_path / name)])
        assert result.exit_code == 0, result.output
        lines = (tmp_path / name / "rejected.jsonl").read_text(encoding="utf-8").splitlines()
        rejected = [json.loads(line) for line in lines]
        assert [row["detail"] for row in rejected if row["reason"] == "low perturbability"] == [
            "0.0000 is below 1"
        ]


def test_weights_of_an_equation_that_is_not_computed_name_no_other_variants():
    """Ids hold the digest of the settings that shape a variant."""
    digests = [
        augkit.create("panda", min_perturbability=least, word_weight=weight).config.digest()
        for least in (0, 0.1)
        for weight in (0.5, 0.7)
    ]
    assert digests[0] == digests[1]
    assert len(set(digests)) == 3
