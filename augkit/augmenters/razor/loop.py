"""The filter-rewrite loop: select, rewrite, verify and replace rows until it stops helping.

Reference: yang2024razor, the iteration over Eq. 11-14.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from augkit.augmenters.razor.config import RazorConfig
from augkit.augmenters.razor.paper_score import cosine_similarity, kl_divergence
from augkit.augmenters.razor.rewrites import candidate_text, cost_of
from augkit.augmenters.razor.scorers import (
    CorpusScorer,
    Embed,
    ScoredCorpus,
    make_scorer,
    surface_sums,
)
from augkit.augmenters.razor.token_score import NOISE, FeatureStrength
from augkit.core.progress import reported
from augkit.core.types import Example, Variant, refused
from augkit.english.rewriting.cues import cue_targets
from augkit.english.rewriting.marks import MARK
from augkit.english.rewriting.targets import TextTarget, is_evidence
from augkit.text.features.kinds import TOKEN, lowered_words

_AVOIDED = 1000
"""Features searched for words to avoid."""
_SHOWN = 20
"""Strongest features recorded for every round."""
DEFAULT_TOP = 50
"""Rows of each label in a round, as in the paper."""
_FREED = "no giveaway any more"
_NOT_SELECTED = "not among the highest scores"
NO_CUE = "has no cue"
"""The reason for a row in which no cue is that the user named."""
_REPORTED = 50
"""Giveaways whose strength is reported, before and after."""
_FEW = 0.01
"""Share of the rows beyond chance below which a run says that it changed next to nothing."""
_TOUCHING = 3
"""What any change of a row costs, in words, beside the words that it changes."""


def _gain(gain: float, change: int) -> float:
    """What a change gains per unit of change; a loss is no less for being large."""
    return gain / (_TOUCHING + change) if gain > 0 else gain


@dataclass(frozen=True)
class RowTargets:
    """What is to go from a row: the targets of a finder, or the cues that the user named."""

    strength: float
    words: tuple[str, ...]
    """The words of a finder's targets, one of which must go; or the cues, which must all go."""
    places: tuple[TextTarget, ...]
    are_cues: bool = False

    def are_lost(self, after: str) -> bool:
        """Whether a rewrite is without them."""
        if self.are_cues:
            return not cue_targets(after, self.words)
        return not set(self.words) <= set(lowered_words(after))


Rewriter = Callable[[Sequence[int], ScoredCorpus, Sequence[Sequence[str]]], list[list[Variant]]]
"""Indices of rows, the corpus, and the words to avoid in each row → verified candidates."""


