"""Clauses that can stand alone, and sentences that are left out of a text."""

from __future__ import annotations

from random import Random

import pytest

from augkit.augmenters.coba.clauses import clauses_alone
from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.contrary import Reading, contrary, without
from augkit.augmenters.coba.steps import Edited, Job, Words
from augkit.augmenters.coba.units import Work
from augkit.data import Edit, example
from augkit.language.analysis import load
from augkit.language.triples import Span


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
    (analysis,) = load().analyse([text])
    found = clauses_alone(analysis, analysis.sentences[0])
    assert [text[span.start : span.end] for span in found] == clauses


def _work(text: str, edits: tuple[Edit, ...], left: tuple[Span, ...]) -> Work:
    ends = [n + 1 for n, sign in enumerate(text) if sign == "."]
    spans = [Span(a, b) for a, b in zip([0, *(e + 1 for e in ends)], ends, strict=False)]
    job = Job(example(text, "positive"), "negative", (), Words(), {}, Random(0))
    return Work(job, Edited({}, edits, left=left), spans, [[] for _ in spans])


def test_what_speaks_for_the_old_label_goes_with_its_edits_and_doubt_stays_where_it_must() -> None:
    """Sentences with words left, or improbable, go; doubtful ones only while enough remains."""
    text = "It is great. It is great and fun. See it twice. We ate here. But who knows that now."
    edits = (Edit("text", 6, 11, "great", "awful"), Edit("text", 19, 24, "great", "awful"))
    work = _work(text, edits, (Span(29, 32),))
    told = [
        Reading(span, text[span.start : span.end], chance, left, doubtful)
        for span, chance, left, doubtful in zip(
            work.sentences,
            (0.8, 0.8, 0.2, 0.5, 0.5),
            (False, True, False, False, False),
            (False, False, False, False, True),
            strict=True,
        )
    ]
    found = contrary(work, told, CobaConfig(shortest=0.5))
    assert (found.out, found.doubtful) == (frozenset({1, 2}), (work.sentences[4],))
    shorter = without(work, found)
    assert shorter.edited.edits == edits[:1]
    assert shorter.edited.left == (work.sentences[4],)
    assert contrary(work, told, CobaConfig(shortest=0.1)).out == frozenset({1, 2, 4})
