"""CoBA with one call for all steps: scripted answers, good and bad, and what is rejected."""

import json
from dataclasses import replace
from random import Random

import pytest

from augkit.augmenters.coba.config import CobaConfig, WritingSettings
from augkit.augmenters.coba.identify import Words
from augkit.augmenters.coba.job import Job
from augkit.augmenters.coba.one_call import (
    CandidatesAnswer,
    one_call_request,
    read_one_call,
    with_last,
    written_variant,
)
from augkit.augmenters.create import create
from augkit.augmenters.loop import blank_variant
from augkit.core.model_types import Reply
from augkit.core.protocols import Tools
from augkit.core.types import Cost, Pair, example
from augkit.english.decompose import Element, Triple
from augkit.labels.check import LabelCheck
from augkit.llm.scripted import Scripted
from augkit.testing.kit import MeteredLLM

PAID = Cost(1, 20, 5, 0.001)
ROW = example("The plot is fine.", "positive")
TEXTS = [
    example("Anna loved the wonderful plot.", "positive"),
    *(example(f"A wonderful film {n} that I loved.", "positive") for n in range(6)),
    *(example(f"A dreadful film {n} that I hated.", "negative") for n in range(6)),
]
NLI = [
    example({"premise": "Anna sleeps here.", "hypothesis": "She sleeps."}, "entailment"),
    example({"premise": "Bob works here.", "hypothesis": "He sleeps."}, "contradiction"),
]


def settings(**values):
    return WritingSettings.of(CobaConfig(**values))


def job(row=ROW, target="negative", **words):
    return Job(row, words=Words(**words), target=target, rng=Random(0))


def outcome(llm, rows=TEXTS, **values):
    (found,) = create("coba", Tools(llm=llm), calls="one", **values).fit(rows).outcomes(rows[:1])
    return found


def read(text, *changes, row=ROW):
    answer = CandidatesAnswer(changes=[{"old": a, "new": b} for a, b in changes], texts=[text])
    plot = Triple(1, Element("the plot"), Element("is"), Element("fine"))
    asked = replace(job(row), triples=(plot,))
    blank = replace(blank_variant(row), label="negative", work=asked, cost=PAID)
    answered = read_one_call(blank, answer)
    assert answered.work.answer is answer
    return written_variant(with_last(answered, text.strip()))


@pytest.mark.slow
def test_one_call_writes_a_variant_and_a_sure_ensemble_needs_no_second_judge(obedient):
    """The label flips, untouched words stay, and the triples are recorded with their edits."""
    llm = MeteredLLM(Scripted(obedient))
    pair = outcome(llm)
    assert isinstance(pair, Pair)
    assert pair.variant.fields["text"] == "Anna hated the dreadful plot."
    assert (pair.variant.label, pair.provenance.contract) == ("negative", "flipped")
    assert pair.provenance.about["triples"].startswith("Anna | loved |")
    assert pair.provenance.cost.calls == llm.spent.calls == 1


@pytest.mark.slow
def test_an_ensemble_at_chance_never_judges_alone(obedient):
    """A doubtful model judges then, in both orders of the labels."""
    coin = [example(f"It has {n % 5} parts.", ["positive", "negative"][n % 2]) for n in range(20)]
    llm, rows = MeteredLLM(Scripted(obedient)), [TEXTS[0], *coin]
    tools = Tools(llm=llm, label_check=LabelCheck(trusted=False))
    (pair,) = create("coba", tools, calls="one", attempts=1).fit(rows).outcomes(rows[:1])
    assert pair.provenance.cost.calls == llm.spent.calls == 3


def test_of_a_pair_the_second_text_changes_and_the_first_is_shown(obedient):
    asked = []

    def model(request):
        asked.append(request.messages[-1].content)
        return obedient(request)

    pair = outcome(Scripted(model), NLI)
    fields = {"premise": "Anna sleeps here.", "hypothesis": "She works."}
    assert dict(pair.variant.fields) == fields
    assert pair.variant.label == "contradiction"
    assert "Anna sleeps here." in asked[0]


def test_the_question_explains_labels_and_lists_the_words_to_keep():
    """The user's description of a label goes into the question, and the few words to keep."""
    described = settings(label_descriptions={"negative": "a complaint"})
    asked = one_call_request(job(spurious=frozenset({"plot"})), described).messages[-1].content
    assert "Label: <data>positive</data>" in asked
    assert "new label: <data>negative: a complaint</data>" in asked
    assert "Words to keep: <data>plot</data>" in asked


def test_labels_whose_polarity_the_dataset_shows_get_the_examples_of_sentiment():
    """As those whose names say it: "happy" and "unhappy", or "1" and "0"."""
    sides = {"1": "positive", "0": "negative"}
    coded = one_call_request(job(example("It is fine.", "1"), "0"), settings(), polarity=sides)
    named = one_call_request(job(example("It is fine.", "happy"), "unhappy"), settings())
    shouted = one_call_request(job(example("It is fine.", "Positive"), "neg"), settings())
    other = one_call_request(job(example("It is fine.", "1"), "0"), settings())
    for request in (coded, named, shouted):
        assert "the last hour drags" in request.messages[1].content
        assert "Turn all praise into criticism" in request.messages[-1].content
    assert "striker" in other.messages[1].content


