"""Who rewrites, by the name in the config; another perturber is one more line here."""

from __future__ import annotations

from augkit.augmenters.panda.config import PandaConfig
from augkit.augmenters.panda.jobs import Perturber
from augkit.augmenters.panda.rules import Rules
from augkit.errors import ConfigError
from augkit.protocols import Tools


def perturber_for(config: PandaConfig, tools: Tools) -> Perturber:
    """The perturber that a config names; ``tools`` has the model where one is needed."""
    del tools  # the rules need none
    if config.perturber == "rules":
        return Rules()
    raise ConfigError(f"the perturber '{config.perturber}' is not available: use 'rules'")
