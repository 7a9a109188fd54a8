"""The form of rewrites, and which words that judge are kept."""

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augkit.augmenters.llm_checks.form import is_well_formed
from augkit.augmenters.razor.corpus_use import overused_judgements
from augkit.augmenters.razor.rewrites import checked_rewrites, rewritten
from augkit.augmenters.razor.token_score import FeatureCounts
from augkit.core.edits import Span
from augkit.core.types import Example
from augkit.english.parser import SpacyParser
from augkit.english.rewriting.candidates import PROMISES
from augkit.english.rewriting.rewrite import Search
from augkit.english.rewriting.targets import TextTarget
from augkit.text.tokens import word_spans

SENTENCES = [
    "Harbour branch.",
    "Came by the harbour on Monday.",
    '"The soup, sadly, was cold."',
    "We left (honestly) at once!",
    "Nothing special.",
    "Still, the waiter was kind; the food, on Sunday, less so.",
    'He said "never again" and meant it.',
    "Why, though?",
    "\u201cA quiet evening.\u201d",
]


@pytest.mark.parametrize(
    ("flawed", "original"),
    [
        (". Very dull!", "Ann came. Very dull!"),
        ("Ann came. . Very dull!", "Ann came. Well. Very dull!"),
        ("Ann , it is dull.", "Ann, it is dull."),
        ("Ann,. Dull.", "Ann, Bob. Dull."),
        ('for 40 bucks, dull."', 'Ann came. "for 40 bucks, dull."'),
        ("It is dull (very.", "It is dull (very)."),
        ("It is () dull.", "It is (very) dull."),
        ('It is "" dull.', 'It is "very" dull.'),
        ("it is dull.", "So it is dull."),
        ("It is dull", "It is dull, Ann."),
    ],
)
def test_flaws_of_form(flawed, original):
    """Each is refused, unless the original has the same."""
    assert not is_well_formed(flawed, original)
    assert is_well_formed(flawed, flawed)
    assert is_well_formed(original, original)
    assert is_well_formed("It is dull.", "it is dull")


def test_tokenized_texts_keep_their_spaces():
    """A space before a mark is no flaw where the original has spaces before its marks."""
    assert is_well_formed("on monday , it is a joy .", "it is a joy on monday .")
    assert is_well_formed("it is a joy .", "\U0001f680 it is a joy \U0001f680 .")
    assert is_well_formed("great soup , cold room", "the soup is great but the room is cold")


@given(st.text(alphabet='Ab .,!"()', max_size=20), st.integers(0, 19))
def test_one_mark_more_or_less_is_a_flaw(text, place):
    """A quotation mark or a bracket that goes alone leaves its partner."""
    shorter = text[:place] + text[place + 1 :]
    gone = text[place : place + 1]
    is_matched = text.count('"') % 2 == 0 if gone == '"' else _brackets_match(text)
    assert is_well_formed(text, text)
    if gone and gone in '"()' and is_matched:
        assert not is_well_formed(shorter, text)


def _brackets_match(text):
    while "()" in (left := "".join(one for one in text if one in "()")):
        text = left.replace("()", "")
    return not left


@settings(max_examples=25)
@given(
    st.lists(st.sampled_from(SENTENCES), min_size=2, max_size=3, unique=True),
    st.integers(0, 30),
    st.integers(1, 7),
)
def test_no_accepted_candidate_has_a_flaw(parts, start, size):
    """Any run of words as the target, every operation."""
    text = " ".join(parts)
    spans = word_spans(text)[start : start + size]
    if not spans:
        return
    (analysis,) = SpacyParser().parse([text])
    target = TextTarget((Span(spans[0][0], spans[-1][1]),))
    versions = Search(analysis, [target], frozenset(PROMISES), Random(0)).versions()
    row = Example({"text": text})
    candidates = [rewritten(row, None, version.text, "") for version in versions]
    for candidate in checked_rewrites(candidates, None, text):
        if not candidate.reason:
            new = candidate.fields["text"]
            assert new[0].isupper() or new[0] in '"\u201c'
            assert new.rstrip('"\u201d')[-1] in ".!?"
            assert new.count('"') % 2 == 0
            assert new.count("(") == new.count(")")
            assert new.count("\u201c") == new.count("\u201d")
            together = "".join(new.split())
            assert not any(two in together for two in ("..", ",.", ".,", ",,", ";.", "!.", "()"))
            assert not any(f" {mark}" in new for mark in ".,;!?")


@pytest.mark.parametrize("formula", ["Harbour branch.", "Came by the harbour on Monday."])
@pytest.mark.parametrize("rest", ["Nothing special.", '"It was cold, sadly."', "say bye to him!"])
def test_a_formula_goes_with_its_mark_whatever_follows(formula, rest):
    """A sentence all of whose words are the target: the rest keeps its marks and has a capital."""
    text = f"{formula} {rest}"
    (analysis,) = SpacyParser().parse([text])
    target = TextTarget((Span(0, len(formula) - 1),))
    versions = Search(analysis, [target], frozenset(PROMISES), Random(0)).versions()
    assert rest[0].upper() + rest[1:] in [version.text for version in versions]


JUDGING = ("great", "superb", "lovely", "charming", "brilliant", "awful", "dreadful", "dull")


def rows(planted: str, share: float) -> tuple[list[str], np.ndarray]:
    """Reviews, a judging word each; a share of the positive ones has another word as well."""
    texts, labels = [], []
    for number in range(400):
        positive = number % 2 == 0
        word = JUDGING[number % 5] if positive else JUDGING[5 + number % 3]
        extra = planted if positive and number < 400 * share else ""
        texts.append(f"a {word} {extra} film")
        labels.append(int(positive))
    return texts, np.array(labels)


def test_a_label_of_few_judging_words_keeps_them():
    """Where a label has one word that judges, that word is the label."""
    texts = ["a superb film", "a dreadful film"] * 50
    labels = np.array([1, 0] * 50)
    assert overused_judgements(FeatureCounts(texts, labels, 2)) == frozenset()


def found(planted: str, share: float) -> frozenset[str]:
    """The words that are too frequent to judge."""
    texts, labels = rows(planted, share)
    return overused_judgements(FeatureCounts(texts, labels, 2))


def test_a_word_in_most_rows_of_a_label_is_no_judgement():
    """Every other word that judges is in a fifth of its rows."""
    assert found("wooden", 1.0) == {"wooden"}
    assert found("wooden", 0.5) == frozenset()


def test_words_without_polarity_are_not_looked_at():
    assert found("zeppelin", 1.0) == frozenset()
