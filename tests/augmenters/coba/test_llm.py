"""CoBA by the steps of the paper: with a scripted model, and through a server that misbehaves."""

import pytest

from augkit.augmenters.create import create
from augkit.core.errors import ConfigError, DataError, MissingTool
from augkit.core.model_types import Reply
from augkit.core.protocols import Tools
from augkit.core.types import FREE, Cost, Pair, Variant, example
from augkit.lexicons.label_order import NO_OTHER_SIDE
from augkit.llm.scripted import Scripted
from augkit.llm.settings import ConnectOptions
from augkit.llm.stack import open_llm
from augkit.prompts.overrides import read_prompts
from augkit.testing import label_letter
from augkit.testing.kit import MeteredLLM

TEXTS = [
    example("Anna loved it. The plot was known.", "positive"),
    *(example(f"A wonderful film {n} that I loved.", "positive") for n in range(6)),
    *(example(f"A dreadful film {n} that I hated.", "negative") for n in range(6)),
]
NLI = [
    example({"premise": "Anna sleeps here.", "hypothesis": "She sleeps."}, "entailment"),
    example({"premise": "Bob works here.", "hypothesis": "He sleeps."}, "contradiction"),
]


def fitted(llm, rows, **settings):
    return create("coba", Tools(llm=llm), calls="steps", delete=0.0, **settings).fit(rows)


def total(outcomes):
    return sum((o.provenance.cost if isinstance(o, Pair) else o.cost for o in outcomes), FREE)


@pytest.mark.slow
def test_a_text_is_decomposed_edited_rebuilt_and_judged(obedient):
    """Principal triples change, the spurious word stays, the judge agrees, and all is paid."""
    llm = MeteredLLM(Scripted(obedient))
    method = fitted(llm, TEXTS, identify="llm", judge_by="llm")
    (pair,) = method.outcomes(TEXTS[:1])
    assert isinstance(pair, Pair)
    assert pair.variant.fields["text"] == "Anna hated it. The plot was known."
    assert pair.variant.label == "negative"
    assert pair.provenance.about["triples"].startswith("Anna | loved | it → Anna | hated | it")
    assert pair.provenance.cost.calls == llm.spent.calls == 6  # the judge in both orders


@pytest.mark.slow
def test_copies_share_the_decomposition_and_costs_add_up(obedient):
    """Three copies pay decomposition and identification once, and every call is accounted for."""
    llm = MeteredLLM(Scripted(obedient))
    outcomes = list(fitted(llm, TEXTS, identify="llm", copies=3).outcomes(TEXTS[:1]))
    assert total(outcomes).calls == llm.spent.calls
    assert {o.reason for o in outcomes if isinstance(o, Variant)} <= {"repeats another copy"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("calls", "named", "accepted"),
    [("one", "1", True), ("one", "4", False), ("steps", "2", True)],
)
def test_stars_are_flipped_across_the_middle(obedient, calls, named, accepted):
    """The judge must see the other side of the middle; which star it names there is all one."""
    stars = {"positive": "45", "negative": "12"}
    rows = [example(row.fields, stars[row.label][n % 2]) for n, row in enumerate(TEXTS)]
    rows += [example(f"The seats were blue, all {n}.", "3") for n in range(6)]
    judge = Scripted(lambda request: label_letter(request, named))
    tools = Tools(llm=Scripted(obedient), judge=judge)
    settings = {"calls": calls, "judge_by": "llm", "classifiers": 1, "folds": 2}
    settings |= {"delete": 0.0} if calls == "steps" else {}
    method = create("coba", tools, label_order="1,2,3,4,5", **settings).fit(rows)
    flipped, middle = method.outcomes([rows[0], rows[-1]])
    assert middle.reason == NO_OTHER_SIDE
    assert isinstance(flipped, Pair) is accepted
    if accepted:
        assert flipped.variant.fields["text"] == "Anna hated it. The plot was known."
        assert (flipped.original.label, flipped.variant.label) == ("4", "2")
    else:
        assert flipped.reason == "judge disagrees"


def test_a_judge_that_disagrees_rejects_with_the_label_that_it_named(obedient):
    judge = Scripted(lambda request: label_letter(request, "entailment"))
    tools = Tools(llm=Scripted(obedient), judge=judge)
    method = create("coba", tools, calls="steps", delete=0.0).fit(NLI)
    (rejection,) = method.outcomes(NLI[:1])
    assert rejection.reason == "judge disagrees"
    assert rejection.detail.startswith("entailment: ")


def test_rows_of_three_texts_are_an_error_before_anything_is_fitted(obedient):
    """No row could be used, so that nothing is trained and nothing is asked."""
    llm = MeteredLLM(Scripted(obedient))
    rows = [example({"a": "A.", "b": "B.", "c": "C."}, label) for label in ("x", "y")]
    with pytest.raises(DataError, match="one text or two, and these have 3: a, b, c"):
        fitted(llm, rows)
    assert llm.spent.calls == 0


