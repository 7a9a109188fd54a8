"""Closed classes of words that several rules ask for."""

from __future__ import annotations

OWNERS = frozenset("my your his her our their whose its".split())
DETERMINERS = frozenset("a an the this that these those my your his her our their its".split())
OF_ONE = DETERMINERS - {"these", "those"}
"""Determiners that one person or thing may have."""
HELPERS = frozenset(
    "is was has had does did will would can could should must may might won't wasn't isn't didn't"
    " doesn't couldn't wouldn't hasn't hadn't can't".split()
)
"""Verbs that help another, after one person."""
