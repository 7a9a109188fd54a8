"""Labels of what a model wrote are judged by somebody else, who is measured first."""

import pytest

from augkit.augmenters.checks import NO_GATES
from augkit.augmenters.create import create
from augkit.core.model_types import Reply
from augkit.core.protocols import Tools
from augkit.core.types import Pair, Variant, example
from augkit.labels.check import LabelCheck
from augkit.labels.fit import JudgeSettings, fit_label_check, prompts_with_rows
from augkit.labels.judge import LLMJudge, judge_request
from augkit.labels.measure import JudgeTest, balanced_sample
from augkit.lexicons.label_order import declared_order
from augkit.llm.faults import UNREACHABLE
from augkit.llm.scripted import Scripted
from augkit.prompts.choice_question import ChoiceAnswer, OrderedAnswer
from augkit.prompts.load import active_prompts
from augkit.prompts.overrides import read_prompts
from augkit.testing import label_letter

WORDS = {"positive": "a lovely great warm film", "negative": "a dull bad cold film"}
ROWS = [example(f"{text} number {n}.", label) for n in range(40) for label, text in WORDS.items()]


def judging(right=1.0):
    """A model that names the right label of the first share of the rows it is asked about."""
    asked = {}

    def answer(request):
        text = request.messages[-1].content
        asked.setdefault(text, len(asked))
        label = "positive" if "lovely" in text else "negative"
        if asked[text] >= right * 24:
            label = "negative" if label == "positive" else "positive"
        return label_letter(request, label)

    return Scripted(answer)


def fit(llm=None, role="writer", rows=ROWS, **settings):
    check = fit_label_check(rows, JudgeSettings(**settings), role)
    return check if llm is None else check.bound(llm).measured()


def accuracy(llm, labels, rows, count, order=None):
    return JudgeTest.of(rows, count, 0.7, order).accuracy_of(llm, labels)


def draft(text, label="positive", parent=ROWS[0]):
    return Variant(parent, {"text": text}, label)


def test_an_ensemble_that_is_good_enough_judges_for_nothing():
    """A paraphrase with the words of the other label is rejected, with the ensemble's opinion."""
    check = fit()
    assert "100% of held-out rows: it judges" in check.notes[0]
    kept, rejected = check.check([draft("A great lovely film."), draft("A dull bad film.")])
    assert not kept.reason
    assert rejected.reason
    assert rejected.reason == "judge disagrees"
    assert rejected.detail.startswith("ensemble: negative instead of 'positive'")


def test_an_ensemble_that_knows_nothing_does_not_judge():
    """Labels that the words do not show; nobody is paid unless that is asked for."""
    rows = [example(f"Row {n} of this table.", "ab"[n % 2]) for n in range(60)]
    check = fit(rows=rows)
    assert check.ensemble is None
    assert not check.by_llm
    assert "judge.by=llm" in check.notes[0]
    forced = fit(rows=rows, by="ensemble")
    assert "no better than chance: it judges" in forced.notes[0]
    for note in (check.notes[1], forced.notes[1], fit(by="none").notes[0]):
        assert "NOT verified" in note


def test_both_must_agree_and_the_paid_one_sees_what_the_free_one_accepts():
    check = fit(judging(), by="both").bound(judging())
    outcomes = check.check([draft("A great lovely film."), draft("A great film."), draft("Bad.")])
    assert not outcomes[0].reason
    assert outcomes[0].cost.calls == 2
    assert outcomes[1].detail.startswith("model: negative")
    assert outcomes[2].detail.startswith("ensemble: negative")
    assert outcomes[2].cost.calls == 0


@pytest.mark.slow
def test_a_model_is_measured_before_it_judges():
    """Accuracy, interval and labels are in the notes; below the limit the ensemble is used."""
    good = fit(judging(), role="second")
    assert good.by_llm
    told = ("24 of 24 rows (100%, 95 % interval 86% to 100%; negative 12/12", "agree for 24")
    assert all(part in good.notes[-1] for part in told)
    assert good.steady
    few = fit(judging(), role="second", rows=ROWS[:6])
    assert ["So few rows" in one.notes[-1] for one in (good, few)] == [False, True]
    bad = fit(judging(0.5), role="second")
    assert not bad.trusted
    assert not bad.by_llm
    assert bad.ensemble is not None


@pytest.mark.parametrize("by", ["llm", "both"])
def test_a_model_that_nobody_asks_is_not_measured(by):
    """Where everything is refused before; and it is measured once, in two orders of the labels."""
    asked = []
    judge = judging(right=2.0)

    def counted(request):
        asked.append(request)
        return judge.generate([request])[0].text

    check = fit(by=by).bound(Scripted(counted))
    refused_before = draft("Dull.").refuse("unchanged")
    assert check.check([refused_before]) == [refused_before]
    assert not asked
    for text in ("A great lovely film.", "A lovely great warm film."):
        (kept,) = check.check([draft(text)])
        assert (kept.reason, kept.cost.calls) == ("", 2)
    assert len(asked) == 2 * 24 + 2 * 2


def test_what_was_measured_is_kept_in_its_folder(tmp_path):
    """A run that goes on does not ask again; a model that does not answer leaves it open."""
    fit(by="both").save(tmp_path)

    class Down:
        def generate(self, requests):
            return [Reply(fault=UNREACHABLE) for _ in requests]

    silent = LabelCheck.load(tmp_path).bound(Down())
    assert silent.measured() is silent
    measured = LabelCheck.load(tmp_path).bound(judging(0.5)).measured()
    assert not measured.trusted
    again = LabelCheck.load(tmp_path).bound(Down()).measured()
    assert (again.trusted, again.by_llm, again.notes) == (False, True, measured.notes)


