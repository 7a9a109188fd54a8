"""Analyses of the texts at hand, made once for all steps of a batch."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

from augkit.core.analysis import Analysis
from augkit.language.parser import SpacyParser

_MOST = 512
"""Analyses remembered; a batch has fewer texts."""


class Reader:
    """Analyses texts and remembers the latest; threads may share it."""

    def __init__(self, analyser: SpacyParser | None = None) -> None:
        """Take an analyser, or load the bundled one when the first text comes."""
        self._analyser = analyser
        self._known: dict[str, Analysis] = {}
        self._lock = Lock()

    def read(self, texts: Sequence[str]) -> list[Analysis]:
        """One analysis per text, in order."""
        with self._lock:  # what one thread forgets, another may be about to take
            new = list(dict.fromkeys(text for text in texts if text not in self._known))
            if len(self._known) + len(new) > _MOST:
                self._known = {text: self._known[text] for text in texts if text in self._known}
            if new:
                analyser = self._analyser = self._analyser or SpacyParser()
                self._known.update(zip(new, analyser.parse(new), strict=True))
            return [self._known[text] for text in texts]
