"""Integrated gradients of a transformer's score along the path from a blank text.

    IG_i = (e_i - e'_i) · ∫_0^1 ∂s_y / ∂e_i (e' + t (e - e')) dt

e are the embeddings of the tokens, e' those of a text whose tokens (all but the special ones) are
the padding sign. IG_i is a vector; a token's weight is the sum over it (``sum``: for the label or
against it), or its length ‖IG_i‖₂ (``l2``: how much it matters, either way). The sums should add up
to s_y(x) - s_y(x'); how far they do not, because the integral is a sum of ``steps`` terms, is the
error of both.

Reference: sundararajan2017axiomatic. The length is that of friedman2022finding, Table 9.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol, runtime_checkable

from augkit.attribution.explanation import Explanation, Piece, word_weights
from augkit.core.errors import ConfigError, DataError, MissingExtra
from augkit.core.types import Example

_BATCH = 8
"""Examples explained at a time."""
TokenSpan = tuple[str | None, int, int]
"""Field, start and end of a token; a special token has no field."""
TokenWeight = Literal["sum", "l2"]
"""A token's weight from the vector of its integrated gradients: its sum or its length."""


@runtime_checkable
class Differentiable(Protocol):
    """A classifier whose score is a function of token embeddings, in torch."""

    @property
    def labels(self) -> Sequence[str]:
        """The labels, in the order of the scores."""

    @property
    def network(self) -> Any:
        """The torch module: token inputs to an object with ``logits``."""

    @property
    def padding(self) -> int:
        """The token of a blank."""

    def token_inputs(self, examples: Sequence[Example]) -> Mapping[str, Any]:
        """The examples as padded tensors, ``input_ids`` among them."""

    def token_spans(self, examples: Sequence[Example]) -> Sequence[Sequence[TokenSpan]]:
        """The spans of the tokens of each example."""


@runtime_checkable
class OnEncoder(Protocol):
    """A classifier on the vectors of an encoder, which can be written as one network."""

    def differentiable(self) -> Differentiable:
        """The encoder and the classifier, from tokens to scores."""


def explain_integrated_gradients(
    classifier: object,
    examples: Sequence[Example],
    labels: Sequence[str],
    steps: int = 50,
    by: TokenWeight = "sum",
) -> list[Explanation]:
    """The integrated gradient of each word for the score of each example's label.

    The integral is a sum of ``steps`` terms. The weight of a word is that of its tokens together.
    """
    if not isinstance(classifier, Differentiable):
        raise ConfigError(
            f"integrated gradients need a transformer, and this is a {type(classifier).__name__}: "
            "explain it by lime or shapley, or, if it is linear, exactly"
        )
    if unknown := sorted(set(labels) - set(classifier.labels)):
        raise DataError(
            f"the classifier was not trained on the label '{unknown[0]}': it knows "
            f"{', '.join(classifier.labels)}"
        )
    explanations: list[Explanation] = []
    for start in range(0, len(examples), _BATCH):
        batch = slice(start, start + _BATCH)
        explanations += _explain(classifier, examples[batch], labels[batch], steps, by)
    return explanations


def _explain(
    classifier: Differentiable,
    examples: Sequence[Example],
    labels: Sequence[str],
    steps: int,
    by: TokenWeight,
) -> list[Explanation]:
    vectors, gaps = _integrate(classifier, examples, labels, steps)
    weights = (vectors.sum(dim=-1) if by == "sum" else vectors.norm(dim=-1)).tolist()
    explained = []
    for row, (example, spans) in enumerate(
        zip(examples, classifier.token_spans(examples), strict=True)
    ):
        pieces: dict[str, list[Piece]] = {}
        special = 0.0
        for span, weight in zip(spans, weights[row], strict=False):
            field, start, end = span
            if field is None:
                special += weight
            else:
                pieces.setdefault(field, []).append((start, end, weight))
        words, rest = word_weights(example, pieces)
        explained.append(
            Explanation(labels[row], words, rest + special, abs(gaps[row]), "completeness gap")
        )
    return explained


def _integrate(
    classifier: Differentiable,
    examples: Sequence[Example],
    labels: Sequence[str],
    steps: int,
) -> tuple[Any, list[float]]:
    """The vectors of the tokens, float[examples, tokens, width], and how far they do not add up."""
    try:
        import torch
        from captum import attr
    except ImportError as error:
        raise MissingExtra("explain", "explaining by integrated gradients") from error
    network = classifier.network.eval()
    inputs = {
        name: tensor.to(network.device)
        for name, tensor in classifier.token_inputs(examples).items()
    }
    ids = inputs.pop("input_ids")
    names = list(inputs)
    spans = classifier.token_spans(examples)
    blank = ids.clone()
    for row, tokens in enumerate(spans):
        fixed = [field is None for field, _, _ in tokens]
        fixed += [True] * (ids.shape[1] - len(fixed))
        blank[row, ~torch.tensor(fixed, device=ids.device)] = classifier.padding
    gold = torch.tensor([list(classifier.labels).index(label) for label in labels])

    def score(ids: Any, gold: Any, *more: Any) -> Any:
        logits = network(input_ids=ids, **dict(zip(names, more, strict=True))).logits
        chosen = logits.gather(1, gold[:, None].to(logits.device))[:, 0]
        return chosen - logits.mean(dim=1)

    method = attr.LayerIntegratedGradients(score, network.get_input_embeddings())
    values, gaps = method.attribute(
        ids,
        blank,
        additional_forward_args=(gold, *(inputs[name] for name in names)),
        n_steps=steps,
        internal_batch_size=max(steps, len(examples)),
        return_convergence_delta=True,
    )
    return values.detach().cpu(), gaps.detach().cpu().tolist()
