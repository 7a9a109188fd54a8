"""Random restarts: several grammars of the same texts, of which the best is kept.

The likelihood has many local maxima: grammars from other initial parameters differ in their
phrases by far more than longer training changes. The one with the highest held-out likelihood is
kept; labels are not used.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from augkit.grammars.model.grammar import Grammar
from augkit.grammars.model.train import GrammarConfig, ReportProgress, train_grammar

if TYPE_CHECKING:
    from augkit.grammars.charts.batches import Text


def train_best(
    train: Sequence[Text],
    heldout: Sequence[Text],
    config: GrammarConfig,
    folder: Path | None = None,
    report: ReportProgress | None = None,
) -> Grammar:
    """The best of ``config.restarts`` grammars by held-out likelihood.

    The k-th has the seed ``config.seed + k``. With a ``folder`` each has a part ``start-k`` in
    it, so that an interrupted training resumes, and the best is saved in the folder itself.
    """
    if config.restarts == 1:
        return train_grammar(train, heldout, config, folder, report)
    found: list[Grammar] = []
    for start in range(config.restarts):
        own = config.model_copy(update={"seed": config.seed + start})
        part = None if folder is None else folder / f"start-{start}"
        found.append(train_grammar(train, heldout, own, part, report))
    best = max(found, key=lambda grammar: _mean(grammar, heldout))
    if folder is not None:
        best.save(folder)
    return best


def _mean(grammar: Grammar, texts: Sequence[Any]) -> float:
    return float(grammar.log_likelihood(texts).mean())
