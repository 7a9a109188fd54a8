"""Say the same in another order or form: contractions, moved adjuncts, joined sentences, passives.

They change the words that begin or end a text and the pairs of neighbours, and keep the meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

from augkit.core.analysis import Analysis, Token
from augkit.core.edits import Replacement
from augkit.english.morphology import agree, inflect_verb
from augkit.english.rewriting.words import table, word_list
from augkit.lexicons.load import closed_classes
from augkit.text.spacing import is_tokenised

Range = tuple[int, int]
Edits = tuple[Replacement, ...]
_LONGEST = 7
"""Tokens of the longest phrase that is moved."""
_STOPS = frozenset({".", "!", "?"})


def contracted(analysis: Analysis, target: Range) -> Iterator[Edits]:
    """Contract "is not" to "isn't", or the other way round; not in tokenised text ("is n't")."""
    text = analysis.text
    if is_tokenised(text):
        return
    start, end = analysis.tokens[target[0]].start, analysis.tokens[target[1] - 1].end
    for match in _contraction_pattern().finditer(
        text, max(start - 12, 0), min(end + 12, len(text))
    ):
        if match.start() < end and start < match.end():
            replacement = _contractions()[" ".join(match[0].lower().replace("\u2019", "'").split())]
            first = replacement[:1].upper() if match[0][:1].isupper() else replacement[:1]
            yield (Replacement(match.start(), match.end(), first + replacement[1:]),)


def moved(analysis: Analysis, target: Range) -> Iterator[Edits]:
    """A phrase of time or place from the end of a sentence to its start, or the other way round."""
    token = analysis.tokens[target[0]]
    for _ in range(_LONGEST):
        if token.is_relation("obl") and analysis.children(token, "case"):
            yield from _moved(analysis, token)
        if token.is_root:
            return
        token = analysis.head(token)


def joined(analysis: Analysis, target: Range) -> Iterator[Edits]:
    """Two short sentences joined by a semicolon."""
    for number in range(len(analysis.sentences) - 1):
        first, second = analysis.sentences[number : number + 2]
        ends = {first[-1].index, second[0].index}
        if first[-1].text == "." and ends & set(range(*target)) and second[0].upos != "PUNCT":
            word = _inside(second[0])
            yield (Replacement(first[-1].start, second[0].end, f"; {word}"),)


def split_sentence(analysis: Analysis, target: Range) -> Iterator[Edits]:
    """Two clauses with a subject each, joined by "and" or a semicolon, as two sentences."""
    for token in analysis.tokens[target[0] : target[1]]:
        clause = analysis.head(token) if token.text.lower() == "and" else token
        if not clause.is_relation("conj") or not analysis.children(clause, "nsubj"):
            continue
        first = analysis.subtree(clause)[0]
        head = analysis.head(clause)
        after = analysis.tokens[first.index + 1 : first.index + 2]
        if first.text.lower() == "and" and head.is_root and after and after[0].upos != "PUNCT":
            before = analysis.tokens[first.index - 1]
            word = after[0].text
            word = word[:1].upper() + word[1:] if analysis.text[:1].isupper() else word
            start = before.start if before.text == "," else before.end
            yield (Replacement(start, after[0].end, f". {word}"),)


def passive(analysis: Analysis, target: Range) -> Iterator[Edits]:
    """Turn "Lee made a film" into "A film was made by Lee", in plain clauses of one verb."""
    inside = {token.head for token in analysis.tokens[target[0] : target[1]]}
    inside |= set(range(*target))
    for verb in analysis.tokens:
        if verb.index not in inside or verb.xpos not in {"VBD", "VBZ"} or verb.upos != "VERB":
            continue
        subjects, objects = (analysis.children(verb, name) for name in ("nsubj", "obj"))
        dependents = analysis.children(
            verb, "aux", "conj", "xcomp", "ccomp", "iobj", "compound", "advmod"
        )
        if not verb.is_root or len(subjects) != 1 or len(objects) != 1:
            continue
        if not dependents and verb.lemma not in word_list("no_passive"):
            yield from _turned(analysis, verb, subjects[0], objects[0])


def _turned(analysis: Analysis, verb: Token, subject: Token, object_: Token) -> Iterator[Edits]:
    first, last = (analysis.subtree(token) for token in (subject, object_))
    apart = first[-1].index + 1 == verb.index and verb.index + 1 == last[0].index
    if first[0].index or not apart or len(first) > _LONGEST or len(last) > _LONGEST:
        return
    if any(token.upos == "PRON" for token in (*first, *last)):
        return
    by = f"{_inside(first[0])}{analysis.text[first[0].end : first[-1].end]}"
    plural = object_.xpos in {"NNS", "NNPS"} or bool(analysis.children(object_, "conj"))
    helper = agree("was" if verb.xpos == "VBD" else "is", plural=plural)
    start = analysis.text[last[0].start : last[-1].end]
    start = start[:1].upper() + start[1:] if first[0].text[:1].isupper() else start
    done = inflect_verb(verb.lemma.lower(), "VBN")
    yield (Replacement(first[0].start, last[-1].end, f"{start} {helper} {done} by {by}"),)


def _moved(analysis: Analysis, token: Token) -> Iterator[Edits]:
    tokens, text = analysis.subtree(token), analysis.text
    words = [token for token in tokens if token.upos != "PUNCT"]
    sentence = analysis.sentences[token.sentence]
    case = words[0].text.lower()
    if len(words) != words[-1].index - words[0].index + 1 or len(words) > _LONGEST:
        return
    if case not in word_list("movable_prepositions") or not analysis.head(token).is_root:
        return
    first, last = sentence[0], sentence[-1]
    final = last.index - (last.text in _STOPS)
    if words[0].index == first.index:
        yield from _to_end(analysis, words, final)
    elif words[-1].index == final and first.upos not in {"CCONJ", "SCONJ", "PUNCT", "ADV"}:
        phrase = text[words[0].start : words[-1].end]
        phrase = phrase[:1].upper() + phrase[1:] if first.text[:1].isupper() else phrase
        before = analysis.tokens[words[0].index - 1]
        yield (
            Replacement(first.start, first.end, f"{phrase}, {_inside(first)}"),
            Replacement(before.end, words[-1].end),
        )


def _to_end(analysis: Analysis, words: list[Token], final: int) -> Iterator[Edits]:
    """A phrase at the start that a comma or the subject follows, moved behind the last word."""
    tokens, text = analysis.tokens, analysis.text
    after = tokens[words[-1].index + 1]
    comma = after.text == ","
    start = tokens[after.index + comma] if after.index + comma <= final else None
    if start is None or start.index >= final:
        return
    if not comma and words[-1].text.islower() and not start.text[:1].islower():
        return  # "In the film Alien the crew dies"
    phrase = f"{_inside(words[0])}{text[words[0].end : words[-1].end]}"
    head = text[words[0].start].isupper()
    word = start.text[:1].upper() + start.text[1:] if head else start.text
    yield (
        Replacement(words[0].start, start.end, word),
        Replacement(tokens[final].end, tokens[final].end, f" {phrase}"),
    )


def _inside(token: Token) -> str:
    """The first word of a sentence as it is written inside one: names keep their capital."""
    common = token.text.lower() in closed_classes() or token.upos not in {"PROPN", "NUM", "X"}
    return token.text[:1].lower() + token.text[1:] if common and token.text != "I" else token.text


@cache
def _contractions() -> Mapping[str, str]:
    pairs = table("words.yaml")["contractions"]
    return {
        form: counterpart
        for long, short in pairs
        for form, counterpart in ((long, short), (short, long))
    }


@cache
def _contraction_pattern() -> re.Pattern[str]:
    listed = sorted(_contractions(), key=len, reverse=True)
    words = "|".join(
        re.escape(form).replace(r"\ ", r"\s+").replace("'", "['\u2019]") for form in listed
    )
    return re.compile(rf"(?<![\w'\u2019])(?:{words})(?![\w'\u2019])", re.IGNORECASE)
