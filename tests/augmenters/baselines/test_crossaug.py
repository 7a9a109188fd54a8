"""CrossAug: negative claims by rules or a model, and evidence that follows them."""

import json
from dataclasses import replace

import pytest

from augkit.augmenters.baselines.crossaug import (
    Replaceable,
    edits_of_evidence,
    problem_of,
)
from augkit.augmenters.create import create
from augkit.core.edits import Edit
from augkit.core.protocols import Tools
from augkit.core.types import Pair, example
from augkit.llm.scripted import Scripted
from augkit.testing import CHECKS, kit_of, no_network


def pair(evidence, claim, label="SUPPORTS"):
    return example({"evidence": evidence, "claim": claim}, label)


MOON = pair("Apollo 11 landed on the Moon in 1969 .", "Apollo 11 landed in 1969.")
ROWS = [
    MOON,
    pair("Anna was born in Paris .", "Anna was born in Paris."),
    pair("Bert was born in Rome .", "Bert was born in London.", "REFUTES"),
]


def made(rows, **settings):
    step = create("crossaug", **settings).fit(ROWS)
    return {one.provenance.about["unit"]: one for one in step(rows)}


def test_a_number_changes_in_the_claim_the_evidence_and_both():
    """Three pairs follow from one negative claim, with the labels of the paper."""
    units = made([MOON])
    new = units["negative claim"].variant.fields["claim"]
    assert "1969" not in new
    assert units["negative claim"].variant.fields["evidence"] == MOON.fields["evidence"]
    assert units["both"].variant.fields["claim"] == new
    assert "1969" not in units["both"].variant.fields["evidence"]
    assert units["negative evidence"].variant.fields["claim"] == MOON.fields["claim"]
    labels = {unit: (one.variant.label, one.provenance.contract) for unit, one in units.items()}
    assert labels == {
        "negative claim": ("REFUTES", "flipped"),
        "both": ("SUPPORTS", "kept"),
        "negative evidence": ("REFUTES", "flipped"),
    }


def test_a_name_gives_way_to_one_of_a_like_place():
    """What stood after "born in" elsewhere in the corpus stands there now."""
    assert made([ROWS[1]])["both"].variant.fields == {
        "evidence": "Anna was born in London .",
        "claim": "Anna was born in London.",
    }


def test_a_denial_leaves_the_evidence_alone():
    """Where no word can be exchanged, "not" makes one refuted pair."""
    units = made([pair("The event ended the era .", "The era ended.")])
    assert list(units) == ["negative claim"]
    assert units["negative claim"].variant.fields["claim"] == "The era did not end."


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (ROWS[2], "not a supported claim"),
        (example("A film.", "SUPPORTS"), "not a pair of evidence and claim"),
        (pair("Oh .", "Oh!"), "no negative claim"),
    ],
)
def test_what_has_no_negative_claim_is_refused(row, reason):
    """Refuted pairs, single texts and fragments are told apart, and no model is asked."""
    for tools in (Tools(), Tools(llm=Scripted([]))):
        (rejection,) = create("crossaug", tools).fit(ROWS).outcomes([row])
        assert (rejection.reason, rejection.cost.calls) == (reason, 0)


def test_labels_are_known_by_name_or_setting():
    """Labels that say nothing plainly are named by the user."""
    rows = [replace(row, label={"SUPPORTS": "1", "REFUTES": "0"}[row.label]) for row in ROWS]
    by_name = create("crossaug").fit(rows).outcomes(rows[:1])
    assert [one.reason for one in by_name] == ["not a supported claim"]
    told = create("crossaug", supported="1", refuted="0").fit(rows)(rows[:1])
    assert {one.variant.label for one in told} == {"0", "1"}


@pytest.mark.parametrize(
    ("evidence", "claim", "edit", "changes"),
    [
        # The article follows its word.
        (
            "He is an English actor .",
            "He is English.",
            Edit("claim", 6, 13, "English", "Turkish"),
            [("an", "a"), ("English", "Turkish")],
        ),
        # Part of a word is no word, and nothing stands for an inserted one.
        ("Englishmen act .", "English act.", Edit("claim", 0, 7, "English", "Turkish"), []),
        ("Englishmen act .", "English act.", Edit("claim", 7, 7, "", " not"), []),
    ],
)
def test_the_evidence_follows_the_claim(evidence, claim, edit, changes):
    edits = edits_of_evidence({"evidence": evidence, "claim": claim}, [edit])
    assert [(one.before, one.after) for one in edits] == changes


