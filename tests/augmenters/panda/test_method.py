import pytest
import spacy

import augkit
from augkit.core.errors import UserError
from augkit.core.types import Pair, example


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
    """Eq. 2 with the settings m0 and m1; the score of a variant is recorded."""
    rows = [example("He lost his keys."), example("He admired Tolstoy."), example("Rain.")]
    settings = {"axes": ["gender"], "target": "woman", "min_perturbability": 0.2}
    first, second, third = augkit.create("panda", **settings).outcomes(rows)
    assert first.provenance.scores == {"perturbability": 0.25}  # two words of the lists
    assert second.provenance.scores == {"perturbability": 0.5}  # a word and a name
    assert (third.reason, third.detail) == ("low perturbability", "0.0000 is below 0.2")
    words_alone = augkit.create("panda", **settings, entity_weight=0)
    assert [isinstance(one, Pair) for one in words_alone.outcomes(rows)] == [True, False, False]
    names_alone = augkit.create("panda", **settings, word_weight=0)
    assert [isinstance(one, Pair) for one in names_alone.outcomes(rows)] == [False, True, False]


@pytest.mark.parametrize("entities", ["spacy:", "stanza"])
def test_an_unknown_entity_recogniser_is_an_error(entities):
    with pytest.raises(UserError, match="entit"):
        augkit.create("panda", entities=entities)


def test_weights_of_an_equation_that_is_not_computed_name_no_other_variants():
    """Ids hold the digest of the settings that shape a variant."""
    digests = [
        augkit.create("panda", min_perturbability=least, word_weight=weight).config.digest()
        for least in (0, 0.1)
        for weight in (0.5, 0.7)
    ]
    assert digests[0] == digests[1]
    assert len(set(digests)) == 3


@pytest.mark.slow
def test_names_are_counted_by_a_pipeline_of_the_users_own(tmp_path):
    """What its recogniser does not know counts nothing."""
    nlp = spacy.blank("en")
    nlp.add_pipe("entity_ruler").add_patterns([{"label": "PERSON", "pattern": "Kowalczyk"}])
    nlp.to_disk(tmp_path)
    settings = {"entities": f"spacy:{tmp_path}", "entity_weight": 3, "word_weight": 0}
    panda = augkit.create("panda", axes=["gender"], min_perturbability=1, **settings)
    first, second = panda.outcomes([example("He met Kowalczyk."), example("He met her.")])
    assert isinstance(first, Pair)
    assert second.reason == "low perturbability"
