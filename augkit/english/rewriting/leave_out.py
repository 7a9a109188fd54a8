"""Leave out what grammar lets go: adverbs, adjuncts, asides, openers, adjectives, sentences.

Each function takes an analysed text and the tokens of a target, ``tokens[first:last]``, and gives
edits that remove it together with what cannot stand without it. A part that holds another word that
judges is kept: the label may turn on it. Whether the target itself does is for ``find_targets``;
what negates or compares is never left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from augkit.core.analysis import Analysis, Token
from augkit.core.edits import Replacement
from augkit.english.morphology import parts_of_speech
from augkit.english.rewriting.candidates import removal, without_commas
from augkit.english.rewriting.fluency import edit_fluency
from augkit.english.rewriting.words import (
    judges,
    negates_or_compares,
    token_judges,
    word_list,
)
from augkit.lexicons.load import closed_classes

Range = tuple[int, int]
"""The first token and the one after the last."""
_MOST = 7
"""Tokens of the longest phrase that is left out."""
_SEPARATORS = frozenset(
    {",", ";", ":", "--", "-", "\u2014", "\u2013", "(", ")", "...", ".", "!", "?"}
)
QUOTES = frozenset({'"', "``", "''", "'", "`", "\u201c", "\u201d", "\u2018", "\u2019"})
_MAY_FALL = -0.35
"""Mean log-probability that an edit may lose."""
_COMMON_SEAM = -3.5
"""Log-probability of a class that is common after the two before it."""
_LONGEST = 14
"""Words of the longest sentence that is left out."""
_NEAR = 7
"""Tokens at the start of a sentence in which a pronoun refers to the one before."""
_LINKS = frozenset({"determiner-one", "determiner-more", "neuter", "object", "possessive"})
"""Classes of words that may refer to the sentence before."""


def adverb(analysis: Analysis, target: Range) -> Iterator[Replacement]:
    """An adverb that modifies a verb, an adjective or the clause."""
    token = single_token(analysis, target)
    if token is None or not token.is_relation("advmod", "discourse") or analysis.children(token):
        return
    word = token.text.lower()
    if token.index and judges(analysis.tokens[token.index - 1].text.lower()):
        return  # "not quietly", "more often"
    needed = word in word_list("kept_adverbs") or negates_or_compares(word)
    if token.upos in {"ADV", "INTJ"} and not needed:
        yield from fluent_removal(analysis, target)


def adjective(analysis: Analysis, target: Range) -> Iterator[Replacement]:
    """An adjective, or a noun or a number as a modifier, before a noun that can stand alone."""
    token = single_token(analysis, target)
    if token is None or not token.is_relation("amod", "compound", "nummod", "nmod"):
        return
    head = analysis.head(token)
    word = token.text.lower()
    if head.index < token.index or analysis.children(token):
        return
    common = token.upos == "NOUN" and bool(parts_of_speech(word))
    if head.upos == "PROPN" or (common and token.is_relation("compound")):
        return  # before a name ("a young Meryl Streep"), or in a compound ("plot holes")
    if head.lemma.lower() in closed_classes():
        return  # "a young one"
    parts = analysis.children(head)
    bare = head.xpos == "NN" and not any(
        child.is_relation("det", "nmod", "nummod") for child in parts
    )
    cases = [child.text.lower() for child in parts if child.is_relation("case")]
    if (bare and cases) or "at" in cases:
        return  # "on opening night", "at a young age"
    if token.upos == "VERB" and "NOUN" in parts_of_speech(word):
        return  # "the acting style"
    if _is_news(analysis, head) or _would_disagree(analysis, head):
        return
    quoted = token.index and analysis.tokens[token.index - 1].text in QUOTES
    if head.upos == "NOUN" and not quoted and word not in word_list("kept_adjectives"):
        yield from fluent_removal(analysis, target)


def _is_news(analysis: Analysis, noun: Token) -> bool:
    """Whether a noun is said to be something new of its kind: "it shows a blank page"."""
    articles = {child.text.lower() for child in analysis.children(noun, "det")}
    return noun.is_relation("obj") and not articles.isdisjoint({"a", "an"})


def _would_disagree(analysis: Analysis, noun: Token) -> bool:
    """Whether a plural would be the subject of a singular verb: "Printing labels costs money"."""
    verb = analysis.head(noun)
    verbs = {verb.xpos, *(child.xpos for child in analysis.children(verb, "aux", "cop"))}
    return noun.is_relation("nsubj") and noun.xpos == "NNS" and "VBZ" in verbs


def adjunct(analysis: Analysis, target: Range) -> Iterator[Replacement]:
    """A prepositional or adverbial phrase that its verb or noun does not need."""
    for token in _ancestors(analysis, target):
        if token.is_relation("obl", "nmod", "advmod", "appos") and _is_optional(analysis, token):
            phrase = whole_phrase(analysis, token)
            if phrase is None or _is_in_title(analysis, phrase) or stands_negated(analysis, phrase):
                continue
            if any(after.upos == "ADP" for after in analysis.tokens[phrase[1] : phrase[1] + 1]):
                continue  # "since the update on Tuesday": the second may hang on the first
            if _covers(phrase, target) and _lets_go(analysis, phrase, target):
                yield from fluent_removal(analysis, phrase)


def aside(analysis: Analysis, target: Range) -> Iterator[Replacement]:
    """What commas, dashes or brackets set off: an opener, a tag, an attribution, an exclamation."""
    part = _between_separators(analysis, target)
    if part is None or not _lets_go(analysis, part, target):
        return
    tokens = analysis.tokens[part[0] : part[1]]
    words = " ".join(token.text.lower() for token in tokens)
    is_listed = words in word_list("openers") or words in word_list("sentence_adverbs")
    clause = any(token.is_relation("nsubj") for token in tokens)
    if is_listed or (not clause and all(_hangs_loosely(analysis, token, part) for token in tokens)):
        around = analysis.tokens[part[0] - 1 : part[0]] + analysis.tokens[part[1] : part[1] + 1]
        if [token.text for token in around] == ["(", ")"]:
            part = (part[0] - 1, part[1] + 1)
        yield from fluent_removal(analysis, part)


def opener(analysis: Analysis, target: Range) -> Iterator[Replacement]:
    """A listed phrase at the start of a sentence, or at its end, without a comma."""
    for sentence in analysis.sentences:
        if not sentence[0].index <= target[0] <= target[1] - 1 <= sentence[-1].index:
            continue
        words = [token.text.lower() for token in sentence]
        for size in range(min(_MOST, len(words) - 1), 0, -1):
            phrase = " ".join(words[:size])
            if phrase in word_list("openers") or (
                size == 1 and phrase in word_list("sentence_adverbs")
            ):
                words_before = (sentence[0].index, sentence[0].index + size)
                if _covers(words_before, target):
                    yield removal(analysis, *words_before)
                return


def optional_words(analysis: Analysis, target: Range) -> Iterator[Replacement]:
    """Words that the corpus can do without, unless their neighbours hold them."""
    last = analysis.tokens[target[1] - 1].text.lower()
    complete = closed_classes().get(last, "adverb") in {"adverb", "number", "order"}
    if complete and not is_held(analysis, target) and _lets_go(analysis, target, target):
        yield removal(analysis, *target)


def is_held(analysis: Analysis, target: Range) -> bool:
    """Whether a negation stands before: "not just"; or an adverb opens a part: "just because"."""
    if stands_negated(analysis, target):
        return True
    before = analysis.tokens[max(target[0] - 1, 0) : target[0]]
    after = analysis.tokens[target[1] : target[1] + 1]
    opening = {closed_classes().get(neighbour.text.lower()) for neighbour in after}
    opens = not opening.isdisjoint({"preposition", "subordinator"})
    opens = opens or any(neighbour.upos == "SCONJ" for neighbour in after)
    opens = opens or any(neighbour.text in _SEPARATORS for neighbour in before)
    return opens and analysis.tokens[target[1] - 1].upos == "ADV"


def stands_negated(analysis: Analysis, target: Range) -> bool:
    """Whether a negation or a comparison stands before; "but" joins what follows, whole.

    A sign between the two keeps them apart: "it was not good -- Marta".
    """
    if separates(analysis.tokens[target[0]]):
        return False
    before = analysis.tokens[max(target[0] - 1, 0) : target[0]]
    return any(
        negates_or_compares(neighbour.text.lower()) and neighbour.upos not in {"CCONJ", "SCONJ"}
        for neighbour in before
    )


def single_token(analysis: Analysis, target: Range) -> Token | None:
    """Give the token of a target, if it is one."""
    return analysis.tokens[target[0]] if target[1] - target[0] == 1 else None


def _ancestors(analysis: Analysis, target: Range) -> Iterator[Token]:
    """The highest token of the target and the words it hangs on, as far as a phrase can reach."""
    inside = range(*target)
    token = next(
        (analysis.tokens[i] for i in inside if analysis.tokens[i].head not in inside),
        analysis.tokens[target[0]],
    )
    for _ in range(_MOST):
        yield token
        if token.is_root:
            return
        token = analysis.head(token)


def _is_optional(analysis: Analysis, token: Token) -> bool:
    head = analysis.head(token)
    cases = [child.text.lower() for child in analysis.children(token, "case")]
    if token.is_relation("advmod"):
        return token.text.lower() not in word_list("kept_adverbs")
    if token.is_relation("appos"):
        return _is_set_off(analysis, token)
    if not cases:
        return token.deprel == "obl:tmod"
    if not word_list("adjunct_prepositions").issuperset(cases):
        return False
    if head.index > token.index:
        return True
    if head.upos != "VERB":
        return "for" not in cases  # "an excuse for money", "too slow for children"
    return head.lemma.lower() not in word_list("bound_verbs") and not _completes(analysis, token)


def _is_set_off(analysis: Analysis, token: Token) -> bool:
    """Whether marks stand on both sides of a phrase: ", a nurse,", not "98 MB to"."""
    phrase = analysis.subtree(token)
    before = analysis.tokens[max(phrase[0].index - 1, 0)]
    after = analysis.tokens[phrase[-1].index + 1 : phrase[-1].index + 2]
    starts = before.upos == "PUNCT" or phrase[0].text in _SEPARATORS
    ends = phrase[-1].text in _SEPARATORS or all(mark.upos == "PUNCT" for mark in after)
    return starts and ends


def _is_in_title(analysis: Analysis, part: Range) -> bool:
    """Whether a phrase has capitals as the word before it has: "Dan in Real Life"."""
    tokens = analysis.tokens[max(part[0] - 1, 0) : part[1]]
    named = [token for token in tokens if token.upos not in {"ADP", "DET"}]
    return len(named) > 1 and all(token.text[:1].isupper() for token in named)


def _completes(analysis: Analysis, token: Token) -> bool:
    """Whether a phrase right after a verb is likely its complement: "thrives on", "made of"."""
    head = analysis.head(token)
    first = analysis.subtree(token)[0]
    return first.index == head.index + 1 and (
        head.xpos == "VBN" or first.text.lower() in word_list("complement_prepositions")
    )


def whole_phrase(analysis: Analysis, token: Token) -> Range | None:
    """The phrase of a token, if its words stand together."""
    tokens = analysis.subtree(token)
    first = tokens[0].index
    last = tokens[-1].index + 1
    while first < last and analysis.tokens[first].text in _SEPARATORS:
        first += 1
    while first < last and analysis.tokens[last - 1].text in _SEPARATORS:
        last -= 1
    is_clause = any(word.is_relation("nsubj", "csubj", "mark") for word in tokens)
    return (first, last) if last - first <= min(len(tokens), _MOST) and not is_clause else None


def _between_separators(analysis: Analysis, target: Range) -> Range | None:
    """The part of a sentence from one separator to the next that holds the target."""
    first, last = target
    tokens = analysis.tokens
    number = analysis.tokens[target[0]].sentence
    while first > 0 and tokens[first - 1].sentence == number and not separates(tokens[first - 1]):
        first -= 1
    while last < len(tokens) and tokens[last].sentence == number and not separates(tokens[last]):
        last += 1
    while last - 1 > first and separates(tokens[last - 1]):
        last -= 1
    if first and tokens[first - 1].text == ":":
        return None  # what it announces
    whole = analysis.sentences[number]
    size = last - first
    if size > _MOST or 2 * size >= len(whole) or separates(tokens[first]):
        return None
    return first, last


def separates(token: Token) -> bool:
    """Whether a token is a sign that sets parts of a text apart."""
    return token.text in _SEPARATORS


def _hangs_loosely(analysis: Analysis, token: Token, part: Range) -> bool:
    """Whether a token hangs on its own part, or by an optional relation on the rest."""
    if part[0] <= token.head < part[1] and not token.is_root:
        return True
    outside = [child for child in analysis.children(token) if not part[0] <= child.index < part[1]]
    if any(child.upos != "PUNCT" for child in outside) or token.is_root:
        return False
    return token.deprel.partition(":")[0] in word_list("optional_relations")


def _covers(part: Range, target: Range) -> bool:
    return part[0] <= target[0] and target[1] <= part[1]


def _lets_go(analysis: Analysis, part: Range, target: Range) -> bool:
    tokens = analysis.tokens[part[0] : part[1]]
    return len(tokens) <= _MOST and judges_nothing(tokens, target)


def judges_nothing(tokens: Sequence[Token], target: Range) -> bool:
    """Whether no token negates or compares, and none but those of the target judges."""
    if any(negates_or_compares(token.text.lower()) for token in tokens):
        return False
    beside = [token for token in tokens if not target[0] <= token.index < target[1]]
    if not any(token.lemma.lower() in word_list("rating_words") for token in tokens):
        # A number of days, minutes or the like is no rating.
        beside = [token for token in beside if not token.text.isdecimal()]
    return not any(map(token_judges, beside))


def fluent_removal(analysis: Analysis, part: Range) -> Iterator[Replacement]:
    """Leave a part out, where the words beside it then follow one another as words do."""
    quotes = sum(token.text in QUOTES for token in analysis.tokens[part[0] : part[1]])
    if quotes % 2:
        return  # part of a title or a quotation
    fluency = edit_fluency(analysis.tokens, *without_commas(analysis, *part))
    if fluency.gain >= _MAY_FALL or fluency.seam >= _COMMON_SEAM:
        yield removal(analysis, *part)


def sentence(analysis: Analysis, target: Range) -> Iterator[Replacement]:
    """A short sentence of a longer text that judges nothing.

    A sentence all of whose words are the target is a formula that many texts share: it may go
    whatever follows, since they do not go on from it.
    """
    tokens = _without_odd_quote(analysis.sentences[analysis.tokens[target[0]].sentence])
    whole = (tokens[0].index, tokens[-1].index + 1)
    words = [token.index for token in tokens if token.upos != "PUNCT"]
    words_beside = sum(token.upos != "PUNCT" for token in analysis.tokens) - len(words)
    if target[1] > whole[1] or len(words) > _LONGEST or not judges_nothing(tokens, target):
        return
    if whole[0] and analysis.tokens[whole[0] - 1].text in {",", ";"}:
        return  # "Thanks, Marta" is no two sentences
    formula = set(words) <= set(range(*target)) and words_beside > 0
    stands_alone = words_beside >= max(len(words), 3) and not _is_linked(
        analysis, tokens[0].sentence
    )
    if formula or stands_alone:
        before = analysis.tokens[whole[0] - 1].end if whole[0] else 0
        if whole[0] and analysis.text[before : tokens[0].start].isspace():
            yield Replacement(before, tokens[-1].end)
        elif whole[1] < len(analysis.tokens):  # a new paragraph begins here
            yield removal(analysis, *whole)


def _without_odd_quote(sentence: Sequence[Token]) -> Sequence[Token]:
    """The tokens of a sentence without a quotation mark of the sentence before or after."""
    if sum(token.text in QUOTES for token in sentence) % 2 and len(sentence) > 1:
        if sentence[-1].text in QUOTES:
            return sentence[:-1]
        if sentence[0].text in QUOTES:
            return sentence[1:]
    return sentence


def _is_linked(analysis: Analysis, number: int) -> bool:
    """Whether a sentence is part of an enumeration, asks, or the next one goes on from it."""
    sentence = analysis.sentences[number]
    near = analysis.sentences[max(number - 1, 0) : number + 2]
    kinds = [closed_classes().get(neighbour[0].text.lower(), "") for neighbour in near]
    if "order" in kinds or any(neighbour[0].text[:1].isdecimal() for neighbour in near):
        return True
    if sentence[-1].text == "?":
        return True
    after = analysis.sentences[number + 1 : number + 2]
    return any(_refers(neighbour, sentence) for neighbour in after)


def _refers(sentence: Sequence[Token], before: Sequence[Token]) -> bool:
    """Whether a sentence takes up the one before: by a pronoun near its start or a noun of it."""
    words = {closed_classes().get(token.text.lower(), "") for token in sentence[:_NEAR]}
    nouns = {token.lemma.lower() for token in before if token.upos in {"NOUN", "PROPN"}}
    shared = any(token.lemma.lower() in nouns for token in sentence)
    return shared or not _LINKS.isdisjoint(words) or sentence[0].upos == "CCONJ"
