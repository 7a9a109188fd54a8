"""Spans that can stand alone, sentences that are clear, and what stays beside them."""

import re
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from augkit.augmenters.coba.clause_spans import inner_clauses, main_clauses
from augkit.augmenters.coba.config import CobaConfig, TextRuleSettings
from augkit.augmenters.coba.identify import Words
from augkit.augmenters.coba.job import Job
from augkit.augmenters.coba.sentences import (
    DEEP,
    HALF_TURNED,
    STUB,
    SUBJECT,
    Candidate,
    EditedText,
    cut_out,
    has_contrast,
    sentence_candidates,
)
from augkit.augmenters.coba.text_rules import by_lost_shortcuts
from augkit.augmenters.coba.verify import LOST
from augkit.augmenters.llm_checks.form import MISPLACED
from augkit.core.edits import Edit, Span
from augkit.core.types import Variant, example
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


def edited(text: str, old: str, new: str, **more: Any) -> EditedText:
    """A parsed text with each place of one word edited."""
    (analysis,) = SpacyParser().parse([text])
    spans = [Span(tokens[0].start, tokens[-1].end) for tokens in analysis.sentences]
    places = [match.span() for match in re.finditer(rf"\b{old}\b", text)]
    clauses = {
        "clauses": [main_clauses(analysis, tokens) for tokens in analysis.sentences],
        "inner_clauses": [inner_clauses(analysis, tokens) for tokens in analysis.sentences],
    }
    edits = tuple(Edit("text", start, end, old, new) for start, end in places)
    return EditedText(_job(text, spans), analysis, edits, **{**clauses, **more})


def test_of_a_sentence_with_an_unedited_clause_only_the_edited_clause_is_given() -> None:
    """The other clause may state what the edits contradict."""
    found = only_candidate(
        edited("The story moves us and the whole plot is clever.", "clever", "dull")
    )
    assert found.draft.fields["text"] == "The whole plot is dull."
    assert found.twin is not None
    assert found.twin.fields["text"] == "The whole plot is clever."


@pytest.mark.parametrize(
    ("text", "variant"),
    [
        ('"I think that clever plots abound here!!"', "Dull plots abound here!!"),
        ("i think that clever plots abound here", "dull plots abound here"),
    ],
)
def test_a_clause_begins_and_ends_like_its_sentence(text: str, variant: str) -> None:
    """Also where its first word is edited; in a text without capitals it gets none."""
    at, end = text.index("clever"), text.index("here") + 4
    (analysis,) = SpacyParser().parse(["clever plots abound here"])
    work = EditedText(
        _job(text, [Span(0, len(text))]),
        replace(analysis, text=text),
        (Edit("text", at, at + 6, "clever", "dull"),),
        left=(Span(1, 2),),
        clauses=[[]],
        inner_clauses=[[Span(at, end)]],
    )
    (clause,) = cut_out(work, Span(at, end), "clause", settings())
    assert isinstance(clause, Candidate)
    assert clause.draft.fields["text"] == variant


@pytest.mark.parametrize("end", [" .", " . ", " ! . ", "."])
def test_a_clause_is_spaced_as_its_text_is(end: str) -> None:
    """Before the last mark and behind it: spaces of its own would give variants away."""
    found = only_candidate(
        edited("the story moves us and the whole plot is clever" + end, "clever", "dull")
    )
    assert found.draft.fields["text"] == f"the whole plot is dull{end}"


def _job(text: str, sentences: list[Span]) -> Job:
    row = example(text, "positive")
    return Job(row, sentences={"text": sentences}, target="negative", rng=Random(0))


def only_candidate(work: EditedText, **values: Any) -> Candidate:
    """The one candidate of an edited text, which is no rejection."""
    (found,) = sentence_candidates(work, settings(**values))
    assert isinstance(found, Candidate)
    return found


AGREED = Words(agreed=frozenset({"preview"}))


def with_words(work: EditedText, words: Words) -> EditedText:
    """The edited text with words that most likely are shortcuts."""
    return replace(work, job=replace(work.job, words=words))


@pytest.mark.parametrize(
    ("words", "variant", "twin"),
    [
        # A sentence with a shortcut stays, beside the twin too: else the shortcut would be lost.
        (
            AGREED,
            "The food here is awful. Seen at a preview.",
            "The food here is great. Seen at a preview.",
        ),
        (Words(), "The food here is awful.", "The food here is great."),
    ],
)
def test_sentences_with_shortcuts_stay_beside_an_edited_one(
    words: Words, variant: str, twin: str
) -> None:
    """Other sentences do not."""
    work = edited("The food here is great. We ate here. Seen at a preview.", "great", "awful")
    found = only_candidate(with_words(work, words))
    assert found.draft.fields["text"] == variant
    assert found.twin is not None
    assert found.twin.fields["text"] == twin


def test_a_clause_before_a_sentence_that_stays_gets_a_full_stop() -> None:
    """It ends as its sentence does."""
    text = "The food here is great and they say so. Seen at a preview."
    found = only_candidate(with_words(edited(text, "great", "awful"), AGREED))
    assert found.draft.fields["text"] == "The food here is awful. Seen at a preview."


def test_no_twin_repeats_the_row() -> None:
    """Where all that is there stays, the variant is the whole text."""
    work = with_words(
        edited("The food here is great. Seen at a preview.", "great", "awful"), AGREED
    )
    assert only_candidate(work).twin is None


def test_what_is_cut_out_without_a_required_word_is_rejected() -> None:
    """The word stands in a sentence that cannot stay, because a "but" may reverse it."""
    work = edited("The food here is great. But who was at the preview? So so.", "great", "awful")
    work = with_words(work, Words(required=frozenset({"preview"})))
    (found,) = sentence_candidates(work, settings())
    assert isinstance(found, Variant)
    assert (found.reason, found.detail) == (LOST, "The food here is great.")


def test_a_variant_without_a_shortcut_of_the_dataset_comes_last() -> None:
    """It is no rejection: the word stands in a sentence that cannot stay."""
    work = edited("The food here is great. But who was at the preview? So so.", "great", "awful")
    work = with_words(work, Words(preferred=frozenset({"preview"})))
    without = only_candidate(work)
    kept = replace(without, draft=replace(without.draft, fields={"text": "An awful preview."}))
    assert by_lost_shortcuts(work.job, [without, kept]) == [kept, without]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("The great staff helps and the waiter smiles.", HALF_TURNED),
        ("The great screenplay fades into the dark night.", SUBJECT),
        ("It is a way to think of great films.", DEEP),
        ("The story is great.", None),
        ("The great food and service of it.", None),
        ("The staff is great. The rest is here to see.", STUB),
    ],
)
def test_structures_in_which_an_edit_leaves_the_label_unclear(
    text: str, reason: str | None
) -> None:
    """Conjuncts of which one is edited, phrases far down, subjects alone, and stubs."""
    (found,) = sentence_candidates(edited(text, "great", "awful", clauses=[[], []]), settings())
    assert getattr(found, "reason", None) == reason


def test_a_contrast_inside_of_an_edit_reverses_nothing() -> None:
    """The "would" of "would recommend" is part of what is edited."""
    text = "I would recommend it."
    assert has_contrast(text, Span(0, 21))
    assert not has_contrast(text, Span(0, 21), (Span(0, 17),))


def test_a_sentence_with_half_a_quotation_is_rejected() -> None:
    """Its other quotation mark is in a sentence that does not stay."""
    work = edited('So "the food here is great. So so," he said.', "great", "bad")
    (found,) = sentence_candidates(work, settings())
    assert isinstance(found, Variant)
    assert found.reason == MISPLACED
