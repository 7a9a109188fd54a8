"""The perturber that is an edit tagger: a model chooses the words, the rules write them.

The rules are asked about every tagged word as if it were all that refers to the person. So the
tagger decides who is meant, and names, cases and agreement are as with rules alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace

from augkit.augmenters.panda.perturbers.protocol import Perturber, PerturbTask
from augkit.augmenters.panda.perturbers.validate import perturbed, source_of
from augkit.augmenters.panda.rules.document import JoinedText
from augkit.core.edits import Edit, FieldSpan, overlap_in_row
from augkit.core.types import Variant
from augkit.lexicons.demographics.axes import check_target, read_axis
from augkit.models.language_models.edit_tagger import EditTagger, TaggerInput, WordTag
from augkit.models.language_models.perturber import SEGMENT_SEP

_MOST_WORDS = 60
"""Tagged words of one text that the rules are asked about, at most."""


@dataclass(frozen=True)
class TaggerPerturber:
    """Changes the words that an edit tagger chooses, as the rules write them."""

    tagger: EditTagger
    rules: Perturber

    def perturb(self, tasks: Sequence[PerturbTask]) -> list[Variant]:
        """One answer per task, in order."""
        rejected = [self._refuse(task) for task in tasks]
        accepted = [task for task, rejection in zip(tasks, rejected, strict=True) if not rejection]
        tagged = zip(accepted, self.tagger.tag(list(map(tagger_input, accepted))), strict=True)
        return [rejection or self._perturb(*next(tagged)) for rejection in rejected]

    def _refuse(self, task: PerturbTask) -> Variant | None:
        axis = read_axis(task.axis)
        check_target(axis, task.target)
        detail = f"the tagger was trained on {', '.join(self.tagger.axes)}, not on {axis.axis}"
        return None if axis.axis in self.tagger.axes else task.refuse("unusable answer", detail)

    def _perturb(self, task: PerturbTask, tags: Iterable[WordTag]) -> Variant:
        spans = chosen_words(task, tags, self.tagger.threshold(read_axis(task.axis).axis))
        # About each word alone; the draws are those of the chosen word.
        about_words = [
            replace(task, **span._asdict(), rng=deepcopy(task.rng), alone=False, mentions=(span,))
            for span in spans
        ]
        written = self.rules.perturb(about_words)
        edits: dict[FieldSpan, Edit] = {}
        for edit in (e for result in written if not result.reason for e in result.edits or ()):
            span = FieldSpan(edit.field, edit.start, edit.end)
            if not any(overlap_in_row(span, earlier) for earlier in edits):
                edits[span] = edit
        if edits:
            return perturbed(task, tuple(edits[span] for span in sorted(edits)), source_of(task))
        if written[0].reason:
            return written[0]
        return task.refuse("unchanged", "the tagger chooses no word that the rules can write")


def tagger_input(task: PerturbTask) -> TaggerInput:
    """The fields as one text, as in the training data, and where the chosen word is."""
    joined = JoinedText(task.fields, SEGMENT_SEP)
    start = joined.starts[task.field] + task.start
    axis = read_axis(task.axis).axis
    return TaggerInput(joined.text, start, start + len(task.word), axis, task.target)


def chosen_words(task: PerturbTask, tags: Iterable[WordTag], least: float) -> list[FieldSpan]:
    """The selected word, and the words that are tagged with at least this probability."""
    joined = JoinedText(task.fields, SEGMENT_SEP)
    tagged = [tag for tag in tags if max(tag.replace, tag.insert) >= least]
    spans = [joined.in_field(tag.start, tag.end) for tag in tagged]
    tagged_spans = [span for span in spans if span is not None and not overlap_in_row(span, task)]
    return [task.span, *tagged_spans[:_MOST_WORDS]]
