"""Robust training as ``train`` and ``sweep`` offer it: a method, and the bias it works against."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import Field

from augkit.core.config import StrictModel
from augkit.core.errors import ConfigError
from augkit.models.robust.config import RobustConfig, RobustMethod

if TYPE_CHECKING:
    from augkit.core.types import Example
    from augkit.models.robust.bias_view import BiasView
    from augkit.models.robust.train import RobustTraining

_FEWEST_ROWS = 5
"""A rule of a grammar that fewer rows use is no bias feature."""


class RobustChoice(StrictModel):
    """A method of robust training, and the bias that it trains against."""

    method: RobustMethod = Field(description="jtt, drift, poe, rew or clever")
    against: str | None = Field(
        None,
        description="the biased field to train against; default: the field that best predicts "
        "labels",
    )
    words: tuple[str, ...] = Field((), description="biased words to train against")
    most_words: int = Field(
        100, ge=1, description="where no words are named: how many of those of likely shortcuts"
    )
    shortcuts: Path | None = Field(
        None, description="train against the rules in a folder of `shortcuts --by grammar`"
    )
    options: RobustConfig = Field(
        default_factory=RobustConfig, description="settings of the method"
    )


def robust_training(choice: RobustChoice, examples: Sequence[Example]) -> RobustTraining:
    """The bias to train against, as it was named or as it is found in the rows."""
    from augkit.models.robust.bias_view import BiasView
    from augkit.models.robust.train import RobustTraining

    method = choice.method
    options = choice.options
    if choice.shortcuts is not None:
        features = rule_features(examples, choice.shortcuts)
        return RobustTraining(method, options, bias_features=features)
    if method == "jtt":
        return RobustTraining(method, options)
    if choice.against or choice.words:
        return RobustTraining(method, options, BiasView(choice.against, choice.words))
    return RobustTraining(method, options, find_bias(examples, choice.most_words))


def find_bias(examples: Sequence[Example], most_words: int) -> BiasView:
    """Find the field that tells the label best alone; of one, the words of likely shortcuts."""
    from augkit.models.robust.bias_view import BiasView
    from augkit.shortcuts.counted_rows import CountedRows
    from augkit.shortcuts.field_alone import fields_alone

    fields = fields_alone(examples)
    if fields:
        return BiasView(field=max(fields, key=lambda field: field.balanced).field)
    cues = [cue for cue in CountedRows.read(examples).judge() if cue.is_shortcut]
    features = [feature for cue in cues for feature in cue.features]
    words = list(dict.fromkeys(word for feature in features for word in feature.words))
    if not words:
        raise ConfigError(
            f"no likely shortcut of the {len(examples)} rows is a word, so there is no bias to "
            "train against. Give words, or train without --robust"
        )
    return BiasView(words=tuple(words[:most_words]))


def rule_features(examples: Sequence[Example], folder: Path) -> Any:
    """Which rules of an induced grammar, with their words, each row uses: float[rows, rules].

    ``folder`` is what ``augkit shortcuts --by grammar`` wrote for the same rows. A row that could
    not be parsed uses none; a rule that few rows use is left out.
    """
    import numpy as np

    from augkit.grammars.features.subtrees import incidence, occurrences, rules
    from augkit.grammars.features.survey import SurveyConfig
    from augkit.grammars.model.corpus import WordVocabulary, read_corpus
    from augkit.grammars.model.induce import EncodedTexts
    from augkit.shortcuts.grammar import checked_trees

    corpus = read_corpus(examples, SurveyConfig())
    vocabulary = WordVocabulary.load(folder / "vocabulary.json")
    rows = corpus.rows()
    nowhere = np.zeros(len(rows), dtype=bool)
    texts = EncodedTexts(corpus.encoded(vocabulary), nowhere, len(vocabulary))
    trees = checked_trees(folder / "trees.npz", texts)
    used = occurrences(rules(trees, lexical=True), rows[trees.doc], len(corpus.examples)).tocoo()
    index_of = {row.id: index for index, row in enumerate(examples)}
    owner = np.array([index_of[row.id] for row in corpus.examples], dtype=np.int64)
    features = incidence(owner[used.row], used.col, (len(examples), used.shape[1])).tocsr()
    common = np.flatnonzero(np.diff(features.tocsc().indptr) >= _FEWEST_ROWS)
    return features[:, common].astype(np.float64)
