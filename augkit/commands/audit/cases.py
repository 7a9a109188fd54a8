"""The cases of an audit: each text of a template rewritten for every group."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product

from augkit.augmenters.base import keyed_random
from augkit.augmenters.panda.person_reader import PersonOfText, PersonReader, Stated
from augkit.augmenters.panda.perturbers.protocol import NOBODY, PerturbTask
from augkit.augmenters.panda.perturbers.rules import RulePerturber
from augkit.commands.audit.template import AuditTemplate, FilledText, filled_texts
from augkit.core.edits import Edit, FieldSpan, Span, apply, overlap
from augkit.core.errors import ConfigError, DataError
from augkit.core.types import Example, Variant, digest, value
from augkit.english.parser import SpacyParser
from augkit.lexicons.demographics.axes import read_axis

_FIELD = "text"
_ALREADY = "already the target"
_WORDS = {
    "gender": ("a pronoun, a first name, a title or a noun such as 'man'", ""),
    "race": ("a word such as 'Black'", "a name or a noun for the person"),
    "age": ("an age or a word such as 'young'", "a noun for the person"),
}
"""By axis, the words that state it, and others that can be marked."""


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
    """Every filled text for every group of every axis; grammar agrees with the person.

    ``ConfigError`` names all texts that need brackets, each with the first reason.
    """
    cases: list[AuditCase] = []
    rejected: Counter[str] = Counter()
    refused: dict[int, str] = {}
    writer = _Writer(
        PersonReader(SpacyParser()), RulePerturber(SpacyParser(), full_names=True), seed
    )
    for filled, axis in product(filled_texts(template), template.axes):
        if filled.number not in refused:
            try:
                by_group = dict(writer.for_groups(filled, axis, template.groups_of(axis)))
            except ConfigError as error:
                refused[filled.number] = str(error)
                continue
            reasons = {group: why for group, why in by_group.items() if isinstance(why, str)}
            cases += [case for case in by_group.values() if isinstance(case, AuditCase)]
            for_all = len(reasons) == len(by_group) and len(set(reasons.values())) == 1
            for group, why in reasons.items():
                rejected[f"{axis}, {'every group' if for_all else group}: {why}"] += 1
    if refused:
        raise ConfigError("\n".join(dict.fromkeys(refused.values())))
    return AuditCases(tuple(cases), dict(rejected.most_common()))


def comparable_cases(template: AuditTemplate, seed: int = 0) -> AuditCases:
    """The cases; ``DataError`` where those of an axis leave no two groups to compare."""
    written = make_cases(template, seed)
    for axis in template.axes:
        if shared_scenarios([case for case in written.cases if case.axis == read_axis(axis).axis]):
            continue
        reasons = [
            f"{why}: {n}" for why, n in written.rejected.items() if why.startswith(f"{axis},")
        ]
        why = f" ({'; '.join(reasons[:3])})" if reasons else ": name two groups or more"
        raise DataError(f"no text can be written for two groups of the axis '{axis}'{why}")
    return written


def shared_scenarios(cases: Sequence[AuditCase]) -> list[int]:
    """For each two groups of an axis that share scenarios, how many."""
    scenarios: dict[tuple[str, str], set[str]] = {}
    for case in cases:
        scenarios.setdefault((case.axis, case.group), set()).add(case.scenario)
    shared = (
        len(scenarios[first] & scenarios[second])
        for first, second in combinations(scenarios, 2)
        if first[0] == second[0]
    )
    return [number for number in shared if number]


def template_caveats(template: AuditTemplate) -> Iterator[str]:
    """Words for a group that stay the same for every group: in the question, and without a mark."""
    reader = PersonReader(SpacyParser())
    for axis in template.axes:
        for stated in _stated(reader, template.question, axis):
            word = template.question[stated.start : stated.end]
            yield (
                f"the question has '{word}', a word for {axis}, and is asked alike for every "
                "group: write it without a word for the group"
            )
    # Words for a group in a text with marks that are neither marked nor in a marked name.
    words_by_text: dict[int, dict[str, None]] = {}
    for filled in filled_texts(template):
        for axis in template.axes if filled.marks else ():
            words = words_by_text.setdefault(filled.number, {})
            for stated in _stated(reader, filled.text, axis):
                if not any(overlap(stated.phrase, mark) for mark in filled.marks):
                    words[f"'{filled.text[stated.start : stated.end]}'"] = None
    for number, words in words_by_text.items():
        if words:
            yield (
                f"text {number} has words for a group that are not in brackets and stay as they "
                f"are for every group: {', '.join(words)}"
            )


def _stated(reader: PersonReader, text: str, axis: str) -> list[Stated]:
    """The words of a text that state a group of somebody, in order."""
    return sorted(stated for person in reader.persons(text, axis) for stated in person.stated)


@value
class _Writer:
    """Writes a text for every group of an axis."""

    reader: PersonReader
    perturber: RulePerturber
    seed: int

    def for_groups(
        self, filled: FilledText, axis: str, groups: Sequence[str]
    ) -> Iterator[tuple[str, AuditCase | str]]:
        """For each group the case, or why there is none."""
        persons = self.reader.persons(filled.text, axis)
        stated = sorted(words for person in persons for words in person.stated)
        is_linked = not filled.marks and read_axis(axis).axis == "gender"
        person_words = [] if is_linked else [words.phrase for words in stated]
        if filled.marks:
            heads = [self.reader.head(filled.text, mark) for mark in filled.marks]
            stated = []  # by the marked phrases, of the persons that their main words are
            for mark, head in zip(filled.marks, heads, strict=True):
                marked = [p for p in persons if any(overlap(head, m) for m in p.mentions)]
                stated += [s for p in marked or persons for s in p.stated if overlap(s, mark)]
            stated = list(dict.fromkeys(stated))
            if read_axis(axis).bands:
                spans = [words.span for words in stated]
                numbers = [mark for mark in filled.marks if filled.text[slice(*mark)].isdigit()]
                # A marked number is an age because somebody says so.
                stated += [Stated(*mark, mark) for mark in numbers if mark not in spans]
            person_words = [*(words.span for words in stated), *heads]
        else:
            _check_first_person(filled, persons, axis)
        task = _Rewriting(self.perturber, self.seed, filled, person_words, stated, axis)
        edits = {group: task.edits_for(group) for group in groups}
        # Where a word of the axis stays, it may be another person's.
        changed = next((edit for edit in edits.values() if edit and not isinstance(edit, str)), ())
        stays = not all(any(overlap(s.phrase, edit) for edit in changed) for s in stated)
        if is_linked and changed and stays:
            raise _several_persons(filled, [words.span for words in stated], axis)
        for group, result in edits.items():
            if isinstance(result, str):
                yield group, f"text {filled.number}: {result}"
                continue
            text = apply({_FIELD: filled.text}, result)[_FIELD]
            yield group, AuditCase(digest(filled.text)[:10], read_axis(axis).axis, group, text)


@value
class _Rewriting:
    """A text to be rewritten: the ``person_words`` change, and no other.

    ``stated`` are those that state the axis. Without words of the person the first of them says who
    the person is.
    """

    perturber: RulePerturber
    seed: int
    filled: FilledText
    person_words: Sequence[Span]
    stated: Sequence[Stated]
    axis: str

    def edits_for(self, group: str) -> tuple[Edit, ...] | str:
        """The edits for a group, none where the text says it already; else why it cannot be."""
        if not self.stated:
            return self._described(group)
        edits: tuple[Edit, ...] = ()
        unchanged: list[str] = []
        for words in self.stated if self.person_words else self.stated[:1]:
            quoted = f"'{self.filled.text[words.start : words.end]}'"
            if any(overlap(words.phrase, edit) for edit in edits):
                continue
            result = self._perturb(words.span, group)
            if result.reason == _ALREADY:
                unchanged.append(quoted)
                continue
            if result.reason:
                return f"{quoted} cannot be rewritten: {result.reason}"
            edits += tuple(
                edit
                for edit in result.edits or ()
                if not any(overlap(edit, earlier) for earlier in edits)
            )
        if edits and unchanged:
            changed = ", ".join(f"'{edit.before}'" for edit in edits)
            return f"{', '.join(unchanged)} and {changed} are not of one group"
        return edits

    def _described(self, group: str) -> tuple[Edit, ...] | str:
        """The edits where none of the words states the axis: "the [nurse]" is "the Asian nurse"."""
        for span in self.person_words:
            result = self._perturb(span, group)
            if not result.reason:
                return result.edits or ()
            if result.reason == _ALREADY:
                return ()
            if result.reason not in NOBODY:
                return result.reason
        axis = read_axis(self.axis).axis
        stating, markable = _WORDS.get(axis, ("a word of the axis", ""))
        if self.filled.marks:
            also = markable and f", or {markable}"
            return f"no marked word says a person's {axis}. Mark {stating}{also}"
        mark = markable and f", or put {markable} in square brackets"
        return f"no word says a person's {axis}. Write {stating}{mark}"

    def _perturb(self, word: Span, group: str) -> Variant:
        """The rewritten text; as a word that somebody chose only where it is not otherwise."""
        filled = self.filled
        axis = self.axis
        drawn = filled.template if read_axis(axis).bands else filled.text  # one age for all slots
        rng = keyed_random(self.seed, drawn, f"audit {axis}", 0)
        mentions = tuple(FieldSpan(_FIELD, *span) for span in self.person_words)
        example = Example({_FIELD: filled.text})
        task = PerturbTask(example, _FIELD, *word, axis, group, rng, mentions=mentions)
        (result,) = self.perturber.perturb([task])
        if result.reason and result.reason != _ALREADY and self.person_words:
            (result,) = self.perturber.perturb([replace(task, pointed=True)])
        return result


def _check_first_person(filled: FilledText, persons: Sequence[PersonOfText], axis: str) -> None:
    """Raise ``ConfigError`` where words of the axis are not those of the first person alone."""
    with_words = [person.stated for person in persons if person.stated]
    spans = [words.span for stated in with_words for words in stated]
    if len(with_words) > 1:
        raise _several_persons(filled, spans, axis)
    if with_words and not persons[0].stated:
        raise ConfigError(
            f"text {filled.number} of the template has words for {axis}, but not of the first "
            "person that it is about. Where they are those of the person whose group changes, put "
            f"them in square brackets: {filled.marked(spans)}"
        )


def _several_persons(filled: FilledText, words: Iterable[Span], axis: str) -> ConfigError:
    return ConfigError(
        f"text {filled.number} of the template may be about several persons. Mark the words of "
        f"the one whose group changes. Here all words for {axis} are in square brackets; "
        f"remove those around the words of others: {filled.marked(words)}"
    )
