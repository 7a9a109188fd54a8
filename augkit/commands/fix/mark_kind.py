"""The kind "mark": take the marks out of all rows, and prove it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from augkit.commands.fix.endings import Ending
from augkit.commands.fix.mark_proof import MarkProof, mark_ending, prove_marks, shown_cue
from augkit.commands.fix.marks import Mark, TakenOut, is_mark, make_mark, take_out
from augkit.commands.fix.people_kind import people_cues
from augkit.commands.fix.work import Work
from augkit.core.progress import report_progress
from augkit.core.types import Example
from augkit.shortcuts.cues import Cue
from augkit.text.printable import counted


def mark_cues(work: Work) -> list[Cue]:
    """The cues that are marks: in pairs a word is no mark, but a part of what a field says."""
    if work.is_pair:
        return []
    people = people_cues(work)
    cues = [cue for cue in work.chosen if cue not in people]
    cues = [cue for cue in cues if work.is_asked or is_mark(cue, work.examples)]
    return [cue for cue in cues if make_mark(cue, work.examples, is_named=work.is_named)]


def fix_marks(work: Work, cues: Sequence[Cue]) -> tuple[Sequence[Example], Ending]:
    """Take the marks out, and measure what that does."""
    examples = work.examples
    made = [make_mark(cue, examples, is_named=work.is_named) for cue in cues]
    marks = [mark for mark in made if mark is not None]
    taken, proof = _tried(work, marks)
    if proof.uneven:
        uneven = proof.uneven
        again = [replace(mark, how="put on others") if mark in uneven else mark for mark in marks]
        taken_again, proof_again = _tried(work, again)
        if proof_again.verdict == "repaired":
            taken = taken_again
            proof = proof_again
    marks = list(taken.marks)
    ending = mark_ending(proof, marks, _what_was_done(marks, taken, len(examples)))
    if ending.verdict != "not repaired":
        return taken.examples, ending
    path = work.rows.write(work.train_file, taken.examples)
    return taken.examples, replace(ending, files={"the rows without the cues": path})


def _tried(work: Work, marks: Sequence[Mark]) -> tuple[TakenOut, MarkProof]:
    """The rows without the marks, and what training on them does."""
    seed = work.settings.seed
    report_progress("taking the cues out")
    taken = take_out(work.rows, work.examples, marks, seed)
    report_progress("training with and without the cues")
    return taken, prove_marks(work.examples, taken, seed, work.settings.group_column)


def _what_was_done(marks: Sequence[Mark], taken: TakenOut, rows: int) -> str:
    parts = []
    for how in dict.fromkeys(mark.how for mark in marks):
        names = ", ".join(shown_cue(mark.cue) for mark in marks if mark.how == how)
        touched = {n for mark in marks if mark.how == how for n in mark.numbers}
        size = counted(len(touched), "row")
        parts.append(
            {
                "deleted": f"{names} deleted from {size}",
                "exchanged": f"{names} exchanged in {size} for others of the kind",
                "written alike": f"{names} levelled: all texts are written alike",
                "rows left out": f"rows with {names} left out until it says nothing",
                "put on others": f"{names} put into rows of other labels until it says nothing "
                "(deleted, its words still tell the label)",
            }[how]
        )
    left_out = rows - len(taken.examples)
    if left_out:
        parts.append(f"{counted(left_out, 'row')} left out")
    if taken.kept:
        parts.append(f"{counted(taken.kept, 'row')} as they were: tags or answers would be lost")
    return f"{'; '.join(parts)}."
