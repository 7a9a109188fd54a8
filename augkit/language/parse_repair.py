"""Parses put right where the words beside each other leave no doubt.

A small parser goes wrong in the same few ways again and again, and the words themselves tell: in
"waiting for his buddy to pick him up" the buddy picks, in "A man photographs a lake" the man does,
in "grab her topless child" the child is hers. What is changed is heads and relations, never words.

    >>> from augkit.language.parser import SpacyParser
    >>> [analysis] = SpacyParser().parse(["Man smoking a cigarette is upset with the car."])
    >>> mended(analysis).tokens[0].deprel
    'nsubj'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from augkit.core.analysis import Analysis, Token
from augkit.language.morphology import known_lemmas
from augkit.lexicons.demographics.cues import cues
from augkit.lexicons.demographics.person_words import (
    first_names,
    gendered_nouns,
    people_words,
    person_nouns,
)

_NOMINAL = frozenset({"NOUN", "PROPN", "PRON"})
_BEFORE_CLAUSES = frozenset({"after", "before", "until", "till", "since", "as", "because"})
_HELPERS = frozenset({"aux", "aux:pass", "cop"})

Parse = list[tuple[int, str]]
"""For each token its head and relation, while they are put right."""


def mended(analysis: Analysis) -> Analysis:
    """The analysis with such mistakes put right; the very same one where there are none."""
    parse: Parse = [(token.head, token.deprel) for token in analysis.tokens]
    changed = False
    for token in analysis.tokens:
        for mend in _MENDS.get(token.deprel, ()):
            changed = mend(analysis, token, parse) or changed
    if not changed:
        return analysis
    tokens = (
        token if parse[token.index] == (token.head, token.deprel) else _turned(token, parse)
        for token in analysis.tokens
    )
    return Analysis(analysis.text, tuple(tokens))


def _turned(token: Token, parse: Parse) -> Token:
    head, deprel = parse[token.index]
    tag = token.xpos
    if token.text.lower() == "her":
        tag = "PRP$" if deprel == "nmod:poss" else "PRP"
    return replace(token, head=head, deprel=deprel, xpos=tag)


def _next(analysis: Analysis, token: Token) -> Token | None:
    """The next token of the sentence."""
    place = token.index + 1
    if place >= len(analysis.tokens) or analysis.tokens[place].sentence != token.sentence:
        return None
    return analysis.tokens[place]


def _before(analysis: Analysis, token: Token) -> Token | None:
    """The token before it in the sentence."""
    if not token.index or analysis.tokens[token.index - 1].sentence != token.sentence:
        return None
    return analysis.tokens[token.index - 1]


def _is_somebody(token: Token) -> bool:
    """Whether a noun is a person's: only of these is more than the parser known here."""
    lemma = token.lemma.lower()
    known = lemma in gendered_nouns() or lemma in person_nouns()
    return known and token.upos == "NOUN" and lemma not in people_words("groups")


def _owner(analysis: Analysis, token: Token, parse: Parse) -> bool:
    """As in "grab *her* topless child": one thing without an article, and nothing is given."""
    if token.text.lower() != "her" or not token.is_relation("iobj", "obj"):
        return False
    if analysis.head(token).lemma.lower() in cues("verbs", "two_objects"):
        return False
    noun = _next(analysis, token)
    for _ in range(3):
        if noun is None or noun.upos != "ADJ":
            break
        noun = _next(analysis, noun)
    if noun is None or noun.upos != "NOUN" or noun.head != token.head or noun.deprel != "obj":
        return False
    if noun.morph.get("Number") == "Plur" or analysis.children(noun, "det"):
        return False
    parse[token.index] = (noun.index, "nmod:poss")
    return True


def _bare_subject(analysis: Analysis, token: Token, parse: Parse) -> bool:
    """As in "*Man* smoking a cigarette is upset": a noun that the participle is said of."""
    verb = _next(analysis, token)
    if token.deprel != "compound" or verb is None or not _is_somebody(token):
        return False
    if token.text.lower() in {"male", "female"}:
        return False  # "male curling players"
    if token.head != verb.index or verb.upos != "VERB" or not verb.text.lower().endswith("ing"):
        return False
    if verb.is_root:
        parse[token.index] = (verb.index, "nsubj")
        return True
    parse[token.index] = (verb.head, "nsubj" if verb.is_relation("csubj") else verb.deprel)
    parse[verb.index] = (token.index, "acl")
    return True


def _one_subject(analysis: Analysis, token: Token, parse: Parse) -> bool:
    """As in "a young *man* photographs a lake": "a" makes it one, so the plural is the verb."""
    verb = _next(analysis, token)
    sex = token.text.lower() in {"male", "female"} and token.deprel == "amod"
    if verb is None or not (sex or (token.deprel == "compound" and _is_somebody(token))):
        return False
    if token.head != verb.index or verb.upos != "NOUN" or verb.morph.get("Number") != "Plur":
        return False
    articles = analysis.children(verb, "det") or analysis.children(token, "det")
    if not articles or articles[0].text.lower() not in {"a", "an"}:
        return False
    if "VERB" not in known_lemmas(verb.text.lower()):
        return False
    parse[token.index] = (verb.index, "nsubj")
    for child in analysis.children(verb, "det", "amod"):
        if child.index < token.index:
            parse[child.index] = (token.index, child.deprel)
    return True


