"""Servers that cut a prompt to their context window without saying so, as Ollama does."""

from __future__ import annotations

import logging

from augkit.core.types import Cost

LEAST_WINDOW = 2048
LEAST_PROMPT = 500
"""The length of shorter prompts is not known well enough."""
READ_SHARE = 0.5
"""English has 4 to 4.5 bytes per token and we estimate 4: a whole prompt never counts so little."""

_MESSAGE = (
    "the server has read %d tokens of a prompt of about %d: its context window seems to be too "
    "small, and it cuts prompts without an error. Give it a larger one (Ollama: start the server "
    "with OLLAMA_CONTEXT_LENGTH=16384; llama.cpp: -c; LM Studio: the context length of the model)"
)


def looks_cut(estimated: int, cost: Cost) -> bool:
    """Whether a server counts far fewer tokens than were sent, or just as many as fit.

    >>> looks_cut(9000, Cost(1, 4096, 20)), looks_cut(9000, Cost(1, 8600, 20))
    (True, False)
    """
    read = cost.prompt_tokens
    if not read or estimated < LEAST_PROMPT:
        return False
    full = any(map(_is_window, (read, read + cost.completion_tokens)))
    return read < READ_SHARE * estimated or (full and read < estimated)


def _is_window(tokens: int) -> bool:
    return tokens >= LEAST_WINDOW and tokens & (tokens - 1) == 0


class WindowCheck:
    """Warns once about a server whose context window is too small."""

    def __init__(self) -> None:
        """Nothing was seen yet."""
        self._warned = False

    def see(self, estimated: int, cost: Cost) -> None:
        """Compare what was sent with what the server has counted."""
        if not self._warned and looks_cut(estimated, cost):
            self._warned = True
            logging.getLogger(__name__).warning(_MESSAGE, cost.prompt_tokens, estimated)
