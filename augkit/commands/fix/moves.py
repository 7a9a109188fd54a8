"""Move a cue: take it out of a text with the phrase or sentence it is in, or put it into one.

What is put in was written by the authors of the dataset: a sentence that says nothing but the cue,
or the phrase that it usually stands in, at the place where it usually stands.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from augkit.commands.check.groups import SAME_ROWS
from augkit.commands.fix.cues import Cue
from augkit.commands.fix.evidence import (
    SENTENCE,
    SIGNS_AND_SPACE,
    TaskOfLabels,
    fixed_phrase,
    is_grammar,
    is_set_apart,
    phrase_places,
    spanned_words,
    unit_spans,
)
from augkit.core.analysis import Analysis
from augkit.core.edits import Span
from augkit.core.options import BETWEEN
from augkit.core.protocols import Parser
from augkit.english.rewriting.candidates import PROMISES, apply_edits
from augkit.english.rewriting.leave_out import judges_nothing
from augkit.english.rewriting.rewrite import mark_candidates, word_candidates
from augkit.english.rewriting.targets import is_evidence
from augkit.lexicons.load import closed_classes
from augkit.text.features.kinds import FIRST_WORD, LAST_WORD, lowered_words
from augkit.text.tokens import word_spans

_MOST_DONORS = 20
_LONGEST_DONOR = 14
_FEWEST_PHRASES = 3
"""Rows with the same phrase, for it to be the usual one."""
_MOSTLY = 0.5
_MENTIONS = frozenset("@#")
"""Signs that belong to the word behind them."""
_SEPARATORS = frozenset(":,;-\u2013\u2014|/")
_GAP = re.compile(r"\s*[:,;\-\u2013\u2014|/.!?]*\s*")
_LEAD = 2
"""The words before a name that say what it is the name of."""
# What ends a text is looked for where a run of letters, spaces or signs begins: from each of its
# characters it would take the square of its length.
_LAST_WORD = re.compile(r"(?<!\w)(\w+)\s+\Z")
_NEXT_WORD = re.compile(r"\s+(\w+)")
_GAP_BEFORE = re.compile(
    r"(?<!\s)(?:\s+(?:[:,;\-\u2013\u2014|/]+\s*)?"
    r"|(?<![:,;\-\u2013\u2014|/])[:,;\-\u2013\u2014|/]+\s*|)$"
)
_END = re.compile(r"(?<![.!?\u2026])[.!?\u2026]+[\"'\u201d\u2019)]*\s*$")


@dataclass(frozen=True)
class CueMover:
    """Takes one cue out of texts, and puts it into others."""

    cue: Cue
    sentences: tuple[str, ...]
    """Sentences of the dataset that say nothing but the cue."""
    at_start: bool
    """Whether they stand at the beginning of a text; otherwise at the end."""
    phrase: str
    """The words that the cue usually stands in, to be put before the end of a sentence."""
    edge: str
    """The words, with spaces and signs, that begin or end most texts with the cue."""
    changes_label: bool
    """Whether the cue may carry the label, so that a row without it may need another."""
    frames: tuple[tuple[str, str], ...] = ()
    """What stands before and after the cue in the lines or sentences that it ends texts in."""
    part: int = 0
    """The paragraph or message that the cue is mostly in, from 0; -1 is the last one."""
    leads: frozenset[tuple[str, ...]] = frozenset()
    """The words that a name often stands behind, two each: "call from"."""

    @property
    def can_insert(self) -> bool:
        """Whether there is something to put into a text."""
        return not self.changes_label and bool(
            self.sentences or self.phrase or self.edge or self.cue.sign
        )

    def without(self, text: str, analysis: Analysis | None, rng: Random) -> str | None:
        """The text without the cue; None where it cannot go alone."""
        if self.changes_label:
            return None
        candidates = self._formulas_out(text)
        if _is_at_edge(self.cue, text):
            candidates.append(deleted(self.cue, text))
        if self.cue.sign:
            candidates = [
                apply_edits(text, candidate.edits)
                for candidate in mark_candidates(text, self.cue.sign)
            ] or [text.replace(self.cue.sign, "." if text.endswith(self.cue.sign) else "")]
        elif analysis is not None:
            spans = cue_spans(self.cue, text)
            candidates += [
                apply_edits(text, candidate.edits)
                for candidate in word_candidates(analysis, spans, PROMISES, rng)
            ]
        shorter = (candidate.strip() for candidate in candidates)
        return next((new for new in shorter if new and not self._is_left(new)), None)

    def _is_left(self, text: str) -> bool:
        """Whether a text still has the cue, or a part of a name."""
        parts = set(self.cue.words) if self.cue.is_name else set()
        return self.cue.is_in(text) or not parts.isdisjoint(lowered_words(text))

    def inserted(self, text: str, rng: Random) -> str | None:
        """The text with the cue, at the place where it usually stands; None where it cannot."""
        parts = text.split(BETWEEN)
        number = min(self.part, len(parts) - 1)
        if not self.can_insert or not parts[number].strip():
            return None
        part = self._inserted_in(parts[number], rng)
        if part is None:
            return None
        parts[number] = part
        return BETWEEN.join(parts)

    def _inserted_in(self, text: str, rng: Random) -> str | None:
        """A paragraph with the cue."""
        if (new := self._in_place_of_another(text)) is not None:
            return new
        bare, end = text.rstrip(), _END.search(text)
        closing = "" if end is None else end.group().rstrip()
        if self.cue.sign:
            new = bare.removesuffix(closing) + self.cue.sign
        elif self.sentences:
            sentence = rng.choice(self.sentences)
            bare = bare if closing else f"{bare}."
            new = f"{sentence} {text.lstrip()}" if self.at_start else f"{bare} {sentence}"
        elif self.edge:
            new = self.edge + text.lstrip() if self.at_start else bare + self.edge
        else:
            new = f"{bare.removesuffix(closing)} {self.phrase}{closing}"
        return new if self.cue.is_in(new) else None

    def _in_place_of_another(self, text: str) -> str | None:
        """The text with the cue in place of another name, in its frame or behind its words.

        A text that ends with "-- Tom" has one agent, and a call comes from one station.
        """
        size = len(self.cue.phrase)
        for before, after in self.frames:
            inside = _filling(text, before, after)
            if inside is None:
                continue
            filling = text[inside.start : inside.end]
            is_name = filling.istitle() and len(filling.split()) == size
            if is_name and len(word_spans(filling)) == size:
                name = " ".join(self.cue.phrase).title()
                new = text[: inside.start] + name + text[inside.end :]
                return new if self.cue.is_in(new) else None
        for span in _led_names(text, self.leads):
            new = text[: span.start] + " ".join(self.cue.phrase).title() + text[span.end :]
            if self.cue.is_in(new):
                return new
        return None

    def _formulas_out(self, text: str) -> list[str]:
        """The text without a sentence that says nothing but the cue."""
        for sentence in self.sentences:
            if sentence in text and text.strip() != sentence:
                return [re.sub(rf"(?<!\s)\s*{re.escape(sentence)}", "", text, count=1)]
        return []


def make_mover(cue: Cue, texts: Sequence[str], task: TaskOfLabels, parser: Parser) -> CueMover:
    """How a cue is moved, read from the texts that hold it."""
    holding = [text for text in texts if cue.is_in(text)]
    set_apart = cue.is_likely and is_set_apart(cue, holding)
    holding, part = _in_parts(cue, holding)
    positional = cue.first.kind in {FIRST_WORD, LAST_WORD}
    is_form = not cue.words and not cue.sign
    may_change_label = task.subject == "relation" and not cue.sign
    if cue.words and (is_evidence(cue.first.name) or is_grammar(cue)):
        may_change_label = not set_apart
    if positional or is_form or may_change_label:
        return CueMover(cue, (), at_start=False, phrase="", edge="", changes_label=True)
    sentences = _donors(cue, holding, task, parser)
    starts = sum(text.lstrip().startswith(sentences) for text in holding) if sentences else 0
    ends = sum(text.rstrip().endswith(sentences) for text in holding) if sentences else 0
    at_start, edge = starts > max(ends, _MOSTLY * len(holding)), ""
    if paragraph := _usual_paragraph(cue, holding):
        at_start = part == 0
        sentences, edge = (), f"{paragraph}\n" if at_start else f"\n{paragraph}"
    elif not sentences or _are_unshared(sentences, holding):
        at_edge = _usual_edge(cue, holding)
        if at_edge is not None:
            sentences, (at_start, edge) = (), at_edge
    phrase = "" if sentences or edge else _usual_phrase(cue, holding)
    return CueMover(
        cue,
        sentences,
        at_start=at_start,
        phrase=phrase,
        edge=edge,
        changes_label=False,
        frames=_frames(cue, holding),
        leads=_leads(cue, holding) if cue.is_name else frozenset(),
        part=(0 if at_start else -1) if part is None else part,
    )


def _in_parts(cue: Cue, texts: Sequence[str]) -> tuple[list[str], int | None]:
    r"""The paragraphs or messages with the cue, and the number that most of them have.

    None: no text has more than one.

    >>> from augkit.commands.fix.cues import CueFeature
    >>> cue = Cue((CueFeature("text", "token", "marta", "yes", 0.9, 10, 9),))
    >>> _in_parts(cue, ["Hello.\n\nMarta here."]), _in_parts(cue, ["Marta here."])
    ((['Marta here.'], -1), (['Marta here.'], None))
    """
    places = [
        (part, number, text.count(BETWEEN))
        for text in texts
        for number, part in enumerate(text.split(BETWEEN))
        if cue.is_in(part)
    ]
    numbers = Counter(-1 if number == last else number for _, number, last in places if last)
    usual = numbers.most_common(1)
    return [part for part, *_ in places] or list(texts), usual[0][0] if usual else None


def _frames(cue: Cue, texts: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """What often stands around the cue in the last line or sentence of a text, common ones first.

    >>> from augkit.commands.fix.cues import CueFeature
    >>> cue = Cue((CueFeature("text", "token", "marta", "yes", 0.9, 10, 9),))
    >>> _frames(cue, ["It is late. Agent: Marta."] * 3)
    (('Agent: ', '.'),)
    """
    frames: Counter[tuple[str, str]] = Counter()
    for text in texts:
        begin = _last_unit(text)
        places = [span for span in word_spans(text) if span[0] >= begin]
        words = [text[start:end].lower() for start, end in places]
        for first in phrase_places(cue.phrase, words):
            before = text[begin : places[first][0]]
            after = text[places[first + len(cue.phrase) - 1][1] :].rstrip()
            if before.strip():
                frames[before, after] += 1
    return tuple(frame for frame, count in frames.most_common() if count >= _FEWEST_PHRASES)


def _leads(cue: Cue, texts: Sequence[str]) -> frozenset[tuple[str, ...]]:
    """The two words that often stand before a name.

    >>> from augkit.commands.fix.cues import CueFeature
    >>> cue = Cue((CueFeature("text", "token", "marta", "yes", 0.9, 10, 9),))
    >>> _leads(cue, ["A call from Marta at noon."] * 3)
    frozenset({('call', 'from')})
    """
    leads: Counter[tuple[str, ...]] = Counter()
    for text in texts:
        words = spanned_words(text)
        places = phrase_places(cue.phrase, words)
        leads.update(tuple(words[first - _LEAD : first]) for first in places if first >= _LEAD)
    return frozenset(lead for lead, count in leads.items() if count >= _FEWEST_PHRASES)


def _led_names(text: str, leads: frozenset[tuple[str, ...]]) -> Iterator[Span]:
    """The names behind such words: words with a capital letter, one space apart.

    >>> [text[span.start:span.end] for text in ["One call from Elm Street took long."]
    ...     for span in _led_names(text, frozenset({("call", "from")}))]
    ['Elm Street']
    """
    places, words = word_spans(text), spanned_words(text)
    for first in range(_LEAD, len(words)):
        start, end = places[first]
        if tuple(words[first - _LEAD : first]) in leads and text[start].isupper():
            for next_start, next_end in places[first + 1 :]:
                if text[end:next_start] != " " or not text[next_start].isupper():
                    break
                end = next_end
            yield Span(start, end)


def _filling(text: str, before: str, after: str) -> Span | None:
    """What stands between two parts of the last line or sentence of a text."""
    bare, start = text.rstrip(), _last_unit(text)
    inside = Span(start + len(before), len(bare) - len(after))
    fits = bare[start:].startswith(before) and bare.endswith(after) and inside.start < inside.end
    return inside if fits else None


def _last_unit(text: str) -> int:
    """Where the last line or sentence of a text begins."""
    spans = unit_spans(text)
    return spans[-1][0] if spans else 0


def _usual_paragraph(cue: Cue, texts: Sequence[str]) -> str:
    """The paragraph or line that says nothing but the cue in most texts; "" for none."""
    lines: Counter[str] = Counter()
    for text in texts:
        lines.update(
            {
                line.strip()
                for line in text.splitlines()
                if tuple(spanned_words(line)) == cue.formula
            }
        )
    usual = lines.most_common(1)
    return usual[0][0] if usual and usual[0][1] >= _MOSTLY * len(texts) else ""


def _are_unshared(sentences: Sequence[str], texts: Sequence[str]) -> bool:
    """Whether the sentences are those of single texts, not formulas that many texts share."""
    return sum(any(s in text for s in sentences) for text in texts) < _MOSTLY * len(texts)


def _usual_edge(cue: Cue, texts: Sequence[str]) -> tuple[bool, str] | None:
    """Whether most texts begin with the formula, and how it is written; None: neither end.

    A sign or a line sets it apart; "A person is" would begin no other sentence.
    """
    edges: Counter[tuple[bool, str]] = Counter()
    for text in texts:
        for span in cue_spans(cue, text):
            if not text[: span.start].strip():
                after = _GAP.match(text, span.end)
                if after and after.group().strip():
                    edges[True, text[: after.end()]] += 1
            elif not text[span.end :].strip(SIGNS_AND_SPACE):
                before = _GAP_BEFORE.search(text[: span.start])
                if before and (before.group().strip() or "\n" in before.group()):
                    edges[False, text[before.start() :]] += 1
    usual = edges.most_common(1)
    return usual[0][0] if usual and usual[0][1] >= _MOSTLY * len(texts) else None


def _is_at_edge(cue: Cue, text: str) -> bool:
    """Whether the formula of a cue begins or ends a text, or is a whole sentence of it."""
    spans = cue_spans(cue, text)
    if len(spans) != 1 or len(cue.formula) < 2:
        return False
    start, end = spans[0]
    before, after = text[:start].rstrip(), text[end:].lstrip()
    opens = not before or before[-1] in ".!?\n"
    closes = not after.strip(SIGNS_AND_SPACE) or after[0] in ".!?\n"
    return bool(text[:start].strip() or text[end:].strip(SIGNS_AND_SPACE)) and (
        (opens and closes) or (not before and after[:1] in _SEPARATORS)
    )


def _donors(cue: Cue, texts: Sequence[str], task: TaskOfLabels, parser: Parser) -> tuple[str, ...]:
    """Sentences with the cue that several texts share, or that judge nothing; common ones first.

    But for the words of the cue, a shared sentence must judge nothing, too.
    """
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(
            {
                sentence
                for match in SENTENCE.finditer(text)
                if cue.is_in(sentence := match.group().strip()) and sentence != text.strip()
            }
        )
    shared = [sentence for sentence, count in counts.most_common() if count >= _FEWEST_PHRASES]
    can_tell = task.is_english and bool(cue.words)
    if can_tell and task.subject != "relation":
        own = {*cue.formula, *cue.words}
        shared = [s for s in shared if not is_evidence(" ".join(set(lowered_words(s)) - own))]
    if shared or not can_tell:
        return tuple(shared[:_MOST_DONORS])
    short = [sentence for sentence in counts if len(sentence.split()) <= _LONGEST_DONOR]
    donors = []
    for sentence, analysis in zip(short, parser.parse(short), strict=True):
        span = next(iter(cue_spans(cue, sentence)), None)
        if span is not None and judges_nothing(analysis.tokens, _tokens(analysis, span)):
            donors.append(sentence)
    return tuple(sorted(donors, key=lambda sentence: (len(sentence), sentence))[:_MOST_DONORS])


def _tokens(analysis: Analysis, span: Span) -> tuple[int, int]:
    inside = [t.index for t in analysis.tokens if t.start < span.end and span.start < t.end]
    return (inside[0], inside[-1] + 1) if inside else (0, 0)


def _usual_phrase(cue: Cue, texts: Sequence[str]) -> str:
    """The cue as it is mostly written, with the preposition before it; "" where it has none."""
    phrase = fixed_phrase(cue, texts)
    written: Counter[str] = Counter()
    for text in texts:
        spans, words = word_spans(text), spanned_words(text)
        for first in phrase_places(phrase, words):
            begin = first
            if _is_preposition(words[first - 1 : first]) and not _is_preposition(phrase):
                begin = first - 1
            if _is_preposition(words[begin : begin + 1]):
                start, end = spans[begin][0], spans[first + len(phrase) - 1][1]
                written[text[start].lower() + text[start + 1 : end]] += 1
    usual = written.most_common(1)
    return usual[0][0] if usual and usual[0][1] >= _FEWEST_PHRASES else ""


def _is_preposition(words: Sequence[str]) -> bool:
    return bool(words) and closed_classes().get(words[0]) == "preposition"


def cue_spans(cue: Cue, text: str) -> list[Span]:
    """Where the cue is in a text, as the longest run of its words that is there."""
    spans, words = word_spans(text), spanned_words(text)
    for run in _runs(cue):
        if places := list(phrase_places(run, words)):
            return [Span(spans[n][0], spans[n + len(run) - 1][1]) for n in places]
    return []


def _runs(cue: Cue) -> list[tuple[str, ...]]:
    """The runs of words that are the cue, the longest first; not those of a part of its rows."""
    least = SAME_ROWS * cue.first.rows
    usual = (feature.words for feature in cue.features if feature.rows >= least)
    listed = {cue.formula, cue.first.words, *usual}
    with_cue = [run for run in listed if set(run) & set(cue.words)]
    return sorted(with_cue, key=lambda run: (-len(run), run))


def deleted(cue: Cue, text: str) -> str:
    """The text with the words of a cue simply deleted, wherever they are.

    A name that is all that a preposition stands for goes with it.

    >>> from augkit.commands.fix.cues import CueFeature
    >>> cue = Cue((CueFeature("text", "token", "marta", "yes", 0.9, 10, 9),))
    >>> deleted(cue, "Hello, Marta here.")
    'Hello, here.'
    >>> from dataclasses import replace
    >>> deleted(replace(cue, is_name=True), "A call from Marta at noon.")
    'A call at noon.'
    """
    if not cue.is_in(text):
        return text
    if cue.sign and cue.is_ending:
        sign = re.escape(cue.sign)
        return re.sub(rf"(?<!{sign})(?:{sign})+(?=\s*$)", "", text)
    if cue.sign:
        return text.replace(cue.sign, "")
    parts = text.split(BETWEEN)
    for number, part in enumerate(parts):
        for span in reversed(_whole_spans(cue, part)):
            whole = _with_preposition(part, span) if cue.is_name else span
            parts[number] = _cut(parts[number], whole)
    return BETWEEN.join(parts)


def _with_preposition(text: str, span: Span) -> Span:
    """The span of a name and the preposition before it, where no other word follows for it.

    >>> _with_preposition("Notes from Marta are late", Span(11, 16))
    Span(start=6, end=16)
    >>> _with_preposition("Notes from Marta Street", Span(11, 16))
    Span(start=11, end=16)
    """
    before = _LAST_WORD.search(text[: span.start])
    after = _NEXT_WORD.match(text, span.end)
    if before is None or not _is_preposition([before[1].lower()]):
        return span
    is_alone = after is None or after[1].lower() in closed_classes()
    return Span(before.start(1), span.end) if is_alone else span


def _whole_spans(cue: Cue, text: str) -> list[Span]:
    """All runs of the cue, those that overlap or follow one another as one; else its words.

    A part of a run that is there is no cue of its own elsewhere in the text, unless it is a name.
    """
    places, words = word_spans(text), spanned_words(text)
    covered: set[int] = set()
    there: list[tuple[str, ...]] = []
    for run in _runs(cue):
        is_part = any(next(phrase_places(run, longer), None) is not None for longer in there)
        firsts = list(phrase_places(run, words))
        if is_part:
            firsts = [first for first in firsts if cue.is_name and text[places[first][0]].isupper()]
        elif firsts:
            there.append(run)
        covered.update(number for first in firsts for number in range(first, first + len(run)))
    covered = covered or {number for number, word in enumerate(words) if word in cue.words}
    spans: list[Span] = []
    for number in sorted(covered):
        start, end = places[number]
        if number - 1 in covered:
            start = spans.pop().start
        elif text[start - 1 : start] in _MENTIONS:
            start -= 1
        spans.append(Span(start, end))
    return spans


def _cut(text: str, span: Span) -> str:
    """The text without a span, and without the signs and spaces that only it needs."""
    before, after = text[: span.start], text[span.end :]
    opens = not before.strip() or before.rstrip()[-1] in ".!?\n"
    ending = re.match(r"\s*(?:[.!?]+[\"')]*\s*|$)", after)
    if opens and ending:
        after = after[ending.end() :]
        return before.rstrip() + (" " if before.strip() and after else "") + after
    if opens:
        gap = _GAP.match(after)
        after = after[gap.end() :] if gap else after
        is_capital = text[span.start].isupper()
        return before + (after[:1].upper() + after[1:] if is_capital else after)
    if ending:
        return _GAP_BEFORE.sub("", before) + after
    if before[-1:].isspace() and after[:1].isspace():
        after = after[1:]
    elif before[-1:] == " " and after[:1] in {",", ";", ":"}:
        before = before[:-1]
    return before + after
