"""Whether what a model wrote may be used: the person changed, and hardly anything else did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate, permutations
from math import ceil

from augkit.augmenters.panda.perturbers.protocol import PerturbTask
from augkit.augmenters.panda.references import describes_people, find_hits
from augkit.core.edits import Edit, apply, overlap, overlap_in_row
from augkit.core.types import FREE, Cost, Variant, new_variant
from augkit.english.morphology import agree
from augkit.english.negation import negation_pattern
from augkit.lexicons.demographics.axes import read_axis
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.person_words import has_slur
from augkit.text.diff import diff
from augkit.text.tokens import pieces, words

_NEGATIONS = ("determiner", "particle", "adverb", "pronoun", "correlative", "modal")


def validate_answer(
    task: PerturbTask, fields: Mapping[str, str], share: float, cost: Cost = FREE
) -> Variant:
    """The fields a model wrote as the answer to a task, or the reason for refusing them.

    At most ``share`` of the words (rounded up) may have changed without being a reference to the
    axis or agreeing with one.
    """
    edits = diff(task.fields, fields)
    if not edits:
        return task.refuse("unchanged", f"the model left '{task.word}' as it is", cost)
    problem = _reference(task, edits) or _others(task, fields, share)
    if problem:
        return task.refuse("unusable answer", problem, cost)
    return perturbed(task, edits, source_of(task), cost)


def perturbed(
    task: PerturbTask, edits: tuple[Edit, ...], source: str, cost: Cost = FREE
) -> Variant:
    """The result of the edits, unless it holds a slur or two fields no longer agree."""
    fields = apply(task.fields, edits)
    if task.alone and not task.pointed and (lost := contrast_between_fields(task, fields)):
        return task.refuse("contrast lost", lost, cost)
    if has_slur(" ".join(edit.after for edit in edits)):
        return task.refuse("fixed phrase", "the result would hold a slur", cost)
    axis = read_axis(task.axis).axis
    about = {"axis": axis, "source": source, "target": task.target, "word": task.word}
    row = task.example
    return new_variant(row, fields, row.label, edits=edits, cost=cost, about=about)


def source_of(task: PerturbTask) -> str:
    """The attribute that the chosen word says, as far as the lexicon knows it."""
    return next((hit.attribute for hit in hits_at(task)), "unknown")


def _reference(task: PerturbTask, edits: Sequence[Edit]) -> str:
    """What is wrong with the chosen word: left as it is, or made something else than asked."""
    touching = [e for e in edits if overlap_in_row(e, task)]
    if all(edit.before.casefold() == edit.after.casefold() for edit in touching):
        # "The goalkeeper lost his gloves": the word says nothing, and what refers to it does.
        states_attribute = any(not hit.is_weak for hit in hits_at(task))
        elsewhere = any(find_hits(task.axis, edit.before) for edit in edits)
        return "" if elsewhere and not states_attribute else f"'{task.word}' is still there"
    hits = [hit for edit in touching for hit in find_hits(task.axis, edit.after)]
    attributes = {reading.attribute for hit in hits for reading in hit.readings}
    # An age can lie in two bands: a woman of 50 is middle-aged, and she is an adult.
    wrong = attributes & {source_of(task)} if read_axis(task.axis).bands else attributes
    if wrong and task.target not in attributes:
        return f"'{task.word}' was made {', '.join(sorted(attributes))} instead of {task.target}"
    return ""


def hits_at(task: PerturbTask) -> list[Hit]:
    """The references that the chosen word is, holds or lies in."""
    hits = find_hits(task.axis, task.fields[task.field])
    return [hit for hit in hits if overlap(hit, task)]


def _others(task: PerturbTask, fields: Mapping[str, str], share: float) -> str:
    """What is wrong where too many words changed that refer to nobody."""
    negations = negation_pattern(*_NEGATIONS).findall
    for name, text in fields.items():
        if len(negations(task.fields[name])) != len(negations(text)):
            return f"'{name}' has another number of negations"
    changed = sum(
        count_other_changes(task.fields[name], text, task.axis) for name, text in fields.items()
    )
    most = ceil(share * sum(len(words(text)) for text in task.fields.values()))
    problem = f"{changed} words or signs beside the references changed, and {most} may"
    return problem if changed > most else ""


def contrast_between_fields(task: PerturbTask, fields: Mapping[str, str]) -> str:
    """What is wrong where two fields now agree, or differ, and did not before."""
    if len(fields) < 2:
        return ""
    named = {
        name: (_people(task.fields[name], task.axis), _people(text, task.axis))
        for name, text in fields.items()
    }
    for (name, (old, new)), (other_name, (before, after)) in permutations(named.items(), 2):
        unchanged = before & after
        if stays := (old - new) & unchanged:
            return f"'{min(stays)}' would stay in {other_name} and not in {name}"
        if there := (new - old) & unchanged:
            return f"'{min(there)}' stands in {other_name} already"
    return ""


def _people(text: str, axis: str) -> Counter[str]:
    """The words for people, of pronouns those that begin a clause; a "black hat" is nobody."""
    hits = (hit for hit in find_hits(axis, text) if describes_people(text, hit))
    return Counter(
        text[hit.start : hit.end].casefold()
        for hit in hits
        if hit.pos != "pronoun" or hit.case == "subject"
    )


def count_other_changes(before: str, after: str, axis: str) -> int:
    """How many words or signs changed that neither refer to the axis nor agree with what does.

    >>> count_other_changes("She often walks home.", "They often walk home.", "gender")
    0
    >>> count_other_changes("She often walks home.", "He never walks home.", "gender")
    1
    """
    lost = _beside_references(before, axis)
    new = _beside_references(after, axis)
    return max((lost - new).total(), (new - lost).total())


def _beside_references(text: str, axis: str) -> Counter[str]:
    """The words and signs of a text that are no references, as they go with "they" and "a"."""
    hits = find_hits(axis, text)
    parts = pieces(text)
    ends = accumulate(map(len, parts))
    return Counter(
        part[0] if part.lower() == "an" else agree(part.replace("\u2019", "'"), plural=True)
        for part, end in zip(parts, ends, strict=True)
        if part != " " and not any(h.start < end and end - len(part) < h.end for h in hits)
    )
