"""CoBA on single texts by rules, from a row to its variants.

Decompose, identify, categorise, edit, shuffle, reconstruct, verify: the paper's Figure 1 without a
language model. What was not touched stays letter for letter. All rows of a batch take each step
together, so that a text is parsed once and texts are judged together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from augkit.augmenters.coba.artifact import TextsArtifact
from augkit.augmenters.coba.categorise import Category, categorise
from augkit.augmenters.coba.clause_spans import inner_clauses, main_clauses
from augkit.augmenters.coba.config import TextRuleSettings
from augkit.augmenters.coba.gender import with_gender
from augkit.augmenters.coba.identify import Identifier
from augkit.augmenters.coba.job import (
    NO_TRIPLE,
    NOT_EDITABLE,
    Job,
    Targets,
    decompose_parsed,
    edited_span,
    edited_triples,
    identify_words,
    touches,
    triple_sentences,
    whole_draft,
)
from augkit.augmenters.coba.sentences import (
    CONTRAST,
    FEW_EDITS,
    MIN_EDITS_BESIDE,
    MIXED,
    Candidate,
    EditedText,
    drop_sentences,
    has_contrast,
    has_few_edits,
    sentence_candidates,
    starts_in,
    unedited_twin,
)
from augkit.augmenters.coba.verify import (
    LEFT,
    RULE_CHECKS,
    Rewriting,
    WholeRow,
    checked,
    lost_words,
)
from augkit.core.edits import Edit, Replacement, Span, apply
from augkit.core.protocols import Check, Parser
from augkit.core.types import Draft, Example, Rejection
from augkit.english.decompose import Triple
from augkit.english.polarity.flip_polarity import (
    coordinated_words,
    doubtful_words,
    flip_polarity,
    leftover_negations,
    leftover_words,
    may_flip,
)
from augkit.english.polarity.ratings import ratings
from augkit.labels.judge import HiddenWords, Judge, rejected_label
from augkit.text.tokens import words as words_of

NO_LEXICON = "no lexicon for this label"
_SHORT_ROW = 50
"""Words of a row up to which it is short."""
_SHORT_WORDS = 25
"""Words of a short text that need as many edits as a sentence."""
_WHOLE_IN_TURN = 3
"""Whole texts for each sentence or clause: half of a training set is whole texts then."""


@dataclass(frozen=True)
class TextRules:
    """The rules for single texts: whole texts, sentences with their unedited twins, clauses."""

    settings: TextRuleSettings
    parser: Parser
    identifier: Identifier
    fitted: TextsArtifact
    judge: Judge
    targets: Targets
    random: Callable[[Example, int], Random]
    lemmas_of: Callable[[str], frozenset[str]] | None = None
    """All lemmas that the parser may find for a form, where that is known."""

    def propose(self, batch: Sequence[Example], copies: int) -> Iterator[Draft | Rejection]:
        """Drafts and rejections for ``copies`` copies of every example."""
        editable: list[Example] = []
        for parent in batch:
            if self._may_be_edited(parent):
                editable.append(parent)
            else:
                for job in self.targets.jobs(Job(parent), copies, self.random):
                    yield Rejection(parent, NOT_EDITABLE, copy=job.number)
        if editable:
            yield from self._propose_parsed(editable, copies)

    def _propose_parsed(self, batch: Sequence[Example], copies: int) -> Iterator[Draft | Rejection]:
        jobs: list[Job] = []
        for row in identify_words(decompose_parsed(batch, self.parser), self.identifier):
            if isinstance(row, Rejection):
                yield row
            else:
                categories = categorise(row.triples, row.words, self.settings.precedence)
                categorised = replace(row, categories=categories)
                jobs += self.targets.jobs(categorised, copies, self.random)
        texts: dict[int, EditedText] = {}
        variants: list[list[Candidate | Rejection]] = [[] for _ in jobs]
        for number, text in enumerate(self.edit(jobs)):
            if isinstance(text, Rejection):
                variants[number].append(text)
            elif not text.edits:
                variants[number].append(Rejection(text.job.parent, NOT_EDITABLE))
            else:
                texts[number] = self._with_clauses(text)
        self.mark_doubtful(texts)
        for number, candidates in zip(texts, self.candidates([*texts.values()]), strict=True):
            variants[number] += candidates
        if self.settings.unit != "text":
            self.redraw(texts, variants)
        yield from self.verify(jobs, variants)

    def _may_be_edited(self, parent: Example) -> bool:
        """Whether a row is worth parsing: its text may have something to edit, or no triple."""
        (text,) = parent.fields.values()
        side = self.fitted.polarity.get(str(parent.label))
        if side is None or self.lemmas_of is None or not any(map(str.isalnum, text)):
            return True
        return may_flip(text, side, self.fitted.lexicon, self.lemmas_of)

    def edit(self, jobs: Sequence[Job]) -> Iterator[EditedText | Rejection]:
        """Step 4, edit: flip the polarity of evaluative words, outside of spurious triples."""
        analyses = self.parser.parse([next(iter(job.parent.fields.values())) for job in jobs])
        fitted = self.fitted
        for job, analysis in zip(jobs, analyses, strict=True):
            side = fitted.polarity.get(str(job.parent.label))
            if not job.triples:
                yield Rejection(job.parent, NO_TRIPLE)
            elif side is None or fitted.polarity.get(str(job.target)) in {None, side}:
                yield Rejection(job.parent, NO_LEXICON, f"{job.parent.label} → {job.target}")
            else:
                counts = fitted.counts_toward(job.target)
                flip = flip_polarity(analysis, side, fitted.lexicon, counts, job.rng)
                rated = {rating.start for rating in ratings(analysis.text)}
                changes = [
                    change
                    for change in flip.changes
                    if change.start in rated or _may_change(job, change)
                ]
                (field,) = job.parent.fields
                yield EditedText(
                    job,
                    tuple(change.in_field(field, analysis.text) for change in changes),
                    left=(
                        *(judgement.span for judgement in flip.left),
                        *(Span(c.start, c.end) for c in flip.changes if c not in changes),
                        *leftover_words(analysis, side, changes),
                    ),
                    mixed=(
                        *(judgement.span for judgement in (*flip.kept, *flip.of_persons)),
                        *coordinated_words(analysis, changes),
                        *doubtful_words(analysis, side, changes, fitted.lexicon, fitted.counts),
                        *(leftover_negations(analysis, changes) if side == "negative" else ()),
                    ),
                )

    def _with_clauses(self, text: EditedText) -> EditedText:
        """The text with the clauses of its sentences."""
        (analysis,) = self.parser.parse([text.text])
        return replace(
            text,
            clauses=[main_clauses(analysis, tokens) for tokens in analysis.sentences],
            inner_clauses=[inner_clauses(analysis, tokens) for tokens in analysis.sentences],
        )

    def mark_doubtful(self, texts: dict[int, EditedText]) -> None:
        """Mark the sentences of longer texts that classifiers of the rows find the old label in.

        The judge cannot tell: it learned from variants, which keep such sentences with either
        label. Sentences with edits are left to it, and those with shortcuts are kept on purpose.
        """
        sentences = [
            (number, index, Example({text.field: text.text[slice(*span)]}, text.job.target))
            for number, text in texts.items()
            if len(text.sentences) > 1 and self.settings.drop > 0
            for index, span in enumerate(text.sentences)
            if not text.edits_in(span) and not text.has_shortcut(span)
        ]
        parents = [texts[number].job.parent for number, _, _ in sentences]
        verdicts = self.fitted.row_judge.judge(parents, [row for _, _, row in sentences])
        doubtful: dict[int, set[int]] = {}
        for (number, index, _), verdict in zip(sentences, verdicts, strict=True):
            if verdict.probability < self.settings.drop:
                doubtful.setdefault(number, set()).add(index)
        for number, indices in doubtful.items():
            texts[number] = replace(texts[number], doubtful=frozenset(indices))

    def candidates(self, texts: Sequence[EditedText]) -> list[list[Candidate | Rejection]]:
        """The candidates of each edited text: the whole text, then its sentences."""
        unit = self.settings.unit
        share = {"text": 1.0, "sentence": 0.0, "both": self.settings.text_share}[unit]
        wanted = [len(text.sentences) < 2 or text.job.rng.random() < share for text in texts]
        whole = [text for text, is_wanted in zip(texts, wanted, strict=True) if is_wanted]
        shortened = iter(self.drop(whole))
        by_text: list[list[Candidate | Rejection]] = []
        for text, is_wanted in zip(texts, wanted, strict=True):
            variants = [self.whole_text(next(shortened))] if is_wanted else []
            if unit != "text" and len(text.sentences) > 1:
                variants += sentence_candidates(text, self.settings)
            by_text.append(variants)
        return by_text

    def drop(self, texts: Sequence[EditedText]) -> list[EditedText]:
        """The texts without sentences that may keep the old label; all are judged together."""
        written = [
            [edited_span(text.text, span, text.edits_in(span)) for span in text.sentences]
            if self.settings.drop > 0 and len(text.sentences) > 1
            else []
            for text in texts
        ]
        new = [
            (text, sentence)
            for text, sentences in zip(texts, written, strict=True)
            for sentence in dict.fromkeys(sentences)
            if sentence not in text.judged
        ]
        verdicts = self.judge.judge(
            [text.job.parent for text, _ in new],
            [_hidden(Example({t.field: sentence}, t.job.target), t.job) for t, sentence in new],
        )
        for (text, sentence), verdict in zip(new, verdicts, strict=True):
            text.judged[sentence] = verdict.probability
        return [
            drop_sentences(text, [text.judged[s] for s in sentences], self.settings)
            if sentences
            else text
            for text, sentences in zip(texts, written, strict=True)
        ]

    def whole_text(self, text: EditedText) -> Candidate | Rejection:
        """Steps 5 and 6, shuffle and reconstruct; the whole text as a variant, if it passes."""
        job, settings = text.job, self.settings
        places = shuffled_places(text, settings)
        moves = moved_edits(text, places)
        edits = (*text.edits, *moves)
        fields = apply(job.parent.fields, edits)
        triples = [t for t in job.triples if t.sentence not in text.dropped]
        changed = edited_triples(triples, text.edits, job.parent.fields)
        if settings.reconstruct_by == "triples":
            sources = [places.get(index, index) for index in range(len(text.sentences))]
            order = [t for source in sources for t in job.triples if t.sentence == source]
            fields = triple_sentences(job, [changed.get(t.id, t) for t in order])
        by_rules = None if settings.reconstruct_by == "triples" else fields
        pairs = [(triple, changed[triple.id]) for triple in triples if triple.id in changed]
        draft = whole_draft(job, fields, None if by_rules is None else edits, pairs)
        draft, words = with_gender(draft, job, settings, self.parser)
        after = draft.fields[text.field]
        row = WholeText(text.text, after, words, settings, job, by_rules, text, self.is_short(job))
        outcome = checked(draft, row, TEXT_CHECKS)
        if isinstance(outcome, Rejection):
            return outcome
        has_twin = settings.twins and settings.unit == "both" and moves and by_rules is not None
        return Candidate(outcome, unedited_twin(text, moves) if has_twin else None)

    def redraw(
        self, texts: Mapping[int, EditedText], variants: Sequence[list[Candidate | Rejection]]
    ) -> None:
        """Sentences and texts once more, in other words; their twins are there already."""
        several = {number: text for number, text in texts.items() if len(text.sentences) > 1}
        seen = {_content(c) for of_job in variants for c in of_job if isinstance(c, Candidate)}
        for _ in range(self.settings.draws - 1 if several else 0):
            edited = self.edit([text.job for text in several.values()])
            again = {
                number: replace(
                    text,
                    clauses=first.clauses,
                    inner_clauses=first.inner_clauses,
                    doubtful=first.doubtful,
                    judged=first.judged,
                )
                for (number, first), text in zip(several.items(), edited, strict=True)
                if isinstance(text, EditedText)
            }
            redrawn = self.candidates([*again.values()])
            for number, candidates in zip(again, redrawn, strict=True):
                for candidate in candidates:
                    if isinstance(candidate, Candidate) and _content(candidate) not in seen:
                        seen.add(_content(candidate))
                        variants[number].append(replace(candidate, twin=None))

    def verify(
        self, jobs: Sequence[Job], variants: Sequence[Sequence[Candidate | Rejection]]
    ) -> Iterator[Draft | Rejection]:
        """Step 7, verify: those candidates to which the judge gives their label, with their twins.

        Of a job's candidates those come first that keep the shortcuts of the dataset; else whole
        texts and parts of them take turns.
        """
        candidates = [
            by_lost_shortcuts(job, in_turn([c for c in of_job if isinstance(c, Candidate)]))
            for job, of_job in zip(jobs, variants, strict=True)
        ]
        drafts = [(job, c.draft) for job, cs in zip(jobs, candidates, strict=True) for c in cs]
        judged = [_hidden(Example(draft.fields, draft.label), job) for job, draft in drafts]
        verdicts = iter(self.judge.judge([draft.parent for _, draft in drafts], judged))
        certain = self.fitted.least_certain(self.settings.label_precision)
        copies: Counter[str] = Counter()
        for job, of_job, ordered in zip(jobs, variants, candidates, strict=True):
            for rejection in of_job:
                if isinstance(rejection, Rejection):
                    yield replace(rejection, copy=job.number)
            for candidate in ordered:
                draft, verdict = candidate.draft, next(verdicts)
                is_whole = len(next(iter(job.sentences.values()))) == 1
                least = self.settings.min_label if is_whole else self.settings.min_sentence_label
                if self.is_short(job):
                    least = max(least, certain)
                if verdict.probability < least:
                    yield replace(rejected_label(draft, verdict.detail), copy=job.number)
                    continue
                scored = replace(draft, scores={"label": round(verdict.probability, 4)})
                for accepted in (scored,) if candidate.twin is None else (scored, candidate.twin):
                    yield replace(accepted, copy=copies[job.parent.id])
                    copies[job.parent.id] += 1

    def is_short(self, job: Job) -> bool:
        """Whether most of the words of a row must speak for its label, and a doubt can be told.

        So it is in few sentences, or where a label also has a strength, as three stars and five
        have. Of a single sentence with labels good and bad it was tried, and tells nothing.
        """
        (text,) = job.parent.fields.values()
        several = len(next(iter(job.sentences.values()))) > 1
        few_words = len(words_of(text)) <= _SHORT_ROW
        return few_words and (several or job.target in self.fitted.degrees)


def _may_change(job: Job, change: Replacement) -> bool:
    """Whether a change lies in a principal triple, or in none."""
    touched = [triple for triple in job.triples if touches(triple, change)]
    return not touched or any(job.categories[triple.id] == "principal" for triple in touched)


def _hidden(variant: Example, job: Job) -> Example:
    """A variant as the judge sees it: without the words that most likely are shortcuts."""
    return HiddenWords(tuple(job.words.shortcuts)).remove_from(variant)


def in_turn(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Three whole texts, then a sentence or clause, and so on, as long as there are both."""
    ordered: list[Candidate] = []
    whole = [c for c in candidates if c.draft.about["unit"] == "text"]
    parts = [c for c in candidates if c.draft.about["unit"] != "text"]
    while whole and parts:
        ordered += [*whole[:_WHOLE_IN_TURN], parts.pop(0)]
        del whole[:_WHOLE_IN_TURN]
    return [*ordered, *whole, *parts]


