"""Attributes permuted all over a row: they say nothing about the label afterwards."""

import json
from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import augkit
from augkit.augmenters.panda.fairtuning import versions
from augkit.augmenters.panda.references import references
from augkit.core.types import Pair, example
from augkit.lexicons.demographics.axes import read_axis
from augkit.runs.execute import augment_dataset
from augkit.runs.plan import method_config
from augkit.runs.settings import RunSettings


def outcomes(text, copies=6, **settings):
    """What some copies give: variants as fields, rejections as their reasons."""
    panda = augkit.create("panda", target="shuffled", copies=copies, **settings)
    return [
        dict(found.variant.fields) if isinstance(found, Pair) else found.reason
        for found in panda.outcomes([example(text)])
    ]


def attributes(fields):
    """The gender that the first reference of each field tells."""
    return [
        found[0].attribute if (found := references({name: text}, ["gender"])) else "non-binary"
        for name, text in fields.items()
    ]


@pytest.mark.slow
def test_the_attribute_tells_nothing_of_the_label_afterwards():
    """Where men were always good and women always bad, each gender comes to each label alike."""
    openings = [f"In town {number} " for number in range(300)]
    rows = [example(f"{opening}a man sat down.", "good") for opening in openings]
    rows += [example(f"{opening}a woman sat down.", "bad") for opening in openings]
    variants = {
        pair.original.id: pair.variant
        for pair in augkit.create("panda", axes=["gender"], target="shuffled")(rows)
    }
    result = [variants.get(row.id, row) for row in rows]
    counts = Counter((row.label, *attributes(row.fields)) for row in result)
    for label in ("good", "bad"):
        for gender in ("man", "woman", "non-binary"):
            assert 75 <= counts[label, gender] <= 125


def test_fields_that_speak_of_two_genders_still_do():
    """A contradiction between a man and a woman stays one between two genders."""
    pair = {"premise": "A man is running.", "hypothesis": "A woman is running with her dog."}
    made = [found for found in outcomes(pair, axes=["gender"]) if not isinstance(found, str)]
    assert made
    assert all(len(set(attributes(fields))) == 2 for fields in made)


def test_all_persons_change_with_their_pronouns():
    """Nobody gets a gender that leaves them open beside somebody who has one."""
    made = outcomes("He told his sister that she is late.", copies=30, axes=["gender"])
    exchanged = {"text": "She told her brother that he is late."}
    assert [found for found in made if not isinstance(found, str)] == [exchanged]
    assert {found for found in made if isinstance(found, str)} <= {
        "identity permutation",
        "repeats another copy",
    }


def test_nobody_changes_beside_a_name_that_stays():
    """The name may be theirs: a whole person changes or nobody."""
    made = outcomes("From Alan the waiter we got his best fish.", axes=["gender"])
    assert set(made) <= {"contrast lost", "identity permutation", "not a person"}
    assert "contrast lost" in made


def test_the_identity_permutation_is_a_rejection():
    """A row may keep what it says; a row that says nothing has another reason."""
    assert "identity permutation" in outcomes("A man sat down.", axes=["gender"])
    assert set(outcomes("The sky is blue.")) == {"no reference"}


def test_every_axis_is_permuted():
    panda = augkit.create("panda", target="shuffled", copies=6)
    pairs = panda([example("An old Asian man waited.")])
    assert any(pair.provenance.about["axis"] == "gender, race, age" for pair in pairs)


def test_what_cannot_change_everywhere_is_rejected():
    """A girl of one field may not stay one; where two persons share a word, one of them stays."""
    pair = {"premise": "A young Asian boy met his mother.", "hypothesis": "A girl slept."}
    assert "contrast lost" in outcomes(pair, copies=24)
    (made,) = outcomes("An old Asian woman and her young Black son.", copies=1)
    assert "woman" not in made["text"]


@pytest.mark.parametrize(
    ("settings", "target"),
    [
        ({}, "complete"),
        ({"mix": "replace"}, "complete"),
        ({"options": {"target": "shuffled"}}, "shuffled"),
        ({"mix": "append"}, "random"),
        ({"options": {"target": "random"}}, "random"),
        ({"options": {"target": "woman"}}, "woman"),
    ],
)
def test_fairtuning_takes_all_versions_unless_a_target_is_given(settings, target):
    """Where variants replace the originals the default is all versions; a given target is kept."""
    from augkit.augmenters.panda.method import Panda

    config = method_config(Panda, RunSettings(method="panda", **settings))
    assert config.model_dump()["target"] == target