@dataclass
class Loop:
    """The corpus and its rounds; ``results`` by row, ``trajectory`` one record a round."""

    rows: Sequence[Example]
    corpus: ScoredCorpus
    labels: Sequence[str]
    config: RazorConfig
    rewrite: Rewriter
    embed: Embed | None = None
    top: int | None = DEFAULT_TOP
    """Rows of each label rewritten in a round; None: all."""
    alpha: float | None = None
    """Significance at which a feature counts as a giveaway, over all features: only rows with a
    giveaway are rewritten, and the rewrite must lose one. None: any row, any rewrite."""
    patience: int = 1
    """Consecutive rounds that may fail to help."""
    block: int | None = None
    """Rows rewritten together; those of the next block see the new counts. None: a whole round."""
    ceiling: float | None = None
    """The z that a word or 2-gram which a rewrite brings in may have; None: any."""
    targets: Mapping[int, RowTargets] | None = None
    """From a finder: only these rows are rewritten, the strongest first, and the rewrite must lose
    one of the words. None: the rows are selected by their scores."""
    results: dict[int, Variant] = field(default_factory=dict)
    trajectory: list[dict[str, Any]] = field(default_factory=list)
    beyond_chance: int = 0
    """Rows that had a giveaway at the start."""
    _first: Sequence[FeatureStrength] = ()

    def run(self, indices: Sequence[int]) -> None:
        """Rewrite among these rows, each at most once, until rounds stop helping or none is left.

        With ``loop: paper`` rows may be rewritten again, and the first round that does not help is
        the last and stands, too.

        The first round stands, as in the paper; a later one that does not improve the objective by
        ``epsilon`` is undone, so that more rounds than useful change nothing, and ``patience`` such
        rounds in a row end the loop. ``epsilon`` is for a round in which all selected rows are
        rewritten; a round that could rewrite a tenth of them must improve by a tenth of it.
        """
        for index in indices:
            missing = self.targets is not None and index not in self.targets
            reason = _NOT_SELECTED
            if missing:
                reason = NO_CUE if self.config.cues else "no target"
            self.results[index] = refused(self.rows[index], reason)
        left = set(indices)
        as_paper = self.config.loop == "paper"
        scorer = self._scorer()
        if self.alpha is not None:
            beyond = self.corpus.find_giveaways(self.alpha, indices)
            self.beyond_chance = len(beyond)
            strongest = scorer.counts.strongest(_REPORTED)
            critical = self.corpus.critical_z
            self._first = [strength for strength in strongest if strength.z > critical]
        self._record(0, scorer, 0)
        failures = 0
        for number in reported("rewriting round", range(1, self.config.rounds + 1)):
            selected = self._select(scorer, left)
            if not selected or failures == self.patience:
                break
            if not as_paper:
                left -= {index for index, _ in selected}
            objective = scorer.objective()
            texts = list(self.corpus.texts)
            done: list[int] = []
            for start in range(0, len(selected), self.block or len(selected)):
                part = selected[start : start + (self.block or len(selected))]
                done += self._round(number, scorer, part)
            scorer = self._scorer()
            needed = self.config.epsilon * (len(done) / len(selected)) * abs(objective)
            is_lower = objective - scorer.objective() > needed
            helped = is_lower or (not done and not as_paper)
            failures = 0 if helped else failures + 1
            if not helped and number > 1 and not as_paper:
                self._undo(done, texts)
                scorer = self._scorer()
            elif done or number == 1:
                self._record(number, scorer, len(done))

    def _scorer(self) -> CorpusScorer:
        return make_scorer(self.corpus, self.config, self.embed)

    def _select(self, scorer: CorpusScorer, left: set[int]) -> list[tuple[int, float]]:
        """The rows with the highest scores (or strongest targets), highest first."""
        scores = scorer.scores()
        if self.targets is None:
            largest = scorer.counts.max_z(self.corpus.labels)
            eligible = [index for index in left if largest[index] > self.corpus.critical_z]
            priority: Mapping[int, float] = {index: float(scores[index]) for index in eligible}
        else:
            targets = self.targets
            priority = {index: targets[index].strength for index in left if index in targets}
        ranked = sorted(priority, key=lambda index: (-priority[index], index))
        if self.config.top_of == "dataset":
            selected = ranked[: self.top]
        else:
            places: Counter[int] = Counter()
            selected = []
            for index in ranked:
                label = int(self.corpus.labels[index])
                if self.top is None or places[label] < self.top:
                    selected.append(index)
                places[label] += 1
        return [(index, float(scores[index])) for index in selected]

    def _round(
        self, number: int, scorer: CorpusScorer, selected: Sequence[tuple[int, float]]
    ) -> list[int]:
        selected = self._still_given_away(selected)
        indices = [index for index, _ in selected]
        rewrites = self.rewrite(indices, self.corpus, self._words_to_avoid(scorer, indices))
        done: dict[int, str] = {}
        as_paper = self.config.loop == "paper"
        for (index, score), candidates in zip(selected, rewrites, strict=True):
            result = self._best(number, scorer, index, score, candidates)
            earlier = self.results[index]
            if as_paper:  # it may have been selected before
                result = result.paid(earlier.cost)
            if as_paper and result.reason and not earlier.reason:
                self.results[index] = replace(earlier, cost=result.cost)
            elif not result.reason or self._is_given_away(index):
                self.results[index] = result
            if not result.reason:
                done[index] = candidate_text(result, self.config.field)
                if not as_paper:
                    scorer.replace(index, done[index])
        if as_paper:  # all candidates were scored beside the texts that the round began with
            for index, text in done.items():
                scorer.replace(index, text)
        return list(done)

    def _is_given_away(self, index: int) -> bool:
        """Whether a row is still to be rewritten; one that others have freed is not."""
        if self.alpha is None or self.targets is not None:
            return True
        return bool(self.corpus.giveaways(index))

    def _still_given_away(self, selected: Sequence[tuple[int, float]]) -> list[tuple[int, float]]:
        """The rows that no earlier rewrite of the round has freed of their giveaways."""
        remaining = []
        for index, score in selected:
            if self._is_given_away(index):
                remaining.append((index, score))
            else:
                self.results[index] = refused(self.rows[index], _FREED)
        return remaining

    def _words_to_avoid(self, scorer: CorpusScorer, indices: Sequence[int]) -> list[Sequence[str]]:
        """For each row its targets' words, or where asked those most associated with its label."""
        if self.targets is not None:
            return [self.targets[index].words for index in indices]
        if self.config.avoid == "none":
            return [()] * len(indices)
        by_label: list[list[str]] = [[] for _ in range(self.corpus.classes)]
        for strength in scorer.counts.strongest(_AVOIDED):
            if strength.kind == TOKEN and strength.z > NOISE:
                by_label[strength.label].append(strength.feature)
        return [by_label[int(self.corpus.labels[index])] for index in indices]

    def _best(
        self,
        number: int,
        scorer: CorpusScorer,
        index: int,
        score: float,
        candidates: Sequence[Variant],
    ) -> Variant:
        """The candidate with the largest gain per change, or with no alpha the lowest score.

        It carries what all of them have cost.
        """
        row = self.rows[index]
        current = self.corpus.texts[index]
        field = self.config.field
        cost = cost_of(candidates)
        alive = [candidate for candidate in candidates if not candidate.reason]
        if not alive:
            first = candidates[0] if candidates else refused(row, "no rewrite")
            text = "" if first.fields == row.fields else candidate_text(first, field)
            return replace(first.refuse(first.reason, first.detail or text), cost=cost)
        texts = [candidate_text(candidate, field) for candidate in alive]
        allowed, reason = self._allowed(scorer, index, texts)
        if not allowed:
            return refused(row, reason, texts[0], cost=cost)
        scores = scorer.candidate_scores(index, texts)
        if self.config.cues:
            best = allowed[0]  # rules put the smallest change first
        elif self.alpha is None:
            best = min(allowed, key=lambda n: (scores[n], n))
        else:
            before = float(scorer.candidate_scores(index, [current])[0])
            best = max(allowed, key=lambda n: (_gain(before - float(scores[n]), alive[n].work), -n))
        after = float(scores[best])
        if self.config.keep_original and scorer.candidate_scores(index, [current])[0] <= after:
            return refused(row, "the original is better", texts[best], cost=cost)
        figures = {"round": number, "score_before": score, "score_after": after}
        return replace(alive[best], cost=cost, scores=figures, work=None)

    def _allowed(
        self, scorer: CorpusScorer, index: int, texts: Sequence[str]
    ) -> tuple[list[int], str]:
        """The texts that bring in no new giveaway and lose an old one; or why none does."""
        current = self.corpus.texts[index]
        label = int(self.corpus.labels[index])
        allowed = list(range(len(texts)))
        if self.ceiling is not None:
            new_z = scorer.counts.max_new_z(texts, label, current)
            allowed = [n for n in allowed if new_z[n] <= self.ceiling]
        if not allowed:
            return [], "would make a new shortcut"
        if self.targets is not None:
            targets = self.targets[index]
            lost = [n for n in allowed if targets.are_lost(texts[n])]
            return lost, "keeps the cue" if targets.are_cues else "keeps its targets"
        if self.alpha is None:
            return allowed, ""
        helps = scorer.counts.lost_one(texts, label, current, self.corpus.critical_z)
        if not helps.any() and not self.corpus.giveaways(index):
            return [], _FREED
        return [n for n in allowed if helps[n]], "keeps its giveaways"

    def _undo(self, done: Sequence[int], texts: list[str]) -> None:
        self.corpus.texts = texts
        for index in done:
            undone = self.results[index]
            text = candidate_text(undone, self.config.field)
            reason = "its round did not help"
            self.results[index] = refused(self.rows[index], reason, text, cost=undone.cost)

    def shortcuts(self) -> list[dict[str, Any]]:
        """The giveaways at the start: their strength then and now, and whether they are kept."""
        records = []
        for first in self._first:
            last = self.corpus.counts.strength_of(first.kind, first.feature, first.label)
            judges = first.kind != MARK and is_evidence(first.feature, self.corpus.overused)
            after = {"z after": round(last.z, 3), "documents after": last.documents}
            flags = {"judges": judges, "left": last.z > NOISE}
            records.append({**first.record(self.labels), **after, **flags})
        return records

    def caveats(self) -> list[str]:
        """What a reader must know: which rows kept the cue, or that next to none were changed."""
        if self.config.cues:
            return self._kept_cues()
        changed = sum(not result.reason for result in self.results.values())
        if not self.beyond_chance or changed >= _FEW * self.beyond_chance:
            return []
        reasons = Counter(result.reason for result in self.results.values())
        del reasons[_NOT_SELECTED]
        why = ", ".join(f"{reason} ({count:,})" for reason, count in reasons.most_common(3))
        strongest = [shortcut["feature"] for shortcut in self.shortcuts() if shortcut["left"]]
        names = ", ".join(f"'{feature}'" for feature in dict.fromkeys(strongest[:5]))
        left = f" Remaining: {names}." if names else ""
        counted = f"{self.beyond_chance:,} rows contain a shortcut; {changed or 'none'} of them"
        return [
            f"{counted} could be rewritten: {why}.{left} A language model (--llm) can rewrite more"
        ]

    def _kept_cues(self) -> list[str]:
        """How many rows keep the cue, and why."""
        having = [self.results[index] for index in self.targets or {} if index in self.results]
        kept = Counter(result.reason for result in having if result.reason)
        if not kept:
            return []
        why = ", ".join(f"{reason} ({count:,})" for reason, count in kept.most_common())
        return [f"{sum(kept.values()):,} of {len(having):,} rows keep the cue: {why}"]

    def _record(self, number: int, scorer: CorpusScorer, rewritten: int) -> None:
        sums = surface_sums(self.corpus, self.config.encoding)
        strongest = scorer.counts.strongest(_SHOWN)
        self.trajectory.append(
            {
                "round": number,
                "rewritten": rewritten,
                "objective": scorer.objective(),
                "eq14 cosine": cosine_similarity(sums),
                "eq14 kl": kl_divergence(sums),
                "strongest": [strength.record(self.labels) for strength in strongest],
            }
        )
