"""The cases of an audit: each text of a template rewritten for every group."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from augkit.augmenters.base import keyed_random
from augkit.augmenters.panda.fairtuning import NOBODY
from augkit.augmenters.panda.perturbers.protocol import Perturbed, PerturbTask
from augkit.augmenters.panda.perturbers.rules import RulePerturber
from augkit.augmenters.panda.references import Reference, references
from augkit.core.errors import ConfigError, DataError
from augkit.core.types import Edit, Example, Rejection, digest, value
from augkit.language.parser import SpacyParser
from augkit.lexicons.demographics.axes import read_axis
from augkit.lexicons.load import closed_classes
from augkit.runs.commands.audit_template import AuditTemplate, FilledText, Span, filled_texts
from augkit.text.diff import apply

_FIELD = "text"


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


def make_cases(template: AuditTemplate, seed: int = 0) -> AuditCases:
    """Every filled text for every group of every axis; grammar agrees with the person."""
    cases: list[AuditCase] = []
    rejected: Counter[str] = Counter()
    writer = _Writer(RulePerturber(SpacyParser()), seed)
    for filled in filled_texts(template):
        for axis in template.axes:
            for group, found in writer.for_groups(filled, axis, template.groups_of(axis)):
                if isinstance(found, AuditCase):
                    cases.append(found)
                else:
                    rejected[f"{axis}, {group}: {found}"] += 1
    if not cases:
        reasons = ", ".join(f"{reason}: {n}" for reason, n in rejected.most_common(3))
        raise DataError(f"no text can be rewritten for a group ({reasons}). Name a person in it")
    return AuditCases(tuple(cases), dict(rejected.most_common()))


def shared_scenarios(cases: Sequence[AuditCase]) -> list[int]:
    """For each two groups of an axis that share scenarios, how many."""
    found: dict[tuple[str, str], set[str]] = {}
    for case in cases:
        found.setdefault((case.axis, case.group), set()).add(case.scenario)
    both = ((one, two) for one, two in combinations(found, 2) if one[0] == two[0])
    return [n for one, two in both if (n := len(found[one] & found[two]))]


def template_caveats(template: AuditTemplate) -> Iterator[str]:
    """Words for a group that stay the same for every group: in the question, and without a mark."""
    perturber = RulePerturber(SpacyParser())
    for one in _people(template.question, template.axes, perturber):
        word = template.question[one.start : one.end]
        yield (
            f"the question has '{word}' ({one.axis}: {one.attribute}) and is asked alike for every "
            "group: write it without a word for the group"
        )
    yield from _unmarked(template, _Writer(perturber, 0))


@value
class _Writer:
    """Writes a text for every group of an axis."""

    perturber: RulePerturber
    seed: int

    def for_groups(
        self, filled: FilledText, axis: str, groups: Sequence[str]
    ) -> Iterator[tuple[str, AuditCase | str]]:
        """For each group the case, or why there is none."""
        people = _phrases(filled.text, _people(filled.text, [axis], self.perturber))
        found = {group: self._rewrite(filled, people, axis, group) for group in groups}
        if not filled.marks:
            _check_one_person(filled, people, axis, found.values())
        for group, result in found.items():
            if isinstance(result, str):
                yield group, f"text {filled.number}: {result}"
                continue
            text = apply({_FIELD: filled.text}, result or ())[_FIELD]
            yield group, AuditCase(digest(filled.text)[:10], read_axis(axis).axis, group, text)

    def edits(
        self, filled: FilledText, people: Sequence[Span], axis: str, groups: Sequence[str]
    ) -> tuple[Edit, ...]:
        """What changes for the first group that the text does not say already."""
        found = (self._rewrite(filled, people, axis, group) for group in groups)
        return next((edits for edits in found if isinstance(edits, tuple)), ())

    def _rewrite(
        self, filled: FilledText, people: Sequence[Span], axis: str, group: str
    ) -> tuple[Edit, ...] | str | None:
        """The edits for a group; None where the text says it already; else why it cannot be."""
        marks = sorted(filled.marks, key=lambda mark: not _states(filled.text, mark, axis))
        tries = [(mark, pointed) for pointed in (False, True) for mark in marks]
        for mark, pointed in tries or [(span, False) for span in people[:1]]:
            found = self._perturb(filled, mark, (axis, group), pointed=pointed)
            if isinstance(found, Perturbed):
                return self._with_all_marks(filled, found.edits or (), axis, group)
            if found.reason == "already the target":
                return None
            if found.reason not in NOBODY:
                return found.reason
        return f"no word states a person's {read_axis(axis).axis}"

    def _with_all_marks(
        self, filled: FilledText, edits: tuple[Edit, ...], axis: str, group: str
    ) -> tuple[Edit, ...] | str:
        """The edits and those of the marked words that still state another group, if all change."""
        for mark in filled.marks:
            if _touched(mark, edits) or not _states(filled.text, mark, axis):
                continue
            more = self._perturb(filled, mark, (axis, group), pointed=True)
            new = (more.edits or ()) if isinstance(more, Perturbed) else ()
            edits += tuple(e for e in new if not _touched((e.start, e.end), edits))
            if not _touched(mark, edits):
                return f"the marked word '{filled.text[slice(*mark)]}' cannot be rewritten"
        return edits

    def _perturb(
        self, filled: FilledText, word: Span, wanted: tuple[str, str], *, pointed: bool
    ) -> Perturbed | Rejection:
        axis, group = wanted
        drawn = filled.template if read_axis(axis).bands else filled.text  # one age for all slots
        rng = keyed_random(self.seed, drawn, f"audit {axis}", 0)
        mentions = tuple((_FIELD, *mark) for mark in filled.marks)
        example = Example({_FIELD: filled.text})
        task = PerturbTask(
            example, _FIELD, *word, axis, group, rng, pointed=pointed, mentions=mentions
        )
        return self.perturber.perturb([task])[0]


def _overlaps(span: Span, others: Iterable[Span]) -> bool:
    return any(start < span[1] and span[0] < end for start, end in others)


def _touched(span: Span, edits: Iterable[Edit]) -> bool:
    return _overlaps(span, ((edit.start, edit.end) for edit in edits))


def _states(text: str, mark: Span, axis: str) -> bool:
    """Whether a marked word states a group or an age; "man" states an age only if nothing does."""
    found = references({_FIELD: text}, [axis])
    number = text[slice(*mark)].isdigit() and bool(read_axis(axis).bands)
    return number or any(one.start < mark[1] and mark[0] < one.end for one in found)


def _check_one_person(
    filled: FilledText,
    people: Sequence[Span],
    axis: str,
    found: Iterable[tuple[Edit, ...] | str | None],
) -> None:
    """Raise ``ConfigError`` where some words of the axis may be another person's."""
    changed = next((edits for edits in found if isinstance(edits, tuple)), ())
    own = [p for p in people if _touched(p, changed)]
    are_linked = read_axis(axis).axis == "gender" or len(own) < 2
    if changed and not (are_linked and len(own) == len(people)):
        raise ConfigError(
            f"text {filled.number} of the template may be about several persons. Mark the words of "
            f"the one whose group changes. Here all words for {axis} are in square brackets; "
            f"remove those around the words of others: {filled.marked(people)}"
        )


