"""Who rewrites, by the name in the config; another perturber is one more line here."""

from __future__ import annotations

from augkit.augmenters.panda.config import PandaConfig
from augkit.augmenters.panda.jobs import Perturber
from augkit.augmenters.panda.llm import LLMPerturber
from augkit.augmenters.panda.rules import Rules
from augkit.augmenters.panda.seq2seq import Seq2SeqPerturber
from augkit.core.errors import MissingTool
from augkit.core.protocols import Tools


def perturber_for(config: PandaConfig, tools: Tools) -> Perturber:
    """The perturber that a config names; ``tools`` has the model where one is needed."""
    if config.perturber == "rules":
        return Rules(config.pipeline)
    if config.perturber == "seq2seq":
        return Seq2SeqPerturber(config)
    if tools.llm is None:
        raise MissingTool("panda", "llm")
    return LLMPerturber(tools.llm, config)
