"""The perturber that works by rules: no model, no network, the same answer every time.

A text is first tried without an analysis; only those whose words leave something open are parsed,
together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

from augkit.augmenters.panda.axes.age import change_age
from augkit.augmenters.panda.axes.gender import change_gender
from augkit.augmenters.panda.axes.race import change_race
from augkit.augmenters.panda.contrast import lost_contrast
from augkit.augmenters.panda.jobs import Job, Perturbed, Refused
from augkit.augmenters.panda.scene import NeedsAnalysis, Scene
from augkit.augmenters.panda.writing import Change, to_edits, with_possessives
from augkit.language.parse_repair import repair_parse
from augkit.language.parser import BUNDLED, SpacyParser
from augkit.lexicons.demographics.axes import check_target, read_axis
from augkit.lexicons.demographics.slurs import has_slur
from augkit.text.articles import fit_articles
from augkit.text.diff import apply

Rule = Callable[[Scene, tuple[int, int], str, Random], "tuple[str, list[Change]] | Refused"]

_RULES: Mapping[str, Rule] = {"gender": change_gender, "race": change_race, "age": change_age}


class Rules:
    """Perturbs by rules over word lists and, where they do not suffice, a parse."""

    def __init__(self, pipeline: str = BUNDLED) -> None:
        """Take the name of a spaCy pipeline, which is loaded when a text first needs it."""
        self._pipeline = pipeline

    def perturb(self, jobs: Sequence[Job]) -> list[Perturbed | Refused]:
        """One answer per job, in order; the texts that need a parse are parsed in one go."""
        answers: dict[int, Perturbed | Refused] = {}
        open_jobs: list[tuple[int, Scene]] = []
        for place, job in enumerate(jobs):
            scene = Scene(job.fields, job.axis)
            try:
                answers[place] = perturb_scene(scene, job)
            except NeedsAnalysis:
                open_jobs.append((place, scene))
        if open_jobs:
            analyses = SpacyParser(self._pipeline).parse([scene.text for _, scene in open_jobs])
            for (place, scene), analysis in zip(open_jobs, analyses, strict=True):
                scene.analysis = repair_parse(analysis)
                answers[place] = perturb_scene(scene, jobs[place])
        return [answers[place] for place in range(len(jobs))]


def perturb(
    fields: Mapping[str, str] | str,
    span: tuple[str, int, int] | tuple[int, int],
    axis: str,
    target: str,
    generator: Random | None = None,
) -> Perturbed | Refused:
    """Rewrite a text, or the fields of an example, about somebody of another attribute.

    ``span`` is (start, end) of the chosen word, or (field, start, end).

    >>> perturb("He lost his keys.", (0, 2), "gender", "woman").fields
    {'text': 'She lost her keys.'}
    """
    texts = {"text": fields} if isinstance(fields, str) else dict(fields)
    field, start, end = span if len(span) == 3 else (next(iter(texts)), *span)
    drawn = generator if generator is not None else Random(0)  # noqa: S311 - not for secrets
    return Rules().perturb([Job(texts, field, start, end, axis, target, drawn)])[0]


def perturb_scene(scene: Scene, job: Job) -> Perturbed | Refused:
    """The answer to a job on its scene; raises ``NeedsAnalysis`` where the words do not suffice."""
    axis = read_axis(job.axis)
    check_target(axis, job.target)
    rule = _RULES.get(axis.axis, change_gender)
    state = job.generator.getstate() if _may_draw(scene) else None
    try:
        outcome = rule(scene, scene.span(job), job.target, job.generator)
    except NeedsAnalysis:
        if state is not None:
            job.generator.setstate(state)  # what was drawn in vain is drawn again
        raise
    if isinstance(outcome, Refused):
        return outcome
    source, changes = outcome
    edits = to_edits(
        scene.fields, scene.starts, fit_articles(scene.text, with_possessives(scene.text, changes))
    )
    if not edits:
        return Refused("unchanged", f"nothing in the text says that '{job.word}' is {source}")
    if job.alone and (reason := lost_contrast(scene, edits, (source, job.target))) is not None:
        return reason
    fields = apply(scene.fields, edits)
    if any(has_slur(edit.after) for edit in edits):
        return Refused("fixed phrase", "the result would hold a slur")
    about = {"axis": axis.axis, "source": source, "target": job.target, "word": job.word}
    return Perturbed(fields, edits, about)


def _may_draw(scene: Scene) -> bool:
    """Whether something may be drawn before the analysis is asked for: a name, an age."""
    if scene.analysis is not None:
        return False
    return scene.axis == "age" or any(hit.readings[0].pos == "name" for hit in scene.hits)
