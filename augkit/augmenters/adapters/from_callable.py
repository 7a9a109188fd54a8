"""``from_callable``: any function from text to text as an augmenter, with provenance.

An augmenter of nlpaug or TextAttack, a transform of AugLy, or a function of yours joins a chain,
a run or an evaluation like any other method. Such libraries draw from the process's shared random
state; here that state is set from the example before each call and restored after it, so the same
row gives the same variant alone, in a batch, and whatever was sampled before.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from augkit.augmenters.base import Augmenter
from augkit.core.config import MethodConfig, validate
from augkit.core.errors import ConfigError
from augkit.core.types import Contract, Example, Variant, refused

TextFunction = Callable[[str], Any]
"""A text in; a text, or a list of texts, out."""


class FromCallable(Augmenter[MethodConfig]):
    """A function from text to text; each field of a row is given to it in turn.

    Of a list of texts the first that differs is taken; ``copies`` asks again with another state
    of the random generators. What the function raises for a row is a rejection of that row.

    Args:
        function: From a text to a text, or to a list of texts.
        name: Name of the method in the record of a variant.
        contract: What is promised of labels: "kept" or "unknown".
        config: The settings.
    """

    name = "callable"
    Config = MethodConfig

    def __init__(
        self, function: TextFunction, name: str, contract: Contract, config: MethodConfig
    ) -> None:
        """Keep the function and the name of its variants' method."""
        super().__init__(config)
        self.name = name  # type: ignore[misc] # of this instance: the function's
        self.function = function
        self.contract = contract

    def propose(self, batch: Sequence[Example]) -> Iterator[Variant]:
        """``copies`` drafts per example."""
        for parent in batch:
            for copy in range(self.config.copies):
                yield self._variant(parent, copy)

    def _variant(self, parent: Example, copy: int) -> Variant:
        try:
            with shared_random_state(self.random(parent, copy).getrandbits(32)):
                fields = {name: self._rewritten(text) for name, text in parent.fields.items()}
        except Exception as error:  # noqa: BLE001 - whatever foreign code raises concerns one row
            detail = f"{type(error).__name__}: {error}"[:500]
            return refused(parent, "the function failed", detail, copy)
        label = parent.label if self.contract == "kept" else None
        return Variant(parent, fields, label, self.contract, copy)

    def _rewritten(self, text: str) -> str:
        answer = self.function(text)
        if isinstance(answer, str):
            return answer
        texts = [new for new in answer or [] if isinstance(new, str)]
        return next((new for new in texts if new != text), text)


def from_callable(
    function: Any, name: str | None = None, *, contract: Contract = "kept", **settings: Any
) -> FromCallable:
    """An augmenter of a function ``str -> str | list[str]``, or of an object with ``augment``.

    Args:
        function: The function, or an object with a method ``augment``, as those of nlpaug.
        name: What the method is called in the provenance; the function's name unless given.
        contract: "kept" where variants keep the label; "unknown" where it may have changed:
            variants then have none.
        **settings: Settings of every method, as ``copies`` and ``seed``.

    >>> shout = from_callable(str.upper, "shout")
    >>> shout.augment("It rains.")
    ['IT RAINS.']
    """
    chosen = function.augment if hasattr(function, "augment") else function
    if not callable(chosen):
        raise ConfigError(
            f"from_callable takes a function from text to text, or an object with an 'augment' "
            f"method, and was given {type(function).__name__}"
        )
    if contract == "flipped":
        raise ConfigError("from_callable: the contract is 'kept' or 'unknown', never 'flipped'")
    method = name or str(getattr(function, "__name__", type(function).__name__))
    config = validate(MethodConfig, settings, f"settings of '{method}'")
    return FromCallable(chosen, method, contract, config)


@contextmanager
def shared_random_state(seed: int) -> Iterator[None]:
    """Python's, numpy's and torch's shared generators start from ``seed`` and are restored."""
    python = random.getstate()
    numpy = sys.modules.get("numpy")
    torch = sys.modules.get("torch")
    numpy_state = numpy.random.get_state() if numpy else None
    torch_state = torch.random.get_rng_state() if torch else None
    random.seed(seed)
    if numpy:
        numpy.random.seed(seed)
    if torch:
        torch.manual_seed(seed)
    try:
        yield
    finally:
        random.setstate(python)
        if numpy:
            numpy.random.set_state(numpy_state)
        if torch:
            torch.random.set_rng_state(torch_state)