@pytest.mark.parametrize(
    ("text", "named", "triples"),
    [
        (
            "The plot is poor.",
            ("fine", "poor"),
            "the plot | is | fine → the plot | is | poor",
        ),
        # A change that the text does not have is not shown as one of its triples.
        (
            "The plot is poor.",
            ("fine", "awful"),
            "the plot | is | fine → the plot | is | poor",
        ),
        ("The plot is poor.", ("is", "is"), "the plot | is | fine → the plot | is | poor"),
        # A change across triples is one statement.
        ("A poor plot.", ("plot is fine", "poor plot"), " |  | plot is fine →  |  | poor plot"),
    ],
)
def test_the_triples_that_a_change_touches_are_edited(text, named, triples):
    """Those of the parser, with the new words in them."""
    found = read(text, named)
    assert not found.reason
    assert found.about["triples"] == triples
    assert found.fields == {"text": text}


def test_an_answer_without_an_edit_of_the_text_is_rejected():
    found = read("the plot is fine !", ("fine", "poor"))
    assert (found.reason, found.cost) == ("principal triples unchanged", PAID)
    assert read(" ", ("fine", "poor")).reason == "empty variant"


@pytest.mark.slow
def test_the_clearest_text_that_passes_the_checks_is_chosen(obedient):
    """Of three texts one keeps an opinion, one is far too long, and one is good."""

    def model(request):
        answered = json.loads(obedient(request))
        if "texts" in answered:
            long = "Anna hated the dreadful plot, " * 9
            answered["texts"] = ["Anna hated the wonderful plot.", long, answered["texts"][0]]
        return json.dumps(answered) if isinstance(answered, dict) else answered

    def text_or_letter(request):
        return obedient(request) if request.choices else model(request)

    pair = outcome(Scripted(text_or_letter))
    assert pair.variant.fields["text"] == "Anna hated the dreadful plot."


@pytest.mark.slow
def test_few_content_words_must_be_kept(obedient):
    """Function words, opinions and principal words are never on the list; the user's always are."""
    asked = []

    def model(request):
        if "opinion of a text" in request.messages[0].content:
            asked.append(request.messages[-1].content)
        return obedient(request)

    method = create(
        "coba", Tools(llm=Scripted(model)), calls="one", spurious_words=["that"], keep_words=1
    )
    list(method.fit(TEXTS).outcomes(TEXTS[1:2]))
    assert "Words to keep: <data>film, that</data>" in asked[0]


@pytest.mark.slow
def test_a_text_that_keeps_an_opinion_of_the_old_label_is_tried_again(obedient):
    """The first answer leaves "wonderful" in the text; the second is accepted; both are paid."""
    asked = []

    def model(request):
        answered = obedient(request)
        if "opinion of a text" in request.messages[0].content:
            asked.append(request)
            if len(asked) == 1:
                return answered.replace("dreadful plot", "wonderful plot")
        return answered

    llm = MeteredLLM(Scripted(model))
    pair = outcome(llm, attempts=2)
    assert pair.variant.fields["text"] == "Anna hated the dreadful plot."
    first, second = asked
    assert first.seed != second.seed
    said = second.messages[-1].content
    assert "earlier answer was rejected: <data>Anna hated the wonderful plot.</data>" in said
    assert "It still says what the old label says." in said
    assert "rejected" not in first.messages[-1].content
    assert pair.provenance.cost.calls == llm.spent.calls == 2


@pytest.mark.slow
@pytest.mark.parametrize(("settings", "calls"), [({"attempts": 3}, 3), ({"temperature": 0.0}, 1)])
def test_attempts_end_and_a_greedy_model_is_asked_once(obedient, settings, calls):
    """The last rejection is reported, with the cost of all attempts."""

    def model(request):
        return obedient(request).replace("dreadful plot", "wonderful plot")

    llm = MeteredLLM(Scripted(model))
    rejection = outcome(llm, **settings)
    assert rejection.reason == "principal words left unedited"
    assert rejection.cost.calls == llm.spent.calls == calls


@pytest.mark.parametrize(("probability", "accepted"), [(0.6, False), (0.75, True)])
def test_a_refuted_claim_needs_a_surer_judge_where_nothing_is_neutral(probability, accepted):
    """With two labels a judge cannot call a claim open."""
    rows = [
        example({"evidence": "Anna sleeps here.", "claim": "She sleeps."}, "SUPPORTS"),
        example({"evidence": "Bob works here.", "claim": "He sleeps."}, "REFUTES"),
    ]

    class Judging:
        def generate(self, requests):
            return [self.reply(request) for request in requests]

        def reply(self, request):
            if not request.choices:
                return Scripted(['{"text": "She works."}']).generate([request])[0]
            refuted = "A" if "A. <data>REFUTES" in request.messages[0].content else "B"
            other = "B" if refuted == "A" else "A"
            return Reply(refuted, probabilities={refuted: probability, other: 1 - probability})

    assert isinstance(outcome(Judging(), rows, attempts=1), Pair) is accepted
