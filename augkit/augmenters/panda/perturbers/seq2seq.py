"""The perturber that is a sequence-to-sequence model on this machine, as the paper's is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from augkit.augmenters.panda.perturbers.protocol import PerturbTask
from augkit.augmenters.panda.perturbers.validate import validate_answer
from augkit.core.types import Variant
from augkit.lexicons.demographics.axes import check_target, read_axis
from augkit.models.language_models.perturber import PERT_SEP, SEGMENT_SEP, perturber_input
from augkit.models.language_models.seq2seq import Generation, Seq2Seq

_SEGMENT = SEGMENT_SEP.strip()


@dataclass(frozen=True)
class Seq2SeqPerturber:
    """Writes with a model that was trained on pairs in PANDA's format.

    ``share``: see ``validate_answer``.
    """

    model: Seq2Seq
    share: float

    def perturb(self, tasks: Sequence[PerturbTask]) -> list[Variant]:
        """One answer per task, in order."""
        inputs = [model_input(task) for task in tasks if not _separator_in(task)]
        written = iter(self.model.write(inputs) if inputs else ())
        return [
            task.refuse("unusable answer", f"the text itself holds {separator}, a separator")
            if (separator := _separator_in(task))
            else read_written(task, next(written), self.share)
            for task in tasks
        ]


def model_input(task: PerturbTask) -> str:
    """What the model reads: the word, the attribute and the fields as segments."""
    check_target(read_axis(task.axis), task.target)
    text = SEGMENT_SEP.join(text.strip() for text in task.fields.values())
    return perturber_input(task.word, task.target, text)


def read_written(task: PerturbTask, written: Generation, share: float) -> Variant:
    """The segments in their fields, with the space around them, or why they cannot be used."""
    if written.fault:
        return task.refuse("unusable answer", written.fault)
    segments = [part.strip() for part in written.text.split(_SEGMENT)]
    if len(segments) != len(task.fields):
        detail = f"{len(segments)} segments instead of {len(task.fields)}: {written.text[:300]}"
        return task.refuse("unusable answer", detail)
    pairs = zip(task.fields.items(), segments, strict=True)
    fields = {name: text.replace(text.strip(), segment, 1) for (name, text), segment in pairs}
    return validate_answer(task, fields, share)


def _separator_in(task: PerturbTask) -> str:
    """The separator that a text holds, if it holds one."""
    texts = task.fields.values()
    return next((s for s in (_SEGMENT, PERT_SEP.strip()) if any(s in text for text in texts)), "")