def _phrases(text: str, found: Iterable[Reference]) -> list[Span]:
    """Where the references stand; those of one phrase are one: "*25-year-old Black man*"."""
    spans: list[Span] = []
    for one in found:
        linked = one.axis != "gender" and spans  # "*his* *father*" are two persons
        if linked and _in_one_phrase(text[spans[-1][1] : one.start]):
            spans[-1] = spans[-1][0], one.end
        else:
            spans.append((one.start, one.end))
    return spans


def _in_one_phrase(between: str) -> bool:
    """Whether at most one word stands between, none that joins two persons ("and", "his")."""
    words = between.lower().split()
    return (
        len(words) < 2
        and all(w.strip("-").isalpha() for w in words)
        and (closed_classes().keys().isdisjoint(words))
    )


def _unmarked(template: AuditTemplate, writer: _Writer) -> Iterator[str]:
    """Words for a group in a text with marks that are neither marked nor changed."""
    found: dict[int, dict[str, None]] = {}
    for filled in filled_texts(template):
        for axis in template.axes if filled.marks else ():
            people = _phrases(filled.text, _people(filled.text, [axis], writer.perturber))
            edits = writer.edits(filled, people, axis, template.groups_of(axis))
            kept = (p for p in people if not _touched(p, edits) and not _overlaps(p, filled.marks))
            words = found.setdefault(filled.number, {})
            words.update(dict.fromkeys(f"'{filled.text[slice(*span)]}'" for span in kept))
    for number, words in found.items():
        if words:
            yield (
                f"text {number} has words for a group that are not in brackets and stay as they "
                f"are for every group: {', '.join(words)}"
            )


def _people(text: str, axes: Sequence[str], perturber: RulePerturber) -> Iterator[Reference]:
    """The references to people: "Will" at the start of a question is none, by the parse."""
    for one in references({_FIELD: text}, axes):
        other = next(name for name in read_axis(one.axis).attributes if name != one.attribute)
        rng = keyed_random(0, text, "people", 0)
        task = PerturbTask(Example({_FIELD: text}), *one.span, one.axis, other, rng)
        (found,) = perturber.perturb([task])
        if isinstance(found, Perturbed) or found.reason not in NOBODY:
            yield one
