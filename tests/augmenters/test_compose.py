"""Steps made of steps, and gates: reasons to refuse a variant."""

from typing import ClassVar

import pytest

from augkit.augmenters.base import Augmenter
from augkit.augmenters.checks import edited_share, keeps, length_within, sign
from augkit.augmenters.compose import chain, gated, limit, one_of, outcomes_of, sometimes, union
from augkit.augmenters.create import create
from augkit.core.config import MethodConfig
from augkit.core.edits import apply
from augkit.core.errors import ConfigError, UnknownName
from augkit.core.types import Cost, Example, Pair, Variant, example, refused
from augkit.text.diff import diff

FILM = create("swap", pairs=[["film", "movie"]])
GOOD = create("swap", pairs=[["good", "fine"]])
BACK = create("swap", pairs=[["movie", "film"]])
ROW = example("A good film.", "pos")
ROWS = [ROW, example("A film.", "neg"), example("Good food.", "pos"), example("Hm.", "neg")]


def texts(step, rows=ROWS):
    return [pair.variant.fields["text"] for pair in step(rows)]


def reasons(step, rows=ROWS):
    return [found.reason for found in outcomes_of(step, rows) if isinstance(found, Variant)]


def paid(word, cost, contract="kept", label="pos"):
    """A plain function as a step: it adds a word and costs something."""

    def step(examples):
        for row in examples:
            fields = {"text": f"{row.fields['text']} {word}"}
            draft = Variant(row, fields, label, contract, cost=cost, scores={word: 1.0})
            yield sign(draft, diff(row.fields, fields), word, "")

    return step


def test_a_chain_works_on_what_the_step_before_made():
    """Only what passes every step comes out; what a step refuses is told."""
    assert texts(chain(FILM, GOOD)) == ["A fine movie."]
    assert reasons(chain(FILM, GOOD)) == ["no listed word"] * 3


def test_a_chain_leads_from_the_first_original_to_the_last_variant():
    """Original, edits, parents, method, cost, scores and label span the whole chain."""
    step = chain(paid("one", Cost(1, 2)), paid("two", Cost(3, 4)), GOOD)
    (pair,) = step([ROW])
    provenance = pair.provenance
    assert pair.original is ROW
    assert pair.variant.fields == {"text": "A fine film. one two"}
    assert apply(ROW.fields, provenance.edits) == pair.variant.fields
    assert provenance.method == "one+two+swap"
    assert provenance.parents[0] == ROW.id
    assert len(set(provenance.parents)) == 3
    assert provenance.cost == Cost(4, 6)
    assert provenance.scores == {"one": 1.0, "two": 1.0}


def test_a_refusal_late_in_a_chain_names_the_first_original_and_all_costs():
    (rejection,) = chain(paid("one", Cost(2)), BACK).outcomes([example("Hm.", "pos")])
    assert rejection == refused(
        example("Hm.", "pos"), "no listed word", cost=Cost(2), method="swap"
    )


class EverySecond(Augmenter):
    """Changes every second row; of the others it says what it is told to say."""

    name = "every-second"
    Config = MethodConfig
    said: ClassVar[dict[str, object]] = {}

    def propose(self, batch):
        for row in batch:
            if row.fields["text"].endswith("1"):
                yield refused(row, "odd", **self.said)
            else:
                yield Variant(row, {"text": f"{row.fields['text']} even"}, row.label)


@pytest.mark.parametrize("scope", ["example", "corpus"])
@pytest.mark.parametrize(
    ("said", "in_result"),
    [({}, False), ({"weight": 0.0}, False), ({"stays": True}, True), ({"weight": 0.5}, True)],
)
def test_what_a_step_of_a_chain_refuses_is_not_in_the_result(scope, said, in_result):
    """Whether a step sees rows one by one or all at once; a row that it leaves as it is goes on."""
    step = EverySecond(MethodConfig())
    step.scope = scope
    step.said = said
    rows = [example("A film 0"), example("A film 1")]
    found = [pair.variant.fields["text"] for pair in chain(step, FILM)(rows)]
    assert found == ["A movie 0 even", "A movie 1"][: 1 + in_result]
    outcomes = list(chain(step, FILM).outcomes(rows))
    assert [outcome.weight for outcome in outcomes if isinstance(outcome, Variant)] == [
        said.get("weight") for _ in range(not said.get("stays", False))
    ]


def test_a_chain_that_ends_where_it_began_is_refused():
    (rejection,) = chain(FILM, BACK).outcomes([example("A film.")])
    assert isinstance(rejection, Variant)
    assert (rejection.reason, rejection.method) == ("unchanged", "chain")


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (("kept", "pos"), ("kept", "pos"), "kept"),
        (("flipped", "neg"), ("kept", "neg"), "flipped"),
        (("flipped", "neg"), ("flipped", "pos"), "kept"),
        (("unknown", "pos"), ("kept", "pos"), "unknown"),
    ],
)
def test_a_chain_says_what_became_of_the_label(first, second, expected):
    """Flipped twice is kept; once unknown is unknown."""
    steps = [paid(word, Cost(), *way) for word, way in (("a", first), ("b", second))]
    (pair,) = chain(*steps)([ROW])
    assert pair.provenance.contract == expected


