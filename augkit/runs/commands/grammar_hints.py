"""Which rules of an induced grammar each training row uses: hints for robust training."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from augkit.core.types import Example
from augkit.grammars.features.subtrees import incidence, occurrences, rules
from augkit.grammars.features.survey import SurveyConfig
from augkit.grammars.model.corpus import read_corpus
from augkit.grammars.model.induce import Texts
from augkit.grammars.model.vocabulary import Vocabulary
from augkit.shortcuts.grammar import checked_trees

_FEWEST_ROWS = 5
"""A rule that fewer rows use is left out."""


def grammar_hints(examples: Sequence[Example], folder: Path) -> Any:
    """Rules, with their words, by row: sparse float[rows, rules].

    ``folder`` is what ``augkit shortcuts --by grammar`` wrote for the same rows. A row that could
    not be parsed uses none.
    """
    import numpy as np

    corpus = read_corpus(examples, SurveyConfig())
    vocabulary, pieces = Vocabulary.load(folder / "vocabulary.json"), corpus.rows()
    none_held_out = np.zeros(len(pieces), dtype=bool)
    texts = Texts(corpus.encoded(vocabulary), none_held_out, len(vocabulary))
    trees = checked_trees(folder / "trees.npz", texts)
    used = occurrences(rules(trees, lexical=True), pieces[trees.doc], len(corpus.examples)).tocoo()
    index = {row.id: number for number, row in enumerate(examples)}
    row_of = np.array([index[row.id] for row in corpus.examples], dtype=np.int64)
    found = incidence(row_of[used.row], used.col, (len(examples), used.shape[1])).tocsr()
    common = np.flatnonzero(np.diff(found.tocsc().indptr) >= _FEWEST_ROWS)
    return found[:, common].astype(np.float64)