def by_model(row, llm, **settings):
    return list(create("crossaug", Tools(llm=llm), **settings).fit(ROWS).outcomes([row]))


def test_a_model_replaces_one_thing_of_the_claim():
    """It is replaced in the evidence as the rules do; the call is paid once."""
    asked = []

    def answer(request):
        asked.append(request)
        return json.dumps({"kind": "a year", "true": "1969", "false": "1977."})

    pairs = by_model(MOON, Scripted(answer))
    assert [one.provenance.about["unit"] for one in pairs] == [
        "negative claim",
        "both",
        "negative evidence",
    ]
    assert pairs[0].variant.fields["claim"] == "Apollo 11 landed in 1977."
    assert pairs[1].variant.fields["evidence"] == "Apollo 11 landed on the Moon in 1977 ."
    assert [one.provenance.cost.calls for one in pairs] == [1, 0, 0]
    assert asked[0].messages[-1].content == (
        "Evidence: <data>Apollo 11 landed on the Moon in 1969 .</data>\n"
        "Claim: <data>Apollo 11 landed in [1969].</data>"
    )
    # The kind of thing is asked for before its replacement.
    assert list(asked[0].answer.model_json_schema()["properties"]) == ["kind", "true", "false"]


def test_numbers_and_names_of_the_evidence_come_first():
    """The subject of the claim stays; further copies replace further things."""
    row = pair("Anna Berg moved to Rome in 1969 .", "Anna Berg moved to Rome in 1969 by train.")
    claims = [
        one.variant.fields["claim"]
        for one in by_model(row, Scripted(_other), copies=3)
        if isinstance(one, Pair) and one.provenance.about["unit"] == "negative claim"
    ]
    assert claims == [
        "Anna Berg moved to Rome in 1980 by train.",
        "Anna Berg moved to Oslo in 1969 by train.",
        "Anna Berg walked to Rome in 1969 by train.",
    ]


def _other(request):
    asked = request.messages[-1].content
    new = "1980" if "[1969]" in asked else "Oslo" if "[Rome]" in asked else "walked"
    return json.dumps({"kind": "thing", "true": "x", "false": new})


PROBLEMS = {
    "1969": "the same",
    "": "the same",
    "11": "the evidence or the claim has it",
    "a long year later": "no number",
    "not 1977": "a negation",
    "the summer of the year 1977": "too long",
}


@pytest.mark.parametrize("new", PROBLEMS)
def test_what_does_not_make_the_claim_false_is_rejected(new):
    """A second thing of the claim is tried; the reason is in the detail, the cost of both kept."""
    row = pair("Zoe 11 came in 1969 .", "Zoe 11 came in 1969.")
    answers = iter([new, "11"])
    llm = Scripted(lambda _: json.dumps({"kind": "k", "true": "1969", "false": next(answers)}))
    (rejection,) = by_model(row, llm)
    assert (rejection.reason, rejection.cost.calls) == ("no negative claim", 2)
    assert problem_of(row, Replaceable(0, 15, 19), new) == PROBLEMS[new]


def test_what_the_model_calls_true_is_what_it_replaces():
    """A model answers for the whole phrase, or for another part of the claim."""
    row = pair("It is an old crime film .", "Zoe says it is an old crime film.")
    answer = json.dumps({"kind": "film", "true": "crime film", "false": "love story"})
    first, *_ = by_model(row, Scripted([answer]))
    assert first.variant.fields["claim"] == "Zoe says it is an old love story."


def test_a_second_thing_is_replaced_where_the_first_cannot_be():
    answers = iter([("1969", "1969"), ("11", "12")])

    def answer(_):
        true, false = next(answers)
        return json.dumps({"kind": "k", "true": true, "false": false})

    first, *_ = by_model(MOON, Scripted(answer))
    assert first.variant.fields["claim"] == "Apollo 12 landed in 1969."
    assert first.provenance.cost.calls == 2


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_rules_keep_every_promise(check):
    with no_network():
        check(replace(kit_of("crossaug"), offline=True))


def test_copies_are_different_negative_claims():
    row = pair("Anna was born in Paris in 1969 .", "Anna was born in Paris in 1969.")
    pairs = list(create("crossaug", copies=2).fit(ROWS).outcomes([row]))
    assert all(isinstance(one, Pair) for one in pairs)
    claims = {one.variant.fields["claim"] for one in pairs}
    assert len(claims) == 3
    assert sorted(one.provenance.copy for one in pairs) == [0, 1, 2, 3, 4, 5]