def by_lost_shortcuts(job: Job, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates of a job, those first that keep the shortcuts of the dataset."""
    source = " ".join(job.parent.fields.values())

    def lost(candidate: Candidate) -> int:
        text = " ".join(candidate.draft.fields.values())
        return len(lost_words(source, text, job.words.preferred))

    return sorted(candidates, key=lost)


def _content(candidate: Candidate) -> tuple[str, ...]:
    return candidate.draft.parent.id, *candidate.draft.fields.values()


def shuffled_places(text: EditedText, settings: TextRuleSettings) -> dict[int, int | None]:
    """Step 5, shuffle: sentence → the one that takes its place, or None where it is left out.

    Only sentences with normal triples alone and no edit move, or are left out beside those that are
    dropped already. The text keeps at least one.
    """
    job, sentences = text.job, text.sentences
    free = [
        index
        for index in normal_sentences(len(sentences), job.triples, job.categories)
        if index not in text.dropped
        and not any(sentences[index].start <= e.start < sentences[index].end for e in text.edits)
    ]
    places = shuffle_sentences(free, len(sentences) - len(text.dropped), settings, job.rng)
    return places | dict.fromkeys(sorted(text.dropped))


def normal_sentences(
    total: int, triples: Sequence[Triple], categories: Mapping[int, Category]
) -> list[int]:
    """The sentences, by index, that have triples and only normal ones."""
    kinds: dict[int, set[Category]] = {}
    for triple in triples:
        kinds.setdefault(triple.sentence, set()).add(categories[triple.id])
    return [index for index in range(total) if kinds.get(index) == {"normal"}]


def shuffle_sentences(
    free: Sequence[int], total: int, settings: TextRuleSettings, rng: Random
) -> dict[int, int | None]:
    """Sentence → the one that takes its place, or None where it is deleted.

    A text of ``total`` sentences keeps at least one.
    """
    staying = [index for index in free if rng.random() >= settings.delete]
    if len(free) == total and not staying:
        staying = list(free[:1])
    order = rng.sample(staying, len(staying)) if settings.permute else staying
    places = dict(zip(staying, order, strict=True))
    return {index: places.get(index) for index in free}


def moved_edits(text: EditedText, places: Mapping[int, int | None]) -> tuple[Edit, ...]:
    """The edits of the source text that move and delete sentences."""
    edits = []
    source, sentences = text.text, text.sentences
    last = max((n for n in range(len(sentences)) if places.get(n, n) is not None), default=0)
    for index, new in places.items():
        start, end = sentences[index]
        if new is None:
            # The space after a sentence goes with it; behind the last that stays, the one before.
            if index > last:
                start = sentences[index - 1].end
            else:
                end = sentences[index + 1].start
            edits.append(Edit(text.field, start, end, source[start:end], ""))
        elif new != index:
            moved = source[slice(*sentences[new])]
            edits.append(Edit(text.field, start, end, source[start:end], moved))
    return tuple(edits)


@dataclass(frozen=True)
class WholeText(WholeRow):
    """A whole edited text as a variant."""

    limits: TextRuleSettings
    text: EditedText
    short: bool
    """Whether most of its words must speak for its label."""

    @property
    def sentence(self) -> Span:
        """The whole text, if it is one sentence; else nothing."""
        return Span(0, len(self.before) if len(self.text.sentences) == 1 else 0)

    @property
    def has_unedited_clause(self) -> bool:
        """Whether a main clause of the only sentence has no edit and no shortcut, or none an edit.

        It may state what the edits contradict: "and the waiter forgot our order".
        """
        text = self.text
        clauses = text.clauses[0] if len(text.sentences) == len(text.clauses) == 1 else ()
        edited = [bool(text.edits_in(clause)) for clause in clauses]
        unedited = [clause for clause, has in zip(clauses, edited, strict=True) if not has]
        return not all(map(text.has_shortcut, unedited)) or (bool(clauses) and not any(edited))

    @property
    def has_few_edits(self) -> bool:
        """Whether a text has few edits for its length, sentences of shortcuts aside.

        A short one needs many: one sentence as many as a sentence beside others, several as many as
        a sentence alone, in their first words. Shortcuts are then those of the dataset or the user.
        """
        text, limits = self.text, self.limits
        edits = len(text.edits)
        marked = [span for span in text.sentences if text.has_marked(span)]
        if len(text.sentences) == 1:
            return self.short and not marked and has_few_edits(self.after, edits, MIN_EDITS_BESIDE)
        if self.short:
            rest = self._without(marked)
            counted = min(1.0, _SHORT_WORDS / max(1, len(words_of(rest))))
            if has_few_edits(rest, edits, counted * limits.min_sentence_edits):
                return True
        return has_few_edits(self._without(text.shortcuts), edits, limits.min_edits)

    def _without(self, unedited: Iterable[Span]) -> str:
        """The new text without sentences that stand there as before."""
        after = self.after
        for span in unedited:
            after = after.replace(self.before[slice(*span)], "", 1)
        return after

    @property
    def survival(self) -> float:
        """Share of the spurious words that survive; those of dropped sentences do not count."""
        spans = enumerate(self.text.sentences)
        stays = [self.before[slice(*s)] for n, s in spans if n not in self.text.dropped]
        return Rewriting(" ".join(stays), self.after, self.words, self.limits).survival

    @property
    def most_left(self) -> float:
        """How many leftovers of the old polarity it may have."""
        return self.limits.max_left * (len(self.text.edits) + len(self.text.left))


TEXT_CHECKS: tuple[Check[WholeText], ...] = (
    Check(LEFT, lambda row: starts_in(row.sentence, row.text.left)),
    Check(MIXED, lambda row: starts_in(row.sentence, row.text.mixed)),
    Check(CONTRAST, lambda row: has_contrast(row.before, row.sentence)),
    Check(MIXED, lambda row: row.has_unedited_clause),
    Check(FEW_EDITS, lambda row: row.has_few_edits),
    Check(LEFT, lambda row: len(row.text.left) > row.most_left),
    *RULE_CHECKS,
)
"""What a whole text must pass to have the new label clearly, and a good form."""
