"""The loop: select, rewrite, verify, replace; round after round, until it no longer helps."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from augkit.augmenters.razor.config import RazorConfig
from augkit.augmenters.razor.scorers import Corpus, Embed, Scorer, make_scorer, surface_sums
from augkit.augmenters.razor.token_score import association_of
from augkit.core.types import FREE, Cost

_AVOIDED, _NOISE = 1000, 2.0
"""Features looked at for words to avoid, and the z up to which one is there by chance."""
_SHOWN = 20
"""Strongest features kept for every round."""


@dataclass(frozen=True)
class Rewriting:
    """A text that may take a row's place, or the reason why it may not."""

    text: str
    how: str = ""
    refused: str = ""


@dataclass(frozen=True)
class Offer:
    """What was written for a row, and what that cost."""

    rewritings: Sequence[Rewriting]
    cost: Cost = FREE
    detail: str = ""


@dataclass
class Fate:
    """How a row ended: rewritten in a round, or why not."""

    text: str = ""
    how: str = ""
    round: int = 0
    before: float = 0.0
    after: float = 0.0
    reason: str = "not among the highest scores"
    detail: str = ""
    cost: Cost = FREE


Write = Callable[[Sequence[int], Corpus, Sequence[Sequence[str]]], "list[Offer]"]
"""Rows by their places, the corpus, and for each row the words to avoid: verified offers."""


