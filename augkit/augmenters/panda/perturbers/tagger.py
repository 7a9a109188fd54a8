"""The perturber that is an edit tagger: a model chooses the words, the rules write them.

The rules are asked about every tagged word as if it had been selected, and of their edits those
stay that are tagged, with the verbs and articles that agree with them. So the tagger decides who
is meant, and names, cases and agreement are as with rules alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from random import Random
from typing import Protocol

from augkit.augmenters.panda.config import PandaConfig
from augkit.augmenters.panda.perturbers.protocol import Perturbed, Perturber, PerturbTask
from augkit.augmenters.panda.perturbers.validate import contrast_between_fields, source_of
from augkit.augmenters.panda.references import find_hits
from augkit.core.types import Edit, Rejection
from augkit.lexicons.demographics.axes import check_target, read_axis
from augkit.models.language_models.edit_labels import TaggerInput
from augkit.models.language_models.edit_tagger import WordTag, load_tagger
from augkit.models.language_models.perturber import SEGMENT_SEP
from augkit.text.diff import apply

_MOST_WORDS = 60
"""Tagged words of one text that the rules are asked about, at most."""

Span = tuple[str, int, int]


class WordTagger(Protocol):
    """What chooses words: an ``EditTagger``, or recorded tags."""

    @property
    def axes(self) -> tuple[str, ...]:
        """The axes that it knows."""
        ...

    def threshold(self, axis: str) -> float:
        """The probability from which on a word changes."""
        ...

    def tag(self, inputs: Sequence[TaggerInput]) -> list[list[WordTag]]:
        """The words of each text with their probabilities."""
        ...


class TaggerPerturber:
    """Changes the words that an edit tagger chooses, as the rules write them."""

    def __init__(
        self, config: PandaConfig, rules: Perturber, tagger: WordTagger | None = None
    ) -> None:
        """Keep what is given; a model is loaded when the first text comes."""
        self.config = config
        self.rules = rules
        self._given = tagger

    @cached_property
    def _tagger(self) -> WordTagger:
        return self._given or load_tagger(self.config.model)

    def perturb(self, tasks: Sequence[PerturbTask]) -> list[Perturbed | Rejection]:
        """One answer per job, in order."""
        known = [task for task in tasks if self._knows(task)]
        tagged = self._tagger.tag([tagger_input(task) for task in known]) if known else []
        spans = [self._spans(task, tags) for task, tags in zip(known, tagged, strict=True)]
        asked = [
            _at(task, span)
            for task, some in zip(known, spans, strict=True)
            for span in (_chosen(task), *some)
        ]
        written = iter(self.rules.perturb(asked) if asked else [])
        answers = iter(
            [
                self._answer(task, some, [next(written) for _ in range(len(some) + 1)])
                for task, some in zip(known, spans, strict=True)
            ]
        )
        return [next(answers) if self._knows(task) else self._unknown(task) for task in tasks]

    def _knows(self, task: PerturbTask) -> bool:
        axis = read_axis(task.axis)
        check_target(axis, task.target)
        return axis.axis in self._tagger.axes

    def _unknown(self, task: PerturbTask) -> Rejection:
        axes = ", ".join(self._tagger.axes)
        detail = f"the tagger was trained on {axes}, not on {read_axis(task.axis).axis}"
        return task.reject("unusable answer", detail)

    def _spans(self, task: PerturbTask, tags: Iterable[WordTag]) -> list[Span]:
        """The tagged words in their fields, the chosen one left out."""
        least = self._tagger.threshold(read_axis(task.axis).axis)
        found = [tag for tag in tags if max(tag.replace, tag.insert) >= least]
        spans = [span for tag in found if (span := _in_field(task, tag)) is not None]
        return [span for span in spans if not _meet(span, _chosen(task))][:_MOST_WORDS]

    def _answer(
        self, task: PerturbTask, spans: Sequence[Span], written: Sequence[Perturbed | Rejection]
    ) -> Perturbed | Rejection:
        first = written[0]
        allowed = [_chosen(task), *spans]
        edits = merge_edits(
            task.axis,
            (each.edits or () for each in written if isinstance(each, Perturbed)),
            allowed,
        )
        if not edits:
            if isinstance(first, Rejection):
                return first
            return task.reject("unchanged", "the tagger chooses no word that the rules can write")
        fields = apply(task.fields, edits)
        if task.alone and (lost := contrast_between_fields(task, fields)):
            return task.reject("contrast lost", lost)
        axis = read_axis(task.axis).axis
        about = {"axis": axis, "source": source_of(task), "target": task.target, "word": task.word}
        return Perturbed(fields, edits, about)


def tagger_input(task: PerturbTask) -> TaggerInput:
    """The fields as one text, as in the training data, and where the chosen word is."""
    text = SEGMENT_SEP.join(task.fields.values())
    shift = next(start for name, start in _starts(task) if name == task.field)
    axis = read_axis(task.axis).axis
    return TaggerInput(text, shift + task.start, shift + task.end, axis, task.target)


def merge_edits(
    axis: str, proposed: Iterable[Sequence[Edit]], allowed: Sequence[Span]
) -> tuple[Edit, ...]:
    """The edits of allowed words, and those that agree with them; one name stays one name.

    An edit of no reference (a verb, an article) agrees with the reference before it, or else with
    the one after it.
    """
    found: dict[Span, Edit] = {}
    renamed: dict[str, str] = {}
    for edits in proposed:
        kept = [any(_meet(_span(edit), span) for span in allowed) for edit in edits]
        agreeing = [not find_hits(axis, edit.before) for edit in edits]
        for index, edit in enumerate(edits):
            beside = kept[index - 1] if index else any(kept[1:2])
            stays = kept[index] or (agreeing[index] and beside)
            if stays and not any(_meet(_span(edit), span) for span in found):
                after = (
                    renamed.setdefault(edit.before, edit.after) if _is_name(edit) else edit.after
                )
                found[_span(edit)] = replace(edit, after=after)
    order = sorted(found, key=lambda span: (span[0], span[1]))
    return tuple(found[span] for span in order)


def _is_name(edit: Edit) -> bool:
    return edit.before.istitle() and edit.after.istitle() and len(edit.before) > 3


def _span(edit: Edit) -> Span:
    return edit.field, edit.start, edit.end


def _chosen(task: PerturbTask) -> Span:
    return task.field, task.start, task.end


def _at(task: PerturbTask, span: Span) -> PerturbTask:
    """The same task about another word; the draws are those of the chosen word's."""
    state = task.rng.getstate()
    rng = Random()  # noqa: S311 - not for secrets
    rng.setstate(state)
    field, start, end = span
    return replace(task, field=field, start=start, end=end, rng=rng, alone=False)


def _starts(task: PerturbTask) -> Iterator[tuple[str, int]]:
    start = 0
    for name, text in task.fields.items():
        yield name, start
        start += len(text) + len(SEGMENT_SEP)


def _in_field(task: PerturbTask, tag: WordTag) -> Span | None:
    """The field of a tagged word and its place there; None for the separator."""
    for name, start in _starts(task):
        if start <= tag.start and tag.end <= start + len(task.fields[name]):
            return name, tag.start - start, tag.end - start
    return None


def _meet(one: Span, other: Span) -> bool:
    return one[0] == other[0] and one[1] < other[2] and other[1] < one[2]
