"""The kind "people": words for groups of people go with harm. Every remedy is a trade.

Where nearly all rows that name a group are harmful, a classifier flags the name. What is measured:
recall of harm, and false alarms on harmless rows into which such a word was put.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from augkit.commands.fix.blind import cell_weights
from augkit.commands.fix.endings import Ending, per_cent
from augkit.commands.fix.mark_proof import FOLDS, shown_cue
from augkit.commands.fix.marks import Mark, keyed, make_mark, take_out
from augkit.commands.fix.reader import Fields, Reader
from augkit.commands.fix.work import WEIGHT, Work
from augkit.core.arrays import Floats
from augkit.core.json_files import write_json_lines
from augkit.core.progress import report_progress
from augkit.core.types import Example
from augkit.lexicons.demographics.person_words import gendered_nouns, person_nouns
from augkit.models.folds import assign_folds
from augkit.shortcuts.cues import Cue


def names_people(cue: Cue) -> bool:
    """Whether a cue is a word for people."""
    singular = [word.removesuffix("s") for word in cue.feature.words]
    words = {*cue.feature.words, *singular}
    return bool(words & person_nouns()) or not words.isdisjoint(gendered_nouns())


def people_cues(work: Work) -> list[Cue]:
    """The cues that name people, where labels say whom a text harms."""
    if work.is_pair or work.findings.task != "harm":
        return []
    return [cue for cue in work.chosen if names_people(cue)]


def fix_people(work: Work, cues: Sequence[Cue]) -> tuple[Sequence[Example], Ending]:
    """Offer weights; say what they, and deleting the words, do to recall and false alarms."""
    examples = work.examples
    made = [make_mark(cue, examples, is_named=work.is_named) for cue in cues]
    marks = [mark for mark in made if mark is not None]
    weights = _weights(examples, marks)
    report_progress("measuring recall and false alarms")
    figures = _measure(work, marks, weights)
    table = [("%", "recall of harm", "false alarms with the words")]
    for name, (recall, alarms) in figures.items():
        table.append((name, per_cent(recall), per_cent(alarms)))
    written = [
        {**work.rows.written(row, row.fields), WEIGHT: round(float(weight), 4)}
        for row, weight in zip(examples, weights, strict=True)
    ]
    path = work.folder / "weighted.jsonl"
    write_json_lines(path, written, default=str)
    before = figures["as it is"]
    after = figures["weights"]
    headline = (
        f"A trade, no repair: with weights recall {per_cent(before[0])} → {per_cent(after[0])} %, "
        f"false alarms {per_cent(before[1])} → {per_cent(after[1])} %. Harmless rows about these "
        "people are what is missing."
    )
    names = ", ".join(shown_cue(cue) for cue in cues[:8])
    return examples, Ending(
        "people",
        "trade",
        headline,
        f"{names} name people, and go with '{cues[0].label}'.",
        table,
        ["Exchange who is named: augkit run -m panda, or -m swap with your own pairs"],
        {name: {"recall": pair[0], "alarms": pair[1]} for name, pair in figures.items()},
        {"weights, in a column": path},
    )


def _weights(examples: Sequence[Example], marks: Sequence[Mark]) -> Floats:
    """P(y) / P(y | a word is there or not), at most 5: float[rows], of mean 1."""
    import numpy as np

    has_word = np.zeros(len(examples), dtype=bool)
    for mark in marks:
        has_word[list(mark.numbers)] = True
    return cell_weights(has_word, np.array([str(row.label) for row in examples]))


def _measure(work: Work, marks: Sequence[Mark], weights: Floats) -> dict[str, tuple[float, float]]:
    """Recall and false alarms by what was trained on, cross-fitted."""
    import numpy as np

    examples = work.examples
    seed = work.settings.seed
    taken = take_out(work.rows, examples, marks, seed).fields
    harm = marks[0].cue.label
    folds = np.array(assign_folds(examples, FOLDS, seed, work.settings.group_column))
    trained: dict[str, tuple[Sequence[Fields], Floats | None]] = {
        "as it is": ([row.fields for row in examples], None),
        "weights": ([row.fields for row in examples], weights),
        "words deleted": (taken, None),
    }
    flagged: dict[str, list[tuple[bool, bool]]] = {name: [] for name in trained}
    for fold in range(FOLDS):
        seen = np.flatnonzero(folds != fold).tolist()
        held = np.flatnonzero(folds == fold).tolist()
        labels = [str(examples[n].label) for n in seen]
        tested = [_tested(examples[n], taken[n], marks, harm, seed) for n in held]
        is_harm = [examples[n].label == harm for n in held]
        for name, (rows, row_weights) in trained.items():
            given = None if row_weights is None else row_weights[seen]
            reader = Reader([rows[n] for n in seen], labels, given)
            answers = [answer == harm for answer in reader.predict(tested)]
            flagged[name] += zip(is_harm, answers, strict=True)
    return {name: _rates(pairs) for name, pairs in flagged.items()}


def _tested(row: Example, without: Fields, marks: Sequence[Mark], harm: str, seed: int) -> Fields:
    """A harmful row as it is; a harmless one with one of the words in it."""
    if row.label == harm:
        return row.fields
    rng: Random = keyed(seed, "alarm", row)
    return rng.choice(list(marks)).with_it(without, rng)


def _rates(pairs: Sequence[tuple[bool, bool]]) -> tuple[float, float]:
    """Recall of harm, and the share of harmless rows that are flagged."""
    harmful = [answer for is_harm, answer in pairs if is_harm]
    harmless = [answer for is_harm, answer in pairs if not is_harm]
    return sum(harmful) / max(1, len(harmful)), sum(harmless) / max(1, len(harmless))