@dataclass
class Loop:
    """A corpus on its way; ``fates`` by place, ``trajectory`` one record a round."""

    corpus: Corpus
    labels: Sequence[str]
    config: RazorConfig
    write: Write
    embed: Embed | None = None
    alpha: float | None = None
    """Chance at which a feature counts as a giveaway, over all of them: only rows that hold one are
    rewritten, by a text that has lost one of theirs; none: all rows, by any text."""
    patience: int = 1
    """Rounds in a row that may be in vain."""
    fates: dict[int, Fate] = field(default_factory=dict)
    trajectory: list[dict[str, Any]] = field(default_factory=list)
    _noise: float = -math.inf

    def run(self, places: Sequence[int]) -> None:
        """Rewrite among these rows, each at most once, until a round does not help or none is left.

        The first round stands, as in the paper; a later one that does not improve the objective by
        ``epsilon`` is taken back, so that more rounds than useful change nothing, and ``patience``
        such rounds in a row are the end. ``epsilon`` is for a round in which all selected rows are
        rewritten; of one that could rewrite a tenth of them, a tenth of that is asked.
        """
        self.fates = {place: Fate() for place in places}
        left = set(places)
        scorer = self._scorer()
        if self.alpha is not None:
            self._noise = scorer.associations.chance_peak(self.alpha)
        self._record(0, scorer, 0)
        in_vain = 0
        for number in range(1, self.config.rounds + 1):
            chosen = self._select(scorer, left)
            if not chosen or in_vain == self.patience:
                break
            left -= {place for place, _ in chosen}
            before = scorer.objective(), list(self.corpus.texts)
            done = self._round(number, scorer, chosen)
            scorer = self._scorer()
            share = len(done) / len(chosen)
            helped = not done or self._better(before[0], scorer.objective(), share)
            in_vain = 0 if helped else in_vain + 1
            if not helped and number > 1:
                self._take_back(done, before[1])
                scorer = self._scorer()
            elif done or number == 1:
                self._record(number, scorer, len(done))

    def _scorer(self) -> Scorer:
        return make_scorer(self.corpus, self.config, self.embed)

    def _select(self, scorer: Scorer, left: set[int]) -> list[tuple[int, float]]:
        """The rows of each label with the highest scores, the highest first."""
        scores, peaks = scorer.scores(), scorer.associations.peaks(self.corpus.labels)
        open_ones = [place for place in left if peaks[place] > self._noise]
        chosen: list[tuple[int, float]] = []
        for label in range(self.corpus.kinds):
            mine = [place for place in open_ones if self.corpus.labels[place] == label]
            ranked = sorted(mine, key=lambda place: (-scores[place], place))
            chosen += [(place, float(scores[place])) for place in ranked[: self.config.top]]
        return sorted(chosen, key=lambda row: (-row[1], row[0]))

    def _round(self, number: int, scorer: Scorer, chosen: Sequence[tuple[int, float]]) -> list[int]:
        places = [place for place, _ in chosen]
        avoid = self._avoid(scorer, places)
        done = []
        offers = self.write(places, self.corpus, avoid)
        for (place, score), offer in zip(chosen, offers, strict=True):
            fate = self.fates[place] = self._chosen(scorer, place, score, offer)
            if fate.text:
                fate.round = number
                scorer.replace(place, fate.text)
                done.append(place)
        return done

    def _avoid(self, scorer: Scorer, places: Sequence[int]) -> list[list[str]]:
        """For each row the words that go with its label most."""
        found = scorer.associations.strongest(_AVOIDED)
        strongest = [one for one in found if one.kind == "token" and one.z > _NOISE]
        by_label = [
            [one.feature for one in strongest if one.label == label]
            for label in range(self.corpus.kinds)
        ]
        return [by_label[int(self.corpus.labels[place])] for place in places]

    def _chosen(self, scorer: Scorer, place: int, score: float, offer: Offer) -> Fate:
        """The rewriting with the lowest score; in a tie the first."""
        now = self.corpus.texts[place]
        fit = [one for one in offer.rewritings if not one.refused]
        refused = next((one for one in offer.rewritings if one.refused), None)
        if not fit:
            reason, shown = (refused.refused, refused.text) if refused else ("no rewriting", "")
            return Fate(reason=reason, detail=offer.detail or shown, cost=offer.cost)
        texts = [one.text for one in fit]
        allowed, against = self._allowed(scorer, place, texts)
        if not allowed:
            return Fate(reason=against, detail=texts[0], cost=offer.cost)
        scores = scorer.candidate_scores(place, texts)
        best = min(allowed, key=lambda n: (scores[n], n))
        if self.config.keep_original and scorer.candidate_scores(place, [now])[0] <= scores[best]:
            return Fate(reason="the original is better", detail=texts[best], cost=offer.cost)
        after = float(scores[best])
        return Fate(texts[best], fit[best].how, 0, score, after, "", "", offer.cost)

    def _allowed(self, scorer: Scorer, place: int, texts: Sequence[str]) -> tuple[list[int], str]:
        """Which texts bring in no new giveaway and lost an old one; or what all do wrong."""
        now, label = self.corpus.texts[place], int(self.corpus.labels[place])
        peaks = scorer.associations.new_peaks(texts, label, now)
        allowed = [n for n in range(len(texts)) if peaks[n] <= self.config.ceiling]
        if not allowed:
            return [], "would make a new shortcut"
        if self.alpha is None:
            return allowed, ""
        giveaways = scorer.associations.giveaways(now, label, self._noise)
        if not len(giveaways):
            return [], "no giveaway any more"
        rid = scorer.associations.rid_of(texts, giveaways)
        return [n for n in allowed if rid[n]], "keeps what gives it away"

    def _better(self, before: float, after: float, share: float) -> bool:
        return before - after > self.config.epsilon * share * abs(before)

    def _take_back(self, done: Sequence[int], texts: list[str]) -> None:
        self.corpus.texts = texts
        for place in done:
            fate = self.fates[place]
            self.fates[place] = Fate(
                reason="its round did not help", detail=fate.text, cost=fate.cost
            )

    def _record(self, number: int, scorer: Scorer, rewritten: int) -> None:
        sums = surface_sums(self.corpus, self.config.encoding)
        strongest = scorer.associations.strongest(_SHOWN)
        self.trajectory.append(
            {
                "round": number,
                "rewritten": rewritten,
                "objective": scorer.objective(),
                "eq14 cosine": sums.similarity(),
                "eq14 kl": sums.divergence(),
                "strongest": association_of(strongest, self.labels),
            }
        )
