import pytest

import augkit
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
