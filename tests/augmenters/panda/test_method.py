import pytest

import augkit
from augkit.core.errors import UserError
from augkit.core.types import example


def test_a_fixed_target_is_reached_and_recorded():
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
    panda = augkit.create("panda", axes=["gender"], target="all")
    pairs = list(panda([example("He sang.")]))
    assert {pair.provenance.about["target"] for pair in pairs} == {"woman", "non-binary"}


def test_a_rejected_draw_is_followed_by_another():
    panda = augkit.create("panda", axes=["gender"], target="woman")
    [pair] = panda([example('A "man" is a noun, and a man laughed.')])
    assert pair.variant.fields["text"] == 'A "man" is a noun, and a woman laughed.'


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"axes": ["gendr"]}, "gender"),
        ({"axes": ["gender"], "target": "wman"}, "Did you mean 'woman'"),
        (
            {"axes": ["gender"], "target": "senior"},
            "Known: all, auto, complete, man, non-binary, opposite",
        ),
    ],
)
def test_unknown_axes_and_targets_are_errors(settings, message):
    with pytest.raises(UserError, match=message):
        augkit.create("panda", **settings)


@pytest.mark.parametrize(
    "settings",
    [
        {"target": "opposite", "axes": ["race"]},
        {"target": "opposite", "perturber": "llm"},
        {"target": "complete", "perturber": "llm"},
    ],
)
def test_targets_of_all_persons_need_rules_and_gender(settings):
    """A model rewrites one person at a time."""
    with pytest.raises(UserError, match=settings["target"]):
        augkit.create("panda", **settings)


def test_persons_with_full_names_change_where_that_is_asked_for():
    """By default they stay, with all that may be said of them."""
    row = example("John Waters lost his hat. The women laughed.")
    [pair] = augkit.create("panda", target="opposite")([row])
    assert pair.variant.fields["text"] == "John Waters lost his hat. The men laughed."
    [pair] = augkit.create("panda", target="opposite", full_names="change")([row])
    assert " Waters lost her hat. The men laughed." in pair.variant.fields["text"]
    assert "John" not in pair.variant.fields["text"]


def test_texts_below_the_least_perturbability_are_rejected_with_their_score():
    """Eq. 2; the score of a variant is recorded."""
    rows = [example("He lost his keys."), example("He admired Tolstoy."), example("Rain.")]
    settings = {"axes": ["gender"], "target": "woman", "min_perturbability": 0.2}
    first, second, third = augkit.create("panda", **settings).outcomes(rows)
    assert first.provenance.scores == {"perturbability": 0.25}  # two words of the lists
    assert second.provenance.scores == {"perturbability": 0.5}  # a word and a name
    assert (third.reason, third.detail) == ("low perturbability", "0.0000 is below 0.2")
