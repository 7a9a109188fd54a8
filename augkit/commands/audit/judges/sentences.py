"""What an audit of judges says first: what a judge goes by, with the share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from augkit.commands.audit.judges.effects import (
    FAMILY,
    LENGTH,
    MARKDOWN,
    PLACE,
    RIGHT,
    JudgeEffect,
)
from augkit.commands.audit.judges.pairs import FRAME, REPEATED
from augkit.commands.audit.judges.pairs import MARKDOWN as MARKDOWN_ADDED
from augkit.commands.audit.judges.shares import JudgeShares
from augkit.core.results import Score
from augkit.text.printable import counted

ALL = "all judges"
_EQUAL = {
    LENGTH: ("the longer answer", "the shorter answer", "one twice as long"),
    MARKDOWN: ("Markdown", "plain text", "one with twice the marks"),
    FAMILY: ("its own family", "other families", "an answer of its own family"),
}
"""What is preferred, what where the sign is the other, and what the share is of."""
_ADDED = {
    MARKDOWN_ADDED: "Markdown",
    FRAME: "an opening and a closing",
    REPEATED: "its content repeated",
}


def verdict_sentences(shares: Sequence[JudgeShares], effects: Sequence[JudgeEffect]) -> list[str]:
    """Each clear preference of the judge; of several judges how many have one, and all together."""
    alarms = [effect for effect in effects if effect.alarm]
    tested = [effect for effect in effects if effect.effect != RIGHT]
    if not alarms:
        return [f"No alarm in {counted(len(tested), 'effect')}."]
    by_judge = {judge.judge: judge for judge in shares}
    if len(shares) == 1:
        return [f"Alarm: {_sentence('This judge', effect, shares[0])}" for effect in alarms]
    single = [effect for effect in alarms if effect.judge != ALL]
    kinds = Counter(effect.effect for effect in single)
    listed = ", ".join(f"{effect}: {judges}" for effect, judges in kinds.items())
    judges = len({effect.judge for effect in single})
    count = f"{judges} of {len(shares) - 1} judges prefer by something else than the answer"
    return [
        f"Alarm: {count}{f' ({listed})' if listed else ''}",
        *(
            f"Alarm: {_sentence('All judges together', effect, by_judge[ALL])}"
            for effect in alarms
            if effect.judge == ALL
        ),
    ]


def _sentence(who: str, effect: JudgeEffect, judge: JudgeShares) -> str:
    verb = "prefers" if who == "This judge" else "prefer"
    more = effect.share.value > 0.5
    if effect.effect == PLACE:
        flips = judge.flips
        sentence = f"{who} {verb} the answer shown {_place(effect, judge)}"
        if flips is None:
            return sentence
        return (
            f"{sentence}; the order decides {100 * flips.value:.1f} % of {flips.n:,} pairs that "
            "were shown in both orders"
        )
    if effect.effect in _ADDED:
        side = "with" if more else "without"
        share = effect.share if more else share_of_rest(effect.share)
        return f"{who} {verb} the answer {side} {_ADDED[effect.effect]}: {percent(share)}"
    preferred, otherwise, subject = _EQUAL[effect.effect]
    return (
        f"{who} {verb} {preferred if more else otherwise}: all else equal, {subject} wins "
        f"{percent(effect.share)}"
    )


def _place(effect: JudgeEffect, judge: JudgeShares) -> str:
    """Which place, and its share of the verdicts; all else equal where this tells another one."""
    is_first = effect.share.value > 0.5
    first = judge.first
    name = "first" if is_first else "second"
    if first is None or (first.value > 0.5) != is_first:
        share = effect.share if is_first else share_of_rest(effect.share)
        return f"{name}: all else equal, it wins {percent(share)}"
    return f"{name}: {percent(first if is_first else share_of_rest(first))} of {first.n:,} verdicts"


def share_of_rest(share: Score) -> Score:
    """The share of the rest."""
    return Score(share.name, 1 - share.value, 1 - share.high, 1 - share.low, share.n)


def percent(share: Score) -> str:
    """The share and its interval, in per cent."""
    return f"{100 * share.value:.1f} % ({100 * share.low:.1f} to {100 * share.high:.1f})"
