"""The objective of the filter-rewrite loop (Eq. 14), in both published forms.

The AAAI paper maximises the similarity of documents of different labels, the arXiv version
minimises their divergence. Both follow from the sums per label of ``shortcut_score``:

    U_a = Σ u        unit vectors          P_a = Σ p,  L_a = Σ ln p,  E_a = Σ p · ln p

With ``score: token`` the objective is the mean token score instead. That is Eq. 14 too, but for
constants: for two labels Σ score_i = n - (1/n_0 + 1/n_1) · Eq. 14.

Reference: yang2024razor.
"""

from __future__ import annotations

from itertools import combinations

from augkit.augmenters.razor.shortcut_score import LabelSums


def cosine_similarity(sums: LabelSums) -> float:
    """Eq. 14 as published at AAAI, to be maximised: Σ_{a<b} U_a · U_b.

    It is the sum of cosines over all pairs of documents with different labels.
    """
    total = sums.units.sum(axis=0)
    own = (sums.units * sums.units).sum()
    return float((total @ total - own) / 2)


def kl_divergence(sums: LabelSums) -> float:
    """Eq. 14 as on arXiv, to be minimised: Σ_{a<b} n_b E_a - P_a · L_b.

    It is the sum of KL(p_i, p_j) over all pairs with label a before label b.
    """
    return float(
        sum(
            sums.counts[b] * sums.entropy[a] - sums.shares[a] @ sums.logs[b]
            for a, b in combinations(range(len(sums.counts)), 2)
        )
    )
