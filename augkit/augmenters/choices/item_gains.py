"""How much more of each feature the winners of an item have than a candidate drawn blindly."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from augkit.core.arrays import Flags, Floats
from augkit.core.errors import UnknownName
from augkit.text.features.item_features import PLACE, ItemTexts, item_features
from augkit.text.features.kinds import lowered_words, word_ngrams

ALWAYS = ("length", "format")
"""The checks all of whose features are balanced; of the others those that are significant are."""
WORDS = ("tokens", "ngrams", "position")
_LONGEST = 3
_ALPHA = 0.05
_FAR = 3.0


@dataclass(frozen=True)
class ItemGains:
    """The gains of some features. The mean of a column is its ruler's gain over chance."""

    names: Sequence[str]
    """Without the direction."""
    phrases: Sequence[str]
    """What a winner does that has the feature."""
    gains: Any
    """Sparse, float[items, features]."""

    def significant(self, weights: Floats) -> Flags:
        """The features that stay significant after all of them are tested: bool[features].

        Each item adds its gain or loses it: the sum is compared with the root of the sum of
        squares (the sign test's approximation), in the direction in which it helps.
        """
        import numpy as np
        from scipy.stats import norm

        spread = np.sqrt(np.asarray(self.gains.multiply(self.gains).T @ weights**2))
        sums = np.asarray(self.gains.T @ weights)
        p = norm.sf(sums / np.maximum(spread, 1e-12))
        return np.asarray(p * len(self.names) <= _ALPHA)

    def mean(self, weights: Floats) -> Floats:
        """The gain of each ruler over chance, with weights for the items: float[features]."""
        import numpy as np

        return np.asarray(self.gains.T @ (weights / weights.sum()))

    def only(self, chosen: Flags) -> ItemGains:
        """Some of the features: bool[features]."""
        import numpy as np

        numbers = np.flatnonzero(chosen).tolist()
        names, phrases = (
            [column[number] for number in numbers] for column in (self.names, self.phrases)
        )
        return ItemGains(names, phrases, self.gains[:, numbers])


def feature_gains(
    rows: ItemTexts, checks: Sequence[str], holders: int, names: Collection[str] = ()
) -> ItemGains:
    """The gains of the features that so many candidates hold, in both directions.

    Args:
        rows: The items.
        checks: The checks of ``augkit check`` whose features are wanted.
        holders: The least number of candidates.
        names: The names of the features that are wanted, in lower case; none: all.
    """
    import numpy as np
    from scipy.sparse import csc_array, hstack

    chance = rows.items.winners / rows.items.sizes
    feature_names = []
    phrases = []
    columns = []
    for check in checks:
        for feature in item_features(check, rows, holders, _LONGEST):
            if names and feature.name.lower() not in names:
                continue
            ranked = feature.ranked
            gains = np.where(ranked.varies, ranked.hits / ranked.leading - chance, 0.0)
            if gains.any():
                feature_names.append(feature.name)
                phrases.append(feature.phrase)
                columns.append(csc_array(gains[:, np.newaxis]))
    empty = csc_array((len(rows.choices), 0))
    return ItemGains(feature_names, phrases, hstack(columns, format="csc") if columns else empty)


def joined(parts: Sequence[ItemGains]) -> ItemGains:
    """The features of all parts."""
    from scipy.sparse import hstack

    names = [name for part in parts for name in part.names]
    phrases = [phrase for part in parts for phrase in part.phrases]
    return ItemGains(names, phrases, hstack([part.gains for part in parts], format="csc"))


def named_gains(rows: ItemTexts, names: Collection[str]) -> ItemGains:
    """The gains of the features with these names; an error for a name that no feature has."""
    wanted = {name.lower() for name in names}
    gains = feature_gains(rows, (*ALWAYS, PLACE, *WORDS), 2, wanted)
    missing = wanted.difference(name.lower() for name in gains.names)
    for name in sorted(missing):
        listed = dict.fromkeys(feature_gains(rows, (*ALWAYS, PLACE), 2).names)
        advice = "A word or an n-gram is named as it is, in lower case."
        raise UnknownName("feature that differs within items", name, listed, advice=advice)
    return gains


def word_gains(rows: ItemTexts) -> Any:
    """The gains of words and word pairs that a text has or lacks, of length 1 for each item.

    Sparse, float[items, words]. A row is the mean of the winners less the mean of all candidates:
    what the item adds to the slope of the conditional logit at weights 0.
    """
    from scipy.sparse import csr_array
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.preprocessing import normalize

    vectorizer = CountVectorizer(analyzer=_words_and_pairs, min_df=2, binary=True)
    try:
        features = vectorizer.fit_transform(rows.labelled.texts)
    except ValueError:  # no word occurs twice
        return csr_array((len(rows.choices), 0))
    return csr_array(normalize(_over_blind(rows) @ features))


def score_gains(rows: ItemTexts, scores: Floats) -> Any:
    """The gain of a ranker's scores and that of its choices, two columns: sparse.

    Scores are in units of their mean size, and at most three of them.
    """
    import numpy as np
    from scipy.sparse import csr_array

    margins = np.asarray(_over_blind(rows) @ scores)
    scaled = margins / max(float(np.abs(margins).mean()), 1e-12)
    columns = np.stack([np.sign(margins), np.clip(scaled, -_FAR, _FAR)], axis=1)
    return csr_array(columns / 2)


def _over_blind(rows: ItemTexts) -> Any:
    """Winners' mean less that of all candidates, as a matrix: float[items, candidates]."""
    import numpy as np
    from scipy.sparse import csr_array

    items = rows.items
    shares = items.won / items.winners[items.numbers] - 1 / items.sizes[items.numbers]
    return csr_array((shares, (items.numbers, np.arange(len(items.numbers)))))


def _words_and_pairs(text: str) -> list[str]:
    return [feature.text for feature in word_ngrams(lowered_words(text), 2)]
