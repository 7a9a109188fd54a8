"""Denials: "It is false that Olsen starred in it" for "Olsen did not star in it".

The statement without its negation is called false. That means the same, whatever the label, and the
table has so many wordings that none of them becomes a giveaway.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from augkit.core.analysis import Analysis, Token
from augkit.core.edits import Replacement
from augkit.english.negation import DO_TAGS, remove_not
from augkit.english.rewriting.candidates import Wording, apply_edits
from augkit.english.rewriting.pairs.negations import NOT_OR_NEVER
from augkit.english.rewriting.words import table, word_list
from augkit.lexicons.load import closed_classes

_CLAUSES = ("conj", "parataxis", "advcl", "ccomp", "csubj")
"""What the negation might leave out, or not."""


def denial_wordings(analysis: Analysis) -> Iterator[Wording]:
    """The text as the denial of the statement that it negates."""
    text, negator = analysis.text, _negator(analysis)
    edits = _without_negation(analysis, negator) if negator else ()
    if edits and not text.endswith('."'):  # a full stop inside quotation marks
        statement = _inside_sentence(analysis, apply_edits(text, edits).rstrip(" .!"))
        for frame in table("words.yaml")["denials"]:
            yield Wording(frame.format(statement), "denial")


def _negator(analysis: Analysis) -> Token | None:
    """The one negation of a text that is a single clause without words that need a negation."""
    roots = [token for token in analysis.tokens if token.is_root]
    found = [token for token in analysis.tokens if token.text.lower() in NOT_OR_NEVER]
    if len(roots) != 1 or len(found) != 1 or len(analysis.sentences) != 1 or not found[0].index:
        return None
    words = {token.text.lower() for token in analysis.tokens}
    own = analysis.head(found[0]).index == roots[0].index
    bound = word_list("bound_to_negation") & words
    return found[0] if own and not bound and not analysis.children(roots[0], *_CLAUSES) else None


def _without_negation(analysis: Analysis, negator: Token) -> Sequence[Replacement]:
    """The edits that affirm; none where the verb does not follow at once."""
    if negator.text == "never":
        return (Replacement(negator.start, negator.end, "ever"),)
    helper, following = analysis.tokens[negator.index - 1], analysis.tokens[negator.index + 1 :]
    if helper.text in DO_TAGS:
        affirmable = bool(following) and following[0].xpos.startswith("VB")
    else:
        affirmable = helper.upos == "AUX" and helper.text in word_list("affirmative_auxiliaries")
    return (remove_not(analysis, negator) or ()) if affirmable else ()


def _inside_sentence(analysis: Analysis, text: str) -> str:
    """The start of a sentence as part of another: names and titles keep their capital."""
    token, head = analysis.tokens[0], analysis.head(analysis.tokens[0])
    first, after = token.text.lower(), analysis.tokens[1:2]
    group = head.xpos in {"NNS", "NNPS"} or head.text.isupper()  # "The KGB", "The Bonus Army men"
    title = any(one.text[:1].isupper() for one in after) and not (first == "the" and group)
    title = title or (token.upos == "ADP" and head.is_relation("nsubj"))
    common = first in closed_classes() and first != "i" and not title
    if token.upos in {"NOUN", "ADJ", "ADV"}:  # "Sea level", "Poorly understood"; "Grease" is a film
        common |= any(one.text.islower() and one.upos in {"NOUN", "ADJ", "VERB"} for one in after)
    return text[:1].lower() + text[1:] if common else text
