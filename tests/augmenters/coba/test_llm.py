"""CoBA by the steps of the paper: with a scripted model, and through a server that misbehaves."""

from __future__ import annotations

import pytest

from augkit.augmenters.create import create
from augkit.core.errors import ConfigError, DataError, MissingTool
from augkit.core.protocols import Tools
from augkit.core.types import FREE, Pair, Rejection, example
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


def test_a_text_is_decomposed_edited_rebuilt_and_judged(obedient):
    """Principal triples change, the spurious word stays, the judge agrees, and all is paid."""
    llm = MeteredLLM(Scripted(obedient))
    method = fitted(llm, TEXTS, identify="llm")
    (pair,) = method.outcomes(TEXTS[:1])
    assert isinstance(pair, Pair)
    assert pair.variant.fields["text"] == "Anna hated it. The plot was known."
    assert pair.variant.label == "negative"
    assert pair.provenance.about["triples"].startswith("Anna | loved | it → Anna | hated | it")
    assert pair.provenance.cost.calls == llm.spent.calls == 5


def test_copies_share_the_decomposition_and_costs_add_up(obedient):
    """Three copies pay decomposition and identification once, and every call is accounted for."""
    llm = MeteredLLM(Scripted(obedient))
    outcomes = list(fitted(llm, TEXTS, identify="llm", copies=3).outcomes(TEXTS[:1]))
    assert total(outcomes).calls == llm.spent.calls
    assert {o.reason for o in outcomes if isinstance(o, Rejection)} <= {"repeats another copy"}


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


def test_a_pair_gets_one_variant_for_every_other_label(obedient):
    """The untouched text of a pair stays letter for letter."""
    llm = MeteredLLM(Scripted(obedient))
    outcomes = list(fitted(llm, NLI).outcomes(NLI[:1]))
    (pair,) = outcomes
    assert dict(pair.variant.fields) == {"premise": "Anna works here.", "hypothesis": "She works."}
    assert pair.variant.label == "contradiction"
    assert pair.provenance.cost.calls == 5


def test_a_judge_that_disagrees_rejects_with_the_label_that_it_named(obedient):
    """The reason is one, the detail says what was answered."""
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


def test_a_step_that_is_to_use_a_model_says_when_there_is_none():
    """The missing model is told before any work."""
    with pytest.raises(MissingTool):
        create("coba", identify="llm")


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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "detail"),
    [("refusal", "refus"), ("cut", "truncated"), ("wrong-schema", "JSON"), ("bad-json", "JSON")],
)
def test_a_server_that_misbehaves_at_any_step_gives_rejections_and_no_crash(
    faults, obedient_server, fault, detail
):
    """Whichever of the four calls fails, the row is refused with a reason and what it cost."""
    for call in range(4):
        plan = ("ok",) * call + (fault,) * 12
        behaviour = faults.Behaviour(plan=plan, answer=obedient_server)
        with faults.FaultServer(behaviour) as server:
            options = ConnectOptions(base_url=server.url, workers=1, attempts=1, backoff=0.001)
            with open_llm("openai:tiny", options) as llm:
                (rejection,) = fitted(llm, NLI).outcomes(NLI[:1])
        assert isinstance(rejection, Rejection), call
        assert rejection.reason in {"unusable answer", "judge disagrees"}
        if rejection.reason == "unusable answer":
            assert detail.lower() in rejection.detail.lower()
        else:
            assert rejection.detail.startswith("no verdict: ")


@pytest.mark.slow
def test_a_server_that_answers_gives_the_same_as_the_scripted_model(faults, obedient_server):
    """The whole way over HTTP, with structured output."""
    with faults.FaultServer(faults.Behaviour(answer=obedient_server)) as server:
        options = ConnectOptions(base_url=server.url, workers=2)
        with open_llm("openai:tiny", options) as llm:
            (pair,) = fitted(llm, NLI).outcomes(NLI[:1])
        assert server.calls == 5
    assert pair.variant.fields["hypothesis"] == "She works."


@pytest.mark.slow
def test_wrong_ids_over_http_are_rejected(faults, obedient_server):
    """A server that ignores the schema and invents a number is found out."""

    def invented(body):
        answered = obedient_server(body)
        if "change statements" in body["messages"][0]["content"]:
            return answered.replace('"id": 1', '"id": 77')
        return answered

    with faults.FaultServer(faults.Behaviour(answer=invented)) as server:
        options = ConnectOptions(base_url=server.url, workers=1, attempts=1, backoff=0.001)
        with open_llm("openai:tiny", options) as llm:
            (rejection,) = fitted(llm, NLI).outcomes(NLI[:1])
    assert rejection.reason in {"wrong ids", "unusable answer"}
    assert "77" in rejection.detail or "not the JSON" in rejection.detail


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


def test_a_triple_of_spurious_words_is_shown_as_fixed(obedient):
    """The word "loved" is in no triple, so its sentence is edited and that of "Vale" is not."""
    asked = []

    def model(request):
        if "change statements" in request.messages[0].content:
            asked.append(request.messages[-1].content)
        return obedient(request).replace('"predicate": "loved"', '"predicate": "loves"')

    row = example("Anna loved it. Vale was there.", "positive")
    method = fitted(Scripted(model), TEXTS, spurious_words=["vale", "anna's"])
    list(method.outcomes([row]))
    stays, may_change = asked[0].split("The triples that may change:")
    assert '"Anna"' in may_change
    assert '"Vale"' in stays


def reconstruct_questions(llm):
    """The questions of the reconstruction, without the worked examples before them."""
    requests = [
        request for request in llm.requests if request.prompt.startswith("coba/reconstruct")
    ]
    return [request.messages[-1].content for request in requests]


class Noting(Scripted):
    """A scripted model that notes what it was asked."""

    def __init__(self, answer):
        super().__init__(answer)
        self.requests = []

    def generate(self, requests):
        """The answers of the scripted model."""
        self.requests += requests
        return super().generate(requests)


def test_steps_are_the_default_and_write_from_triples_alone(obedient):
    """With a model, coba takes the paper's steps; the old text is not shown when it writes."""
    llm = Noting(obedient)
    method = create("coba", Tools(llm=llm), delete=0.0).fit(TEXTS)
    list(method.outcomes(TEXTS[:1]))
    steps = [request.prompt.partition("@")[0] for request in llm.requests]
    assert steps[:3] == ["coba/decompose", "coba/edit", "coba/reconstruct"]
    (question, *_) = reconstruct_questions(llm)
    assert "old text" not in question
    assert TEXTS[0].fields["text"] not in question


def test_both_texts_of_a_pair_are_written_again(obedient):
    """As in the paper's Table 9: every text that has triples; the new label is shown."""
    llm = Noting(obedient)
    method = create("coba", Tools(llm=llm), delete=0.0, judge_by="offline").fit(NLI)
    list(method.outcomes(NLI[:1]))
    (question, *_) = reconstruct_questions(llm)
    assert "part_1" in question
    assert "part_2" in question
    assert "contradiction" in question


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
    (question, *_) = reconstruct_questions(llm)
    assert "Anna loved it. The plot was known." in question
