"""Towards contradiction: exclude what the premise states, or negate; and remove a negation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from augkit.core.analysis import Analysis, Token
from augkit.core.edits import Edit, Replacement
from augkit.english.clauses import main_clause, nli_words
from augkit.english.inference.edits import RelationEdit, may_be_meant, replace_token
from augkit.english.inference.parsed_pair import (
    NEGATIONS,
    ParsedPair,
    WordLink,
    is_named,
    number_of,
    part_of,
    word_of,
)
from augkit.english.negation import DO_TAGS, negation_words, remove_not
from augkit.lexicons.taxonomy import taxonomy
from augkit.text.quantities import MOST, to_words

_MIN_NUMBER = 2
_FIRST_YEAR = 1000
_OUTSIDE = {"outside": "inside", "outdoors": "indoors", "outdoor": "indoor"}
_NOT = negation_words("particle", "contraction")
_DO = {tag: form for form, tag in DO_TAGS.items()}
_INSIDE = {there: here for here, there in _OUTSIDE.items()}


def contradict_hypothesis(pair: ParsedPair, rng: Random) -> list[RelationEdit]:
    """Edits of the hypothesis: replace a word that the premise states by one it excludes."""
    changes = []
    for link in pair.by_support("stated"):
        for word in _shuffled(excluding_words(pair.hypothesis, link.word), rng):
            if not is_stated(pair, word, link.word):
                edits = replace_token(pair.second, pair.hypothesis, link.word, word)
                if edits:
                    changes.append(RelationEdit(edits, f"exclude {_kind(link.word)}"))
                    break
    return [*changes, *_reverse_preposition(pair)]


def contradict_premise(pair: ParsedPair, rng: Random) -> list[RelationEdit]:
    """Edits of the premise: replace the only word that states one of the hypothesis."""
    changes = []
    for link in pair.by_support("stated"):
        supporters = pair.supporters(link.word)
        if len(supporters) != 1:
            continue
        supporter = supporters[0]
        edits = _relocated(pair, link, supporter, rng) or _replaced(pair, link, supporter, rng)
        if edits:
            changes.append(RelationEdit(edits, f"exclude {_kind(link.word)}"))
    return changes


def _replaced(
    pair: ParsedPair, link: WordLink, supporter: Token, rng: Random
) -> tuple[Edit, ...] | None:
    part = part_of(link.word)
    here = word_of(link.word)
    words_of_pair = pair.premise_words | pair.hypothesis_words
    for word in _shuffled(excluding_words(pair.premise, supporter), rng):
        excludes = part is not None and taxonomy().excludes(here, word, part)
        if word not in words_of_pair and (excludes or supporter.upos == "NUM"):
            return replace_token(pair.first, pair.premise, supporter, word)
    return None


def _relocated(
    pair: ParsedPair, link: WordLink, supporter: Token, rng: Random
) -> tuple[Edit, ...] | None:
    """Another location, where the hypothesis says outside or inside."""
    here = word_of(link.word)
    lexicon = taxonomy()
    if here not in {*_OUTSIDE, *_INSIDE} or word_of(supporter) == here:
        return None
    cases = pair.premise.children(supporter, "case")
    modifiers = [
        t
        for t in pair.premise.children(supporter)
        if t.is_relation("det", "case", "amod", "compound")
    ]
    if len(cases) != 1 or len(pair.premise.children(supporter)) != len(modifiers):
        return None
    places = lexicon.indoors if here in _OUTSIDE else lexicon.outdoors
    usual = sorted(p for p in places if lexicon.broader["noun", p][0] not in places)
    place = rng.choice(usual)
    start = min(token.start for token in (*modifiers, supporter))
    on = here in _INSIDE and place in {"beach", "street", "mountain", "farm", "bridge"}
    text = pair.premise.text[start : supporter.end]
    new = f"{'on' if on else 'in'} {'an' if place[0] in 'aeiou' else 'a'} {place}"
    return (Edit(pair.first, start, supporter.end, text, new),)


def excluding_words(analysis: Analysis, token: Token) -> tuple[str, ...]:
    """Words that exclude a token where it stands."""
    if token.upos == "NUM":
        return _other_numbers(token)
    part = part_of(token)
    if part is None or is_named(analysis, token) or _is_bound(analysis, token):
        return ()
    frame = _frame(analysis, token) if part == "verb" else ""
    return taxonomy().instead_of(word_of(token), part, frame)


def _is_bound(analysis: Analysis, token: Token) -> bool:
    """Whether other words of the text would no longer fit, were it replaced."""
    if token.upos == "NOUN":
        cases = {case.text.lower() for case in analysis.children(token, "case")}
        if analysis.children(token, "compound") or cases & nli_words("path_prepositions"):
            return True  # "a talent show", "down a street"
        modifiers = [word_of(modifier) for modifier in analysis.children(token, "amod")]
        if not all(taxonomy().instead_of(word, "modifier") for word in modifiers):
            return True  # "a bearded man": only colours, sizes and the like fit other nouns
        return may_be_meant(analysis, token)
    if token.upos == "VERB":
        # "Talk as they pass", "talk to people".
        is_governing = analysis.word_at(token.index + 1) in nli_words("governed_prepositions")
        return is_governing or bool(analysis.children(token, "advcl"))
    is_place = token.text.lower() in nli_words("outside") | nli_words("inside")
    return is_place and bool(analysis.children(analysis.head(token), "obl"))  # "under a tree"


def _other_numbers(token: Token) -> tuple[str, ...]:
    """Numbers near one, in words or digits as it is; years a few years off."""
    number = number_of(token)
    if number is None or number < _MIN_NUMBER:
        return ()
    if number >= _FIRST_YEAR:
        return tuple(str(number + off) for off in (-12, -7, -3, 4, 8, 11))
    near = [n for n in range(_MIN_NUMBER, max(8, number + 4)) if n != number]
    digits = token.text.isdigit()
    return tuple(str(n) if digits else to_words(n) for n in near if n <= MOST)


def _frame(analysis: Analysis, verb: Token) -> str:
    if analysis.children(verb, "obj", "ccomp", "xcomp"):
        return "object"
    prepositions = {
        case.text.lower()
        for child in analysis.children(verb, "obl")
        for case in analysis.children(child, "case")
    }
    if verb.index + 1 < len(analysis.tokens):
        prepositions.add(analysis.tokens[verb.index + 1].text.lower())
    return "path" if prepositions & nli_words("path_prepositions") else "place"


def is_stated(pair: ParsedPair, word: str, instead: Token) -> bool:
    """Whether the premise states the new word of anything."""
    part = part_of(instead)
    holds_of = taxonomy().holds_of
    if word in pair.premise_words or word in pair.hypothesis_words:
        return True
    premise_words = [
        word_of(t) for t in pair.premise.tokens if part is not None and part_of(t) == part
    ]
    return part is not None and any(
        holds_of(word, premise_word, part) or holds_of(premise_word, word, part)
        for premise_word in premise_words
    )


def _reverse_preposition(pair: ParsedPair) -> Iterator[RelationEdit]:
    """The opposite preposition, where the premise has it with the same noun: "behind a house"."""
    opposite = taxonomy().prepositions
    for link in pair.by_support("stated"):
        if link.premise_word is None:
            continue
        there = {case.text.lower() for case in pair.premise.children(link.premise_word, "case")}
        for case in pair.hypothesis.children(link.word, "case"):
            word = case.text.lower()
            if word in there and word in opposite:
                edit = Edit(pair.second, case.start, case.end, case.text, opposite[word])
                yield RelationEdit((edit,), "reverse preposition")


def _kind(token: Token) -> str:
    return {"NUM": "number", "NOUN": "noun", "PROPN": "noun", "VERB": "verb"}.get(
        token.upos, "modifier"
    )


def _shuffled(words: Sequence[str], rng: Random) -> list[str]:
    return rng.sample(words, len(words))


def negate_hypothesis(pair: ParsedPair) -> list[RelationEdit]:
    """Insert a negation: "is" → "is not", "rides" → "does not ride"."""
    clause = main_clause(pair.hypothesis)
    if clause is None or clause.form != "finite":
        return []
    if pair.hypothesis.children(clause.verb, "advcl"):
        return []  # what is denied, the deed or its circumstance?
    helpers = pair.hypothesis.children(clause.verb, "aux", "cop")
    if helpers:
        first = helpers[0]
        edit = Edit(pair.second, first.end, first.end, "", " not")
    elif clause.verb.xpos in _DO:
        verb = clause.verb
        after = f"{_DO[verb.xpos]} not {verb.lemma}"
        edit = Edit(pair.second, verb.start, verb.end, verb.text, after)
    else:
        return []
    return [RelationEdit((edit,), "negate")]


def affirm_hypothesis(pair: ParsedPair) -> list[RelationEdit]:
    """Remove the negation: "does not ride" → "rides", where only the hypothesis has one."""
    if any(token.text.lower() in NEGATIONS for token in pair.premise.tokens):
        return []
    hypothesis = pair.hypothesis
    negations = [token for token in hypothesis.tokens if token.text.lower() in NEGATIONS]
    if len(negations) != 1 or negations[0].text.lower() not in _NOT:
        return []
    before = hypothesis.tokens[max(0, negations[0].index - 1)]
    changes = remove_not(hypothesis, negations[0]) if before.upos == "AUX" else None
    if not changes:
        return []
    start = changes[0].start
    end = changes[-1].end
    change = Replacement(start, end, "".join(change.after for change in changes))
    return [RelationEdit((change.in_field(pair.second, hypothesis.text),), "affirm")]