@pytest.mark.parametrize(
    "settings",
    [
        {"reconstruct_by": "spans"},
        {"edit_by": "offline", "decompose_by": "llm"},
        {"edit_by": "offline", "identify": "llm"},
    ],
)
def test_steps_that_do_not_fit_together_are_an_error(obedient, settings):
    """Settings that would be passed over in silence are an error that says what to do."""
    with pytest.raises(ConfigError, match="offline"):
        create("coba", Tools(llm=Scripted(obedient)), **settings)
    with pytest.raises(MissingTool):
        create("coba", identify="llm")


@pytest.mark.parametrize("step", ["coba/decompose", "coba/edit", "coba/reconstruct", "judge"])
def test_a_fault_at_any_step_is_a_rejection_with_all_costs(obedient, step):

    def model(request):
        if request.prompt.startswith(step):
            return Reply(fault="refused", cost=Cost(1))
        return obedient(request)

    llm = MeteredLLM(Scripted(model))
    (rejection,) = fitted(llm, NLI).outcomes(NLI[:1])
    reason = "judge disagrees" if step == "judge" else "unusable answer"
    assert (rejection.reason, "refused" in rejection.detail) == (reason, True)
    assert rejection.cost == llm.spent


@pytest.mark.slow
def test_a_server_that_answers_gives_the_same_as_the_scripted_model(faults, obedient_server):
    with faults.FaultServer(faults.Behaviour(answer=obedient_server)) as server:
        options = ConnectOptions(base_url=server.url, workers=2)
        with open_llm("openai:tiny", options) as llm:
            (pair,) = fitted(llm, NLI).outcomes(NLI[:1])
        assert server.calls == 5
    assert pair.variant.fields["hypothesis"] == "She works."


def test_style_keeps_the_triples_that_carry_it_in_place(obedient):
    """Two texts of one content: both written anew, the label kept, gendered words swapped alike."""
    row = example({"informal": "he sleeps lots. it rains.", "formal": "He sleeps long. It rains."})
    llm = MeteredLLM(Scripted(obedient))
    (pair,) = create("coba-style", Tools(llm=llm), delete=0.0).outcomes([row])
    assert isinstance(pair, Pair)
    assert pair.provenance.contract == "kept"
    assert pair.variant.fields["informal"] == "she sleeps lots. it rains."
    assert "She sleeps long." in pair.variant.fields["formal"]
    assert pair.provenance.cost.calls == llm.spent.calls == 3


@pytest.mark.slow
def test_a_triple_of_spurious_words_is_shown_as_fixed(obedient):
    """The word "loved" is in no triple, so its sentence is edited and that of "Vale" is not."""
    said, written = '"predicate": "loved"', '"predicate": "loves"'
    llm = Noting(lambda request: obedient(request).replace(said, written))
    row = example("Anna loved it. Vale was there.", "positive")
    list(fitted(llm, TEXTS, spurious_words=["vale", "anna's"]).outcomes([row]))
    stays, may_change = llm.first_of("coba/edit").split("The triples that may change:")
    assert '"Anna"' in may_change
    assert '"Vale"' in stays


class Noting(Scripted):
    def __init__(self, answer):
        super().__init__(answer)
        self.requests = []

    def generate(self, requests):
        self.requests += requests
        return super().generate(requests)

    def first_of(self, step):
        """The first question of a step, without the worked examples before it."""
        asked = (request for request in self.requests if request.prompt.startswith(step))
        return next(asked).messages[-1].content


@pytest.mark.slow
def test_steps_are_the_default_and_write_from_triples_alone(obedient):
    """With a model, coba takes the paper's steps; the old text is not shown when it writes."""
    llm = Noting(obedient)
    method = create("coba", Tools(llm=llm), delete=0.0).fit(TEXTS)
    list(method.outcomes(TEXTS[:1]))
    steps = [request.prompt.partition("@")[0] for request in llm.requests]
    assert steps[:3] == ["coba/decompose", "coba/edit", "coba/reconstruct"]
    question = llm.first_of("coba/reconstruct")
    assert "old text" not in question
    assert TEXTS[0].fields["text"] not in question


def test_both_texts_of_a_pair_are_written_again(obedient):
    """As in the paper's Table 9: every text that has triples; the new label is shown."""
    llm = Noting(obedient)
    method = create("coba", Tools(llm=llm), delete=0.0, judge_by="offline").fit(NLI)
    list(method.outcomes(NLI[:1]))
    question = llm.first_of("coba/reconstruct")
    assert "part_1" in question
    assert "part_2" in question
    assert "contradiction" in question


@pytest.mark.slow
def test_a_prompt_of_the_users_own_can_show_every_input(obedient, tmp_path):
    """The old texts, both labels and the words to keep are inputs of the reconstruction."""
    folder = tmp_path / "coba"
    folder.mkdir()
    (folder / "reconstruct.yaml").write_text(
        """
id: coba/reconstruct
version: 1
inputs: [parts, label, target, texts, keep, pair]
messages:
  - role: system
    content: You write texts from statements.
  - role: user
    content: |
      {{ parts | data }} {{ label | data }} {{ target | data }} {{ texts | data }} {{ keep | data }}
""",
        encoding="utf-8",
    )
    llm = Noting(obedient)
    tools = Tools(llm=llm, prompts=read_prompts(tmp_path))
    list(create("coba", tools, delete=0.0).fit(TEXTS).outcomes(TEXTS[:1]))
    assert "Anna loved it. The plot was known." in llm.first_of("coba/reconstruct")
