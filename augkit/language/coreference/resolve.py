"""Coreference resolution: which pronouns, names and nouns of a text refer to the same person.

    >>> from augkit.language.parser import SpacyParser
    >>> text = "Anna lost her keys, and a man found them. He kept them."
    >>> [analysis] = SpacyParser().parse([text])
    >>> for person in resolve_people(analysis).persons:
    ...     print([analysis.text[m.start : m.end] for m in person.mentions])
    ['Anna', 'her']
    ['man', 'He']

Rules over the parse: a mention joins a person by name, apposition, copula, relative clause or a
repeated noun; a pronoun joins the likeliest of those that agreement and binding allow, and stays
*unresolved* where no one is likely enough. Time grows with the length of the text: only the latest
persons are candidates.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from augkit.core.analysis import Analysis, Token
from augkit.language.clauses import is_fronted, predicate, subject
from augkit.language.coreference.antecedents import (
    AntecedentChooser,
    Cluster,
    agrees,
    choose_antecedent,
    clues,
    is_subject_of_oblique,
    violates_binding,
)
from augkit.language.coreference.cluster_state import ClusterState, same_name
from augkit.language.coreference.identities import same_by_grammar
from augkit.language.coreference.mention_detection import detect_mentions, relative_antecedent
from augkit.language.coreference.mentions import DetectedMention, Mention, is_reflexive
from augkit.language.coreference.pronoun_context import PronounContext, pronoun_context
from augkit.lexicons.demographics.person_words import name_genders

_CATAPHORA_WINDOW = 4
"""How many clusters may be pronouns that precede their noun."""


@dataclass(frozen=True, slots=True)
class Person:
    """The mentions of one person, or of one group of people, in order of the text."""

    mentions: tuple[Mention, ...]


@dataclass(frozen=True)
class People:
    """The persons of a text, in order of their first mention.

    ``unresolved`` are the pronouns whose antecedent is uncertain; ``candidates`` gives for each of
    them the persons it may refer to, the likeliest first.
    """

    persons: tuple[Person, ...]
    unresolved: tuple[Mention, ...]
    candidates: Mapping[Mention, tuple[Person, ...]]

    @cached_property
    def _spans(self) -> list[tuple[int, int, int, Person]]:
        return sorted(
            (m.start, m.end, number, person)
            for number, person in enumerate(self.persons)
            for m in person.mentions
            if m.kind != "group"
        )

    def at(self, offset: int) -> Person | None:
        """The person mentioned at a character of the text, if one surely is."""
        index = bisect_right(self._spans, offset, key=lambda span: span[0]) - 1
        if index >= 0 and offset < self._spans[index][1]:
            return self._spans[index][3]
        return None


def resolve_people(analysis: Analysis) -> People:
    """The persons of an analysed text."""
    return _people(resolve_clusters(analysis))


def _people(clusters: Iterable[Cluster]) -> People:
    kept = [each for each in clusters if each.sure or each.unresolved or _has_acting_pronoun(each)]
    persons = {id(each): Person(_mentions(each)) for each in kept if not each.unresolved}
    candidates = {
        detected.mention: tuple(persons[id(r)] for r in each.alternatives if id(r) in persons)
        for each in kept
        if each.unresolved
        for detected in each.mentions
    }
    unresolved = tuple(sorted(candidates, key=lambda mention: mention.start))
    return People(tuple(persons.values()), unresolved, candidates)


def _has_acting_pronoun(cluster: Cluster) -> bool:
    """Whether a "they" without an antecedent is the subject of something."""
    return any(
        d.mention.kind == "pronoun" and d.token.is_relation("nsubj") for d in cluster.mentions
    )


def _mentions(cluster: Cluster) -> tuple[Mention, ...]:
    return tuple(sorted((d.mention for d in cluster.mentions), key=lambda m: (m.start, m.end)))


def resolve_clusters(
    analysis: Analysis, choose: AntecedentChooser = choose_antecedent
) -> list[Cluster]:
    """The clusters of mentions of a text.

    ``choose`` decides for a pronoun among the candidates that grammar allows.
    """
    state = ClusterState(analysis)
    for detected in detect_mentions(analysis):
        owner = _cluster_of(state, detected, choose) or state.new_cluster()
        if detected.mention.kind in {"name", "noun"}:
            _merge_cataphora(state, detected, owner)
        state.add(detected, owner)
    return [each for each in state.clusters if each.mentions]


def _cluster_of(
    state: ClusterState, detected: DetectedMention, choose: AntecedentChooser
) -> Cluster | None:
    kind = detected.mention.kind
    if kind == "pronoun":
        return _cluster_of_pronoun(state, detected, choose)
    if kind == "relative":
        antecedent = relative_antecedent(state.analysis, detected.token)
        return state.cluster_at(antecedent) if antecedent is not None else None
    linked = _linked_by_grammar(state, detected)
    if kind == "name":
        return _cluster_of_name(state, state.find_by_name(detected), linked)
    return state.find_by_noun(detected) if kind == "noun" and linked is None else linked


def _cluster_of_name(
    state: ClusterState, namesake: Cluster | None, linked: Cluster | None
) -> Cluster | None:
    """The cluster of a name; "the actor" in "the actor Jones" joins an earlier Jones."""
    if namesake is None or linked is None or namesake is linked:
        return namesake or linked
    described = all(d.mention.kind == "noun" for d in linked.mentions)
    if described and agrees(linked.last, namesake):
        state.merge(linked, namesake)
        return namesake
    return linked


def _merge_cataphora(state: ClusterState, detected: DetectedMention, owner: Cluster) -> None:
    """Give a subject the pronouns that precede it: "When she arrived, Anna sat down"."""
    analysis, token = state.analysis, detected.token
    if not token.is_relation("nsubj"):
        return
    for other in state.recent(detected)[:_CATAPHORA_WINDOW]:
        first = other.mentions[0]
        same_sentence = first.token.sentence == token.sentence
        fits = _is_cataphoric(analysis, other) and same_sentence and other is not owner
        fits = fits and _agrees_with_owner(first, detected, owner)
        if fits and is_fronted(analysis, first.token, analysis.head(token)):
            state.merge(other, owner)


def _is_cataphoric(analysis: Analysis, other: Cluster) -> bool:
    """Whether a cluster holds pronouns and their predicates only: "he was a child"."""
    return other.mentions[0].mention.kind == "pronoun" and all(
        each.mention.kind == "pronoun" or _is_predicative(analysis, each) for each in other.mentions
    )


def _is_predicative(analysis: Analysis, detected: DetectedMention) -> bool:
    token = detected.token
    predicative = analysis.children(token, "cop") or token.is_relation("xcomp")
    return detected.mention.kind == "noun" and bool(predicative)


def _agrees_with_owner(pronoun: DetectedMention, detected: DetectedMention, owner: Cluster) -> bool:
    if owner.mentions:
        return agrees(pronoun, owner)
    fresh = Cluster()
    fresh.add(detected)
    return agrees(pronoun, fresh)


def _linked_by_grammar(state: ClusterState, detected: DetectedMention) -> Cluster | None:
    """The cluster that apposition, copula, title or "as a nurse" links a mention to."""
    for token in same_by_grammar(state.analysis, detected):
        owner = state.cluster_at(token)
        if owner is None or not agrees(detected, owner):
            continue
        if not _has_another_name(detected, owner):
            return owner
    return None


def _has_another_name(detected: DetectedMention, owner: Cluster) -> bool:
    """Whether both have full names that differ: "James Caan, Robert Duvall" is a list."""
    if detected.mention.kind != "name" or not _is_full_name(detected):
        return False
    names = [d.words for d in owner.mentions if d.mention.kind == "name" and _is_full_name(d)]
    return bool(names) and not any(same_name(detected.words, words) for words in names)


def _is_full_name(detected: DetectedMention) -> bool:
    return any(word in name_genders() for word in detected.words[:-1])


def _cluster_of_pronoun(
    state: ClusterState, detected: DetectedMention, choose: AntecedentChooser
) -> Cluster | None:
    analysis, token = state.analysis, detected.token
    of_clause = subject(analysis, predicate(analysis, token))
    bound: list[Token | None] = []
    if is_reflexive(token):  # Anna in "Anna herself", otherwise the subject of the clause
        bound += [analysis.head(token), of_clause]
    after = analysis.tokens[token.index + 1 : token.index + 2]
    own = bool(after) and after[0].text.lower() == "own"
    if own and of_clause is not None and of_clause.index <= token.index:
        bound.append(of_clause)  # "John's father treats Tom as *his own* son"
    for each in bound:
        owner = state.cluster_at(each) if each is not None else None
        if owner is not None and agrees(detected, owner):
            return owner
    return _chosen(state, detected, choose)


def _chosen(
    state: ClusterState, detected: DetectedMention, choose: AntecedentChooser
) -> Cluster | None:
    context = pronoun_context(state.analysis, detected)
    possible = allowed_antecedents(state, context)
    if not possible:
        return None
    choice = choose(detected, possible, clues(state.analysis, context, possible))
    if choice.sure:
        return choice.best or _only_candidate(detected, possible)
    fresh = state.new_cluster()
    fresh.unresolved = True
    fresh.alternatives = choice.order
    return fresh


def _only_candidate(detected: DetectedMention, possible: Sequence[Cluster]) -> Cluster | None:
    """The one candidate of "he" or "she", mentioned at most a sentence before: "my boss. He"."""
    if len(possible) != 1 or detected.mention.gender == "unknown":
        return None
    last = possible[0].last
    near = detected.token.sentence - last.token.sentence <= 1
    person = possible[0].sure and not possible[0].plural and last.article != "bare"
    return possible[0] if near and person and last.mention.kind == "noun" else None


def allowed_antecedents(state: ClusterState, context: PronounContext) -> list[Cluster]:
    """The latest clusters to which a pronoun may refer, the latest first.

    "John saw a snake near him" may be John; where another person of the sentence agrees too, a
    pronoun after a preposition is not the subject of its own clause.
    """
    pronoun, analysis = context.pronoun, state.analysis
    possible = [
        each
        for each in state.recent(pronoun)
        if agrees(pronoun, each) and not violates_binding(analysis, context, each)
    ]
    others = [each for each in possible if not is_subject_of_oblique(context, each)]
    here = pronoun.token.sentence
    has_other = any(each.sure and each.last.token.sentence == here for each in others)
    return others if has_other else possible
