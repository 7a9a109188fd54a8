"""Who does each step without a language model: rules, parse and classifiers."""

from __future__ import annotations

from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.learnt import TextsLearnt
from augkit.augmenters.coba.offline import (
    EnsembleIdentifier,
    EnsembleJudge,
    ParseDecomposer,
    RuleEditor,
    SpanReconstructor,
    TripleReconstructor,
)
from augkit.augmenters.coba.reading import Reader
from augkit.augmenters.coba.steps import Reconstructor, Steps


def offline_steps(config: CobaConfig, learnt: TextsLearnt, reader: Reader) -> Steps:
    """All steps without a language model."""
    by_triples = config.reconstruct_by == "triples"
    rebuilding: Reconstructor = TripleReconstructor() if by_triples else SpanReconstructor()
    return Steps(
        ParseDecomposer(reader),
        EnsembleIdentifier(reader, learnt, config),
        RuleEditor(reader, learnt),
        rebuilding,
        EnsembleJudge(learnt),
    )
