"""Towards neutral: the hypothesis states more than the premise, or the premise states less."""

from __future__ import annotations

from random import Random

from augkit.core.analysis import Token
from augkit.core.edits import Edit
from augkit.english.clauses import MainClause, is_plural, main_clause, nli_words, of_phrase
from augkit.english.inference.edits import (
    RelationEdit,
    append_phrase,
    insert_before,
    remove_tokens,
    replace_token,
)
from augkit.english.inference.parsed_pair import (
    ParsedPair,
    Support,
    WordLink,
    is_content,
    is_named,
    part_of,
    word_of,
)
from augkit.lexicons.taxonomy import taxonomy

_GENDERED = nli_words("gendered_pronouns")
"""Words that reveal what a more general word for a person would hide."""


def neutralise_hypothesis(pair: ParsedPair, rng: Random) -> list[RelationEdit]:
    """Edits of an entailed hypothesis: it adds what the premise does not state."""
    changes = []
    for token in pair.hypothesis.tokens:
        if token.upos == "NOUN" and is_content(token):
            changes += _narrow(pair, token, rng) + _modify(pair, token, rng)
    clause = main_clause(pair.hypothesis)
    if clause is not None and clause.verb.upos == "VERB":
        kind = rng.choice(_circumstances(pair, clause))
        phrases = [
            phrase
            for phrase in taxonomy().unsaid[kind]
            if pair.premise_words.isdisjoint(phrase.split()[1:])
        ]
        if phrases:
            edits = append_phrase(pair.second, pair.hypothesis, rng.choice(phrases))
            changes.append(RelationEdit(edits, f"add {kind}"))
    return changes


def _circumstances(pair: ParsedPair, clause: MainClause) -> tuple[str, ...]:
    """What may be added to a clause: a person has reasons and company, anything has a time."""
    if clause.subject.upos != "PRON" and _noun_class(clause.subject) != "person":
        return ("time",)
    alone = is_content(clause.verb) and "with" not in pair.hypothesis_words
    return ("purpose", "moment", "time", "company" if alone else "moment")


def neutralise_premise(pair: ParsedPair, support: Support) -> list[RelationEdit]:
    """Edits of the premise: it no longer states what supports or excludes the hypothesis."""
    changes: list[RelationEdit] = []
    against = pair.by_support("excluded")
    unstated = pair.by_support("unstated")
    more = len(unstated) > 1 or any(link.word.upos == "VERB" for link in unstated)
    if support == "excluded" and (len(against) != 1 or more):
        return _drop_predicate(pair)
    for link in pair.links:
        if link.support != support or link.premise_word is None:
            continue
        premise_words = pair.supporters(link.word) if support == "stated" else [link.premise_word]
        if len(premise_words) == 1:
            changes += _generalise(pair, link, premise_words[0]) + _drop(pair, premise_words[0])
    return changes + _drop_predicate(pair)


def _narrow(pair: ParsedPair, token: Token, rng: Random) -> list[RelationEdit]:
    listed = taxonomy().narrower
    key = token.text.lower() if is_plural(token) else word_of(token)
    words = [w for w in listed.get(key, ()) if w not in pair.premise_words]
    if not words or pair.hypothesis.children(token, "amod", "compound", "nmod"):
        return []
    new = rng.choice(words)
    if is_plural(token):
        new = new[:1].upper() + new[1:] if token.text[:1].isupper() else new
        edit = Edit(pair.second, token.start, token.end, token.text, new)
        edits: tuple[Edit, ...] | None = (edit,)
    else:
        edits = replace_token(pair.second, pair.hypothesis, token, new)
    return [RelationEdit(edits, "narrow noun")] if edits else []


def _modify(pair: ParsedPair, token: Token, rng: Random) -> list[RelationEdit]:
    kind = _noun_class(token)
    if kind == "thing" and ("noun", word_of(token)) not in taxonomy().broader:
        return []  # perhaps nothing that is seen: "a conversation"
    words = [w for w in taxonomy().unsaid[kind] if w not in pair.premise_words]
    if word_of(token) in nli_words("group_nouns"):
        return []
    if not words or pair.hypothesis.children(token, "amod", "compound"):
        return []
    if token.is_relation("compound", "nmod:poss") or of_phrase(pair.hypothesis, token):
        return []  # it would be said of another noun: "a soccer player", "a line of logs"
    if token.index and pair.hypothesis.tokens[token.index - 1].upos not in {"DET", "NUM"}:
        return []
    edits = insert_before(pair.second, pair.hypothesis, token, rng.choice(words))
    return [RelationEdit(edits, "add modifier")]


def _noun_class(token: Token) -> str:
    word = word_of(token)
    lexicon = taxonomy()
    if word == "person" or lexicon.holds_of("person", word, "noun"):
        return "person"
    if lexicon.holds_of("animal", word, "noun"):
        return "animal"
    return "place" if word in lexicon.outdoors | lexicon.indoors else "thing"


def _generalise(pair: ParsedPair, link: WordLink, premise_word: Token) -> list[RelationEdit]:
    part = part_of(premise_word)
    counted = is_plural(premise_word) or pair.premise.children(
        premise_word, "det", "nummod", "nmod:poss"
    )
    if part != "noun" or not counted or is_named(pair.premise, premise_word):
        return []
    if pair.premise.children(premise_word, "compound"):
        return []  # "a barber shop" is no barber store
    here = word_of(link.word)
    broader = taxonomy().broader.get(("noun", word_of(premise_word)), ())
    if "person" in broader and not pair.premise_words.isdisjoint(_GENDERED):
        return []
    for broad in sorted(broader, key=lambda word: word != "person"):
        lexicon = taxonomy()
        related = lexicon.holds_of(here, broad, "noun") or lexicon.excludes(here, broad, "noun")
        if related or " " in broad:
            continue
        edits = replace_token(pair.first, pair.premise, premise_word, broad)
        if edits:
            return [RelationEdit(edits, "generalise noun")]
    return []


def _drop(pair: ParsedPair, premise_word: Token) -> list[RelationEdit]:
    premise = pair.premise
    if premise_word.is_relation("amod", "advmod") and not premise.children(premise_word):
        edits = remove_tokens(pair.first, premise, [premise_word])
        return [RelationEdit(edits, "drop modifier")] if edits else []
    is_phrase = premise_word.is_relation("obl", "nmod") and bool(
        premise.children(premise_word, "case")
    )
    above = premise.head(premise_word)
    if above.upos != "VERB" or (above.xpos == "VBN" and above.is_relation("acl")):
        is_phrase = False  # "knee-deep in water", "a room filled with umbrellas"
    if is_phrase or premise_word.is_relation("conj"):
        edits = remove_tokens(pair.first, premise, premise.subtree(premise_word))
        return [RelationEdit(edits, "drop phrase")] if edits else []
    return []


def _drop_predicate(pair: ParsedPair) -> list[RelationEdit]:
    """Drop the predicate of the premise, where the hypothesis is about it."""
    clause = main_clause(pair.premise)
    hypothesis_clause = main_clause(pair.hypothesis)
    if (
        clause is None
        or hypothesis_clause is None
        or clause.verb.upos != "VERB"
        or hypothesis_clause.verb.upos != "VERB"
    ):
        return []
    outside = [
        link for link in pair.by_support("excluded") if link.premise_word not in clause.predicate
    ]
    inside = [link for link in pair.links if link.premise_word in clause.predicate]
    if outside or not inside or clause.predicate[0].index < 2:
        return []
    edits = remove_tokens(pair.first, pair.premise, clause.predicate)
    return [RelationEdit(edits, "drop predicate")] if edits else []
