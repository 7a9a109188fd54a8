"""A taxonomy of words for everyday scenes: which are more general, and which exclude each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Literal

from augkit.lexicons.load import data_yaml

Part = Literal["noun", "verb", "modifier"]
Word = tuple[Part, str]

_SAME = "|"
"""Between words of one member: the first is the usual one and holds of the others."""


@dataclass(frozen=True)
class Taxonomy:
    """The relations of ``taxonomy.yaml``, closed over its groups."""

    broader: Mapping[Word, tuple[str, ...]]
    """Words that hold of a word, nearest first: puppy → dog, animal."""
    partners: Mapping[tuple[Word, str], tuple[str, ...]]
    """Usual words that exclude a word, by the frame they stand in ("" for nouns and modifiers)."""
    bare: frozenset[str]
    """Nouns that stand without an article: basketball, coffee."""
    outdoors: frozenset[str]
    indoors: frozenset[str]
    prepositions: Mapping[str, str]
    unsaid: Mapping[str, Sequence[str]]
    narrower: Mapping[str, Sequence[str]]
    _excluded: Mapping[Word, frozenset[str]] = field(repr=False)

    def holds_of(self, general: str, word: str, part: Part) -> bool:
        """Whether everything called ``word`` can be called ``general``.

        >>> [taxonomy().holds_of(general, "puppy", "noun") for general in ("animal", "cat")]
        [True, False]
        """
        return general == word or general in self.broader.get((part, word), ())

    def excludes(self, first: str, second: str, part: Part) -> bool:
        """Whether nothing is called both.

        >>> [taxonomy().excludes("poodle", other, "noun") for other in ("kitten", "pet")]
        [True, False]
        """
        mine = self._all(first, part)
        yours = self._all(second, part)
        return any(
            not yours.isdisjoint(self._excluded.get((part, word), frozenset()) - mine)
            for word in mine - yours
        )

    def _all(self, word: str, part: Part) -> set[str]:
        return {word, *self.broader.get((part, word), ())}

    def instead_of(self, word: str, part: Part, frame: str = "") -> tuple[str, ...]:
        """Usual words for what a thing of that name is not.

        >>> taxonomy().instead_of("indoors", "modifier")
        ('outdoors',)
        """
        return self.partners.get(((part, word), frame), ())


@cache
def taxonomy() -> Taxonomy:
    """The bundled relations."""
    return _compiled(data_yaml("taxonomy.yaml"))


@dataclass
class _TaxonomyBuilder:
    broader: dict[Word, list[str]] = field(default_factory=dict)
    partners: dict[tuple[Word, str], list[str]] = field(default_factory=dict)
    excluded: dict[Word, set[str]] = field(default_factory=dict)

    def group(self, part: Part, group: Mapping[str, Any]) -> None:
        members = [str(member).split(_SAME) for member in group["members"]]
        frame = str(group.get("frame", ""))
        above = [str(word) for word in group.get("broader", ())]
        for member in members:
            rivals = [rival for rival in members if rival is not member]
            for index, word in enumerate(member):
                key = (part, word)
                _extend(self.broader.setdefault(key, []), [*member[: min(index, 1)], *above])
                _extend(self.partners.setdefault((key, frame), []), [rival[0] for rival in rivals])
                self.excluded.setdefault(key, set()).update(w for rival in rivals for w in rival)


def _extend(listed: list[str], more: Sequence[str]) -> None:
    listed += [word for word in more if word not in listed]


def _compiled(data: Mapping[str, Any]) -> Taxonomy:
    builder = _TaxonomyBuilder()
    for group in data["nouns"]:
        builder.group("noun", group)
    for group in data["verbs"]:
        builder.group("verb", group)
    for members in data["modifiers"]:
        builder.group("modifier", {"members": members})
    unsaid = dict(data["unsaid"])
    narrower = unsaid.pop("narrower")
    closed = {word: tuple(_closed(word, builder.broader)) for word in builder.broader}
    compiled = Taxonomy(
        broader=closed,
        partners={key: tuple(related) for key, related in builder.partners.items()},
        bare=frozenset(_marked(data["nouns"], "bare")),
        outdoors=frozenset(_marked(data["nouns"], "outdoors")),
        indoors=frozenset(_marked(data["nouns"], "indoors")),
        prepositions=dict(_opposites(data["places"])),
        unsaid=unsaid,
        narrower=narrower,
        _excluded={
            word: frozenset(related - {word[1], *closed[word]})
            for word, related in builder.excluded.items()
        },
    )
    # Partners less those that another group calls the same: to "race" is to run.
    true_partners = {
        ((part, name), frame): tuple(o for o in partners if compiled.excludes(name, o, part))
        for ((part, name), frame), partners in compiled.partners.items()
    }
    return replace(compiled, partners=true_partners)


def _closed(word: Word, broader: Mapping[Word, Sequence[str]]) -> Iterator[str]:
    """All that holds of a word, what holds of those included, nearest first."""
    waiting = list(broader[word])
    seen = {word[1]}
    while waiting:
        broad = waiting.pop(0)
        if broad not in seen:
            seen.add(broad)
            yield broad
            waiting += broader.get((word[0], broad), ())


def _marked(groups: Sequence[Mapping[str, Any]], mark: str) -> Iterator[str]:
    for group in groups:
        if group.get(mark):
            for member in group["members"]:
                yield from str(member).split(_SAME)


def _opposites(pairs: Sequence[Sequence[str]]) -> Iterator[tuple[str, str]]:
    for first, second in pairs:
        for here, there in ((first, second), (second, first)):
            for word in here.split(_SAME):
                yield word, there.split(_SAME)[0]
