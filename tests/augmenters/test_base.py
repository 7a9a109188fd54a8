"""The Augmenter: what the base does for every method."""

from dataclasses import dataclass
from pathlib import Path

import pytest

import augkit
from augkit.augmenters.base import Augmenter, RejectedTexts, keyed_random, numbered_examples
from augkit.augmenters.create import create
from augkit.augmenters.fields import chosen_field
from augkit.core.config import MethodConfig
from augkit.core.edits import Edit
from augkit.core.errors import AugkitError, ConfigError, MissingTool, NotFitted
from augkit.core.protocols import Check, Tools
from augkit.core.types import Cost, Example, Variant, example, refused

PAID = Cost(1, 2, 3, 0.5)


class Shout(Augmenter[MethodConfig]):
    """Adds a sign per copy; ``answers`` may replace what is drafted."""

    name = "shout"
    Config = MethodConfig
    batches: list[list[str]]

    def propose(self, batch):
        self.batches = [*getattr(self, "batches", []), [row.fields["text"] for row in batch]]
        for row in batch:
            for copy in range(self.config.copies):
                yield self.answer(row, copy)

    def answer(self, row, copy):
        return Variant(row, {"text": row.fields["text"] + "!" * (copy + 1)}, row.label, copy=copy)


def answering(function, **settings):
    """A method whose drafts come from a function of the row and the copy."""
    method = type("Answering", (Shout,), {"answer": staticmethod(function)})
    return method(MethodConfig(**settings))


def reasons(outcomes):
    """The reasons of rejections, "" for a pair."""
    return [getattr(outcome, "reason", "") for outcome in outcomes]


def test_a_draft_is_signed():
    """The pair names method, config, copy, parent, edits, contract and cost."""
    row = example("Hi", "x")
    paid = answering(
        lambda row, copy: Variant(row, {"text": "Ho"}, "y", "flipped", copy, cost=PAID)
    )
    (pair,) = paid([row])
    assert pair.original is row
    assert (pair.variant.fields, pair.variant.label) == ({"text": "Ho"}, "y")
    provenance = pair.provenance
    assert (provenance.method, provenance.config) == ("shout", MethodConfig().digest())
    assert (provenance.parents, provenance.copy) == ((row.id,), 0)
    assert provenance.edits == (Edit("text", 0, 2, "Hi", "Ho"),)
    assert (provenance.contract, provenance.cost) == ("flipped", PAID)


@pytest.mark.parametrize(
    ("text", "reason"),
    [("Hi", "unchanged"), (" \n", "empty variant"), ("", "empty variant")],
)
def test_a_poor_draft_is_refused_with_its_cost(text, reason):
    step = answering(lambda row, copy: Variant(row, {"text": text}, None, copy=copy, cost=PAID))
    assert list(step.outcomes([example("Hi")])) == [
        refused(example("Hi"), reason, cost=PAID, method="shout")
    ]


def test_a_repeated_copy_is_refused():
    """Two copies with one text and label are one variant; another label makes it another."""
    same = answering(lambda row, copy: Variant(row, {"text": "Ho"}, None, copy=copy), copies=3)
    repeated = "repeats another copy"
    found = list(same.outcomes([example("Hi")]))
    assert reasons(found) == ["", repeated, repeated]
    assert found == list(same.with_copies(3).outcomes([example("Hi")]))
    other = answering(lambda row, copy: Variant(row, {"text": "Ho"}, str(copy)), copies=2)
    assert reasons(other.outcomes([example("Hi")])) == ["", ""]
    one = answering(lambda row, copy: Variant(row, {"text": "Ho"}, None))
    assert reasons(one.outcomes([example("Hi", "a"), example("Hi", "b")])) == ["", ""]


def test_a_method_adds_checks_of_its_own():

    class Polite(Shout):
        checks = (
            Check("loud", lambda draft: "!!" in draft.fields["text"]),
            Check("short", lambda draft: "Hi" if draft.parent.fields["text"] == "Hi" else ""),
        )

    outcomes = list(Polite(MethodConfig(copies=2)).outcomes([example("Hello"), example("Hi")]))
    assert reasons(outcomes) == ["", "loud", "short", "loud"]
    assert [outcome.detail for outcome in outcomes[1:3]] == ["Hello!!", "Hi"]


