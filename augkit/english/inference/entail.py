"""Towards entailment: the hypothesis states only what the premise states, or that states more."""

from __future__ import annotations

from random import Random

from augkit.core.analysis import Analysis, Token
from augkit.core.edits import Edit, any_overlap
from augkit.english.clauses import (
    MainClause,
    are_several,
    bare_noun,
    has_conjunct,
    is_plural_subject,
    main_clause,
    nli_words,
    plain_noun,
    short_predicate,
    text_of,
)
from augkit.english.inference.edits import (
    RelationEdit,
    append_phrase,
    insert_before,
    may_be_meant,
    remove_tokens,
    replace_token,
)
from augkit.english.inference.parsed_pair import (
    ParsedPair,
    WordLink,
    is_content,
    part_of,
    word_of,
)
from augkit.english.morphology import inflect
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
        repair = _copied(pair, link)
        rule = "copy word"
        if repair is None:
            repair, run = _remove_phrase(pair, link.word)
            removed |= {token.index for token in run}
            rule = "remove phrase"
        if repair is None:
            return []
        edits += repair
        rules.add(rule)
    if not edits or any_overlap(edits):
        return []
    if len(pair.hypothesis.tokens) - len(removed) < _MIN_TOKENS:
        return []
    return [RelationEdit(tuple(edits), " and ".join(sorted(rules)))]


def _copied(pair: ParsedPair, link: WordLink) -> tuple[Edit, ...] | None:
    if link.premise_word is None or word_of(link.premise_word) in pair.hypothesis_words:
        return None
    if part_of(link.word) != part_of(link.premise_word) and link.word.upos != "NUM":
        return None
    if may_be_meant(pair.hypothesis, link.word):
        return None
    return replace_token(pair.second, pair.hypothesis, link.word, word_of(link.premise_word))


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
    there = main_clause(pair.premise)
    here = main_clause(pair.hypothesis)
    if there is None:
        return []
    run = short_predicate(pair.premise, there)
    is_particle = run[-1].is_relation("compound:prt")
    if not is_particle and run[-1].upos not in {"NOUN", "PROPN", "VERB", "ADJ", "ADV"}:
        return []
    predicate = text_of(pair.premise, run)
    plural = is_plural_subject(pair.premise, there.subject)
    if there.form != "finite":
        predicate = f"{'are' if plural else 'is'} {predicate}"
    subject = _subject(pair.premise, there.subject)
    hypothesis_subject = kept_subject(pair, here, there)
    if (
        here is not None
        and hypothesis_subject is not None
        and is_plural_subject(pair.hypothesis, hypothesis_subject) == plural
    ):
        text = pair.hypothesis.text[here.start : here.end]
        edit = Edit(pair.second, here.start, here.end, text, predicate)
        return [RelationEdit((edit,), "copy predicate")] if text != predicate else []
    if has_conjunct(pair.premise, there.subject):
        return []  # the subject is written without what it is joined with
    return [_whole(pair, f"{subject} {predicate}", "restate")]


def _subject(analysis: Analysis, noun: Token) -> str:
    """A noun as the subject of a sentence, with an article where it is one thing."""
    run = bare_noun(analysis, noun)
    text = text_of(analysis, run)
    is_bare = noun.upos == "NOUN" and run[0].upos in {"NOUN", "ADJ"}
    if is_bare and not is_plural_subject(analysis, noun):
        return f"{article(text)} {text[:1].lower()}{text[1:]}"
    return text


def _whole(pair: ParsedPair, sentence: str, rule: str) -> RelationEdit:
    text = pair.hypothesis.text
    end = len(text.rstrip(" .!?"))
    start = len(text) - len(text.lstrip())
    after = f"{sentence[:1].upper()}{sentence[1:]}"
    return RelationEdit((Edit(pair.second, start, end, text[start:end], after),), rule)


