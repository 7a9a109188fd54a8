"""Gates: reasons to reject a variant. A gate is any callable from a pair to a reason or None."""

from __future__ import annotations

from collections.abc import Mapping

from augkit.core.protocols import Gate
from augkit.core.types import Pair
from augkit.text.tokens import words


def length_within(shortest: float = 0.5, longest: float = 2.0) -> Gate:
    """Reject a variant whose word count leaves these multiples of the original's.

    Args:
        shortest: The least multiple.
        longest: The greatest multiple.
    """

    def gate(pair: Pair) -> str | None:
        before, after = _word_count(pair.original.fields), _word_count(pair.variant.fields)
        if after < shortest * before:
            return "too short"
        return "too long" if after > longest * before else None

    return gate


def keeps(*kept: str) -> Gate:
    """Reject a variant that lost one of these words, where the original had it.

    Args:
        *kept: The words.
    """

    def gate(pair: Pair) -> str | None:
        before, after = _word_set(pair.original.fields), _word_set(pair.variant.fields)
        lost = [word for word in kept if word.casefold() in before - after]
        return f"lost '{lost[0]}'" if lost else None

    return gate


def edited_share(most: float = 0.5) -> Gate:
    """Reject a variant in which edits cover more than this share of the original's characters.

    Args:
        most: The greatest share.
    """

    def gate(pair: Pair) -> str | None:
        covered = sum(edit.end - edit.start for edit in pair.provenance.edits)
        total = sum(map(len, pair.original.fields.values()))
        return "edited too much" if covered > most * total else None

    return gate


def _word_count(fields: Mapping[str, str]) -> int:
    return sum(len(words(text)) for text in fields.values())


def _word_set(fields: Mapping[str, str]) -> set[str]:
    return {word.casefold() for text in fields.values() for word in words(text)}
