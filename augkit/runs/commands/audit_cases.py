"""The cases of an audit: a template file with slots, each case rewritten for every group."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from pathlib import Path

from pydantic import Field

from augkit.augmenters.base import keyed_random
from augkit.augmenters.panda.fairtuning import NOBODY
from augkit.augmenters.panda.perturbers.protocol import Perturbed, PerturbTask
from augkit.augmenters.panda.perturbers.rules import RulePerturber
from augkit.augmenters.panda.references import Reference, references
from augkit.core.config import StrictModel, load
from augkit.core.errors import ConfigError, DataError
from augkit.core.types import Example, digest, value
from augkit.language.parser import SpacyParser
from augkit.lexicons.demographics.axes import check_target, read_axis

_SLOT = re.compile(r"\{(\w+)\}")
_FIELD = "text"


class AuditTemplate(StrictModel):
    """A template file."""

    texts: tuple[str, ...] = Field(min_length=1, description="cases, each about a person")
    question: str = Field("", description="what is to be decided; asked after each case")
    answers: tuple[str, str] = Field(
        ("Yes", "No"), description="the favourable answer, then the other one"
    )
    slots: dict[str, tuple[str | int | float, ...]] = Field(
        default_factory=dict, description="slot → its values; {slot} in a text is each of them"
    )
    axes: tuple[str, ...] = Field(
        ("gender",), min_length=1, description="gender, race, age, or files"
    )
    groups: dict[str, tuple[str, ...]] = Field(
        default_factory=dict, description="axis → the groups to compare; default: all"
    )


@value
class AuditCase:
    """A scenario as it reads for one group."""

    scenario: str
    axis: str
    group: str
    text: str


@value
class AuditCases:
    """All cases, and why some groups have none."""

    cases: tuple[AuditCase, ...]
    rejected: Mapping[str, int]


def read_template(path: Path, axes: Sequence[str] = ()) -> AuditTemplate:
    """Read and check a template file; ``axes`` take the place of its own."""
    template = load(AuditTemplate, path)
    if axes:
        template = template.model_copy(update={"axes": tuple(axes)})
    used = {slot for text in template.texts for slot in _SLOT.findall(text)}
    for slot in sorted(used ^ set(template.slots)):
        problem = "has no values under 'slots'" if slot in used else "is in none of the texts"
        raise ConfigError(f"{path}: the slot '{slot}' {problem}")
    for axis in template.axes:
        for group in template.groups.get(axis, ()):
            check_target(read_axis(axis), group)
    return template


def make_cases(template: AuditTemplate, seed: int = 0) -> AuditCases:
    """Every filled text for every group of every axis; grammar agrees with the person."""
    cases: list[AuditCase] = []
    rejected: Counter[str] = Counter()
    perturber = RulePerturber(SpacyParser())
    for text in filled_texts(template):
        for axis in template.axes:
            for group, found in _for_groups(template, axis, text, perturber, seed):
                if isinstance(found, AuditCase):
                    cases.append(found)
                else:
                    rejected[f"{axis}, {group}: {found}"] += 1
    if not cases:
        reasons = ", ".join(f"{reason}: {n}" for reason, n in rejected.most_common(3))
        raise DataError(f"no text can be rewritten for a group ({reasons}). Name a person in it")
    return AuditCases(tuple(cases), dict(rejected.most_common()))


def filled_texts(template: AuditTemplate) -> Iterator[str]:
    """The texts with all combinations of the values of their slots."""
    for text in template.texts:
        names = list(dict.fromkeys(_SLOT.findall(text)))
        for values in product(*(template.slots[name] for name in names)):
            given = {name: str(one) for name, one in zip(names, values, strict=True)}
            yield _SLOT.sub(lambda match: given[match[1]], text)  # noqa: B023 - used at once


def shared_scenarios(cases: Sequence[AuditCase]) -> list[int]:
    """For each two groups of an axis that share scenarios, how many."""
    found: dict[tuple[str, str], set[str]] = {}
    for case in cases:
        found.setdefault((case.axis, case.group), set()).add(case.scenario)
    both = ((one, two) for one, two in combinations(found, 2) if one[0] == two[0])
    return [n for one, two in both if (n := len(found[one] & found[two]))]


def template_caveats(template: AuditTemplate) -> Iterator[str]:
    """Words for a group in the question, which is the same for every group."""
    perturber = RulePerturber(SpacyParser())
    for one in _people(template.question, template.axes, perturber):
        word = template.question[one.start : one.end]
        yield (
            f"the question has '{word}' ({one.axis}: {one.attribute}) and is asked alike for every "
            "group: write it without a word for the group"
        )


def _for_groups(
    template: AuditTemplate, axis: str, text: str, perturber: RulePerturber, seed: int
) -> Iterator[tuple[str, AuditCase | str]]:
    """For each group the case, or why there is none."""
    known = read_axis(axis)
    groups = template.groups.get(axis) or known.attributes
    mentions = references({_FIELD: text}, [axis])
    person = next(_people(text, [axis], perturber), mentions[0] if mentions else None)
    scenario = digest(text)[:10]
    for group in groups:
        if person is None:
            yield group, f"no word of the text states a person's {known.axis}"
            continue
        if person.attribute == group:
            yield group, AuditCase(scenario, known.axis, group, text)
            continue
        rng = keyed_random(seed, text, f"audit {axis}", 0)
        task = PerturbTask(Example({_FIELD: text}), *person.span, axis, group, rng)
        (found,) = perturber.perturb([task])
        if isinstance(found, Perturbed):
            yield group, AuditCase(scenario, known.axis, group, found.fields[_FIELD])
        else:
            yield group, found.reason


def _people(text: str, axes: Sequence[str], perturber: RulePerturber) -> Iterator[Reference]:
    """The references to people: "Will" at the start of a question is none, by the parse."""
    for one in references({_FIELD: text}, axes):
        other = next(name for name in read_axis(one.axis).attributes if name != one.attribute)
        rng = keyed_random(0, text, "people", 0)
        task = PerturbTask(Example({_FIELD: text}), *one.span, one.axis, other, rng)
        (found,) = perturber.perturb([task])
        if isinstance(found, Perturbed) or found.reason not in NOBODY:
            yield one
