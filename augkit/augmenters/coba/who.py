"""Who does each step: rules and classifiers, or the LLM, as the settings and the tools say."""

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
from augkit.protocols import Tools


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


def steps_for(config: CobaConfig, tools: Tools, learnt: TextsLearnt, reader: Reader) -> Steps:
    """The steps of single texts under these settings."""
    _ = tools
    return offline_steps(config, learnt, reader)
