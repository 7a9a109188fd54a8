"""Cut the words of a cue that the user names and no others, where the text reads on without them.

As in ``leave_out``, what negates or compares is never cut, nor is what another word needs.
"""

from __future__ import annotations

from collections.abc import Iterator

from augkit.core.analysis import Analysis
from augkit.core.edits import Replacement
from augkit.english.rewriting.candidates import removal
from augkit.english.rewriting.leave_out import (
    Range,
    fluent_removal,
    is_held,
    judges_nothing,
    separates,
    single_token,
    stands_negated,
    whole_phrase,
)
from augkit.english.rewriting.words import word_list

_CORE = ("nsubj", "csubj", "obj", "iobj", "ccomp", "xcomp", "aux", "cop", "case", "mark", "conj")
"""Relations of what a clause needs, and of what another word announces."""
_NOUNS = frozenset({"NOUN", "PROPN", "PRON"})
_ARGUMENTS = ("nsubj", "csubj", "obj", "iobj")
_NOMINAL = frozenset({"NOUN", "PROPN", "ADJ", "NUM", "PRON", "DET", "ADV"})


def comment(analysis: Analysis, target: Range) -> Iterator[Replacement]:
    """A cue that comments on its sentence: listed, or set off by marks on both of its sides."""
    tokens = analysis.tokens[target[0] : target[1]]
    words = " ".join(token.text.lower() for token in tokens if not separates(token))
    is_listed = words in word_list("openers") or words in word_list("sentence_adverbs")
    loose = is_listed or _stands_apart(analysis, target)
    if loose and not stands_negated(analysis, target) and judges_nothing(tokens, target):
        yield removal(analysis, *target)


def _stands_apart(analysis: Analysis, target: Range) -> bool:
    """Whether a sign, or an end of the sentence, stands on each side."""
    tokens = analysis.tokens
    first, last = target
    sentence = tokens[first].sentence
    starts = first == 0 or tokens[first - 1].sentence != sentence
    ends = last == len(tokens) or tokens[last].sentence != sentence
    starts = starts or separates(tokens[first - 1]) or separates(tokens[first])
    ends = ends or separates(tokens[last]) or separates(tokens[last - 1])
    return starts and ends and last - first < len(analysis.sentences[sentence])


def alone(analysis: Analysis, target: Range) -> Iterator[Replacement]:
    """The words of a cue and no others, where the text reads on without them."""
    if _stays(analysis, target) or _is_needed(analysis, target):
        return
    if not judges_nothing(analysis.tokens[slice(*target)], target):
        return
    if _is_whole_adjunct(analysis, target):
        yield removal(analysis, *target)
    else:
        yield from fluent_removal(analysis, target)


def bare(analysis: Analysis, target: Range) -> Iterator[Replacement]:
    """The words of a cue and no others, where a second parse is to say whether the text reads on.

    What is inserted into a sentence bends its parse: the words beside it hang on it.
    """
    tokens = analysis.tokens[slice(*target)]
    if _stays(analysis, target) or _announces(analysis, target):
        return
    if any(token.upos in _NOUNS and token.is_relation(*_ARGUMENTS) for token in tokens):
        return
    if judges_nothing(tokens, target):
        yield removal(analysis, *target)


def _stays(analysis: Analysis, target: Range) -> bool:
    """Whether the words beside a cue hold it: "not really", "just as good"."""
    if single_token(analysis, target) is not None:
        return is_held(analysis, target)
    return stands_negated(analysis, target)


def _is_whole_adjunct(analysis: Analysis, target: Range) -> bool:
    """Whether the words are a whole prepositional phrase that its verb or noun does not need."""
    tokens = analysis.tokens[slice(*target)]
    heads = [token for token in tokens if token.is_root or token.head not in range(*target)]
    if len(heads) != 1 or not heads[0].is_relation("obl", "nmod"):
        return False
    cases = {child.text.lower() for child in analysis.children(heads[0], "case")}
    optional = cases and word_list("adjunct_prepositions").issuperset(cases)
    if not optional or whole_phrase(analysis, heads[0]) != target:
        return False
    governor = analysis.head(heads[0])
    if governor.upos == "VERB":
        return governor.lemma.lower() not in word_list("bound_verbs")
    return "for" not in cases  # "an excuse for money"


def _is_needed(analysis: Analysis, target: Range) -> bool:
    """Whether a word outside hangs on these, or they are a part that no clause can do without."""
    for token in analysis.tokens[slice(*target)]:
        outside = [
            child
            for child in analysis.children(token)
            if not target[0] <= child.index < target[1] and child.upos != "PUNCT"
        ]
        hangs_inside = target[0] <= token.head < target[1] and not token.is_root
        if outside or (not hangs_inside and token.is_relation(*_CORE)):
            return True
    return _announces(analysis, target)


def _announces(analysis: Analysis, target: Range) -> bool:
    """Whether the word before needs these words, whatever the parse says: "a scene with Vale"."""
    before = analysis.tokens[max(target[0] - 1, 0) : target[0]]
    after = analysis.tokens[target[1] : target[1] + 1]
    if not any(token.upos in {"ADP", "DET"} for token in before):
        return False
    return not any(token.upos in _NOMINAL for token in after)
