"""Several grammars of the same texts, begun differently, of which the best is kept.

A likelihood has many peaks: grammars from other first parameters differ in what they take for a
phrase, by far more than longer training changes. The one that gives held-out texts the highest
probability is kept; no label has a part in the choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from augkit.grammars.model.grammar import Grammar
from augkit.grammars.model.train import GrammarConfig, Report, train_grammar

if TYPE_CHECKING:
    from augkit.grammars.charts.batches import Text


def train_best(
    train: Sequence[Text],
    heldout: Sequence[Text],
    config: GrammarConfig,
    folder: Path | None = None,
    report: Report | None = None,
) -> Grammar:
    """The best of ``config.restarts`` grammars by held-out likelihood.

    The k-th has the seed ``config.seed + k``. With a ``folder`` each has a part ``start-k`` in
    it, so that a killed training goes on where it was, and the best is saved in the folder itself.
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
