"""Which rules of an induced grammar each training row uses: bias features for robust training."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from augkit.core.types import Example
from augkit.grammars.features.subtrees import incidence, occurrences, rules
from augkit.grammars.features.survey import SurveyConfig
from augkit.grammars.model.corpus import WordVocabulary, read_corpus
from augkit.grammars.model.induce import EncodedTexts
from augkit.shortcuts.grammar import checked_trees

_FEWEST_ROWS = 5
"""A rule that fewer rows use is no bias feature."""


def grammar_hints(examples: Sequence[Example], folder: Path) -> Any:
    """Rules, with their words, by row: sparse float[rows, rules].

    ``folder`` is what ``augkit shortcuts --by grammar`` wrote for the same rows. A row that could
    not be parsed uses none.
    """
    import numpy as np

    corpus = read_corpus(examples, SurveyConfig())
    vocabulary, rows = WordVocabulary.load(folder / "vocabulary.json"), corpus.rows()
    nowhere = np.zeros(len(rows), dtype=bool)
    texts = EncodedTexts(corpus.encoded(vocabulary), nowhere, len(vocabulary))
    trees = checked_trees(folder / "trees.npz", texts)
    used = occurrences(rules(trees, lexical=True), rows[trees.doc], len(corpus.examples)).tocoo()
    index_of = {row.id: index for index, row in enumerate(examples)}
    owner = np.array([index_of[row.id] for row in corpus.examples], dtype=np.int64)
    found = incidence(owner[used.row], used.col, (len(examples), used.shape[1])).tocsr()
    common = np.flatnonzero(np.diff(found.tocsc().indptr) >= _FEWEST_ROWS)
    return found[:, common].astype(np.float64)