def test_a_union_gives_all_variants():
    assert texts(union(FILM, GOOD), [ROW]) == ["A good movie.", "A fine film."]


def test_one_of_draws_by_the_examples_id():
    """One step a row, the same alone and in any company; weights of 0 are never drawn."""
    rows = [example(f"A good film {number}.") for number in range(40)]
    step = one_of(FILM, GOOD, seed=1)
    found = texts(step, rows)
    assert len(found) == 40
    assert {"movie" in text for text in found} == {True, False}
    assert found == [text for row in rows for text in texts(step, [row])]
    assert texts(one_of(FILM, GOOD, weights=[0, 1]), [ROW]) == ["A fine film."]


def test_sometimes_leaves_a_share_alone():
    """Rows are chosen by their ids; the others are refused as not drawn."""
    rows = [Example({"text": f"A film {number}."}) for number in range(200)]  # without an id
    assert 60 < len(texts(sometimes(FILM, 0.5), rows)) < 140
    assert texts(sometimes(FILM, 0.0), rows) == []
    assert reasons(sometimes(FILM, 0.0), rows) == ["not sampled"] * 200
    assert len(texts(sometimes(FILM, 1.0), rows)) == 200


def test_gates_refuse_with_their_reason():
    """The first gate that minds gives the reason, and the refused text is shown with its cost."""
    step = gated(paid("word " * 9, Cost(5)), lambda pair: None, length_within(0.5, 2.0))
    (rejection,) = step.outcomes([ROW])
    assert (rejection.reason, rejection.cost) == ("too long", Cost(5))
    assert rejection.detail.startswith("A good film. word")
    assert texts(gated(FILM, lambda pair: None), [ROW]) == ["A good movie."]


def test_limit_keeps_the_first_variants():
    """Those over the limit are refused, and rejections do not count."""
    step = limit(union(BACK, create("swap", pairs=[["zig", "zag"]]), FILM, GOOD), 1)
    found = list(step.outcomes([ROW]))
    assert [isinstance(one, Pair) for one in found] == [True, False, False, False]
    assert [one.reason for one in found[1:]] == ["no listed word"] + ["over the limit"] * 2


def test_compositions_are_steps():
    step = limit(gated(union(chain(FILM, GOOD), FILM), length_within()), 2)
    assert step.augment("A good film.", n=2) == ["A fine movie.", "A good movie."]
    assert step.augment(["Hm.", "A film."]) == [[], ["A movie."]]


def test_copies_reach_every_step():
    step = chain(create("eda", insert=0, delete=0, replace=0), FILM)
    text = "one two three four five six seven eight nine ten eleven film"
    assert len(set(step.augment(text, n=3))) == 3


def test_fitting_reaches_every_step():
    """A step that learns sees the corpus; plain functions stay as they are."""
    seen = []

    class Learner:
        def __call__(self, examples):
            return iter(())

        def fit(self, examples):
            seen.append(len(examples))
            return self

    chain(union(Learner(), paid("x", Cost())), Learner()).fit(iter(ROWS))
    assert seen == [4, 4]


@pytest.mark.parametrize(
    "make",
    [
        chain,
        union,
        one_of,
        lambda: one_of(FILM, GOOD, weights=[1]),
        lambda: one_of(FILM, GOOD, weights=[0, 0]),
        lambda: one_of(FILM, GOOD, weights=[2, -1]),
        lambda: sometimes(FILM, 1.5),
        lambda: limit(FILM, 0),
    ],
)
def test_impossible_compositions_are_errors(make):
    """Without a step, with wrong weights or shares: told when the composition is made."""
    with pytest.raises(ConfigError):
        make()


def test_a_name_stands_for_a_method():
    assert chain("swap", "typo").augment("A film.") != []
    assert [step.name for step in union("swap", "eda").steps] == ["swap", "eda"]
    with pytest.raises(UnknownName, match="no_such_method"):
        chain("no_such_method")


def test_a_gate_that_returns_a_bool_is_an_error():
    for answer in (True, False):
        with pytest.raises(TypeError, match=f"returned {answer}. A gate returns None"):
            gated("swap", lambda _pair, answer=answer: answer).augment("A film.")


def pair(before, after):
    draft = Variant(example(before), {"text": after}, None)
    return sign(draft, diff(draft.parent.fields, draft.fields), "test", "")


@pytest.mark.parametrize(
    ("after", "reason"),
    [
        ("one two three", None),
        ("one", "too short"),
        ("one two", None),
        ("a b c d e f g h", None),
        ("a b c d e f g h i", "too long"),
    ],
)
def test_length_is_counted_in_words(after, reason):
    """The bounds are multiples of the original's words, and belong to what is accepted."""
    assert length_within(0.5, 2.0)(pair("one two three four", after)) == reason


def test_a_kept_word_must_stay_where_it_was():
    """A named word that the original has, in any casing, must be in the variant."""
    gate = keeps("not", "never")
    assert gate(pair("Not bad.", "Bad.")) == "lost 'not'"
    assert gate(pair("Not bad.", "not good.")) is None
    assert gate(pair("Bad.", "Good.")) is None


def test_too_many_edits_are_refused():
    assert edited_share(0.5)(pair("aaaa bbbb", "aaaa cccc")) is None
    assert edited_share(0.4)(pair("aaaa bbbb", "aaaa cccc")) == "edited too much"