def test_a_judge_whose_orders_contradict_each_other_is_not_called_right():
    """It leans to B, and a little to the right label: the mean is right, neither order alone."""

    class LeansToB:
        def generate(self, requests):
            return [self.reply(one) for one in requests]

        def reply(self, request):
            lovely = "lovely" in request.messages[-1].content
            right = label_letter(request, "positive" if lovely else "negative")
            p = 0.9 if right == "B" else 0.6
            return Reply("B", probabilities={"B": p, "A": 1 - p})

    found = accuracy(LeansToB(), ("negative", "positive"), ROWS, 6)
    assert (found.right.total(), found.agreed, found.right_by_mean) == (0, 0, 6)
    check = fit(LeansToB(), role="second")
    assert check.trusted
    assert not check.steady
    assert "right for 0 of 24 rows" in check.notes[-1]


def test_a_method_that_judges_itself_only_learns_how_good_its_judge_is():
    check = fit(judging(0.5), role="of the method")
    assert (check.ensemble, check.by_llm, check.trusted) == (None, False, False)
    assert "labels are doubtful" in check.notes[0]


def test_a_judge_of_ordered_labels_is_measured_by_sides():
    """Four stars for five are right, two are not; rows with three stars are not asked about."""
    stars = {"5": "lovely", "4": "lovely", "3": "seen", "2": "dull", "1": "dull"}
    rows = [example(f"A {word} film {n}.", star) for n in range(9) for star, word in stars.items()]

    def nearly(request):
        return label_letter(request, "4" if "lovely" in request.messages[-1].content else "1")

    near = Scripted(nearly)
    order = declared_order(tuple("12345"), tuple("12345"))
    found = accuracy(near, tuple("12345"), rows, 12, order)
    assert (found.right, found.asked) == (dict.fromkeys("1245", 3),) * 2
    exact = accuracy(near, tuple("12345"), rows, 10)
    assert exact.right == {"1": 2, "4": 2}
    only = Scripted(lambda request: label_letter(request, "4"))
    assert accuracy(only, tuple("12345"), rows, 12, order).right == {"4": 3, "5": 3}


@pytest.mark.parametrize(
    ("neutral", "probability", "accepted"),
    [((), 0.6, False), ((), 0.8, True), (("NOT ENOUGH INFO",), 0.6, True)],
)
def test_a_refuted_claim_that_may_be_open_needs_a_surer_judge(
    monkeypatch, neutral, probability, accepted
):
    """Where no label says that the evidence leaves it open; a label that stays needs no more."""
    order = ("REFUTES", "SUPPORTS")
    shares = dict(zip(order, (probability, 1 - probability), strict=True))
    answer = ChoiceAnswer(order, (OrderedAnswer(order, shares),))
    monkeypatch.setattr(LLMJudge, "ask", lambda _, texts: [answer] * len(texts))
    parent = example({"evidence": "Pia was born in Oslo.", "claim": "Pia is a Dane."}, "SUPPORTS")
    refuted = example({"evidence": "Pia was born in Oslo.", "claim": "Pia was not."}, "REFUTES")
    labels = ("REFUTES", "SUPPORTS", *neutral)
    check = LabelCheck(labels, by_llm=True, min_refuted=0.7).bound(Scripted([]))
    fields = {"evidence": "Pia was born in Oslo.", "claim": "Pia was born in Bergen."}
    new, kept = check.check([Variant(one, fields, "REFUTES") for one in (parent, refuted)])
    assert (not new.reason) == accepted
    assert accepted or "REFUTES with probability 0.60, may be open" in new.detail
    assert not kept.reason


def test_it_is_read_back_as_it_was(tmp_path):
    check = fit(by="both")
    check.save(tmp_path)
    read = LabelCheck.load(tmp_path)
    kept = ("labels", "by_llm", "trusted", "notes", "steady", "only_trusted", "test")
    assert [getattr(read, one) for one in kept] == [getattr(check, one) for one in kept]
    one = draft("A dull bad film.")
    assert [x.reason for x in read.check([one])] == [x.reason for x in check.check([one])]


def test_every_draft_of_a_method_is_judged():
    answer = Scripted(lambda _: '{"versions": [{"text": "Dull."}]}')
    tools = Tools(llm=answer, text_gates=NO_GATES, label_check=fit())
    outcomes = list(create("auggpt", tools, copies=1).outcomes(ROWS[:2]))
    assert [isinstance(one, Pair) for one in outcomes] == [False, True]
    assert outcomes[0].reason == "judge disagrees"


def test_rows_can_be_the_worked_examples_of_the_judge():
    """``examples=data:4``: four rows, two of each label, the same in any order of the rows."""
    prompts = prompts_with_rows(read_prompts(examples="data:4"), ROWS)
    assert prompts == prompts_with_rows(read_prompts(examples="data:4"), ROWS[::-1])
    with active_prompts(prompts):
        request = judge_request({"text": "x"}, ["negative", "positive"])
    answers = [one.content for one in request.messages if one.role == "assistant"]
    assert sorted(answers) == ["A", "A", "B", "B"]
    assert len({row.label for row in balanced_sample(ROWS, 2, "shown")}) == 2
