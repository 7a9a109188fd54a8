"""Repair of systematic parser errors that the neighbouring words reveal.

A small parser makes the same few mistakes again and again: in "waiting for his buddy to pick him
up" the buddy picks, in "A man photographs a lake" the man does, in "grab her topless child" the
child is hers. Heads and relations are changed, never words.

    >>> from augkit.language.parser import SpacyParser
    >>> [analysis] = SpacyParser().parse(["Man smoking a cigarette is upset with the car."])
    >>> repair_parse(analysis).tokens[0].deprel
    'nsubj'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from augkit.core.analysis import Analysis, Token
from augkit.language.morphology import can_be
from augkit.lexicons.demographics.cues import PEOPLE, VERBS
from augkit.lexicons.demographics.person_words import (
    gendered_nouns,
    name_genders,
    person_nouns,
)
from augkit.lexicons.load import word_group
from augkit.text.articles import ARTICLES

_NOMINAL = frozenset({"NOUN", "PROPN", "PRON"})
_CLAUSE_OPENERS = word_group("grammar", "clause_openers")
_THINGS = word_group("grammar", "indefinite_things")
_ADJECTIVAL_NOUNS = frozenset({"male", "female"})
_HELPERS = frozenset({"aux", "aux:pass", "cop"})

Parse = list[tuple[int, str]]
"""For each token its head and relation, during the repair."""


def repair_parse(analysis: Analysis) -> Analysis:
    """The analysis with such errors repaired; the same object if there are none."""
    parse: Parse = [(token.head, token.deprel) for token in analysis.tokens]
    changed = False
    for token in analysis.tokens:
        for repair in _REPAIRS.get(token.deprel, ()):
            changed = repair(analysis, token, parse) or changed
    if not changed:
        return analysis
    tokens = (
        token if parse[token.index] == (token.head, token.deprel) else _reattached(token, parse)
        for token in analysis.tokens
    )
    return Analysis(analysis.text, tuple(tokens))


def _reattached(token: Token, parse: Parse) -> Token:
    head, deprel = parse[token.index]
    tag = token.xpos
    if token.text.lower() == "her":
        tag = "PRP$" if deprel == "nmod:poss" else "PRP"
    return replace(token, head=head, deprel=deprel, xpos=tag)


def _neighbour(analysis: Analysis, token: Token, step: int = 1) -> Token | None:
    """The next token of the sentence, or the one before it for a step of -1."""
    index = token.index + step
    if not 0 <= index < len(analysis.tokens):
        return None
    other = analysis.tokens[index]
    return other if other.sentence == token.sentence else None


def _is_person_noun(token: Token) -> bool:
    """Whether a noun is for one person; the lexicon knows these better than the parser."""
    lemma = token.lemma.lower()
    known = lemma in gendered_nouns() or lemma in person_nouns()
    return known and token.upos == "NOUN" and lemma not in PEOPLE.groups


def _possessive_her(analysis: Analysis, token: Token, parse: Parse) -> bool:
    """As in "grab *her* topless child": a singular noun without an article, and no gift."""
    if token.text.lower() != "her" or not token.is_relation("iobj", "obj"):
        return False
    if analysis.head(token).lemma.lower() in VERBS.two_objects:
        return False
    noun = _neighbour(analysis, token)
    for _ in range(3):
        if noun is None or noun.upos != "ADJ":
            break
        noun = _neighbour(analysis, noun)
    if noun is None or noun.upos != "NOUN" or noun.head != token.head or noun.deprel != "obj":
        return False
    if noun.morph.get("Number") == "Plur" or analysis.children(noun, "det"):
        return False
    parse[token.index] = (noun.index, "nmod:poss")
    return True


def _noun_before_participle(analysis: Analysis, token: Token, parse: Parse) -> bool:
    """As in "*Man* smoking a cigarette is upset": the noun heads the participle."""
    verb = _neighbour(analysis, token)
    if token.deprel != "compound" or verb is None or not _is_person_noun(token):
        return False
    if token.text.lower() in _ADJECTIVAL_NOUNS:
        return False  # "male curling players"
    if token.head != verb.index or verb.upos != "VERB" or not verb.text.lower().endswith("ing"):
        return False
    if verb.is_root:
        parse[token.index] = (verb.index, "nsubj")
        return True
    parse[token.index] = (verb.head, "nsubj" if verb.is_relation("csubj") else verb.deprel)
    parse[verb.index] = (token.index, "acl")
    return True


def _noun_before_verb(analysis: Analysis, token: Token, parse: Parse) -> bool:
    """As in "a young *man* photographs a lake": after "a" the form in -s is the verb."""
    verb = _neighbour(analysis, token)
    sex = token.text.lower() in _ADJECTIVAL_NOUNS and token.deprel == "amod"
    if verb is None or not (sex or (token.deprel == "compound" and _is_person_noun(token))):
        return False
    if token.head != verb.index or verb.upos != "NOUN" or verb.morph.get("Number") != "Plur":
        return False
    articles = analysis.children(verb, "det") or analysis.children(token, "det")
    if not articles or articles[0].text.lower() not in ARTICLES:
        return False
    if not can_be(verb.text.lower(), "VERB"):
        return False
    parse[token.index] = (verb.index, "nsubj")
    for child in analysis.children(verb, "det", "amod"):
        if child.index < token.index:
            parse[child.index] = (token.index, child.deprel)
    return True


def _indirect_object_her(analysis: Analysis, token: Token, parse: Parse) -> bool:
    """As in "showing *her* something": an indefinite pronoun has no possessor."""
    thing = analysis.head(token)
    if token.text.lower() != "her" or token.deprel != "nmod:poss" or thing.is_root:
        return False
    if thing.text.lower() not in _THINGS:
        return False
    parse[token.index] = (thing.head, "iobj")
    return True


def _subject_of_adverbial_clause(analysis: Analysis, token: Token, parse: Parse) -> bool:
    """As in "after the *player* tried to shoot him": a noun between "after" and a finite verb."""
    verb, links = _neighbour(analysis, token), analysis.children(token, "case")
    if token.upos not in _NOMINAL or not token.is_relation("obl", "nmod") or verb is None:
        return False
    if not links or links[0].text.lower() not in _CLAUSE_OPENERS:
        return False
    finite = verb.upos == "VERB" and verb.morph.get("VerbForm") == "Fin"
    if not finite or not verb.is_relation("advcl", "conj", "acl", "ccomp", "parataxis"):
        return False
    if verb.head == token.index or analysis.children(verb, "nsubj"):
        return False
    parse[token.index] = (verb.index, "nsubj")
    parse[links[0].index] = (verb.index, "mark")
    if verb.is_relation("conj"):
        parse[verb.index] = (token.head, "advcl")
    return True


def _subject_of_infinitive(analysis: Analysis, token: Token, parse: Parse) -> bool:
    """As in "waiting for his *buddy* to pick him up": the noun between "for" and "to"."""
    to = _neighbour(analysis, token)
    named = token.upos in {"PROPN", "PRON"} or _is_person_noun(token)
    named = named or (token.upos == "NOUN" and analysis.head(token).lemma.lower() == "wait")
    if not named or not token.is_relation("obl") or to is None:
        return False
    verb = analysis.head(to)
    if to.text.lower() != "to" or to.deprel != "mark" or not verb.is_relation("advcl", "acl"):
        return False
    links = analysis.children(token, "case")
    if not links or links[0].text.lower() != "for" or analysis.children(verb, "nsubj"):
        return False
    parse[token.index] = (verb.index, "nsubj")
    parse[links[0].index] = (verb.index, "mark")
    return True


def _participle_as_root(analysis: Analysis, token: Token, parse: Parse) -> bool:
    """As in "A man napping with an umbrella *protecting* him": the umbrella protects.

    A participle without "is" heads no sentence; its subject is the noun right before it.
    """
    noun = _neighbour(analysis, token, -1)
    if not token.is_root or token.upos != "VERB" or not token.text.lower().endswith("ing"):
        return False
    if noun is None or noun.upos != "NOUN" or analysis.children(token, *_HELPERS):
        return False
    subjects = analysis.children(token, "nsubj")
    if not subjects or subjects[0].index == noun.index or subjects[0].upos != "NOUN":
        return False
    if subjects[0].index > noun.index or noun in analysis.children(token):
        return False
    above = [noun.index]
    while not analysis.tokens[above[-1]].is_root and len(above) < len(analysis.tokens):
        above.append(analysis.tokens[above[-1]].head)
    if subjects[0].index not in above:
        return False
    parse[subjects[0].index] = (subjects[0].index, "root")
    parse[token.index] = (noun.index, "acl")
    return True


def _participle_of_noun(analysis: Analysis, token: Token, parse: Parse) -> bool:
    """As in "the evidence *incriminating* him": the noun right before it is its subject."""
    noun = _neighbour(analysis, token, -1)
    if token.deprel != "advcl" or token.upos != "VERB" or not token.text.lower().endswith("ing"):
        return False
    if noun is None or noun.upos != "NOUN" or _is_person_noun(noun):
        return False
    if analysis.children(token, "nsubj", "mark", *_HELPERS):
        return False
    done_to = (t.text.lower() for t in analysis.children(token, "obj", "iobj"))
    if not {"him", "her"} & set(done_to):
        return False
    parse[token.index] = (noun.index, "acl")
    return True


def _appositive_noun(analysis: Analysis, token: Token, parse: Parse) -> bool:
    """As in "Lena, a *woman* from a good family, left": a noun after a name, and no "and"."""
    head = analysis.head(token)
    if token.deprel != "conj" or head.upos != "PROPN" or not _is_person_noun(token):
        return False
    articles = analysis.children(token, "det")
    if not articles or analysis.text[head.end : articles[0].start].strip() != ",":
        return False
    if any(analysis.children(other, "cc") for other in analysis.children(head, "conj")):
        return False
    parse[token.index] = (head.index, "appos")
    return True


def _appositive_name(analysis: Analysis, token: Token, parse: Parse) -> bool:
    """As in "A journalist for the Daily, *Anna* Ray, was hurt": the journalist's name."""
    paper = analysis.head(token)
    if token.deprel != "appos" or token.text.lower() not in name_genders():
        return False
    if paper.upos != "PROPN" or paper.text.lower() in name_genders() or paper.deprel != "nmod":
        return False
    person = analysis.head(paper)
    if not _is_person_noun(person):
        return False
    parse[token.index] = (person.index, "appos")
    return True


