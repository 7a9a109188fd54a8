"""How far one field of several tells the label: its accuracy, its chance, and its words.

The rows are put into blocks by their text; rows of one question or premise, the first field, stay
together where it is repeated, and rows of one group where the caller names them. A linear
classifier trained on the blocks before predicts the next one. The labels of a block are not seen
before it is predicted, so that under independence every arrangement of them is equally likely,
given all that the classifier has seen. Plain cross-validation trains on what it tests elsewhere;
its folds are not independent, and a binomial test of its accuracy gives too many alarms
(bengio2004unbiased).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from operator import eq
from typing import NamedTuple

from augkit.core.arrays import Floats
from augkit.core.errors import DataError
from augkit.core.types import Example, digest
from augkit.evaluation.statistics.significance import fisher_p
from augkit.models.classifiers.learners import to_probabilities
from augkit.models.classifiers.linear import LinearClassifier, train_linear
from augkit.models.folds import joining_texts
from augkit.shortcuts.cues import FieldAlone, TellingWord
from augkit.text.same_text import content_digest

MOST_ROWS = 10_000
"""Of more, so many are used, chosen by their content."""
_BLOCKS = 4
_PERMUTATIONS = 9_999
_GROUPED_PERMUTATIONS = 1_999
"""These are drawn one by one."""
_LEAST_ROWS = 40
"""With fewer rows nothing is trained."""
_WORDS = 10
"""Words that are named."""


class _Block(NamedTuple):
    """Rows that were predicted, and what predicted them."""

    rows: Sequence[Example]
    predicted: Sequence[str]
    classifier: LinearClassifier
    p: float


def fields_alone(examples: Sequence[Example], groups: Sequence[str] = ()) -> tuple[FieldAlone, ...]:
    """Test each field alone; p is corrected for their number.

    Args:
        examples: Labelled rows with several fields; rows with the same texts count once.
        groups: What names the rows that belong together, one for each row.
    """
    fields = tuple(examples[0].fields)
    if len(fields) < 2:
        return ()
    distinct = _distinct(examples)
    together = _rows_together(examples, distinct, groups)
    tested = []
    for field in fields:
        is_grouped = bool(together) and (bool(groups) or field != fields[0])
        rows = _of_field(examples, distinct, field, together if is_grouped else {})
        tested.append(alone_accuracy(field, rows, grouped=is_grouped, tests=len(fields)))
    return tuple(tested)


def alone_accuracy(
    field: str, examples: Sequence[Example], *, grouped: bool = False, tests: int = 1
) -> FieldAlone:
    """Train on the first blocks, predict the next, and test each by permutation.

    Rows with one id are in one block. Where they are ``grouped``, their labels may depend on each
    other, as where one of two answers is right: they are dealt out group by group.

    The p-values of the blocks are combined by Fisher's method: each is valid given the blocks
    before it, so that they may be treated as independent.
    """
    blocks = _predicted_blocks(examples, grouped=grouped)
    truth = [str(row.label) for block in blocks for row in block.rows]
    predicted = [label for block in blocks for label in block.predicted]
    counts = Counter(truth)
    right = Counter(label for label, guess in zip(truth, predicted, strict=True) if label == guess)
    rows = max(len(truth), 1)
    recalls = [right[label] / count for label, count in counts.items()]
    return FieldAlone(
        field,
        len(truth),
        right.total() / rows,
        sum(recalls) / max(len(recalls), 1),
        max(counts.values(), default=0) / rows,
        min(1.0, fisher_p([block.p for block in blocks]) * tests),
        _telling_words(blocks),
    )


def matching_p(predicted: Sequence[str], truth: Sequence[str], seed: int) -> float:
    """Compute the chance of so many right labels, if the labels were in any other order.

    By drawing tables of predicted and true labels with the same margins: exact for any number of
    draws, as the observed table is counted among them.
    """
    import numpy as np
    from scipy.stats import random_table

    names = sorted({*predicted, *truth})
    number = {name: index for index, name in enumerate(names)}
    margins = [
        np.bincount([number[label] for label in labels], minlength=len(names))
        for labels in (predicted, truth)
    ]
    right = sum(map(eq, predicted, truth))
    drawn = random_table(*margins, seed=seed).rvs(size=_PERMUTATIONS)
    matches = np.trace(drawn, axis1=1, axis2=2)
    return (1 + int((matches >= right).sum())) / (1 + _PERMUTATIONS)


def grouped_p(
    predicted: Sequence[str], truth: Sequence[str], groups: Sequence[str], seed: int
) -> float:
    """Compute the same where the labels of a group belong together.

    Groups of one size exchange their labels, and the labels within a group change places: what is
    as likely as what was seen if the labels do not depend on the texts, whatever the labels of one
    group have to do with each other.
    """
    import numpy as np

    members: dict[str, list[int]] = defaultdict(list)
    for number, group in enumerate(groups):
        members[group].append(number)
    of_size: dict[int, list[list[int]]] = defaultdict(list)
    for numbers in members.values():
        of_size[len(numbers)].append(numbers)
    code = {name: index for index, name in enumerate({*predicted, *truth})}
    guesses, labels = (
        np.array([code[name] for name in names], dtype=np.int16) for names in (predicted, truth)
    )
    matches = np.zeros(_GROUPED_PERMUTATIONS, dtype=np.int64)
    rng = np.random.default_rng(seed)
    for size in sorted(of_size):
        table = guesses[of_size[size]]
        dealt = labels[of_size[size]]
        for draw in range(_GROUPED_PERMUTATIONS):
            shuffled = dealt[rng.permutation(len(dealt))]
            if size > 1:
                rng.permuted(shuffled, axis=1, out=shuffled)
            matches[draw] += np.count_nonzero(table == shuffled)
    right = sum(map(eq, predicted, truth))
    return (1 + int((matches >= right).sum())) / (1 + _GROUPED_PERMUTATIONS)


def _predicted_blocks(examples: Sequence[Example], *, grouped: bool) -> list[_Block]:
    blocks: list[list[Example]] = [[] for _ in range(_BLOCKS)]
    for row in examples:
        blocks[int(digest("block", row.id), 16) % _BLOCKS].append(row)
    seen = list(blocks[0])
    predicted_blocks = []
    for block in blocks[1:]:
        classifier = _trained(seen) if block else None
        seen += block
        if classifier is not None:
            predicted_blocks.append(_predicted(classifier, block, len(seen), grouped=grouped))
    return predicted_blocks


def _predicted(
    classifier: LinearClassifier, block: Sequence[Example], seed: int, *, grouped: bool
) -> _Block:
    columns = classifier.predict(block).argmax(axis=1).tolist()
    predicted = [classifier.labels[column] for column in columns]
    truth = [str(row.label) for row in block]
    groups = [row.id for row in block]
    if grouped and len({*groups}) < len(groups):
        p = grouped_p(predicted, truth, groups, seed)
    else:
        p = matching_p(predicted, truth, seed)
    return _Block(block, predicted, classifier, p)


def _trained(seen: Sequence[Example]) -> LinearClassifier | None:
    """A classifier of the rows; None where they are too few, or have one label."""
    if len(seen) < _LEAST_ROWS // _BLOCKS or len({row.label for row in seen}) < 2:
        return None
    try:
        return train_linear(seen)
    except DataError:  # no word occurs twice
        return None


def _telling_words(blocks: Sequence[_Block]) -> tuple[TellingWord, ...]:
    """The words that add most to the chance of the true label, over the rows of all blocks.

    gain = Σ P(true label) - P(true label | the word's weight taken out)
    """
    gains: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for block in blocks:
        terms = [term for space in block.classifier.vocabularies for term in space.terms]
        for label, of_label in _gains(block).items():
            for column, gain in zip(of_label[0], of_label[1], strict=True):
                gains[terms[column]][label] += gain
    telling = [
        TellingWord(word, max(of_label, key=of_label.__getitem__), sum(of_label.values()))
        for word, of_label in gains.items()
    ]
    telling.sort(key=lambda word: (-word.gain, word.word))
    return tuple(word for word in telling[:_WORDS] if word.gain > 0)


def _gains(block: _Block) -> dict[str, tuple[list[int], list[float]]]:
    """The columns of words and their gain in the rows of each label."""
    import numpy as np

    classifier = block.classifier
    features = classifier.features(block.rows).tocsr()
    weights = classifier.weights
    scores = features @ weights.T + classifier.bias
    number = {label: place for place, label in enumerate(classifier.labels)}
    # A label that no row before had is the true one of no prediction.
    truth = np.array([number.get(str(row.label), -1) for row in block.rows])
    rows = np.repeat(np.arange(len(block.rows)), np.diff(features.indptr))
    without = scores[rows] - features.data[:, None] * weights.T[features.indices]
    gains = _of(to_probabilities(scores), truth)[rows] - _of(to_probabilities(without), truth[rows])
    found = {}
    for label, place in number.items():
        inside = truth[rows] == place
        total = np.bincount(features.indices[inside], weights=gains[inside])
        columns = np.flatnonzero(total)
        found[label] = columns.tolist(), total[columns].tolist()
    return found


def _of(probabilities: Floats, truth: Floats) -> Floats:
    """The probability of the true label: float[rows]."""
    import numpy as np

    chosen: Floats = probabilities[np.arange(len(truth)), truth]
    return chosen


def _distinct(examples: Sequence[Example]) -> dict[str, int]:
    """What names the texts of rows, and the first row of each."""
    first: dict[str, int] = {}
    for number, row in enumerate(examples):
        first.setdefault(content_digest(row.fields.values()), number)
    return first


def _rows_together(
    examples: Sequence[Example], distinct: Mapping[str, int], groups: Sequence[str]
) -> dict[int, str]:
    """What names the rows that stay together; nothing where all are alone.

    Their group, else their first text: a question or a premise.
    """
    if groups:
        return {number: groups[number] for number in distinct.values()}
    field = next(iter(examples[0].fields))
    names = {n: content_digest([examples[n].fields[field]]) for n in distinct.values()}
    joining = joining_texts(list(names.values()), _BLOCKS)
    together = {
        number: names[number] if names[number] in joining else key
        for key, number in distinct.items()
    }
    return together if len({*together.values()}) < len(together) else {}


def _of_field(
    examples: Sequence[Example],
    distinct: Mapping[str, int],
    field: str,
    together: Mapping[int, str],
) -> list[Example]:
    """One field of the distinct rows; the id names its text, or the rows it stays with."""
    keys = {number: together.get(number, key) for key, number in distinct.items()}
    numbers = list(distinct.values())
    if len(numbers) > MOST_ROWS:
        numbers = sorted(numbers, key=keys.__getitem__)[:MOST_ROWS]
    rows = []
    for number in numbers:
        text = examples[number].fields[field]
        key = together[number] if together else content_digest([text])
        rows.append(Example({"text": text}, examples[number].label, key))
    return rows