def _receiver(analysis: Analysis, token: Token, parse: Parse) -> bool:
    """As in "showing *her* something": nobody's something is hers."""
    thing = analysis.head(token)
    if token.text.lower() != "her" or token.deprel != "nmod:poss" or thing.is_root:
        return False
    if thing.text.lower() not in {"something", "anything", "nothing", "everything"}:
        return False
    parse[token.index] = (thing.head, "iobj")
    return True


def _clause_after(analysis: Analysis, token: Token, parse: Parse) -> bool:
    """As in "after the *player* tried to shoot him": a noun between "after" and a finite verb."""
    verb, links = _next(analysis, token), analysis.children(token, "case")
    if token.upos not in _NOMINAL or not token.is_relation("obl", "nmod") or verb is None:
        return False
    if not links or links[0].text.lower() not in _BEFORE_CLAUSES:
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


def _for_to(analysis: Analysis, token: Token, parse: Parse) -> bool:
    """As in "waiting for his *buddy* to pick him up": who stands between "for" and "to"."""
    to = _next(analysis, token)
    named = token.upos in {"PROPN", "PRON"} or _is_somebody(token)
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


def _beside_participle(analysis: Analysis, token: Token, parse: Parse) -> bool:
    """As in "A man napping with an umbrella *protecting* him": the umbrella does.

    A participle without "is" heads no sentence; its subject is the noun right before it.
    """
    noun = _before(analysis, token)
    if not token.is_root or token.upos != "VERB" or not token.text.lower().endswith("ing"):
        return False
    if noun is None or noun.upos != "NOUN" or analysis.children(token, *_HELPERS):
        return False
    said = analysis.children(token, "nsubj")
    if not said or said[0].index == noun.index or said[0].upos != "NOUN":
        return False
    if said[0].index > noun.index or any(t.index == noun.index for t in analysis.children(token)):
        return False
    above = [noun.index]
    while not analysis.tokens[above[-1]].is_root and len(above) < len(analysis.tokens):
        above.append(analysis.tokens[above[-1]].head)
    if said[0].index not in above:
        return False
    parse[said[0].index] = (said[0].index, "root")
    parse[token.index] = (noun.index, "acl")
    return True


def _of_thing(analysis: Analysis, token: Token, parse: Parse) -> bool:
    """As in "the evidence *incriminating* him": what stands right before it does so to him."""
    noun = _before(analysis, token)
    if token.deprel != "advcl" or token.upos != "VERB" or not token.text.lower().endswith("ing"):
        return False
    if noun is None or noun.upos != "NOUN" or _is_somebody(noun):
        return False
    if analysis.children(token, "nsubj", "mark", *_HELPERS):
        return False
    done_to = (t.text.lower() for t in analysis.children(token, "obj", "iobj"))
    if not {"him", "her"} & set(done_to):
        return False
    parse[token.index] = (noun.index, "acl")
    return True


def _apposed(analysis: Analysis, token: Token, parse: Parse) -> bool:
    """As in "Lena, a *woman* from a good family, left": a noun after a name, and no "and"."""
    head = analysis.head(token)
    if token.deprel != "conj" or head.upos != "PROPN" or not _is_somebody(token):
        return False
    articles = analysis.children(token, "det")
    if not articles or analysis.text[head.end : articles[0].start].strip() != ",":
        return False
    if any(analysis.children(other, "cc") for other in analysis.children(head, "conj")):
        return False
    parse[token.index] = (head.index, "appos")
    return True


def _name_of(analysis: Analysis, token: Token, parse: Parse) -> bool:
    """As in "A journalist for the Daily, *Anna* Ray, was hurt": a name between commas is hers."""
    paper = analysis.head(token)
    if token.deprel != "appos" or token.text.lower() not in first_names():
        return False
    if paper.upos != "PROPN" or paper.text.lower() in first_names() or paper.deprel != "nmod":
        return False
    person = analysis.head(paper)
    if not _is_somebody(person):
        return False
    parse[token.index] = (person.index, "appos")
    return True


def _same_form(analysis: Analysis, token: Token, parse: Parse) -> bool:
    """As in "he walked past before we had to walk up to him and *ask* him".

    A base form goes on from the nearest one, and not from "walked".
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


_Mend = Callable[[Analysis, Token, Parse], bool]
_MENDS: Mapping[str, tuple[_Mend, ...]] = {
    "obj": (_owner,),
    "iobj": (_owner,),
    "compound": (_bare_subject, _one_subject),
    "amod": (_one_subject,),
    "nmod:poss": (_receiver,),
    "obl": (_clause_after, _for_to),
    "nmod": (_clause_after,),
    "root": (_beside_participle,),
    "advcl": (_of_thing,),
    "conj": (_apposed, _same_form),
    "appos": (_name_of,),
}
"""What may have to be done, by the relation that the parser gave."""
