"""Which form of structured output a server takes: found out once, then remembered."""

from __future__ import annotations

import threading

from augkit.llm.structured_output import FORMS, Form

DOUBTS = 2
"""Unexplained failures in a row, in a form that has never worked, before the next one is tried."""


class FormMemory:
    """The best form a server has not turned down; one that has once worked is kept for good.

    Many threads ask at the same time, so each failure names the form it was sent in: it counts
    only where that form is still the one in use.
    """

    def __init__(self) -> None:
        """Begin with the best form."""
        self._lock = threading.Lock()
        self._place = 0
        self._doubts = 0
        self._proven = False

    @property
    def form(self) -> Form:
        """The form to send the next request in."""
        return FORMS[self._place]

    def worked(self, form: Form) -> None:
        """An answer in this form was valid."""
        if self._proven:
            return
        with self._lock:
            if form == self.form:
                self._proven = True

    def turned_down(self, form: Form) -> bool:
        """The server has said that it does not take this form; is another one worth trying?"""
        with self._lock:
            if form == self.form and not self._proven:
                self._step()
            return form != self.form

    def doubted(self, form: Form) -> bool:
        """The form may be the cause of a failure; is another one in use from now on?"""
        with self._lock:
            if form == self.form and not self._proven:
                self._doubts += 1
                if self._doubts >= DOUBTS:
                    self._step()
            return form != self.form

    def _step(self) -> None:
        self._place = min(self._place + 1, len(FORMS) - 1)
        self._doubts = 0
