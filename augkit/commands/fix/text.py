"""The screen of ``augkit fix``: what was found, what was tried, and what to train on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap

from augkit.commands.fix.parts import AnyCue, further_names, judged_as
from augkit.commands.fix.results import CHOSEN, HELPED, STILL_STRONG, BothScores, Fixed, TriedMethod
from augkit.core.results import Score
from augkit.text.printable import counted, printable, shown_labels

_WIDTH = 79
_NO_BREAK = "\u00a0"
MOST_CUES = 8
_MOST_ASKED = 3
_NOT_READ = (
    "Not proved: the classifier reads words and no signs, so it cannot rely on {names}. A model "
    "that reads signs can: to be safe, train on the rows without them (deleted.jsonl)"
)
_FEW_ROWS = 100
"""With fewer rows the evidence of a challenge set is weak."""


def fix_lines(result: Fixed) -> Iterator[str]:
    """The whole screen."""
    yield from found_lines(result)
    yield from choice_lines(result)
    yield from result_lines(result)


def found_lines(result: Fixed) -> Iterator[str]:
    """What was read, and what gives the label away in it."""
    yield from understood_lines(result)
    yield ""
    if not result.cues:
        aim = result.wording.aim
        if result.nothing:
            yield from wrapped(f"{result.nothing}.")
        else:
            yield f"Nothing gives {aim} away: no shortcut was found, so there is nothing to fix."
        return
    yield f"What gives {result.wording.aim} away ({_order(result)}):"
    yield from numbered_cues(result.cues[:MOST_CUES])
    if result.note:
        yield from wrapped(f"{result.note}: --cue {result.wording.cue}.")


def _order(result: Fixed) -> str:
    """How the cues are sorted: of rows, likely shortcuts come before stronger cues."""
    strengths = [cue.strength for cue in result.cues]
    is_sorted = strengths == sorted(strengths, reverse=True)
    return (
        "the strongest first" if is_sorted or not result.label_column else "likely shortcuts first"
    )


def result_lines(result: Fixed) -> Iterator[str]:
    """What was measured, and what to do now; nothing where there was nothing to fix."""
    if result.split is None:
        if result.why_chosen == CHOSEN:
            yield "Nothing to fix: no cue was chosen."
        return
    yield ""
    yield from parts_lines(result)
    yield ""
    yield from score_lines(result)
    yield ""
    yield from wrapped(headline(result))
    for line in detail_lines(result):
        yield from wrapped(line, indent="  ")
    yield ""
    yield "Repeat each step:"
    for step, command in result.commands.items():
        yield f"  # {step}"
        yield f"  {command}"


def wrapped(text: str, indent: str = "") -> list[str]:
    """A text in lines of at most 79 characters; what continues is indented."""
    lines = wrap(
        printable(text).replace(" %", f"{_NO_BREAK}%"),
        _WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + "  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace(_NO_BREAK, " ") for line in lines]


def understood_lines(result: Fixed) -> Iterator[str]:
    """What was read: rows, texts, labels."""
    unit = result.wording.unit
    yield from wrapped(f"{result.data}: {counted(result.rows, unit)}")
    texts = (" and " if result.label_column else ", ").join(map(repr, result.fields))
    label = f"; label: '{result.label_column}'" if result.label_column else ""
    yield from wrapped(f"{'text' if label else 'columns'}: {texts}{label}", indent="  ")
    yield from wrapped(shown_labels(result.labels, noun=unit), indent="  ")


def choice_lines(result: Fixed) -> Iterator[str]:
    """Which of the cues are fixed, and why these."""
    if not result.chosen:
        stuck = [cue.title for cue in result.cues if cue.is_likely and cue.is_stuck]
        if stuck:
            yield from wrapped(
                f"No method takes {', '.join(stuck)} out of texts. Write it alike in all of them, "
                "and begin again."
            )
        if result.undecided:
            yield from wrapped(
                f"Not decided, so nothing was done: {', '.join(_asked_about(result))}. Is it what "
                "the label is about, or a shortcut? If it is a shortcut, name it with --cue."
            )
        elif result.cues and result.why_chosen != CHOSEN and not result.note:
            fix = "Nothing else" if stuck else "Nothing"
            others = f"Others: --cue {result.wording.cue}"
            yield f"{fix} to fix: no likely shortcut is strong. {others}"
            if not stuck:
                yield f"Train on: {result.data} as it is"
        return
    names = ", ".join(cue.title for cue in result.chosen)
    yield from wrapped(f"Fixing: {names} ({result.why_chosen}). Others: --cue {result.wording.cue}")


def _asked_about(result: Fixed) -> Iterator[str]:
    """The strongest cues that may belong to the label."""
    for cue in result.undecided[:_MOST_ASKED]:
        yield f"{cue.title} → {cue.points_to} (association {cue.strength:.2f})"


def numbered_cues(cues: Sequence[AnyCue]) -> Iterator[str]:
    """A list to choose from."""
    for number, cue in enumerate(cues, 1):
        line = (
            f"{number}. {cue.title}{further_names(cue)} → {cue.points_to}: {cue.counts}, "
            f"association {cue.strength:.2f}; {judged_as(cue)}: {cue.reason}"
        )
        yield from wrapped(line, indent="  ")


def parts_lines(result: Fixed) -> list[str]:
    """How many rows are where, and how the challenge set was made."""
    split = result.split
    if split is None:
        return []
    trained = f"{counted(split.train, result.wording.unit)} to train on"
    if not split.challenge:
        return wrapped(f"{trained}; {' and '.join(result.tests)} to test on.")
    test = f"{split.test:,}" if split.test else result.tests[0]
    how = ", ".join(f"{count:,} {way}" for way, count in split.how.items())
    return wrapped(
        f"{trained}, {test} to test on, {split.challenge:,} in the challenge set, where the cue "
        f"points the wrong way ({how})."
    )


def score_lines(result: Fixed) -> Iterator[str]:
    """Accuracy before and after, on both sets, beside simply deleting the cue."""
    width = max(len(name) for name, _ in result.scored) + 2
    yield f"{'accuracy, %':<{width}}{'test':<23}challenge"
    for name, scores in result.scored:
        if scores is not None:
            yield f"{name:<{width}}{interval(scores.test):<23}{interval(scores.challenge)}"


def interval(score: Score) -> str:
    """A share in per cent with its interval."""
    return f"{100 * score.value:.1f} ({100 * score.low:.1f} to {100 * score.high:.1f})"


def headline(result: Fixed) -> str:
    """The result in a sentence."""
    wording = result.wording
    if result.outcome in {"not relied on", "not fixed"} and result.is_blind:
        return _NOT_READ.format(names=", ".join(cue.title for cue in result.chosen))
    best, names = result.best, ", ".join(cue.title for cue in result.chosen)
    name = "none" if best is None else best.name
    change = _change(result.before, None if best is None else best.scores)
    sentences: Mapping[str, str] = {
        "nothing to fix": "There is nothing to fix.",
        "undecided": "Not decided: no likely shortcut is strong, and what is may be the label.",
        "not relied on": f"Nothing to fix: a {wording.model} trained on the {wording.unit}s as "
        f"they are does not rely on {names}. {_accuracies(result.before)}",
        "fixed": f"Fixed: {name} breaks {names}: {change}.",
        "at a cost": f"Improved at a cost: {name} breaks {names}: {change} "
        f"(chance: {100 * result.chance:.1f} %){_left_out(result)}.",
        "renamed": f"Improved, but {_in_its_place(best)}: {name}, {change}.",
        "deleting is better": f"Simply {result.wording.simplest_of} {names} is "
        f"{_beside_methods(result)}: {_change(result.before, result.deleting)}{_doubt(result)}.",
        "not fixed": "Not fixed: no method is clearly better on the challenge set. "
        f"Best: {name}, {change}.",
    }
    return sentences[result.outcome]


def _in_its_place(best: TriedMethod | None) -> str:
    """What weakens a method that helps: something new, or a part of the cue."""
    is_left = best is not None and any(c.startswith(STILL_STRONG) for c in best.caveats)
    is_new = best is not None and any(c.startswith("has a") for c in best.caveats)
    return "a part of it is left" if is_left and not is_new else "a new shortcut took its place"


def _left_out(result: Fixed) -> str:
    """How much of the rows the best method leaves out."""
    best, split = result.best, result.split
    if best is None or split is None or not best.left_out:
        return ""
    return f"; {best.left_out:,} of {counted(split.train, result.wording.unit)} are left out"


def _beside_methods(result: Fixed) -> str:
    """Whether deleting beats the methods, or gives as much as the best of them."""
    best = result.best
    if best is None or not best.is_better or best.loses_to_deleting:
        return "the best"
    if renaming := best.renaming:
        accuracy = f"{100 * best.scores.challenge.value:.1f} %"
        return f"safer than rewriting ({best.name}: {accuracy}, but it {renaming})"
    return f"as good as rewriting ({best.name}: {100 * best.scores.challenge.value:.1f} %)"


def _doubt(result: Fixed) -> str:
    """That a change may be chance: the intervals overlap."""
    before, after = result.before, result.deleting
    if before is None or after is None or after.challenge.low > before.challenge.high:
        return ""
    return "; the 95 % intervals overlap, so this may be chance"


def _change(before: BothScores | None, after: BothScores | None) -> str:
    if before is None or after is None:
        return "no method could be measured"
    challenge = f"{100 * before.challenge.value:.1f} → {100 * after.challenge.value:.1f} %"
    test = f"{100 * before.test.value:.1f} → {100 * after.test.value:.1f} %"
    return f"accuracy on the challenge set {challenge}, on the test set {test}"


def _accuracies(scores: BothScores | None) -> str:
    """The accuracy of one classifier on both sets, in a sentence."""
    if scores is None:
        return ""
    return (
        f"Its accuracy is {100 * scores.challenge.value:.1f} % where the cue points the wrong way, "
        f"and {100 * scores.test.value:.1f} % on the test set."
    )


def _to_train_on(result: Fixed) -> Iterator[str]:
    """The file to train on, where there is one."""
    if result.train_on is not None:
        yield f"Train on: {result.train_on}"
    elif result.outcome == "not relied on" and not result.is_blind:
        yield f"Train on: {result.data} as it is"
    if result.outcome == "deleting is better" and result.split is not None:
        yield f"The same of all rows: {result.split.files[f'all {result.wording.reference}']}"


def _renamed_ones(result: Fixed, best: TriedMethod) -> Iterator[str]:
    """Methods with a higher accuracy on the challenge set that have made a new shortcut."""
    for method in () if best.renaming else result.tried:
        is_higher = method.scores.challenge.value > best.scores.challenge.value
        if method.renaming and is_higher:
            yield f"{method.name} {method.renaming}, so it is not chosen"


def detail_lines(result: Fixed) -> Iterator[str]:
    """The file to train on, what is left, what weakens the evidence, what was not tried."""
    best = result.best
    yield from _to_train_on(result)
    if best is not None and result.outcome in HELPED and result.deleting is not None:
        simplest = result.deleting.challenge.value
        if simplest > best.scores.challenge.value:
            how, clearly = result.wording.simplest.capitalize(), best.loses_to_deleting
            but = "" if clearly else ", but not clearly"
            yield f"{how} gives {100 * simplest:.1f} % there: more{but}"
    if result.outcome in HELPED | {"deleting is better"}:
        yield from () if best is None else _renamed_ones(result, best)
        how = result.wording.simplest.capitalize()
        yield from (f"{how} {caveat}" for caveat in result.deleting_caveats)
    if best is not None and result.outcome in HELPED | {"not fixed"}:
        yield from (f"{best.name} {caveat}" for caveat in best.caveats)
    worse = [method.name for method in result.tried if method.is_worse_on_test]
    if worse:
        yield f"Clearly worse on the test set, so not chosen: {', '.join(worse)}"
    yield from (cue.note for cue in result.chosen if cue.note)
    if asked := ", ".join(_asked_about(result)):
        yield f"Not decided: {asked}. If it is a shortcut, name it with --cue"
    yield from (f"Left: {line}" for line in result.left)
    if result.before is not None and result.before.challenge.n < _FEW_ROWS:
        rows = counted(result.before.challenge.n, "row" if result.label_column else "prompt")
        yield f"Weak evidence: the challenge set has {rows}."
    stopped = [method for method in result.unfit if method.is_stopped]
    yield from (f"{method.name} was not finished: {method.reason}" for method in stopped)
    names = ", ".join(method.name for method in result.unfit if not method.is_stopped)
    if names:
        yield f"Not tried, for reasons on the page: {names}"
    if result.folder is not None:
        yield f"Page: {result.folder / 'report.html'}"
