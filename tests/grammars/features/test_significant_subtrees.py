"""Targets: the words of a significant subtree, where they occur in the text."""

from dataclasses import replace

import numpy as np
import pytest

from augkit.core.types import example
from augkit.grammars.features.subtrees import extract_subtrees, subtrees
from augkit.grammars.features.survey import (
    SignificantSubtrees,
    SurveyConfig,
    label_rows,
    node_spans,
    significant_subtrees,
    survey_trees,
)
from augkit.grammars.model.corpus import CorpusConfig, WordVocabulary, read_corpus
from augkit.grammars.trees import Trees, yields
from augkit.shortcuts.grammar import GrammarFinder
from lab.planted_phrases import LABELS, Planting, plant


class FromList:
    """A parser that looks up the trees of a planted corpus."""

    def __init__(self, planted):
        self.trees = planted.trees
        texts = [tuple(ids.tolist()) for ids in yields(planted.trees)]
        self.index_of = {ids: index for index, ids in enumerate(texts)}

    def parse(self, corpus):
        """The tree that each text was drawn with."""
        roots = self.trees.roots[[self.index_of[tuple(ids.tolist())] for ids in corpus]]
        return extract_subtrees(self.trees, roots.astype(np.int64))


@pytest.mark.slow
def test_targets_are_where_the_words_are(tmp_path):
    """The planted phrases of a text are its targets, with their spans, reason and share."""
    planted = plant(2500, Planting(strength=0.85), seed=1)
    rows = [
        example(text, LABELS[label], occurrence=index)
        for index, (text, label) in enumerate(zip(planted.sentences, planted.labels, strict=True))
    ]
    config = SurveyConfig(min_count=1)
    corpus = read_corpus(rows, config)
    labelled = label_rows(corpus.examples, config)
    survey = survey_trees(corpus, planted.vocabulary, planted.trees, labelled, config)
    found_subtrees = significant_subtrees(survey, alpha=0.05)
    found_subtrees.save(tmp_path)
    again = SignificantSubtrees.load(tmp_path)
    finder = GrammarFinder(FromList(planted), planted.vocabulary, again, config)
    some = [*(replace(row, label=None) for row in rows[:40]), example("", "first")]
    found = finder.find(some)
    assert len(found) == 41
    assert found[-1] == []
    for row, targets in zip(rows[:40], found, strict=False):
        text = row.fields["text"]
        marked = {text[target.start : target.end] for target in targets}
        tail = " ".join(text.split()[-2:])
        assert (tail in marked) == (tail.split()[0] in {"at", "in"})
        assert all(target.field == "text" and target.strength > 0.6 for target in targets)
        assert all(target.reason.split(" → ")[0] in text for target in targets)
        own = [target for target in targets if target.reason.endswith(f" → {row.label}")]
        assert finder.find([row]) == [own]


def test_spans_of_pairs():
    """Both sides of an aligned phrase are marked; a side without words is not."""
    trees = Trees(
        label=np.array([4, 5, 0, 6, 1]),
        left=np.array([-1, -1, 0, -1, 2]),
        right=np.array([-1, -1, 1, -1, 3]),
        leaf_a=np.array([1, 2, -1, -1, -1]),
        leaf_b=np.array([1, 3, -1, 4, -1]),
        doc=np.zeros(5, dtype=np.int64),
    )
    twice = Trees.join([trees, Trees(**{**vars(trees), "doc": trees.doc + 1})])
    nodes = np.array([2, 3, 7, 8])
    first, last = node_spans(twice, nodes)
    assert list(zip(first, last, strict=True)) == [(0, 2), (2, 2), (0, 2), (2, 2)]
    first, last = node_spans(twice, nodes, target=True)
    assert list(zip(first, last, strict=True)) == [(0, 2), (2, 3), (0, 2), (2, 3)]
    rows = [
        example({"premise": "A man", "hypothesis": "A woman runs"}, "no", occurrence=n)
        for n in (0, 1)
    ]
    words = WordVocabulary(("[UNK]", "a", "man", "woman", "runs"))
    listed = SignificantSubtrees(
        extract_subtrees(trees, np.array([2, 3])), ("one", "two"), ("no", "no"), (0.9, 0.8)
    )

    class Parser:
        def parse(self, corpus):
            return twice

    found = GrammarFinder(Parser(), words, listed, CorpusConfig()).find(rows)
    shown = [(t.field, rows[0].fields[t.field][t.start : t.end], t.reason) for t in found[1]]
    assert shown == [
        ("hypothesis", "A woman", "one → no"),
        ("premise", "A man", "one → no"),
        ("hypothesis", "runs", "two → no"),
    ]
    assert len(subtrees(twice)) == 5