def test_a_refusal_is_passed_on_with_the_methods_name():
    step = answering(lambda row, copy: refused(row, "no", "why", copy, cost=PAID))
    assert list(step.outcomes([example("Hi")])) == [
        refused(example("Hi"), "no", "why", cost=PAID, method="shout")
    ]


def test_silence_is_a_refusal():

    class Silent(Shout):
        def propose(self, batch):
            return iter(())

    assert reasons(Silent(MethodConfig()).outcomes([example("Hi")])) == ["nothing proposed"]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (example(""), "empty text"),
        (example(" \t\u00a0"), "empty text"),
        (example({"a": "x", "b": ""}), "empty text"),
        (example("x" * 11), "text too long"),
        (Example({"text": "x"}, fault="text is not text: a number"), "text is not text: a number"),
    ],
)
def test_a_faulty_row_never_reaches_the_method(row, reason):
    """Faults of a row are rejections, in their place among the others."""
    step = Shout(MethodConfig(max_chars=10))
    found = list(step.outcomes([example("a"), row, example("b")]))
    assert reasons(found) == ["", reason, ""]
    assert step.batches == [["a", "b"]]


def test_batches_are_read_as_they_are_needed():
    read = []

    def stream():
        for number in range(1000):
            read.append(number)
            yield example(str(number))

    step = Shout(MethodConfig(batch_size=4))
    next(step(stream()))
    assert len(read) == 4


def test_outcomes_keep_the_order_of_the_rows():
    """A method may answer a batch in any order."""

    class Backwards(Shout):
        def propose(self, batch):
            return reversed(list(super().propose(batch)))

    pairs = Backwards(MethodConfig(batch_size=3))([example(text) for text in "abcde"])
    assert [pair.original.fields["text"] for pair in pairs] == list("abcde")


def test_a_corpus_method_sees_everything_at_once():

    class Whole(Shout):
        scope = "corpus"

    step = Whole(MethodConfig(batch_size=1))
    assert len(list(step([example(text) for text in "abc"]))) == 3
    assert step.batches == [["a", "b", "c"]]


def test_a_row_without_an_id_gets_one():
    (pair,) = Shout(MethodConfig())([Example({"text": "Hi"})])
    assert pair.original.id == example("Hi").id
    seen = []
    step = Learning(MethodConfig())
    step.prepare = lambda rows: seen.extend(row.id for row in rows)
    step.fit([Example({"text": "Hi"})])
    assert seen == [example("Hi").id]


def test_wrong_edits_are_the_methods_mistake():
    wrong = (Edit("text", 0, 1, "H", "J"),)
    step = answering(lambda row, copy: Variant(row, {"text": "Ho"}, None, edits=wrong))
    with pytest.raises(AugkitError, match="do not give its text"):
        list(step([example("Hi")]))


def test_augment_takes_a_text_or_a_list():
    """A text gives a list, a list gives lists in its order, repeated texts included."""
    step = Shout(MethodConfig())
    assert step.augment("Hi") == ["Hi!"]
    assert step.augment("Hi", n=2) == Shout(MethodConfig(copies=2)).augment("Hi") == ["Hi!", "Hi!!"]
    assert Shout(MethodConfig(copies=2)).augment("Hi", n=1) == ["Hi!"]
    assert step.augment(["Hi", "", "Hi"], n=2) == [["Hi!", "Hi!!"], [], ["Hi!", "Hi!!"]]
    assert step.augment([]) == []


def test_randomness_is_keyed_by_what_it_is_for():
    keys = [(0, "a", "m", 0), (1, "a", "m", 0), (0, "b", "m", 0), (0, "a", "n", 0)]
    keys.append((0, "a", "m", 1))
    draws = [keyed_random(*key).random() for key in keys]
    assert len(set(draws)) == 5
    assert draws == [keyed_random(*key).random() for key in keys]


def test_a_missing_tool_is_an_error_before_any_work():

    class Asking(Shout):
        needs = frozenset({"llm"})

    with pytest.raises(MissingTool, match="'shout' cannot work without"):
        Asking(MethodConfig(), Tools())


