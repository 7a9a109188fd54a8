"""What a dictionary lists for a form, looked up once: reading lemminflect's table copies it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache


@lru_cache(maxsize=200_000)
def known_lemmas(form: str) -> Mapping[str, tuple[str, ...]]:
    """The lemmas that the dictionary lists for a form, by part of speech.

    >>> known_lemmas("saw")
    {'NOUN': ('saw',), 'VERB': ('see', 'saw')}
    """
    import lemminflect  # type: ignore[import-untyped]  # it has no stubs

    found: dict[str, tuple[str, ...]] = lemminflect.getAllLemmas(form)
    return found
