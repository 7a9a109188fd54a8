"""The perturber that is a local model: its input, its segments, and a trained one at work."""

import sys
from random import Random

import pytest

from augkit.augmenters.create import create
from augkit.augmenters.panda.perturbers.protocol import PerturbTask
from augkit.augmenters.panda.perturbers.seq2seq import Seq2SeqPerturber, model_input, read_written
from augkit.core.errors import ConfigError, MissingExtra
from augkit.core.types import Example, Pair, example
from augkit.models.language_models.seq2seq import Generation, load_seq2seq

NLI = {"premise": " A man sleeps.\n", "hypothesis": "He rests."}


def task(fields, word, target="woman"):
    name = next(name for name, text in fields.items() if word in text)
    start = fields[name].index(word)
    return PerturbTask(Example(fields), name, start, start + len(word), "gender", target, Random(0))


def pair_job(pair):
    """The job that a training pair is the answer to."""
    fields = {str(n): text for n, text in enumerate(pair.original.split(" <SEP> "))}
    return task(fields, pair.selected_word, pair.target_attribute)


def perturber(folder):
    return Seq2SeqPerturber(load_seq2seq(str(folder)), 0.15)


def test_the_fields_are_joined_as_segments():
    """Word, comma, attribute, separator, then the fields; space around them stays here."""
    asked = model_input(task(NLI, "man"))
    assert asked == "man, woman <PERT_SEP> A man sleeps. <SEP> He rests."


@pytest.mark.parametrize("between", [" <SEP> ", "<SEP>", "  <SEP>\n"])
def test_segments_go_back_to_their_fields(between):
    """Each with the space that stood around it, however the model spaces its separator."""
    told = read_written(task(NLI, "man"), Generation(f"A woman sleeps.{between}She rests."), 0.15)
    assert not told.reason
    assert dict(told.fields) == {"premise": " A woman sleeps.\n", "hypothesis": "She rests."}
    assert told.about["source"] == "man"


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("A woman sleeps. She rests.", "1 segments instead of 2"),
        ("A woman <SEP> sleeps. <SEP> She rests.", "3 segments instead of 2"),
        ("A man sleeps. <SEP> She rests.", "still there"),
        ("A woman sleeps. <SEP>", "beside the references"),
    ],
)
def test_what_does_not_fit_is_refused(text, detail):
    rejection = read_written(task(NLI, "man"), Generation(text), 0.15)
    assert rejection.reason == "unusable answer"
    assert detail in rejection.detail


@pytest.mark.slow
def test_a_trained_model_gives_its_pairs_back(trained, eight_pairs):
    """Trained on eight pairs, it answers their eight jobs with the perturbed texts, batched."""
    answers = perturber(trained[0]).perturb([pair_job(pair) for pair in eight_pairs])
    texts = [" <SEP> ".join(answer.fields.values()) for answer in answers]
    assert texts == [pair.perturbed for pair in eight_pairs]


@pytest.mark.slow
def test_a_text_with_a_separator_of_its_own_is_refused_unasked(trained, eight_pairs):
    """It could not be told which segment is which; the others are answered in their places."""
    odd = task({"text": "He said <SEP> twice."}, "He")
    first, second, third = perturber(trained[0]).perturb([odd, pair_job(eight_pairs[0]), odd])
    assert first == third
    assert first.reason == "unusable answer"
    assert "<SEP>" in first.detail
    assert dict(second.fields) == {"0": "She lost her keys."}


@pytest.mark.slow
def test_a_text_beyond_the_model_is_refused_alone(trained):
    long, short = load_seq2seq(str(trained[0])).write(
        ["He lost his keys. " * 100, "He, woman <PERT_SEP> He lost his keys."]
    )
    assert "the model takes 256" in long.fault
    assert short == Generation("She lost her keys.")
    [rejection] = perturber(trained[0]).perturb([task({"text": "He lost his keys. " * 100}, "He")])
    assert rejection.reason
    assert "the model takes 256" in rejection.detail


def test_an_answer_that_does_not_end_is_an_error(tiny_model):
    """A model that cannot say the end sign writes up to a limit and no further."""
    model = load_seq2seq(str(tiny_model))
    model.model.final_logits_bias[0, model.tokenizer.eos_token_id] = -1e9
    [endless] = model.write(["He lost his keys."])
    assert "did not end" in endless.fault


def test_panda_runs_with_it(trained):
    settings = {"perturber": f"seq2seq:{trained[0]}", "axes": ["gender"]}
    panda = create("panda", **settings, target="woman")
    row = example({"premise": "A man sleeps.", "hypothesis": "He rests."}, "entailment")
    [outcome] = panda.outcomes([row])
    assert isinstance(outcome, Pair), outcome
    assert dict(outcome.variant.fields) == {
        "premise": "A woman sleeps.",
        "hypothesis": "She rests.",
    }


@pytest.mark.parametrize("name", ["./no-such-model", "/no/such/model", "bart", "a/b/c"])
def test_a_missing_folder_is_an_error_when_the_settings_are_read(name):
    with pytest.raises(ConfigError, match="no folder"):
        create("panda", perturber=f"seq2seq:{name}")
    with pytest.raises(ConfigError, match="needs a model"):
        create("panda", perturber="seq2seq")


def test_a_missing_package_is_an_error_that_names_the_extra(tiny_model, monkeypatch):
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(MissingExtra, match=r"augkit\[nn\]"):
        perturber(tiny_model).perturb([task({"text": "He left."}, "He")])