@dataclass
class Seen:
    rows: int

    def save(self, folder: Path) -> None:
        (folder / "rows").write_text(str(self.rows))

    @classmethod
    def load(cls, folder: Path):
        return cls(int((folder / "rows").read_text()))


class Learning(Shout):
    learns = Seen

    def prepare(self, examples):
        return Seen(len(examples))

    def answer(self, row, copy):
        return Variant(row, {"text": f"{row.fields['text']} {self.artifact.rows}"}, None)


def test_a_learning_method_must_be_fitted():
    """Unfitted it says so, before the first row and with the cure; fitted it works."""
    step = Learning(MethodConfig())
    with pytest.raises(NotFitted, match="call .fit"):  # noqa: RUF043 - the dot is any sign
        list(step([]))
    fitted = step.fit(iter([example("a"), example("b")]))
    assert fitted.augment("Hi") == ["Hi 2"]
    with pytest.raises(NotFitted):
        _ = step.artifact


def test_fitting_what_does_not_learn_does_nothing():
    step = Shout(MethodConfig())
    assert step.fit([]) is step


def test_repeated_texts_are_numbered():
    """Equal texts have different ids, the same in every call; labels are told apart."""
    rows = numbered_examples(["a", "a", "a"], ["x", "y", "x"])
    assert len({row.id for row in rows}) == 3
    assert rows[2] == example("a", "x", occurrence=1)


@pytest.mark.parametrize("size", [1, 2, 64])
def test_a_row_given_twice_is_answered_twice(size):
    """However the batches fall, the same row gives the same answer each time."""
    rows = [example("Hi"), example("Ho"), example("Hi"), example(""), example("")]
    found = list(Shout(MethodConfig(batch_size=size)).outcomes(rows))
    assert reasons(found) == ["", "", "", "empty text", "empty text"]
    assert found[0] == found[2]


def test_texts_without_a_variant_give_a_warning_with_the_reasons():
    with pytest.warns(RejectedTexts, match=r"no variant of 2 of 3 texts: .*text is missing \(1\)"):
        variants = create("swap").augment(["A film.", "Fine.", None])
    assert variants == [["A movie."], [], []]


GERMAN = "Das Essen war kalt, und die Bedienung hat uns big lange warten lassen."


@pytest.mark.parametrize("method", ["swap", "eda", "panda"])
def test_rows_in_another_language_are_rejected(method):
    row = example(f"{GERMAN} Mein Bruder sagt, der movie sei gut.")
    (rejection,) = create(method).outcomes([row])
    assert (rejection.reason, rejection.detail) == ("not English", "de")
    insisted = list(create(method, other_languages="keep").outcomes([row]))
    assert "not English" not in {getattr(one, "reason", "") for one in insisted}
    assert create("typo").augment(GERMAN)  # typing errors are made in any language


TEXT = "The quick actor reads a long and quiet poem to the old town on a cold day."


def test_an_epoch_draws_other_variants_and_the_same_when_repeated():
    """``copy`` is the number of a draw: 0 is the draw without it."""
    typo = augkit.create("typo")
    epochs = [typo.augment(TEXT, copy=epoch) for epoch in range(4)]
    assert epochs[0] == typo.augment(TEXT)
    assert len({tuple(texts) for texts in epochs}) == 4
    assert epochs[3] == typo.augment(TEXT, copy=3)


def test_a_composition_draws_too():
    chain = augkit.chain("eda", "typo")
    assert chain.augment(TEXT, copy=1) == chain.augment(TEXT, copy=1)
    assert chain.augment(TEXT, copy=1) != chain.augment(TEXT)


def test_the_named_field_or_the_last_one():
    """A misspelt name never falls back to another field: the error lists those there are."""
    pair = {"premise": "A man sleeps.", "hypothesis": "He is awake."}
    assert chosen_field(pair, "premise") == "premise"
    assert chosen_field(pair, None) == "hypothesis"
    with pytest.raises(ConfigError, match=r"'premiss'.*premise, hypothesis"):
        chosen_field(pair, "premiss")
