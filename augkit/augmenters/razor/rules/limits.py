"""Other ways to say "only"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from augkit.augmenters.razor.rules.contrasts import Candidate
from augkit.augmenters.razor.rules.denials import base
from augkit.core.analysis import Analysis, Token
from augkit.lexicons.load import closed_classes

_LIMITING = ("merely", "just", "purely", "simply", "solely", "strictly")
_LIMITING_THINGS = ("nothing but", "nothing more than", "nothing other than", "little more than")
_LIMITING_ALL = ("solely", "exclusively")
"""What says "only" of anything: "simply stars Oldman" does not rule the others out."""
_LONGEST_LIMITED = 8
"""Words after a limit that can be put behind what it limits."""
_LIMITED = frozenset({"only", "exclusively", "solely"})
_OWNING = frozenset({"'s", "'", "the", "his", "her", "its", "their", "my", "our", "your"})
_HELD = frozenset("be have star feature include contain".split())
"""What nothing does."""


def other_limits(analysis: Analysis) -> Iterator[Candidate]:
    """As "only a plumber" as "merely a plumber"."""
    for token in analysis.tokens[:-1]:
        after = analysis.tokens[token.index + 1]
        fixed = after.upos in {"PUNCT", "PROPN"} or after.text.lower() in {"ever", *_LIMITED}
        # "Rio's only sequel": an adjective, whatever its tag.
        fixed = fixed or analysis.tokens[token.index - 1].text.lower() in _OWNING
        if token.text in _LIMITED and token.upos == "ADV" and not fixed:
            thing = after.text.lower() in {"a", "an"}
            words = _LIMITING if thing else _LIMITING_ALL
            for word in (*words, *(_LIMITING_THINGS if thing else ())):
                text = analysis.text[: token.start] + word + analysis.text[token.end :]
                yield Candidate(text, "another limit")
            rest = analysis.text[after.end :]
            if thing and not rest[1:2].isdigit():
                text = f"{analysis.text[: token.start]}a mere{rest}"
                yield Candidate(text, "another limit")
            yield from _limited_behind(analysis, token)
            yield from _all_it_did(analysis, token, after)


def _all_it_did(analysis: Analysis, limiter: Token, verb: Token) -> Iterator[Candidate]:
    """As "Olsen only directed plays" as "all Olsen did was direct plays"."""
    did = {"VBD": "did was", "VBZ": "does is"}.get(verb.xpos)
    subjects = analysis.children(verb, "nsubj")
    if did and verb.is_root and verb.lemma not in _HELD and len(subjects) == 1:
        who = lowered(analysis, analysis.text[: limiter.start])
        rest = analysis.text[verb.end :]
        yield Candidate(f"All {who}{did} {base(verb)}{rest}", "another limit")


def _limited_behind(analysis: Analysis, limiter: Token) -> Iterator[Candidate]:
    """As "was only made by Lucas" as "was made by Lucas alone"."""
    text = analysis.text
    rest = text[limiter.end :].rstrip()
    stop = rest[-1:] if rest[-1:] in ".!" else ""
    whole = text[: limiter.start] + rest.lstrip()[: len(rest.lstrip()) - len(stop)]
    words = [token.text.lower() for token in analysis.tokens[limiter.index + 1 :]]
    if len(words) > _LONGEST_LIMITED or not {"and", "that", "which", "who"}.isdisjoint(words):
        return
    endings: tuple[str, ...] = ()
    if "by" in words:
        endings = (" alone", " and nobody else")
    elif words[0] in {"a", "an"}:
        endings = (
            " and nothing else",
            " and nothing more",
            ", pure and simple",
            " and that is all",
        )
    elif re.search(r"\w in [A-Z]", rest):
        endings = (" and nowhere else", " alone")
    for ending in endings:
        yield Candidate(f"{whole}{ending}{stop}", "another limit")


def lowered(analysis: Analysis, text: str) -> str:
    """The beginning of a sentence as it stands inside one: names and titles keep their capital."""
    token = analysis.tokens[0]
    first = token.text.lower()
    title = len(analysis.tokens) > 1 and analysis.tokens[1].text[:1].isupper()
    title = title or (token.upos == "ADP" and analysis.head(token).is_relation("nsubj"))
    small = first in closed_classes() and first != "i" and not title
    return text[:1].lower() + text[1:] if small else text
