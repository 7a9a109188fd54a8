"""A conditional logit of word n-grams: the reward model that trains in seconds.

TF-IDF of words and word pairs of a candidate, not scaled to length 1, so that a long text has more
of everything, as it does for a real reward model. Marks and line breaks are words too: Markdown is
made of them. The prompt is not read: within an item it is the same for all candidates.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from augkit.core.arrays import Floats
from augkit.core.choices import Choice
from augkit.core.errors import ConfigError
from augkit.models.classifiers.settings import LinearConfig
from augkit.models.conditional_logit import fit_conditional_logit
from augkit.models.reward.base import candidate_texts, items_of

_WORD_OR_MARK = re.compile(r"\w+|[^\w\s]|\n")
_STRENGTH = 0.1
"""Low, as the features of a long text are many and not scaled."""


def words_and_marks(text: str) -> list[str]:
    r"""Words in lower case, marks, and line breaks.

    >>> words_and_marks("- **No**\n")
    ['-', '*', '*', 'no', '*', '*', '\n']
    """
    return _WORD_OR_MARK.findall(text.lower())


@dataclass(frozen=True)
class NgramReward:
    """Weights of n-grams; no vectorizer where no n-gram is frequent enough."""

    config: LinearConfig
    vectorizer: Any
    weights: Floats

    def scores(self, choices: Sequence[Choice]) -> Floats:
        """The weighed sum of each candidate's n-grams: float[candidates]."""
        return self.rate(candidate_texts(choices))

    def rate(self, texts: Sequence[str]) -> Floats:
        """The same for single texts."""
        import numpy as np

        if self.vectorizer is None or not texts:
            return np.zeros(len(texts))
        different = list(dict.fromkeys(texts))  # an answer may be in many pairs
        sums = self.vectorizer.transform(different) @ self.weights
        score_of = dict(zip(different, np.asarray(sums).tolist(), strict=True))
        return np.array([score_of[text] for text in texts])


def train_ngrams(
    choices: Sequence[Choice], config: LinearConfig, weights: Floats | None = None
) -> NgramReward:
    """Fit the weights that make the winners most probable; ``weights`` weigh the choices."""
    import numpy as np
    from sklearn.feature_extraction.text import TfidfVectorizer

    for name in ("learner", "penalty", "features", "cross"):
        if getattr(config, name) != LinearConfig.model_fields[name].default:
            raise ConfigError(
                f"model.{name}: a reward model is a conditional logit of TF-IDF features, so it "
                "has no such setting. Leave it out (ngrams, min_df, sublinear and strength do "
                "apply)"
            )
    vectorizer = TfidfVectorizer(
        tokenizer=words_and_marks,
        token_pattern=None,
        lowercase=False,
        ngram_range=(1, config.ngrams),
        min_df=config.min_df,
        sublinear_tf=config.sublinear,
        norm=None,  # so that longer texts have more, and length is seen
    )
    try:
        features: Any = vectorizer.fit_transform(candidate_texts(choices))
    except ValueError:  # no word occurs twice
        return NgramReward(config, None, np.zeros(0))
    strength = config.strength if "strength" in config.model_fields_set else _STRENGTH
    config = config.model_copy(update={"strength": strength})
    return NgramReward(
        config, vectorizer, fit_conditional_logit(features, items_of(choices), strength, weights)
    )