def _coordinated_infinitive(analysis: Analysis, token: Token, parse: Parse) -> bool:
    """As in "he walked past before we had to walk up to him and *ask* him".

    A base form is coordinated with the nearest base form, not with "walked".
    """
    head = analysis.head(token)
    if token.deprel != "conj" or token.upos != "VERB" or not _is_base(token) or _is_base(head):
        return False
    if head.upos != "VERB" or analysis.children(token, "nsubj", "aux", "mark"):
        return False
    for other in reversed(analysis.tokens[head.index + 1 : token.index]):
        helped = analysis.children(other, "mark", "aux")
        if other.upos == "VERB" and _is_base(other) and helped:
            parse[token.index] = (other.index, "conj")
            return True
    return False


def _is_base(token: Token) -> bool:
    return token.morph.get("VerbForm") == "Inf"


_Repair = Callable[[Analysis, Token, Parse], bool]
_REPAIRS: Mapping[str, tuple[_Repair, ...]] = {
    "obj": (_possessive_her,),
    "iobj": (_possessive_her,),
    "compound": (_noun_before_participle, _noun_before_verb),
    "amod": (_noun_before_verb,),
    "nmod:poss": (_indirect_object_her,),
    "obl": (_subject_of_adverbial_clause, _subject_of_infinitive),
    "nmod": (_subject_of_adverbial_clause,),
    "root": (_participle_as_root,),
    "advcl": (_participle_of_noun,),
    "conj": (_appositive_noun, _coordinated_infinitive),
    "appos": (_appositive_name,),
}
"""The repairs to try, by the relation that the parser gave."""
