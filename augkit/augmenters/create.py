"""``create``: an augmenter by its registered name, with validated settings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from augkit.augmenters.base import Augmenter
from augkit.core import registry
from augkit.core.config import validate
from augkit.core.protocols import Finder, Tools


def create(
    method: str, tools: Tools | None = None, *, finder: Finder | None = None, **settings: Any
) -> Augmenter[Any]:
    """Create the augmenter registered as ``method``.

    Args:
        method: A name of ``augkit list methods``.
        tools: Live objects that the method uses, such as an LLM.
        finder: A fitted finder whose targets the method changes; short for ``Tools(finder=...)``.
        **settings: Settings of the method.

    >>> create("swap", pairs=[["film", "movie"]]).augment("A good film.")
    ['A good movie.']
    """
    augmenter: type[Augmenter[Any]] = registry.find("augmenters", method)
    config = validate(augmenter.Config, settings, source=f"settings of '{method}'")
    if finder is not None:
        tools = replace(tools or Tools(), finder=finder)
    return augmenter(config, tools)