def kept_subject(pair: ParsedPair, here: MainClause | None, there: MainClause) -> Token | None:
    """The subject of the hypothesis, where the premise has it too and states all of it."""
    if here is None or here.form != "finite":
        return None
    noun = here.subject
    premise_noun = there.subject
    if noun.upos == "PRON":
        return None
    same = word_of(noun) == word_of(premise_noun) or taxonomy().holds_of(
        word_of(noun), word_of(premise_noun), "noun"
    )
    described = [t for t in pair.hypothesis.subtree(noun) if is_content(t) and t != noun]
    stated = {link.word.index for link in pair.by_support("stated")}
    return noun if same and all(token.index in stated for token in described) else None


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
        first = run[0].text.lower()
        is_misread = are_several(noun) and first in {"a", "an"}  # "a player swings"
        if first in nli_words("existential_openers") and not is_misread:
            verb = "are" if are_several(noun) else "is"
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
    if len(outside) == 1 and clause is not None and not has_conjunct(pair.premise, clause.subject):
        subject = _subject(pair.premise, clause.subject)
        verb = "are" if is_plural_subject(pair.premise, clause.subject) else "is"
        where = rng.choice(("outside", "outdoors") if outside == {True} else ("inside", "indoors"))
        changes.append(_whole(pair, f"{subject} {verb} {where}", "location"))
    return changes


def entail_premise(pair: ParsedPair) -> list[RelationEdit]:
    """Edits of the premise: it states what the hypothesis states."""
    return _state_words(pair) + _state_predicate(pair)


def _state_words(pair: ParsedPair) -> list[RelationEdit]:
    """Insert each word that the premise does not state, where it fits."""
    edits: list[Edit] = []
    for link in pair.links:
        if link.support == "stated":
            continue
        statement = _state_word(pair, link)
        if statement is None:
            return _appended(pair)
        edits += statement
    if not edits or any_overlap(edits):
        return []
    return [RelationEdit(tuple(edits), "state word")]


def _state_word(pair: ParsedPair, link: WordLink) -> tuple[Edit, ...] | None:
    word = link.word
    if link.premise_word is not None:
        if link.premise_word.upos != word.upos:
            return None
        return replace_token(pair.first, pair.premise, link.premise_word, word_of(word))
    if word.is_relation("amod"):
        noun = pair.hypothesis.head(word)
        named = [t for t in pair.supporters(noun) if t.upos == "NOUN"]
        if len(named) == 1:
            return insert_before(pair.first, pair.premise, named[0], word.text.lower())
    return None


def _appended(pair: ParsedPair) -> list[RelationEdit]:
    """Append a final phrase of the hypothesis that the premise does not state."""
    clause = main_clause(pair.hypothesis)
    open_words = {link.word.index for link in pair.links if link.support != "stated"}
    if clause is None or not open_words or pair.by_support("excluded"):
        return []
    for child in pair.hypothesis.children(clause.verb, "obl", "advcl", "xcomp"):
        run = pair.hypothesis.subtree(child)
        new_words = {token.index for token in run if is_content(token)}
        if open_words == new_words and run[0].index > clause.verb.index:
            phrase = text_of(pair.hypothesis, run)
            return [RelationEdit(append_phrase(pair.first, pair.premise, phrase), "state phrase")]
    return []


def _state_predicate(pair: ParsedPair) -> list[RelationEdit]:
    """The hypothesis' predicate in the premise, where both have the same subject."""
    there = main_clause(pair.premise)
    here = main_clause(pair.hypothesis)
    if there is None or here is None:
        return []
    if kept_subject(pair, here, there) is None and here.form == "finite":
        return []
    if is_plural_subject(pair.premise, there.subject) != is_plural_subject(
        pair.hypothesis, here.subject
    ):
        return []
    text = _as_form(pair.hypothesis, here, there.form)
    if text is None:
        return []
    old = pair.premise.text[there.start : there.end]
    edit = Edit(pair.first, there.start, there.end, old, text)
    return [RelationEdit((edit,), "state predicate")]


def _as_form(analysis: Analysis, clause: MainClause, form: str) -> str | None:
    """A predicate as a participle or finite."""
    text = text_of(analysis, clause.predicate)
    if form == clause.form:
        return text
    if form == "finite":
        return f"{'are' if is_plural_subject(analysis, clause.subject) else 'is'} {text}"
    if clause.verb.upos != "VERB":
        return None
    after_verb = tuple(t for t in clause.predicate if t.index > clause.verb.index)
    gerund = inflect(clause.verb.lemma, "VBG")
    if gerund is None or any(t.upos == "PART" for t in clause.predicate):
        return None
    tail = analysis.text[clause.verb.end : after_verb[-1].end] if after_verb else ""
    return f"{gerund}{tail}"
