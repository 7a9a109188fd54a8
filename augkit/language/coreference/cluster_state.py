"""The clusters of mentions found so far in a text, looked up by token, name or noun."""

from __future__ import annotations

from collections import OrderedDict, defaultdict

from augkit.core.analysis import Analysis, Token
from augkit.language.coreference.antecedents import Cluster, agrees
from augkit.language.coreference.mentions import DetectedMention

_WINDOW = 30
"""How many clusters a pronoun may refer to: those mentioned last."""

_MAX_DISTANCE = 12
"""How many sentences a mention looks back."""


class ClusterState:
    """The clusters while a text is read from left to right."""

    def __init__(self, analysis: Analysis) -> None:
        """Begin without clusters."""
        self.analysis = analysis
        self.clusters: list[Cluster] = []
        self._recent: OrderedDict[int, Cluster] = OrderedDict()
        self._by_token: dict[int, Cluster] = {}
        self._by_name: defaultdict[str, list[tuple[tuple[str, ...], Cluster]]] = defaultdict(list)
        self._by_noun: defaultdict[str, list[Cluster]] = defaultdict(list)

    def new_cluster(self) -> Cluster:
        """A new, empty cluster."""
        self.clusters.append(Cluster())
        return self.clusters[-1]

    def add(self, detected: DetectedMention, owner: Cluster) -> None:
        """Add a mention to the cluster ``owner``."""
        owner.add(detected)
        if detected.mention.kind != "group":
            self._by_token[detected.token.index] = owner
        if detected.mention.kind == "name":
            for word in (detected.words[0], detected.words[-1]):
                self._by_name[word] = [*self._by_name[word][-8:], (detected.words, owner)]
        elif detected.mention.kind == "noun":
            self._by_noun[detected.words[0]] = [*self._by_noun[detected.words[0]][-8:], owner]
        self._recent[id(owner)] = owner
        self._recent.move_to_end(id(owner))
        if len(self._recent) > _WINDOW:
            self._recent.popitem(last=False)

    def cluster_at(self, token: Token) -> Cluster | None:
        """The cluster that a token belongs to, if it was read already."""
        return self._by_token.get(token.index)

    def merge(self, one: Cluster, other: Cluster) -> None:
        """Move the mentions of ``one`` to ``other``; ``one`` is left empty."""
        for detected in one.mentions:
            self._by_token[detected.token.index] = other
            other.add(detected)
            if detected.mention.kind == "noun":
                self._by_noun[detected.words[0]].append(other)
        other.mentions.sort(key=lambda detected: detected.token.index)
        one.mentions = []
        self._recent.pop(id(one), None)

    def recent(self, detected: DetectedMention) -> list[Cluster]:
        """The clusters mentioned not long before, the latest first.

        An unresolved pronoun counts within its sentence only, so that uncertainty does not spread.
        """
        here = detected.token.sentence
        return [
            each
            for each in reversed(self._recent.values())
            if here - each.last.token.sentence <= (0 if each.unresolved else _MAX_DISTANCE)
        ]

    def find_by_name(self, detected: DetectedMention) -> Cluster | None:
        """The cluster with a name that matches: "Obama" after "Barack Obama".

        Of several, the one with exactly that name, then the one mentioned most.
        """
        known = {
            id(owner): (words == detected.words, len(owner.mentions), owner)
            for words, owner in (
                *self._by_name[detected.words[0]],
                *self._by_name[detected.words[-1]],
            )
            if same_name(detected.words, words) and agrees(detected, owner)
        }
        return max(known.values(), key=lambda entry: entry[:2])[2] if known else None

    def find_by_noun(self, detected: DetectedMention) -> Cluster | None:
        """The cluster last mentioned by a noun, if the noun is definite: "the doctor"."""
        if detected.article not in {"definite", "possessive"}:
            return None
        for owner in reversed(self._by_noun[detected.words[0]]):
            if not owner.mentions:
                continue
            near = detected.token.sentence - owner.last.token.sentence <= _MAX_DISTANCE
            if near and agrees(detected, owner) and self._same_owner(detected, owner):
                return owner
        return None

    def _same_owner(self, detected: DetectedMention, person: Cluster) -> bool:
        """Whether "his wife" and an earlier "his wife" have the same possessor."""
        mine = self._possessors(detected.token)
        return any(
            self._possessors(other.token) == mine
            for other in person.mentions
            if other.words == detected.words
        )

    def _possessors(self, token: Token) -> set[object]:
        found: set[object] = set()
        for child in self.analysis.children(token, "nmod:poss"):
            owner = self.cluster_at(child)
            found.add(id(owner) if owner else child.text.lower())
        return found


def same_name(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two names can be one person's.

    >>> same_name(("obama",), ("barack", "obama")), same_name(("john", "doe"), ("jane", "doe"))
    (True, False)
    """
    if len(one) == 1 or len(other) == 1:
        short, long = sorted((one, other), key=len)
        return short[0] in {long[0], long[-1]}
    first, second = one[0].rstrip("."), other[0].rstrip(".")
    initial = len(first) == 1 or len(second) == 1
    same_first = first == second or (initial and first[0] == second[0])
    return same_first and one[-1] == other[-1]