@given(
    st.sampled_from(["A man sang.", "An old Asian man met Mary.", "Two white boys ran.", "Rain."]),
    st.integers(),
)
def test_versions_give_every_person_every_attribute_equally_often(text, seed):
    """On the largest axis once each, on the others as often as the number of versions allows."""
    axes = ("gender", "race", "age")
    maps_of_versions = versions({"text": text}, axes, Random(seed))
    for axis in (axis for axis in axes if axis in maps_of_versions[0]):
        for attribute in read_axis(axis).attributes:
            counts = Counter(maps[axis][attribute] for maps in maps_of_versions)
            assert max(counts.values()) - min(counts.values()) <= 1
            assert len(counts) == min(len(maps_of_versions), len(read_axis(axis).attributes))
        assert all(set(maps[axis]) == set(maps[axis].values()) for maps in maps_of_versions)


def written(tmp_path, texts, **settings):
    """The texts of the dataset that a run of panda writes."""
    lines = [json.dumps({"text": text, "label": "a"}) for text in texts]
    (tmp_path / "rows.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    out = augment_dataset(str(tmp_path / "rows.jsonl"), "panda", tmp_path / "out", **settings)
    rows = (out / "dataset.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(row)["text"] for row in rows]


def test_a_fairtuned_row_stands_among_its_versions(tmp_path):
    """A row without names stays beside its variants; one with a name is told with other names."""
    made = written(tmp_path, ["A man sat.", "The sky is blue.", "Tom sat down."])
    assert made[:4] == ["A man sat.", *sorted(made[1:3], reverse=True), "The sky is blue."]
    assert set(made[1:3]) == {"A woman sat.", "A person sat."}
    assert len(made) == 7
    assert not any(text.startswith("Tom ") for text in made)


def test_every_version_of_a_row_is_in_the_dataset(tmp_path):
    """Six races: none may be left out, or the attribute predicts the label again."""
    made = written(tmp_path, ["An Asian guest waited."], options={"axes": ["race"]})
    assert len(set(made)) == len(read_axis("race").attributes)


def test_a_row_that_was_drawn_as_it_is_stays_beside_its_copies(tmp_path):
    """With several copies under replace, no version of a row is lost."""
    options = {"axes": ["gender"], "target": "shuffled", "copies": 12}
    made = written(tmp_path, ["A man sat."], options=options)
    assert set(made) == {"A man sat.", "A woman sat.", "A person sat."}


def test_names_are_drawn_anew():
    """A name goes, whether its bearer's gender stays or not, and the same name goes everywhere."""
    pair = {"premise": "Tom and Mary sing.", "hypothesis": "Tom is happy because he sings."}
    made = [found for found in outcomes(pair, axes=["gender"]) if not isinstance(found, str)]
    first, second = ([fields[name].split()[0] for fields in made] for name in pair)
    assert first == second
    assert "Tom" not in first
    assert "Mary" not in {fields["premise"].split()[2] for fields in made}
    assert {"he", "she"} == {fields["hypothesis"].split()[4] for fields in made}
    assert outcomes("In Victoria it rained.", axes=["gender"]) == ["not a person"] * 6


def test_the_opposite_undoes_itself():
    """Every man becomes a woman and every woman a man; other words for people stay."""
    panda = augkit.create("panda", target="opposite")
    text = "Mary told her husband that he and the person were late; Tom laughed at himself."
    [pair] = panda([example(text)])
    swapped = pair.variant.fields["text"]
    assert " told his wife that she and the person were late; " in swapped
    assert swapped.endswith(" laughed at herself.")
    [back] = panda([example(swapped)])
    assert back.variant.fields["text"] == text


def test_ages_that_differ_between_fields_stay():
    """A boy may be the young male of the other field; two words for one age change together."""
    pair = {"premise": "A boy sat.", "hypothesis": "A young man sat."}
    assert set(outcomes(pair, axes=["age"])) <= {"contrast lost", "identity permutation"}
    pair = {"premise": "A boy sat.", "hypothesis": "A child sat."}
    made = [found for found in outcomes(pair, axes=["age"]) if not isinstance(found, str)]
    assert made
    assert all(found["hypothesis"] != "A child sat." for found in made)


def test_nobody_changes_by_halves():
    """Where a word has no counterpart, the other words of its person stay too."""
    made = outcomes("The bride lost her ring.", copies=12, axes=["gender"])
    assert {"text": "The groom lost his ring."} in made
    assert {"text": "The bride lost their ring."} not in made
