"""The joint editor of a dataset, with the hints and the choice that its rows allow."""

from __future__ import annotations

from augkit.augmenters.coba.artifact import CobaArtifact, TextsArtifact
from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.joint.choose import CandidateChooser
from augkit.augmenters.coba.joint.editor import JointEditor
from augkit.augmenters.coba.joint.hints import FactHints, Hints, PolarityHints, RelationHints
from augkit.augmenters.coba.joint.label_meanings import order_meanings
from augkit.augmenters.coba.verify import LeftoverCheck
from augkit.core.protocols import LLM, Parser
from augkit.lexicons.label_meanings import labels_of


def joint_editor(
    llm: LLM,
    config: CobaConfig,
    parser: Parser,
    artifact: CobaArtifact,
    texts: TextsArtifact | None,
) -> JointEditor:
    """The editor of single texts, or without ``texts`` that of pairs."""
    described = {**order_meanings(artifact.order, texts), **config.label_descriptions}
    own = config.model_copy(update={"label_descriptions": described})
    if texts is None:  # the rules know everyday scenes, not facts
        scenes = "neutral" in labels_of(artifact.labels)
        hints: Hints = RelationHints(parser) if scenes else FactHints(parser)
        return JointEditor(llm, own, hints)
    leftover = LeftoverCheck(parser, texts)
    chooser = CandidateChooser(texts.label_judge, leftover, config.limits)
    return JointEditor(llm, own, PolarityHints(parser, texts), chooser, texts.polarity)
