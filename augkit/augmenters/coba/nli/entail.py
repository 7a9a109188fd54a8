"""Towards entailment: the hypothesis states only what the premise states."""

from __future__ import annotations

from random import Random

from augkit.augmenters.coba.nli.clauses import (
    MainClause,
    bare_noun,
    is_plural_subject,
    main_clause,
    plain_noun,
    short_predicate,
    text_of,
)
from augkit.augmenters.coba.nli.edits import RelationEdit, overlaps, remove_tokens, replace_token
from augkit.augmenters.coba.nli.parsed_pair import (
    ParsedPair,
    WordLink,
    is_content,
    part_of,
    word_of,
)
from augkit.core.analysis import Analysis, Token
from augkit.core.types import Edit
from augkit.lexicons.load import word_group
from augkit.lexicons.taxonomy import taxonomy
from augkit.text.articles import article

_REMOVABLE = ("amod", "advmod", "obl", "nmod", "advcl", "acl", "conj")
"""Dependency relations of what can be removed from a sentence."""
_MIN_TOKENS = 4
"""Least length of a hypothesis after removing phrases."""


def entail_hypothesis(pair: ParsedPair, rng: Random) -> list[RelationEdit]:
    """Edits of the hypothesis: word by word, or restated from the premise."""
    return _repaired(pair) + _restated(pair) + _there_is(pair, rng)


def _repaired(pair: ParsedPair) -> list[RelationEdit]:
    """Replace what the premise excludes by its word, and remove what it does not state."""
    edits: list[Edit] = []
    removed: set[int] = set()
    rules = set()
    for link in pair.links:
        if link.support == "stated" or link.word.index in removed:
            continue
        found = _copied(pair, link) if link.other is not None else None
        rule = "copy word"
        if found is None:
            found, run = _remove_phrase(pair, link.word)
            removed |= {token.index for token in run}
            rule = "remove phrase"
        if found is None:
            return []
        edits += found
        rules.add(rule)
    if not edits or overlaps(edits):
        return []
    if len(pair.hypothesis.tokens) - len(removed) < _MIN_TOKENS:
        return []
    return [RelationEdit(tuple(edits), " and ".join(sorted(rules)))]


def _copied(pair: ParsedPair, link: WordLink) -> tuple[Edit, ...] | None:
    if link.other is None or word_of(link.other) in pair.hypothesis_words:
        return None
    if part_of(link.word) != part_of(link.other) and link.word.upos != "NUM":
        return None
    return replace_token(pair.second, pair.hypothesis, link.word, word_of(link.other))


def _remove_phrase(
    pair: ParsedPair, word: Token
) -> tuple[tuple[Edit, ...] | None, tuple[Token, ...]]:
    """The smallest removable phrase around a word."""
    token = word
    while not token.is_relation(*_REMOVABLE):
        if token.is_root or not token.is_relation("compound", "nmod:poss", "obj", "case"):
            return None, ()
        token = pair.hypothesis.head(token)
    run = pair.hypothesis.subtree(token)
    return remove_tokens(pair.second, pair.hypothesis, run), run


def _restated(pair: ParsedPair) -> list[RelationEdit]:
    """The premise's short predicate in the hypothesis; its subject stays if it is stated."""
    there, here = main_clause(pair.premise), main_clause(pair.hypothesis)
    if there is None:
        return []
    number = is_plural_subject(pair.premise, there.subject)
    predicate = _as_finite(pair.premise, there, number)
    if predicate is None:
        return []
    subject = _subject(pair.premise, there.subject)
    kept = kept_subject(pair, here, there)
    if here is not None and kept is not None and is_plural_subject(pair.hypothesis, kept) == number:
        text = pair.hypothesis.text[here.start : here.end]
        edit = Edit(pair.second, here.start, here.end, text, predicate)
        return [RelationEdit((edit,), "copy predicate")] if text != predicate else []
    sentence = f"{subject[:1].upper()}{subject[1:]} {predicate}"
    return [_whole(pair, sentence, "restate")]


def _subject(analysis: Analysis, noun: Token) -> str:
    """A noun as the subject of a sentence, with an article where it is one thing."""
    run = bare_noun(analysis, noun)
    text = text_of(analysis, run)
    if (
        run[0].upos in {"NOUN", "ADJ"}
        and not is_plural_subject(analysis, noun)
        and noun.upos == "NOUN"
    ):
        return f"{article(text)} {text[:1].lower()}{text[1:]}"
    return text


def _whole(pair: ParsedPair, sentence: str, rule: str) -> RelationEdit:
    text = pair.hypothesis.text
    end = len(text.rstrip(" .!?"))
    start = len(text) - len(text.lstrip())
    return RelationEdit((Edit(pair.second, start, end, text[start:end], sentence),), rule)


def kept_subject(pair: ParsedPair, here: MainClause | None, there: MainClause) -> Token | None:
    """The subject of the hypothesis, where the premise has it too and states all of it."""
    if here is None or here.form != "finite":
        return None
    noun, other = here.subject, there.subject
    if noun.upos == "PRON":
        return None
    same = word_of(noun) == word_of(other) or taxonomy().holds_of(
        word_of(noun), word_of(other), "noun"
    )
    described = [t for t in pair.hypothesis.subtree(noun) if is_content(t) and t != noun]
    stated = {link.word.index for link in pair.by_support("stated")}
    return noun if same and all(token.index in stated for token in described) else None


def _as_finite(analysis: Analysis, clause: MainClause, plural: bool) -> str | None:
    run = short_predicate(analysis, clause)
    if run[-1].upos not in {"NOUN", "PROPN", "VERB", "ADJ", "ADV", "ADP"}:
        return None
    text = text_of(analysis, run)
    if clause.form == "finite":
        return text
    return f"{'are' if plural else 'is'} {text}"


def _there_is(pair: ParsedPair, rng: Random) -> list[RelationEdit]:
    """Something that the premise names, or its location: "There is a dog"."""
    nouns = [
        token
        for token in pair.premise.tokens
        if token.upos == "NOUN"
        and token.is_relation("nsubj", "obj", "root")
        and pair.premise.children(token, "det", "nummod")
    ]
    changes = []
    for noun in rng.sample(nouns, min(1, len(nouns))):
        run = plain_noun(pair.premise, noun)
        if run[0].text.lower() in word_group("nli_words", "existential_openers"):
            verb = "are" if is_plural_subject(pair.premise, noun) else "is"
            phrase = text_of(pair.premise, run)
            sentence = f"There {verb} {phrase[:1].lower()}{phrase[1:]}"
            changes.append(_whole(pair, sentence, "existence"))
    places = [t for t in pair.premise.tokens if t.upos == "NOUN" and t.is_relation("obl", "nmod")]
    outside = {
        word_of(t) in taxonomy().outdoors
        for t in places
        if word_of(t) in taxonomy().outdoors | taxonomy().indoors
    }
    clause = main_clause(pair.premise)
    if len(outside) == 1 and clause is not None:
        subject = _subject(pair.premise, clause.subject)
        verb = "are" if is_plural_subject(pair.premise, clause.subject) else "is"
        where = rng.choice(("outside", "outdoors") if outside == {True} else ("inside", "indoors"))
        changes.append(
            _whole(pair, f"{subject[:1].upper()}{subject[1:]} {verb} {where}", "location")
        )
    return changes
