"""A pattern that one has in mind, such as durations, against what a grammar takes for a phrase.

    python -m benchmarks.release.grammar_patterns DATASET TREES.npz [--data DIR] --pattern REGEX ...

For each regular expression one JSON line: the rows in which some complete subtree spans exactly
such words, and the rows that have such words anywhere, by label, on the picking rows and on the
held-out rows of ``augkit shortcuts`` (same split, uncorrected p: one pattern was tested), and
the rank that its best subtree has by mutual information among all that are frequent enough.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

from augkit.datasets.load import load_dataset
from augkit.grammars.features.feature_groups import SelectionConfig, select_features
from augkit.grammars.features.mutual_information import LabelledRows, feature_statistics
from augkit.grammars.features.subtrees import subtrees
from augkit.grammars.features.survey import SurveyConfig, label_rows
from augkit.grammars.model.corpus import GrammarCorpus, WordVocabulary, read_corpus
from augkit.grammars.trees import ABSENT, Trees, patterns
from benchmarks.command_line import argument, arguments, print_line

LONGEST = 8


def spans(trees: Trees, vocabulary: WordVocabulary) -> list[str]:
    """The words under every node; nothing for nodes of more than eight words."""
    texts: list[str] = []
    for left, right, word in zip(trees.left, trees.right, trees.leaf_a, strict=True):
        if left == ABSENT:
            texts.append(vocabulary.words[word])
        else:
            parts = texts[left], texts[right]
            joined = " ".join(parts) if all(parts) else ""
            texts.append(joined if joined.count(" ") < LONGEST else "")
    return texts


def figures(rows: np.ndarray, labelled: LabelledRows) -> dict[str, Any]:
    """Counts by label of some rows, on either side of the split."""
    from scipy.sparse import csr_matrix

    flags = np.zeros((len(labelled.numbers), 1), bool)
    flags[rows] = True
    found = feature_statistics(csr_matrix(flags), labelled)
    return {
        "label": labelled.names[found.label[0]],
        "counts": dict(zip(labelled.names, found.counts[0].tolist(), strict=True)),
        "share": round(float(found.share()[0]), 3),
        "held_out_counts": dict(zip(labelled.names, found.held_counts[0].tolist(), strict=True)),
        "held_out_share": round(float(found.share(held_out=True)[0]), 3),
        "p": float(f"{found.p_value[0]:.2g}"),
    }


def texts_of(corpus: GrammarCorpus) -> list[str]:
    """The words of every row, all its sentences together."""
    words_of: list[list[str]] = [[] for _ in corpus.examples]
    for unit in corpus.units:
        words_of[unit.row] += [word.text for word in unit.sides[0]]
    return [" ".join(words) for words in words_of]


def main() -> None:
    """Print a line for each pattern."""
    options = arguments(
        __doc__,
        argument("dataset"),
        argument("trees", type=Path),
        argument("--data", type=Path),
        argument("--pattern", action="append", required=True),
    )
    config = SurveyConfig()
    corpus = read_corpus(load_dataset(options.dataset, data_folder=options.data), config)
    vocabulary, labelled = corpus.vocabulary(config), label_rows(corpus.examples, config)
    trees = Trees.load(options.trees)
    texts, rows = spans(trees, vocabulary), corpus.rows()[trees.doc]
    numbered = subtrees(trees)
    selected = select_features(
        trees, numbered, rows, labelled, SelectionConfig(top=10**6, min_leaves=2)
    )
    ranked = patterns(selected.trees, vocabulary, paired=False)
    for pattern in options.pattern:
        whole, anywhere = re.compile(pattern), re.compile(rf"\b(?:{pattern})\b")
        nodes = [node for node, words in enumerate(texts) if words and whole.fullmatch(words)]
        ranks = [(index + 1, w) for index, w in enumerate(ranked) if whole.fullmatch(w)]
        holds = [row for row, text in enumerate(texts_of(corpus)) if anywhere.search(text)]
        record = {
            "pattern": pattern,
            "as_phrases": figures(np.unique(rows[nodes]), labelled),
            "anywhere": figures(np.array(holds, int), labelled),
            "of": len(ranked),
            "first_ranks": ranks[:6],
        }
        print_line(record)


if __name__ == "__main__":
    main()
