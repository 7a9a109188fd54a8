"""The screen of ``augkit fix``: what was found, what was tried, and what to train on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap

from augkit.commands.fix.cues import Cue
from augkit.commands.fix.results import BothScores, Fixed, TriedMethod
from augkit.core.results import Score
from augkit.text.printable import counted, printable

_WIDTH = 79
_MOST_LABELS = 6
_MOST_CUES = 8


def fix_lines(result: Fixed) -> Iterator[str]:
    """The whole screen."""
    yield from understood_lines(result)
    yield ""
    yield from cue_lines(result)
    if result.split is None:
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
    return wrap(
        printable(text),
        _WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + "  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def understood_lines(result: Fixed) -> Iterator[str]:
    """What was read: rows, texts, labels."""
    yield from wrapped(f"{result.data}: {counted(result.rows, 'row')}")
    texts = " and ".join(f"'{name}'" for name in result.fields)
    yield from wrapped(f"text: {texts}; label: '{result.label_column}'", indent="  ")
    shown = list(result.labels.items())[:_MOST_LABELS]
    labels = ", ".join(f"'{label}': {count:,} rows" for label, count in shown)
    more = len(result.labels) - len(shown)
    yield from wrapped(labels + (f" and {more} more labels" if more else ""), indent="  ")


def cue_lines(result: Fixed) -> Iterator[str]:
    """What gives the label away, and what is fixed."""
    if not result.cues:
        yield "Nothing gives the label away: no shortcut was found, so there is nothing to fix."
        return
    yield "What gives the label away (the strongest first):"
    yield from numbered_cues(result.cues[:_MOST_CUES])
    if not result.chosen:
        yield "Nothing to fix: no likely shortcut is strong. To fix a cue anyway, name it: --cue"
        return
    names = ", ".join(cue.title for cue in result.chosen)
    yield from wrapped(f"Fixing: {names} ({result.why_chosen}). Others: --cue WORD")


def numbered_cues(cues: Sequence[Cue]) -> Iterator[str]:
    """A list to choose from."""
    for number, cue in enumerate(cues, 1):
        also = f" (also {', '.join(repr(name) for name in cue.also[:3])})" if cue.also else ""
        kind = "likely a shortcut" if cue.is_likely else "may belong to the label"
        line = (
            f"{number}. {cue.title}{also} → '{cue.label}': {cue.first.with_label:,} of "
            f"{counted(cue.first.rows, 'row')}, association {cue.first.phi:.2f}; {kind}: "
            f"{cue.reason}"
        )
        yield from wrapped(line, indent="  ")


def parts_lines(result: Fixed) -> list[str]:
    """How many rows are where, and how the challenge set was made."""
    split = result.split
    if split is None:
        return []
    if not split.test:
        tests = " and ".join(result.tests)
        return wrapped(f"{split.train:,} rows to train on; {tests} to test on.")
    how = ", ".join(f"{count:,} {way}" for way, count in split.how.items())
    made = f" ({how})" if how else ""
    return wrapped(
        f"{split.train:,} rows to train on, {split.test:,} to test on, {split.challenge:,} in the "
        f"challenge set, where the cue points the wrong way{made}."
    )


def score_lines(result: Fixed) -> Iterator[str]:
    """Accuracy before and after, on both sets, beside simply deleting the cue."""
    rows: list[tuple[str, BothScores | None]] = [("as it is", result.before)]
    rows.append(("deleting the cue", result.deleting))
    rows += [(method.name, method.scores) for method in result.tried]
    width = max(len(name) for name, _ in rows) + 2
    yield f"{'accuracy, %':<{width}}{'test':<22}challenge"
    for name, scores in rows:
        if scores is not None:
            yield f"{name:<{width}}{interval(scores.test):<22}{interval(scores.challenge)}"


def interval(score: Score) -> str:
    """A share in per cent with its interval."""
    return f"{100 * score.value:.1f} ({100 * score.low:.1f} to {100 * score.high:.1f})"


def headline(result: Fixed) -> str:
    """The result in a sentence."""
    best, names = result.best, ", ".join(cue.title for cue in result.chosen)
    change = _change(result.before, best)
    sentences: Mapping[str, str] = {
        "nothing to fix": "There is nothing to fix.",
        "not relied on": f"Nothing to fix: a classifier trained on the rows as they are does not "
        f"rely on {names}. {_accuracies(result.before)}",
        "fixed": f"Fixed: {best.name if best else ''} breaks {names}: {change}.",
        "renamed": f"Improved, but a new shortcut took its place: "
        f"{best.name if best else ''}, {change}.",
        "deleting is better": f"Simply deleting {names} is the best: "
        f"{_change(result.before, None, result.deleting)}.",
        "not fixed": "Not fixed: no method is clearly better on the challenge set. "
        f"Best: {best.name if best else 'none'}, {change}.",
    }
    return sentences[result.outcome]


def _change(
    before: BothScores | None, method: TriedMethod | None, after: BothScores | None = None
) -> str:
    scores = method.scores if method is not None else after
    if before is None or scores is None:
        return "no method could be measured"
    challenge = f"{100 * before.challenge.value:.1f} → {100 * scores.challenge.value:.1f} %"
    test = f"{100 * before.test.value:.1f} → {100 * scores.test.value:.1f} %"
    return f"accuracy on the challenge set {challenge}, on the test set {test}"


def _accuracies(scores: BothScores | None) -> str:
    """The accuracy of one classifier on both sets, in a sentence."""
    if scores is None:
        return ""
    return (
        f"Its accuracy is {100 * scores.challenge.value:.1f} % where the cue points the wrong way, "
        f"and {100 * scores.test.value:.1f} % on the test set."
    )


def detail_lines(result: Fixed) -> Iterator[str]:
    """The file to train on, what is left, what weakens the evidence, what was not tried."""
    best = result.best
    if result.train_on is not None:
        yield f"Train on: {result.train_on}"
    if best is not None and result.outcome in {"fixed", "renamed", "not fixed"}:
        yield from (f"{best.name} {caveat}" for caveat in best.caveats)
    worse = [method.name for method in result.tried if method.is_worse_on_test]
    if worse:
        yield f"Clearly worse on the test set, so not chosen: {', '.join(worse)}"
    yield from (f"Left: {line}" for line in result.left)
    if result.before is not None and result.before.challenge.n < 100:
        yield f"Weak evidence: the challenge set has {result.before.challenge.n:,} rows."
    if result.unfit:
        names = ", ".join(method.name for method in result.unfit)
        yield f"Not tried, for reasons on the page: {names}"
    if result.folder is not None:
        yield f"Page: {result.folder / 'report.html'}"
