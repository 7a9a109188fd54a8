"""Parts of the RAZOR paper by hand, as ``docs/paper-map/razor.yaml`` names them."""

import math

import numpy as np
import pytest

from augkit.attribution.explanation import WordWeight
from augkit.augmenters.create import create
from augkit.augmenters.razor.config import RazorConfig
from augkit.augmenters.razor.loop import Loop
from augkit.augmenters.razor.paper_score import (
    LabelSums,
    PositionalEncoding,
    surface_space,
    surface_vectors,
)
from augkit.augmenters.razor.rewrites import rewritten
from augkit.augmenters.razor.scorers import ScoredCorpus, make_scorer
from augkit.core.protocols import Tools
from augkit.core.types import example
from augkit.datasets.named import known_datasets
from augkit.shortcuts.razor_definition import ShortcutSet
from augkit.text.features.kinds import lowered_words
from augkit.text.features.numbering import number_texts


def test_lemma_1_by_hand():
    """|0.5 + 0.4| / 2 is at least |0.6 - 0.2 + 0.1| / 3, and not the other way round."""
    strong = tuple(WordWeight("text", 0, 1, "a", weight) for weight in (0.5, 0.4))
    weak = tuple(WordWeight("text", 0, 1, "b", weight) for weight in (0.6, -0.2, 0.1))
    row = example("a b", "x")
    assert ShortcutSet(row, "y", strong, weak).holds
    assert not ShortcutSet(row, "y", weak, strong).holds


def test_positional_encoding_by_hand():
    """With λ = 2 and the printed exponent: sin(pos), then cos(pos / 10000)."""
    positions = PositionalEncoding(2, "paper").positions(2)
    expected = [[math.sin(pos), math.cos(pos / 10000)] for pos in (1, 2)]
    assert positions.tolist() == [pytest.approx(row) for row in expected]


def test_surface_vector_by_hand():
    """Of "not a a": S(not) = 1/3 ln 2, S(a) = 2/3 ln 1 = 0, so ĝ = S(not) τ(1) / 2."""
    tokens = number_texts(["not a a", "a b"], lowered_words)
    encoding = PositionalEncoding(2, "paper")
    vectors = surface_vectors(tokens, surface_space(tokens, encoding))
    weight = math.log(2) / 3 / 2
    assert vectors[0].tolist() == pytest.approx(
        [weight * math.sin(1), weight * math.cos(1 / 10000)]
    )


def test_three_labels_are_scored_against_all_others():
    """It is one minus the mean cosine with every row of another label; lengths do not matter."""
    vectors = np.array([[1.0, 0.0], [2.0, 0.0], [0.0, 3.0], [-1.0, 0.0]])
    labels = np.array([0, 1, 2, 2])
    scores = LabelSums(vectors, labels, 3).scores(vectors, labels)
    first = 1 - (1 + 0 - 1) / 3
    assert scores.tolist() == pytest.approx([first, first, 1 - (0 + 0) / 2, 1 - (-1 - 1) / 2])


def loop_of(texts, labels, rewriter, **settings):
    """A loop with the paper's score over these texts."""
    corpus = ScoredCorpus(list(texts), np.array(labels), len(set(labels)))
    config = RazorConfig(score="paper", rounds=1, **settings)
    rows = [example(text, str(label)) for text, label in zip(texts, labels, strict=True)]
    return Loop(rows, corpus, [str(label) for label in sorted(set(labels))], config, rewriter)


TEXTS = ["the cat is not here", "dogs run", "a b c d e", "not a film", "x y", "one two three four"]
LABELS = [0, 0, 0, 1, 1, 1]


def test_the_highest_scores_of_each_label_are_rewritten():
    """With top = 1 the row of each label that scores highest is asked for, and no other."""
    asked = []

    def rewriter(indices, corpus, avoid):
        asked.extend(indices)
        return [[] for _ in indices]

    loop = loop_of(TEXTS, LABELS, rewriter)
    loop.top = 1
    scores = make_scorer(loop.corpus, loop.config, None).scores()
    loop.run(range(len(TEXTS)))
    highest = {int(np.argmax(scores[:3])), 3 + int(np.argmax(scores[3:]))}
    assert set(asked) == highest


def test_the_lowest_score_replaces_the_text():
    """Of three candidates the one with the lowest score stands in the place of its row."""
    candidates = ["here is no cat at all", "cats are away", "a b c"]

    def rewriter(indices, corpus, avoid):
        row = example(TEXTS[0], "0")
        written = [rewritten(row, None, text, "by hand") for text in candidates]
        return [written if index == 0 else [] for index in indices]

    loop = loop_of(TEXTS, LABELS, rewriter, ceiling=100)
    scores = make_scorer(loop.corpus, loop.config, None).candidate_scores(0, candidates)
    loop.run(range(len(TEXTS)))
    assert loop.corpus.texts == [candidates[int(np.argmin(scores))], *TEXTS[1:]]


def test_the_datasets_are_known():
    """Claims have evidence and a claim; the pairs of NLI a premise and a hypothesis."""
    found = known_datasets()
    assert {tuple(found[name].fields) for name in ("fever", "fever_adversarial")} == {
        ("evidence", "claim")
    }
    assert {tuple(found[name].fields) for name in ("mnli", "snli")} == {("premise", "hypothesis")}


def test_the_request_has_the_papers_temperature():
    """What is sent to the language model has temperature 0.7 and top-p 0.9."""
    sent = []

    class Recorder:
        name = "recorder"

        def generate(self, requests):
            sent.extend(requests)
            raise KeyboardInterrupt

    rows = [example("It is not good.", "a"), example("It is fine.", "b")]
    method = create("razor", Tools(llm=Recorder())).fit(rows)
    with pytest.raises(KeyboardInterrupt):
        list(method(rows))
    assert {(request.temperature, request.top_p) for request in sent} == {(0.7, 0.9)}
