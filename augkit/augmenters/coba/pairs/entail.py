"""Towards entailment: the hypothesis says what the premise says, or the premise says more."""

from __future__ import annotations

from random import Random

from augkit.augmenters.coba.pairs.clauses import (
    Clause,
    bare_noun,
    main_clause,
    plain_noun,
    several,
    short_predicate,
    text_of,
)
from augkit.augmenters.coba.pairs.scene import Link, Scene, is_content, part_of, word_of
from augkit.augmenters.coba.pairs.writing import Change, overlap, removed, swapped
from augkit.core.analysis import Analysis, Token
from augkit.core.types import Edit
from augkit.lexicons.taxonomy import scenes
from augkit.text.articles import article

_FREE = ("amod", "advmod", "obl", "nmod", "advcl", "acl", "conj")
"""Relations of what can be left out of a statement."""
_FEWEST = 4
"""Words and signs, at least, of a statement that is left."""


def hypothesis_entailed(scene: Scene, draw: Random) -> list[Change]:
    """Changes of the hypothesis: mended word by word, or made anew of what the premise says."""
    return _mended(scene) + _retold(scene) + _there_is(scene, draw)


def _mended(scene: Scene) -> list[Change]:
    """What the premise excludes is replaced by its word, what it does not say is left out."""
    edits: list[Edit] = []
    left_out: set[int] = set()
    hows = set()
    for link in scene.links:
        if link.support == "said" or link.word.index in left_out:
            continue
        found = _copied(scene, link) if link.other is not None else None
        how = "copied word"
        if found is None:
            found, run = _left_out(scene, link.word)
            left_out |= {token.index for token in run}
            how = "left out"
        if found is None:
            return []
        edits += found
        hows.add(how)
    if not edits or overlap(edits):
        return []
    if len(scene.hypothesis.tokens) - len(left_out) < _FEWEST:
        return []
    return [Change(tuple(edits), " and ".join(sorted(hows)))]


def _copied(scene: Scene, link: Link) -> tuple[Edit, ...] | None:
    if link.other is None or word_of(link.other) in scene.hypothesis_words:
        return None
    if part_of(link.word) != part_of(link.other) and link.word.upos != "NUM":
        return None
    return swapped(scene.second, scene.hypothesis, link.word, word_of(link.other))


def _left_out(scene: Scene, word: Token) -> tuple[tuple[Edit, ...] | None, tuple[Token, ...]]:
    """The smallest removable phrase around a word, if none of its words is said."""
    token = word
    while not token.is_relation(*_FREE):
        if token.is_root or not token.is_relation("compound", "nmod:poss", "obj", "case"):
            return None, ()
        token = scene.hypothesis.head(token)
    run = scene.hypothesis.subtree(token)
    return removed(scene.second, scene.hypothesis, run), run


def _retold(scene: Scene) -> list[Change]:
    """The hypothesis' predicate replaced by the premise's, cut short; the subject stays if said."""
    there, here = main_clause(scene.premise), main_clause(scene.hypothesis)
    if there is None:
        return []
    number = several(scene.premise, there.subject)
    predicate = _as_finite(scene.premise, there, number)
    if predicate is None:
        return []
    subject = _subject(scene.premise, there.subject)
    kept = kept_subject(scene, here, there)
    if here is not None and kept is not None and several(scene.hypothesis, kept) == number:
        text = scene.hypothesis.text[here.start : here.end]
        edit = Edit(scene.second, here.start, here.end, text, predicate)
        return [Change((edit,), "retold predicate")] if text != predicate else []
    sentence = f"{subject[:1].upper()}{subject[1:]} {predicate}"
    return [_whole(scene, sentence, "retold")]


def _subject(analysis: Analysis, noun: Token) -> str:
    """A noun as the subject of a sentence, with an article where it is one thing."""
    run = bare_noun(analysis, noun)
    text = text_of(analysis, run)
    if run[0].upos in {"NOUN", "ADJ"} and not several(analysis, noun) and noun.upos == "NOUN":
        return f"{article(text)} {text[:1].lower()}{text[1:]}"
    return text


def _whole(scene: Scene, sentence: str, how: str) -> Change:
    text = scene.hypothesis.text
    end = len(text.rstrip(" .!?"))
    start = len(text) - len(text.lstrip())
    return Change((Edit(scene.second, start, end, text[start:end], sentence),), how)


def kept_subject(scene: Scene, here: Clause | None, there: Clause) -> Token | None:
    """The subject of the hypothesis, where the premise is about the same and says all of it."""
    if here is None or here.form != "finite":
        return None
    noun, other = here.subject, there.subject
    if noun.upos == "PRON":
        return None
    same = word_of(noun) == word_of(other) or scenes().holds_of(
        word_of(noun), word_of(other), "noun"
    )
    described = [t for t in scene.hypothesis.subtree(noun) if is_content(t) and t != noun]
    said = {link.word.index for link in scene.by_support("said")}
    return noun if same and all(token.index in said for token in described) else None


def _as_finite(analysis: Analysis, clause: Clause, plural: bool) -> str | None:
    run = short_predicate(analysis, clause)
    if run[-1].upos not in {"NOUN", "PROPN", "VERB", "ADJ", "ADV", "ADP"}:
        return None
    text = text_of(analysis, run)
    if clause.form == "finite":
        return text
    return f"{'are' if plural else 'is'} {text}"


def _there_is(scene: Scene, draw: Random) -> list[Change]:
    """A thing that the premise names, or where its scene is: "There is a dog"."""
    nouns = [
        token
        for token in scene.premise.tokens
        if token.upos == "NOUN"
        and token.is_relation("nsubj", "obj", "root")
        and scene.premise.children(token, "det", "nummod")
    ]
    changes = []
    for noun in draw.sample(nouns, min(1, len(nouns))):
        run = plain_noun(scene.premise, noun)
        if run[0].text.lower() in {"a", "an", "two", "three", "several", "four", "many"}:
            verb = "are" if several(scene.premise, noun) else "is"
            phrase = text_of(scene.premise, run)
            sentence = f"There {verb} {phrase[:1].lower()}{phrase[1:]}"
            changes.append(_whole(scene, sentence, "retold existence"))
    places = [t for t in scene.premise.tokens if t.upos == "NOUN" and t.is_relation("obl", "nmod")]
    outside = {
        word_of(t) in scenes().outdoors
        for t in places
        if word_of(t) in scenes().outdoors | scenes().indoors
    }
    clause = main_clause(scene.premise)
    if len(outside) == 1 and clause is not None:
        subject = _subject(scene.premise, clause.subject)
        verb = "are" if several(scene.premise, clause.subject) else "is"
        where = draw.choice(("outside", "outdoors") if outside == {True} else ("inside", "indoors"))
        changes.append(
            _whole(scene, f"{subject[:1].upper()}{subject[1:]} {verb} {where}", "retold place")
        )
    return changes
