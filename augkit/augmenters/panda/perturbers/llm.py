"""The perturber that is a language model: it rewrites the references of a text, one by one.

The references are numbered, and the answer has exactly one text for each number, so that a model
can neither leave one out nor change anything else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from augkit.augmenters.llm_requests import prompt_request
from augkit.augmenters.loop import Ask, blank_variant
from augkit.augmenters.panda.config import PandaConfig
from augkit.augmenters.panda.perturbers.protocol import PerturbTask
from augkit.augmenters.panda.perturbers.validate import hits_at, source_of, validate_answer
from augkit.augmenters.panda.references import describes_people, find_hits
from augkit.core.edits import Edit, FieldSpan, apply, overlap_in_row
from augkit.core.model_types import Reply, Request
from augkit.core.protocols import LLM
from augkit.core.types import Variant
from augkit.english.morphology import agree, can_be, plural_of, singular_of
from augkit.lexicons.demographics.axes import check_target, read_axis
from augkit.prompts.answers import NamedTexts, limit_tokens, named_texts
from augkit.text.articles import fit_articles
from augkit.text.casing import match_case

_VERB_AFTER = re.compile(r"(?:['\u2019]\w+|\s+\w+(?:['\u2019]t)?)")
"""The word after a pronoun, or what is contracted with it."""
_PER_PIECE = 24
"""Characters that a piece may grow by: a name, "an elderly woman"."""


class Piece(NamedTuple):
    """A numbered part of a text that may change: ``fields[field][start:end]``."""

    field: str
    start: int
    end: int
    text: str
    number: int

    @property
    def name(self) -> str:
        """How the prompt and the answer name it."""
        return f"{self.number} {self.text}"


@dataclass(frozen=True)
class LLMPerturber:
    """Has a language model rewrite the references of an example, in all fields together."""

    llm: LLM
    config: PandaConfig

    def perturb(self, tasks: Sequence[PerturbTask]) -> list[Variant]:
        """One result per task, in order."""
        asked = [
            all(describes_people(task.fields[task.field], hit) for hit in hits_at(task))
            for task in tasks
        ]
        blanks = [
            replace(blank_variant(task.example), work=task)
            if person
            else task.refuse("not a person", f"'{task.word}' describes a thing")
            for task, person in zip(tasks, asked, strict=True)
        ]
        return Ask(self.llm, _unusable)(blanks, self._request, self._read)

    def _request(self, blank: Variant) -> Request:
        return rewrite_request(blank.work, self.config)

    def _read(self, blank: Variant, answer: NamedTexts) -> Variant:
        return read_rewriting(blank, answer, self.config.other_words)


def _unusable(blank: Variant, reply: Reply) -> Variant:
    return blank.refuse("unusable answer", f"{reply.fault}: {reply.detail or reply.text}")


def rewrite_request(task: PerturbTask, config: PandaConfig) -> Request:
    """Ask for a new text of each numbered piece; the seed is drawn from the task's generator."""
    pieces = numbered_pieces(task)
    person = next(piece for piece in pieces if overlap_in_row(piece, task))
    axis = read_axis(task.axis)
    target = task.target
    years = ["{} to {} years".format(*axis.bands[target])] if target in axis.bands else []
    marked = apply(task.fields, [Edit(*piece[:4], f"[{piece.name}]") for piece in pieces])
    request = prompt_request(
        "panda/rewrite",
        named_texts(tuple(piece.name for piece in pieces)),
        config,
        task.rng.randrange(2**31) if config.temperature else None,
        text="\n".join(marked.values()),
        person=person.name,
        target=f"{check_target(axis, target)} ({', '.join([axis.axis, *years])})",
    )
    return limit_tokens(
        request, [f'"{piece.name}": ' + piece.text + " " * _PER_PIECE for piece in pieces]
    )


def read_rewriting(blank: Variant, answer: NamedTexts, share: float) -> Variant:
    """The fields with the new pieces, or the reason why they cannot be used."""
    task = blank.work
    answers = answer.by_name
    pieces = numbered_pieces(task)
    new = _alike(
        task, [(piece, _agreeing(task, piece.text, answers[piece.name])) for piece in pieces]
    )
    bad = next((piece for piece, text in new if not text or _is_no_noun(task, piece, text)), None)
    if bad is not None:
        detail = f"'{answers[bad.name]}' for '{bad.name}'"
        return blank.refuse("unusable answer", detail)
    if left := _left_pronoun(task, new):
        return blank.refuse("unusable answer", f"'{left}' is left")
    return validate_answer(task, apply(task.fields, _edits(task, new)), share, blank.cost)


