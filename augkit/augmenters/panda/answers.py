"""Whether what a model wrote may be used: the person changed, and hardly anything else did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import ceil

from augkit.augmenters.panda.finding import find
from augkit.augmenters.panda.jobs import Job, Perturbed, Refused
from augkit.data import FREE, Cost, Edit
from augkit.lexicons.axes import read_axis
from augkit.lexicons.slurs import has_slur
from augkit.text.diff import diff
from augkit.text.tokens import word_spans

Span = tuple[int, int]

_SHORTEST, _LONGEST = 0.5, 2.0
"""How many times as many words as before an answer may have,"""
_SPARE_WORDS = 5
"""and so many more, because short texts grow quickly: "he" → "an elderly man"."""
_AGREEING = ("be am is are 's 're", "was were", "has have", "does do", "goes go", "a an")
_SAME = {form: forms.split()[0] for forms in _AGREEING for form in forms.split()}
"""Forms that depend on the subject, or on the next word, and the one that stands for them."""
_ENDINGS = ("n't", "n\u2019t")


def judged(
    job: Job, fields: Mapping[str, str], share: float, cost: Cost = FREE
) -> Perturbed | Refused:
    """The fields a model wrote as the answer to a job, or the reason for refusing them.

    At most ``share`` of the words (rounded up) may have changed without being a reference to the
    axis or agreeing with one.
    """
    if list(fields) != list(job.fields):
        there, wanted = ", ".join(fields), ", ".join(job.fields)
        return Refused("unusable answer", f"the parts are {there} instead of {wanted}", cost)
    edits = diff(job.fields, fields)
    if not edits:
        return Refused("unchanged", f"the model left '{job.word}' as it is", cost)
    if any(has_slur(edit.after) for edit in edits):
        return Refused("fixed phrase", "the result would hold a slur", cost)
    problem = _length(job, fields) or _reference(job, edits) or _others(job, fields, share)
    if problem:
        return Refused("unusable answer", problem, cost)
    axis = read_axis(job.axis).axis
    about = {"axis": axis, "source": source_of(job), "target": job.target, "word": job.word}
    return Perturbed(dict(fields), edits, about, cost)


def source_of(job: Job) -> str:
    """The attribute that the chosen word says, as far as the lexicon knows it."""
    text = job.fields[job.field]
    hits = [hit for hit in find(job.axis, text) if hit.start < job.end and job.start < hit.end]
    return hits[0].attribute if hits else "unknown"


def _length(job: Job, fields: Mapping[str, str]) -> str:
    for name, text in fields.items():
        before, after = len(word_spans(job.fields[name])), len(word_spans(text))
        if after > _LONGEST * before + _SPARE_WORDS or after < _SHORTEST * before:
            return f"'{name}' has {after} words instead of {before}"
    return ""


def _reference(job: Job, edits: Sequence[Edit]) -> str:
    """What is wrong with the chosen word: left as it is, or made something else than asked."""
    touching = [
        edit
        for edit in edits
        if edit.field == job.field and edit.start < job.end and job.start < edit.end
    ]
    if all(edit.before.casefold() == edit.after.casefold() for edit in touching):
        return f"'{job.word}' is still there"
    said = {hit.attribute for edit in touching for hit in find(job.axis, edit.after)}
    # An age can lie in two bands: a woman of 50 is middle-aged, and she is an adult.
    wrong = said & {source_of(job)} if read_axis(job.axis).bands else said
    if wrong and job.target not in said:
        return f"'{job.word}' was made {', '.join(sorted(said))} instead of {job.target}"
    return ""


def _others(job: Job, fields: Mapping[str, str], share: float) -> str:
    """What is wrong where too many words changed that refer to nobody."""
    changed = sum(other_words(job.fields[name], text, job.axis) for name, text in fields.items())
    most = ceil(share * sum(len(word_spans(text)) for text in job.fields.values()))
    return (
        f"{changed} words beside the references changed, and {most} may" if changed > most else ""
    )


def other_words(before: str, after: str, axis: str) -> int:
    """How many words changed that neither refer to the axis nor agree with what does.

    >>> other_words("She often walks home.", "They often walk home.", "gender")
    0
    >>> other_words("She often walks home.", "He never walks home.", "gender")
    1
    """
    there, back = diff({"": before}, {"": after}), diff({"": after}, {"": before})
    lost = _beside_references(before, [(edit.start, edit.end) for edit in there], axis)
    new = _beside_references(after, [(edit.start, edit.end) for edit in back], axis)
    return max((lost - new).total(), (new - lost).total())


def _beside_references(text: str, changed: Sequence[Span], axis: str) -> Counter[str]:
    """The changed words of a text that are no references, without what agreement changes."""
    references = [(hit.start, hit.end) for hit in find(axis, text)]
    return Counter(
        _unagreed(text[start:end])
        for start, end in word_spans(text)
        if _meets((start, end), changed) and not _meets((start, end), references)
    )


def _meets(span: Span, others: Sequence[Span]) -> bool:
    return any(start < span[1] and span[0] < end for start, end in others)


def _unagreed(word: str) -> str:
    """A word without what depends on its subject: "walks" → "walk", "isn't" → "be"."""
    small = word.casefold()
    for ending in _ENDINGS:
        small = small.removesuffix(ending)
    if small in _SAME:
        return _SAME[small]
    if small.endswith("ies"):
        return small[:-3] + "y"
    for ending in ("sses", "shes", "ches", "xes", "zes"):
        if small.endswith(ending):
            return small[:-2]
    return small.removesuffix("s")
