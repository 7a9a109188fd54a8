"""Spans that can stand alone, sentences that are clear, and sentences that are dropped."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from augkit.augmenters.coba.clause_spans import inner_clauses, main_clauses
from augkit.augmenters.coba.config import CobaConfig, TextRuleSettings
from augkit.augmenters.coba.identify import Words
from augkit.augmenters.coba.job import Job
from augkit.augmenters.coba.sentences import (
    Candidate,
    EditedText,
    drop_sentences,
    sentence_candidates,
)
from augkit.augmenters.coba.text_rules import by_lost_shortcuts, in_turn
from augkit.augmenters.coba.verify import LOST
from augkit.augmenters.llm_checks.form import MISPLACED
from augkit.core.edits import Edit, Span
from augkit.core.types import Draft, Rejection, example
from augkit.english.decompose import Element, Triple
from augkit.english.parser import SpacyParser


def settings(**values: Any) -> TextRuleSettings:
    return TextRuleSettings.of(CobaConfig(**values))


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("The plot is dull, but the cast is superb.", ["The plot is dull", "the cast is superb"]),
        ("The cast is superb.", []),
        ("Dull and long.", []),
    ],
)
def test_main_clauses_are_cut_out_without_what_joins_them(text: str, clauses: list[str]) -> None:
    """A clause has its subject and verb, and no conjunction or sign around it."""
    (analysis,) = SpacyParser().parse([text])
    found = main_clauses(analysis, analysis.sentences[0])
    assert [text[span.start : span.end] for span in found] == clauses


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("I think that the cast is superb.", ["the cast is superb"]),
        ("I left because the plot is dull.", ["the plot is dull"]),
        ("If the plot is dull, I leave.", []),
        ("We saw a film with a very dull plot.", []),
    ],
)
def test_inner_clauses_that_are_asserted(text: str, pieces: list[str]) -> None:
    """Conditions assert nothing, and a noun phrase is no clause."""
    (analysis,) = SpacyParser().parse([text])
    found = inner_clauses(analysis, analysis.sentences[0])
    assert [text[span.start : span.end] for span in found] == pieces


def test_of_a_sentence_with_an_unedited_clause_only_the_edited_clause_is_given() -> None:
    text = "The story moves us and the plot is clever."
    (analysis,) = SpacyParser().parse([text])
    at = text.index("clever")
    job = _job(text, [Span(0, len(text))])
    work = EditedText(
        job,
        (Edit("text", at, at + 6, "clever", "dull"),),
        clauses=[main_clauses(analysis, analysis.sentences[0])],
        inner_clauses=[[]],
    )
    found = only_candidate(work, min_sentence_edits=5)
    assert found.draft.fields["text"] == "The plot is dull."
    assert found.twin is not None
    assert found.twin.fields["text"] == "The plot is clever."


@pytest.mark.parametrize(
    ("text", "variant"),
    [
        ('"I think that clever plots abound!!"', "Dull plots abound!!"),
        ("i think that clever plots abound", "dull plots abound"),
    ],
)
def test_a_clause_begins_and_ends_like_its_sentence(text: str, variant: str) -> None:
    """Also where its first word is edited; in a text without capitals it gets none."""
    at, end = text.index("clever"), text.index("abound") + 6
    work = EditedText(
        _job(text, [Span(0, len(text))]),
        (Edit("text", at, at + 6, "clever", "dull"),),
        left=(Span(1, 2),),
        clauses=[[]],
        inner_clauses=[[Span(at, end)]],
    )
    found = only_candidate(work)
    assert found.draft.fields["text"] == variant


@pytest.mark.parametrize("end", [" .", " . ", " ! . ", "."])
def test_a_clause_is_spaced_as_its_text_is(end: str) -> None:
    """Before the last mark and behind it: spaces of its own would give variants away."""
    text = "the story moves us and the plot is clever" + end
    (analysis,) = SpacyParser().parse([text])
    at = text.index("clever")
    work = EditedText(
        _job(text, [Span(0, analysis.sentences[0][-1].end)]),
        (Edit("text", at, at + 6, "clever", "dull"),),
        clauses=[main_clauses(analysis, analysis.sentences[0])],
        inner_clauses=[[]],
    )
    found = only_candidate(work, min_sentence_edits=5)
    assert found.draft.fields["text"] == f"the plot is dull{end}"


def _job(text: str, sentences: list[Span]) -> Job:
    row = example(text, "positive")
    return Job(row, sentences={"text": sentences}, target="negative", rng=Random(0))


GREAT = (Edit("text", 6, 11, "great", "awful"),)
"""The edit of a text that begins with "It is great"."""


def only_candidate(work: EditedText, **values: Any) -> Candidate:
    """The one candidate of an edited text, which is no rejection."""
    (found,) = sentence_candidates(work, settings(**values))
    assert isinstance(found, Candidate)
    return found


def _with_spurious_sentence(text: str, edits: tuple[Edit, ...]) -> EditedText:
    """A text the last sentence of which is spurious."""
    work = _work(text, edits, ())
    last = Element(text[slice(*work.sentences[-1])])
    triple = Triple(1, last, Element(""), Element(""), sentence=len(work.sentences) - 1)
    job = replace(work.job, triples=(triple,), categories={1: "spurious"})
    return replace(work, job=job)


LONG = "Seen at a preview " * 5


@pytest.mark.parametrize(
    ("text", "words", "variant", "twin"),
    [
        # A sentence that goes with the label stays, beside the twin too: else it would be lost.
        (
            "It is great. We ate here. Seen at a preview.",
            Words(),
            "It is awful. Seen at a preview.",
            "It is great. Seen at a preview.",
        ),
        # One of twenty words would hide the one that was edited.
        (f"It is great. {LONG}.", Words(), "It is awful.", "It is great."),
        # With a shortcut it has nothing evaluative, so that its length hides nothing.
        (
            f"It is great. {LONG}.",
            Words(agreed=frozenset({"preview"})),
            f"It is awful. {LONG}.",
            None,
        ),
    ],
)
def test_which_sentences_stay_beside_an_edited_one(
    text: str, words: Words, variant: str, twin: str | None
) -> None:
    """Those that only go with the label, unless they are long."""
    work = _with_spurious_sentence(text, GREAT)
    work = replace(work, job=replace(work.job, words=words))
    found = only_candidate(work, unit="sentence")
    assert found.draft.fields["text"] == variant
    assert (found.twin.fields["text"] if found.twin else None) == twin


def test_a_clause_before_a_sentence_that_stays_gets_a_full_stop() -> None:
    text = "It is great, they say. Seen at a preview."
    work = _with_spurious_sentence(text, GREAT)
    work = replace(work, clauses=[[Span(0, 11), Span(13, 21)], []])
    found = only_candidate(work)
    assert found.draft.fields["text"] == "It is awful. Seen at a preview."


def test_an_edited_sentence_with_all_that_stays_is_the_whole_text() -> None:
    """It is given once, and no twin repeats the row."""
    work = _with_spurious_sentence("It is great. Seen at a preview.", GREAT)
    assert list(sentence_candidates(work, settings())) == []
    assert only_candidate(work, unit="sentence").twin is None


def test_what_is_cut_out_without_a_required_word_is_rejected() -> None:
    """The word stands in a sentence that cannot stay, because a "but" may reverse it."""
    text = "It is great. But who was at the preview. So so."
    work = _work(text, GREAT, (Span(17, 20),))
    work = replace(work, job=replace(work.job, words=Words(required=frozenset({"preview"}))))
    (found,) = sentence_candidates(work, settings())
    assert isinstance(found, Rejection)
    assert (found.reason, found.detail) == (LOST, "It is great.")


def test_an_edited_sentence_with_a_shortcut_joins_the_others() -> None:
    """So that their variants have the shortcut too; the twin has both as they were."""
    text = "It is great. Vale is great. So so."
    edits = tuple(Edit("text", at, at + 5, "great", "awful") for at in (6, 21))
    work = _work(text, edits, ())
    work = replace(work, job=replace(work.job, words=Words(preferred=frozenset({"vale"}))))
    first, second = sentence_candidates(work, settings())
    assert isinstance(first, Candidate)
    assert first.draft.fields["text"] == "It is awful. Vale is awful."
    assert first.twin is not None
    assert first.twin.fields["text"] == "It is great. Vale is great."
    assert isinstance(second, Candidate)
    assert second.draft.fields["text"] == "Vale is awful."


def test_a_variant_without_a_shortcut_of_the_dataset_comes_last() -> None:
    """It is no rejection: the word stands in a sentence that cannot stay."""
    text = "It is great. But who was at the preview. So so."
    work = _work(text, GREAT, (Span(17, 20),))
    job = replace(work.job, words=Words(preferred=frozenset({"preview"})))
    without = only_candidate(replace(work, job=job))
    kept = replace(without, draft=replace(without.draft, fields={"text": "An awful preview."}))
    assert by_lost_shortcuts(job, [without, kept]) == [kept, without]


def test_a_spurious_sentence_is_not_dropped() -> None:
    """A judge gives it the old label, because it goes with that label."""
    text = "It is great. We ate here. Seen at a preview."
    work = _with_spurious_sentence(text, GREAT)
    assert drop_sentences(work, [0.2] * 3, settings()).dropped == {0, 1}


def test_whole_texts_and_parts_take_turns() -> None:
    """Three whole texts, a part, and so on; what is left of either comes last."""
    job = _job("It is great.", [Span(0, 12)])

    def candidates(units: str) -> list[Candidate]:
        names = {"t": "text", "s": "sentence", "c": "clause"}
        row = job.parent
        return [
            Candidate(Draft(row, {"text": str(n)}, "negative", "flipped", about={"unit": names[u]}))
            for n, u in enumerate(units)
        ]

    def order(units: str) -> str:
        return "".join(units[int(c.draft.fields["text"])] for c in in_turn(candidates(units)))

    assert order("tsctct") == "tttscc"
    assert order("tttt") == "tttt"
    assert order("sctttt") == "tttstc"
    assert order("sc") == "sc"


def _work(text: str, edits: tuple[Edit, ...], left: tuple[Span, ...]) -> EditedText:
    ends = [n + 1 for n, sign in enumerate(text) if sign == "."]
    spans = [Span(a, b) for a, b in zip([0, *(e + 1 for e in ends)], ends, strict=False)]
    none: list[list[Span]] = [[] for _ in spans]
    return EditedText(_job(text, spans), edits, left, clauses=none, inner_clauses=none)


def test_sentences_that_may_keep_the_old_label_are_dropped() -> None:
    """Words left, a "but" with no edit, an unclear or improbable one; edits go with them."""
    text = "It is great. It is great and fun. See it twice. We ate here. Some left but who knows."
    edits = (Edit("text", 6, 11, "great", "awful"), Edit("text", 19, 24, "great", "awful"))
    work = _work(text, edits, (Span(29, 32),))
    shorter = drop_sentences(work, (0.8, 0.8, 0.2, 0.5, 0.9), settings())
    assert shorter.dropped == {1, 2, 4}
    assert shorter.edits == edits[:1]
    assert shorter.left == ()


def test_a_sentence_that_has_the_old_label_alone_is_dropped() -> None:
    """However probable the judge, which learned from variants, finds the new label."""
    text = "The plot is clever. They drop the connection."
    sentences = [Span(0, 19), Span(20, len(text))]
    work = EditedText(_job(text, sentences), (Edit("text", 12, 18, "clever", "dull"),))
    probabilities = [0.9, 0.9]
    assert drop_sentences(work, probabilities, settings()).dropped == frozenset()
    doubtful = replace(work, doubtful=frozenset({1}))
    assert drop_sentences(doubtful, probabilities, settings()).dropped == frozenset({1})
    assert doubtful.spurious == []


@pytest.mark.parametrize(("probability", "stays"), [(0.55, False), (0.65, True)])
def test_an_unclear_sentence_stays_if_it_has_the_new_label_alone(
    probability: float, stays: bool
) -> None:
    """One with a word of the new polarity before the edit, or with a "but" that was edited."""
    text = "It is great. It is slow. Old but great. We ate here."
    edits = tuple(Edit("text", at, at + 5, "great", "awful") for at in (6, 33))
    work = replace(_work(text, edits, ()), mixed=(Span(19, 23),))
    shorter = drop_sentences(work, (0.9, probability, probability, 0.45), settings())
    assert shorter.dropped == (set() if stays else {1, 2})


def test_a_sentence_with_half_a_quotation_is_rejected() -> None:
    """Its other quotation mark is in a sentence that does not stay."""
    text = 'So "it is great. So so," he said.'
    work = _work(text, (Edit("text", 10, 15, "great", "bad"),), ())
    (found,) = sentence_candidates(work, settings())
    assert isinstance(found, Rejection)
    assert (found.reason, found.detail) == (MISPLACED, 'So "it is bad.')