def _left_pronoun(task: PerturbTask, new: Sequence[tuple[Piece, str]]) -> str:
    """A pronoun that stayed although every noun and name that it can stand for changed."""
    source = source_of(task)
    for field in task.fields:
        answered = [
            (piece, text, hit.pos)
            for piece, text in new
            for hit in find_hits(task.axis, piece.text)[:1]
            if piece.field == field and hit.attribute == source
        ]
        stayed = [
            piece.text for piece, text, _ in answered if text.casefold() == piece.text.casefold()
        ]
        pronouns = [piece.text for piece, _, pos in answered if pos == "pronoun"]
        if stayed and len(pronouns) < len(answered) and all(word in pronouns for word in stayed):
            return stayed[0]
    return ""


def _alike(task: PerturbTask, new: Sequence[tuple[Piece, str]]) -> list[tuple[Piece, str]]:
    """The answers, with other fields following the chosen word's: a pair speaks of one scene."""
    chosen = {
        piece.text.casefold(): text
        for piece, text in reversed(new)
        if piece.field == task.field and text.casefold() != piece.text.casefold()
    }
    return [
        (piece, text if piece.field == task.field else chosen.get(piece.text.casefold(), text))
        for piece, text in new
    ]


def _agreeing(task: PerturbTask, old: str, new: str) -> str:
    """The answer with its number put right: "two woman" for two men, "they is" for he is."""
    pronoun, _, verb = (new := new.strip()).rpartition(" ")
    finite = verb[:1] in {"'", "\u2019"} or can_be(verb, "VERB") or can_be(verb, "AUX")
    if pronoun.casefold() in {"they", "he", "she"} and finite:
        return f"{pronoun} {agree(verb, plural=pronoun.casefold() == 'they')}"
    if _kinds(task, old) != {"noun"} or _kinds(task, new) != {"noun"}:
        return new
    plural = find_hits(task.axis, old)[0].readings[0].number == "plural"
    return plural_of(singular_of(new)) if plural else singular_of(new)


def _is_no_noun(task: PerturbTask, piece: Piece, new: str) -> bool:
    """Whether the answer cannot stand where the piece stands.

    The name of the attribute is no noun ("two asian"); a noun becomes neither a pronoun nor a name,
    and a pronoun no noun ("does man laundry").
    """
    old = _kinds(task, piece.text)
    after = _kinds(task, new)
    if old == {"pronoun"}:
        return after == {"noun"}
    if new.casefold() == task.target.casefold():
        return "noun" not in after and bool(old - {"adj"})
    return old == {"noun"} and bool(after) and after <= {"pronoun", "name"}


def _kinds(task: PerturbTask, text: str) -> set[str]:
    return {hit.pos for hit in find_hits(task.axis, text)}


def numbered_pieces(task: PerturbTask) -> list[Piece]:
    """The references of all fields to the axis, and the chosen word where it is none.

    A pronoun that is a subject has its verb with it where the target changes the verb too.
    """
    paradigms = read_axis(task.axis).pronouns
    plural = {name for name, paradigm in paradigms.items() if paradigm.plural_verb}
    changes_verbs = bool(plural & {task.target, source_of(task)})
    spans = []
    for name, text in task.fields.items():
        hits = [
            hit
            for hit in find_hits(task.axis, text)
            if not hit.blocked and describes_people(text, hit)
        ]
        parts = [
            (hit.start, hit.end, hit.pos == "pronoun" and hit.case == "subject") for hit in hits
        ]
        if not any(overlap_in_row(FieldSpan(name, start, end), task) for start, end, _ in parts):
            parts = sorted([*parts, (task.start, task.end, False)] if name == task.field else parts)
        nexts = [*(start for start, _, _ in parts[1:]), len(text)]
        for (start, end, subject), following in zip(parts, nexts, strict=False):
            verb = _VERB_AFTER.match(text, end, following) if subject and changes_verbs else None
            spans.append((name, start, verb.end() if verb else end))
    return [
        Piece(name, start, end, task.fields[name][start:end], number)
        for number, (name, start, end) in enumerate(spans, 1)
    ]


def _edits(task: PerturbTask, new: Sequence[tuple[Piece, str]]) -> Iterator[Edit]:
    """What the answer changes, with a or an before it fitted."""
    for name, before in task.fields.items():
        replacements = [
            (*piece[1:3], match_case(text, piece.text))
            for piece, text in new
            if piece.field == name
        ]
        for start, end, after in fit_articles(before, replacements):
            yield Edit(name, start, end, before[start:end], after)
