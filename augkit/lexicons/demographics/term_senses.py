"""What a word of an axis can mean, and what it becomes for each attribute."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import permutations

from augkit.lexicons.demographics.axes import AxisFile, Paradigm, Rows
from augkit.lexicons.demographics.names import first_names, name_lists
from augkit.lexicons.demographics.peoples import peoples

CASES = ("subject", "object", "determiner", "possessive", "reflexive")
"""The cases of a pronoun: she, her, her (keys), hers, herself."""
MIXED = "mixed"
"""The attribute of a phrase for several genders at once: "he or she", "ladies and gentlemen"."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to understand a form: ``written`` says what it becomes, per attribute.

    ``pos`` is noun, adj, title, address, pronoun, collective or name; ``number`` is singular,
    plural or nothing; ``case`` one of ``CASES`` for a pronoun; ``verb_changes`` the attributes for
    which the verb of this subject has to change its number.
    """

    attribute: str
    pos: str
    form: str
    written: Mapping[str, str] = field(hash=False)
    number: str = ""
    case: str = ""
    gender: str = ""
    needs: tuple[str, ...] = ()
    weak: bool = False
    verb_changes: frozenset[str] = frozenset()


def readings(axis: AxisFile) -> Iterator[Reading]:
    """Every reading of every form that is looked for, the preferred ones first."""
    yield from _pronouns(axis)
    for phrase, word in axis.collectives.items():
        neutral = {axis.attributes[-1]: word}
        yield Reading(MIXED, "collective", phrase, neutral, number="plural")
    seen: set[tuple[str, str, str]] = set()
    for group in axis.terms:
        for row in group.rows:
            for reading in _row(axis, group, row):
                key = (reading.form.lower(), reading.pos, reading.number)
                if key not in seen:
                    seen.add(key)
                    yield reading
    if axis.axis == "race":
        yield from (r for r in _peoples(axis) if (r.form.lower(), r.pos, r.number) not in seen)


def _peoples(axis: AxisFile) -> Iterator[Reading]:
    """Readings of nationalities: what they become is what the axis writes for the group."""
    adjective, noun, man, woman = (
        [r.written for r in readings_of if r.pos == pos and r.gender == gender]
        for readings_of in [[r for g in axis.terms for row in g.rows for r in _row(axis, g, row)]]
        for pos, gender in (("adj", ""), ("noun", ""), ("noun", "man"), ("noun", "woman"))
    )
    kinds = {
        "adj": ("adj", "", adjective[0], ""),
        "singular": ("noun", "singular", noun[0], ""),
        "plural": ("noun", "plural", next(w for w in noun if w is not noun[0]), ""),
        "man": ("noun", "singular", man[0], "man"),
        "men": ("noun", "plural", man[-1], "man"),
        "woman": ("noun", "singular", woman[0], "woman"),
        "women": ("noun", "plural", woman[-1], "woman"),
    }
    for kind, forms in peoples().items():
        pos, number, written, gender = kinds[kind]
        for form, group in forms.items():
            yield Reading(group, pos, form, written, number, gender=gender, needs=("sense",))


def _row(axis: AxisFile, group: Rows, row: str) -> Iterator[Reading]:
    cells = dict(zip(axis.attributes, map(_forms, row.split("|")), strict=True))
    numbers = ("singular", "plural") if group.pos in {"noun", "address"} else ("",)
    for index, number in enumerate(numbers):
        forms = {name: [f[index] for f in cell if len(f) > index] for name, cell in cells.items()}
        written = {name: spellings[0] for name, spellings in forms.items() if spellings}
        for name in group.read if group.read is not None else axis.attributes:
            for form in forms[name]:
                yield Reading(
                    name,
                    group.pos,
                    form,
                    written,
                    number=number,
                    gender=group.gender,
                    needs=("pos", *group.needs) if form in group.verbs else group.needs,
                    weak=name in group.weak,
                )


def _forms(cell: str) -> list[tuple[str, ...]]:
    """The forms of a cell, each as (singular,) or (singular, plural)."""
    if cell.strip() == "-":
        return []
    return [tuple(part.strip() for part in form.split("/")) for form in cell.split(",")]


def _pronouns(axis: AxisFile) -> Iterator[Reading]:
    for case in CASES:
        written = {name: getattr(paradigm, case) for name, paradigm in axis.pronouns.items()}
        yield from _doublets(axis, case, written)
        paradigms: list[tuple[str, Paradigm, tuple[str, ...]]] = [
            # "They" is more often several people than one whose gender is left open.
            (name, paradigm, ("number",) if paradigm.plural_verb else ())
            for name, paradigm in axis.pronouns.items()
        ]
        further = (paradigm for paradigm in axis.other_pronouns if getattr(paradigm, case))
        paradigms += [(paradigm.attribute, paradigm, paradigm.needs) for paradigm in further]
        for name, paradigm, needs in paradigms:
            changes = {n for n, p in axis.pronouns.items() if p.plural_verb != paradigm.plural_verb}
            yield Reading(
                name,
                "pronoun",
                getattr(paradigm, case),
                written,
                case=case,
                needs=needs,
                weak="number" in needs,
                verb_changes=frozenset(changes if case == "subject" else ()),
            )


def _doublets(axis: AxisFile, case: str, written: Mapping[str, str]) -> Iterator[Reading]:
    """Readings of "he or she", "his/her" and the like: all but the pronouns of a plural."""
    single = [name for name, paradigm in axis.pronouns.items() if not paradigm.plural_verb]
    plural = frozenset(axis.pronouns.keys() - single) if case == "subject" else frozenset[str]()
    if case == "subject" and {"he", "she"} <= {written[name] for name in single}:
        yield Reading(MIXED, "pronoun", "s/he", written, case=case, verb_changes=plural)
    for first, second in permutations(single, 2):
        for link in axis.doublets:
            gap = "" if link == "/" else " "
            form = f"{written[first]}{gap}{link}{gap}{written[second]}"
            yield Reading(MIXED, "pronoun", form, written, case=case, verb_changes=plural)


@cache
def name_readings(axis: str, word: str) -> tuple[Reading, ...]:
    """A first name as a reference to gender, or to the group that readers connect it with.

    What it becomes depends on the other names of a text, so nothing is written for it here.

    >>> [reading.attribute for reading in name_readings("gender", "Victor")]
    ['man']
    """
    name = first_names()[word.lower()]
    if axis == "gender":
        return (Reading(name.gender, "name", name.text, {}, weak=not name.counterpart),)
    weak = name.group in name_lists().weak
    return (Reading(name.group, "name", name.text, {}, gender=name.gender, weak=weak),)
