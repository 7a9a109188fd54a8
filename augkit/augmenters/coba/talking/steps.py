"""Who does each step where a language model takes part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.learnt import TextsLearnt
from augkit.augmenters.coba.offline import (
    EnsembleIdentifier,
    EnsembleJudge,
    ParseDecomposer,
    TripleReconstructor,
)
from augkit.augmenters.coba.pairs.reading_judge import ReadingJudge
from augkit.augmenters.coba.reading import Reader
from augkit.augmenters.coba.steps import (
    Decomposer,
    Failed,
    Identifier,
    Reconstructor,
    Steps,
    Words,
)
from augkit.augmenters.coba.talking.decompose import LLMDecomposer
from augkit.augmenters.coba.talking.edit import LLMEditor
from augkit.augmenters.coba.talking.foreseeing import Foreseeing
from augkit.augmenters.coba.talking.identify import LLMIdentifier
from augkit.augmenters.coba.talking.reconstruct import LLMReconstructor
from augkit.augmenters.judge import Judge, LLMJudge
from augkit.core.errors import ConfigError
from augkit.core.protocols import LLM, Tools
from augkit.core.types import Example


def talks(config: CobaConfig, tools: Tools) -> bool:
    """Whether a language model edits under these settings; raises where they do not go together."""
    edits = tools.llm is not None and config.edit_by != "offline"
    if edits and config.reconstruct_by == "spans":
        raise ConfigError(
            "reconstruct_by=spans needs the edits of the text, and a model gives triples: use llm "
            "or triples, or edit_by=offline"
        )
    asked = (config.identify, config.decompose_by, config.reconstruct_by, config.judge_by)
    if not edits and "llm" in asked:
        raise ConfigError(
            "with edit_by=offline the other steps are offline too: leave identify, decompose_by, "
            "reconstruct_by and judge_by as they are"
        )
    return edits


@dataclass(frozen=True)
class GivenWords:
    """Of pairs no classifier of words is asked: only the user's words are known."""

    config: CobaConfig

    def identify(self, parents: Sequence[Example]) -> list[Words | Failed]:
        """No principal words, and the user's as spurious ones."""
        given = frozenset(word.casefold() for word in self.config.spurious_words)
        return [Words(frozenset(), given) for _ in parents]


def talking_steps(
    config: CobaConfig,
    tools: Tools,
    labels: Sequence[str],
    reader: Reader,
    learnt: TextsLearnt | None,
) -> Steps:
    """The steps of single texts (``learnt`` is there) or of pairs, with a language model."""
    llm = _model(tools)
    decomposer: Decomposer = LLMDecomposer(llm, config)
    if config.decompose_by == "offline":
        decomposer = ParseDecomposer(reader)
    reconstructor: Reconstructor = LLMReconstructor(llm, config)
    if config.reconstruct_by == "triples":
        reconstructor = TripleReconstructor()
    return Steps(
        decomposer,
        _identifier(config, llm, labels, reader, learnt),
        LLMEditor(llm, config),
        reconstructor,
        _judge(config, tools, labels, reader, learnt),
    )


def _identifier(
    config: CobaConfig,
    llm: LLM,
    labels: Sequence[str],
    reader: Reader,
    learnt: TextsLearnt | None,
) -> Identifier:
    if config.identify == "llm":
        return LLMIdentifier(llm, config, labels)
    if learnt is None:
        return GivenWords(config)
    return Foreseeing(EnsembleIdentifier(reader, learnt, config))


def _judge(
    config: CobaConfig,
    tools: Tools,
    labels: Sequence[str],
    reader: Reader,
    learnt: TextsLearnt | None,
) -> Judge:
    if config.judge_by != "offline":
        return LLMJudge(tools.judge or _model(tools), labels)
    return EnsembleJudge(learnt) if learnt is not None else ReadingJudge(reader)


def _model(tools: Tools) -> LLM:
    if tools.llm is None:
        raise ValueError("these steps need a language model")
    return tools.llm
