"""The one loop: what is proposed is checked, judged, written again and signed."""

from dataclasses import replace

from augkit.augmenters.base import Augmenter
from augkit.augmenters.loop import Ask, blank_variant
from augkit.core.config import MethodConfig
from augkit.core.model_types import Message, Reply, Request
from augkit.core.protocols import Check, Tools
from augkit.core.types import FREE, Cost, Pair, Variant, example
from augkit.llm.scripted import Scripted
from augkit.testing.kit import MeteredLLM

ROWS = [example(f"A film {number}.", "good") for number in range(3)]
ONE_CALL = Cost(1, 10, 2)


def question(variant):
    return Request([Message("user", variant.parent.fields["text"])])


def read(variant, answer):
    return replace(variant, fields={"text": answer})


class Replying:
    """A model that gives these replies, and keeps what it was asked."""

    def __init__(self, *replies):
        self.replies = list(replies)
        self.asked = []

    def generate(self, requests):
        self.asked += requests
        return [self.replies.pop(0) for _ in requests]


def test_a_question_is_put_about_what_is_alive_and_every_reply_is_charged():
    """A fault refuses its variant and its cost is kept; what is refused already is not asked."""
    llm = Replying(Reply("A movie.", cost=ONE_CALL), Reply(fault="timeout", cost=ONE_CALL))
    first, second, third = map(blank_variant, ROWS)
    answered = Ask(llm)([first, second.refuse("no words"), third], question, read)
    assert [variant.reason for variant in answered] == ["", "no words", "llm: timeout"]
    assert [variant.cost for variant in answered] == [ONE_CALL, FREE, ONE_CALL]
    assert answered[0].fields == {"text": "A movie."}
    assert len(llm.asked) == 2


def test_nothing_is_asked_where_nothing_is_alive():
    llm = Replying()
    assert Ask(llm)([blank_variant(ROWS[0]).refuse("no")], question, read)[0].reason == "no"
    assert not llm.asked


def test_an_answer_with_no_text_is_refused_and_keeps_its_cost():
    llm = Replying(Reply("", cost=ONE_CALL))
    [[variant]] = Ask(llm).several([blank_variant(ROWS[0])], question, lambda *_: [])
    assert (variant.reason, variant.cost) == ("nothing written", ONE_CALL)


class Politer(Augmenter):
    """Asks until the text says please, as often as it may."""

    name = "politer"
    Config = MethodConfig
    attempts = 3
    checks = (Check("not polite", lambda variant: "please" not in variant.fields["text"]),)

    def propose(self, batch):
        return self.again([replace(blank, work="try") for blank in self.blanks(batch)])

    def again(self, blank):
        return self.ask(blank, self.question, read)

    def question(self, variant):
        said = "" if variant.before is None else f" {variant.before.reason}"
        return Request([Message("user", variant.parent.fields["text"] + said)])


def test_what_is_refused_is_written_again_with_the_reason_and_all_costs():
    """The last attempt counts; a variant that passes is not asked about again."""
    asked = []

    def answer(request):
        said = request.messages[-1].content
        asked.append(said)
        polite = said.startswith("A film 0") or (said.startswith("A film 1") and "not" in said)
        return f"{said} please" if polite else f"{said} now"

    llm = MeteredLLM(Scripted(answer))
    outcomes = list(Politer(MethodConfig(), Tools(llm=llm)).outcomes(ROWS))
    assert [isinstance(outcome, Pair) for outcome in outcomes] == [True, True, False]
    assert asked == [
        *("A film 0.", "A film 1.", "A film 2."),
        *("A film 1. not polite", "A film 2. not polite", "A film 2. not polite"),
    ]
    costs = [*(pair.provenance.cost for pair in outcomes[:2]), outcomes[2].cost]
    assert [cost.calls for cost in costs] == [1, 2, 3]
    assert sum(costs, FREE) == llm.spent
    assert outcomes[2].reason == "not polite"


def test_what_has_nothing_to_be_written_from_is_not_written_again():
    class Once(Politer):
        name = "once"

        def propose(self, batch):
            return self.again(self.blanks(batch))

    llm = MeteredLLM(Scripted(lambda _: "Now."))
    outcomes = list(Once(MethodConfig(), Tools(llm=llm)).outcomes(ROWS))
    assert {outcome.reason for outcome in outcomes} == {"not polite"}
    assert llm.spent.calls == len(ROWS)


def test_a_refused_variant_is_recorded_without_what_it_was_written_from():
    """Its fields are those of the row, and nothing of the method stays in it."""
    llm = Scripted(lambda _: "Now.")
    (refusal,) = Politer(MethodConfig(), Tools(llm=llm)).outcomes(ROWS[:1])
    assert isinstance(refusal, Variant)
    assert (refusal.fields, refusal.work, refusal.before) == (ROWS[0].fields, None, None)
    assert refusal.method == "politer"
