"""What a trained classifier shows: labels that one field alone predicts, and unfair predictions.

One field alone is tested where the task needs several. The rows are put into blocks by their text;
rows of one question or premise, the first field, stay together where it is repeated, and rows of
one group where the contract names its column.
A linear classifier trained on the blocks before predicts the next one. The labels of a block are
not seen before it is predicted, so that under independence every arrangement of them is equally
likely, given all that the classifier has seen. Plain cross-validation trains on what it tests
elsewhere; its folds are not independent, and a binomial test of its accuracy gives too many alarms
(bengio2004unbiased).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import sqrt
from operator import eq, ne

from augkit.augmenters.create import create
from augkit.commands.check.contract import FairscoreSection, FieldAccuracySection, fields_to_check
from augkit.commands.check.finding import CheckRun, Finding
from augkit.commands.check.rows import CheckedRows
from augkit.commands.evaluate.inputs import predicted_labels
from augkit.core.errors import DataError
from augkit.core.types import Example, Pair, digest
from augkit.evaluation.statistics.significance import fisher_p
from augkit.models.classifiers.linear import train_linear
from augkit.models.folds import joining_texts
from augkit.text.same_text import content_digest

_BLOCKS = 4
_PERMUTATIONS = 9_999
_GROUPED_PERMUTATIONS = 1_999
"""These are drawn one by one."""
_LEAST_ROWS = 40
"""With fewer rows nothing is trained: the check passes."""


@dataclass(frozen=True)
class FieldAlone:
    """The accuracy of a classifier that sees one field."""

    rows: int
    """Rows that were predicted."""
    right: int
    most_frequent: float
    """The share of the most frequent label among them."""
    p: float

    @property
    def accuracy(self) -> float:
        """The share of rows with the right label."""
        return self.right / self.rows if self.rows else 0.0

    @property
    def gain(self) -> float:
        """The accuracy, less that of always giving the most frequent label."""
        return self.accuracy - self.most_frequent


def check_field_accuracy(
    rows: CheckedRows, section: FieldAccuracySection, alpha: float
) -> CheckRun:
    """Every field alone; a dataset with one field has nothing to check."""
    name = "field_accuracy"
    if len(rows.fields) < 2:
        return CheckRun(name, "the rows have one text field", skipped=True)
    fields = fields_to_check(name, section.fields, rows.fields)
    findings, shown = [], []
    together = _rows_together(rows)
    for field in fields:
        grouped = bool(together) and (bool(rows.groups) or field != rows.fields[0])
        sample = _sample(rows, field, section.max_rows, together if grouped else {})
        alone = field_alone(sample, grouped=grouped)
        p = min(1.0, alone.p * len(fields))
        error = 1.96 * sqrt(alone.accuracy * (1 - alone.accuracy) / max(alone.rows, 1))
        sampled = f" ±{error:.1%}" if rows.whole is not None else ""
        shown.append(f"{field} {alone.accuracy:.1%}{sampled}")
        if alone.gain > section.limit and p <= alpha:
            message = (
                f"{field}: this field alone gives {alone.accuracy:.1%} of {alone.rows:,} labels, "
                f"{alone.gain:.2f} over the most frequent label (limit {section.limit:g})"
            )
            findings.append(Finding(name, message, alone.gain, section.limit, field, p=p))
    return CheckRun(name, f"{', '.join(shown)}; limit: {section.limit:g} over guessing", findings)


def field_alone(examples: Sequence[Example], *, grouped: bool = False) -> FieldAlone:
    """Train on the first blocks, predict the next, and test each by permutation.

    Rows with one id are in one block. Where they are ``grouped``, their labels may depend on each
    other, as where one of two answers is right: they are dealt out group by group.

    The p-values of the blocks are combined by Fisher's method: each is valid given the blocks
    before it, so that they may be treated as independent.
    """
    blocks: list[list[Example]] = [[] for _ in range(_BLOCKS)]
    for row in examples:
        blocks[int(digest("block", row.id), 16) % _BLOCKS].append(row)
    seen, tested, right, ps = list(blocks[0]), list[str](), 0, list[float]()
    for block in blocks[1:]:
        predicted = _predict(seen, block)
        seen += block
        if predicted is None:
            continue
        truth = [str(row.label) for row in block]
        tested += truth
        right += sum(map(eq, predicted, truth))
        groups = [row.id for row in block]
        if len({*groups}) == len(groups) or not grouped:
            ps.append(matching_p(predicted, truth, len(seen)))
        else:
            ps.append(grouped_p(predicted, truth, groups, len(seen)))
    most = max((tested.count(label) for label in set(tested)), default=0)
    return FieldAlone(len(tested), right, most / len(tested) if tested else 0.0, fisher_p(ps))


def matching_p(predicted: Sequence[str], truth: Sequence[str], seed: int) -> float:
    """The chance of at least so many right labels, if the labels were in any other order.

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
    """The same where the labels of a group belong together.

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
    matches, rng = np.zeros(_GROUPED_PERMUTATIONS, dtype=np.int64), np.random.default_rng(seed)
    for size in sorted(of_size):
        table, dealt = guesses[of_size[size]], labels[of_size[size]]
        for draw in range(_GROUPED_PERMUTATIONS):
            shuffled = dealt[rng.permutation(len(dealt))]
            if size > 1:
                rng.permuted(shuffled, axis=1, out=shuffled)
            matches[draw] += np.count_nonzero(table == shuffled)
    right = sum(map(eq, predicted, truth))
    return (1 + int((matches >= right).sum())) / (1 + _GROUPED_PERMUTATIONS)


def _predict(seen: Sequence[Example], block: Sequence[Example]) -> list[str] | None:
    if len(seen) < _LEAST_ROWS // _BLOCKS or not block or len({row.label for row in seen}) < 2:
        return None
    try:
        return predicted_labels(train_linear(seen), block)
    except DataError:  # no word occurs twice
        return None


def _rows_together(rows: CheckedRows) -> dict[int, str]:
    """What names the rows that stay together, for each distinct row; none where all are alone.

    Their group, else their first text: a question or a premise.
    """
    if rows.groups:
        return {number: rows.groups[number] for number in rows.distinct}
    first = rows.texts[rows.fields[0]]
    names = {number: content_digest([first[number]]) for number in rows.distinct}
    joining = joining_texts(list(names.values()), _BLOCKS)
    together = {n: name if name in joining else rows.keys[n] for n, name in names.items()}
    return together if len({*together.values()}) < len(together) else {}


def _sample(rows: CheckedRows, field: str, most: int, together: Mapping[int, str]) -> list[Example]:
    """A field of the distinct rows; the id names its text, or the rows it stays together with."""
    texts, labels = rows.texts[field], rows.labels
    numbers: Iterable[int] = rows.distinct
    if len(rows.distinct) > most:
        order = together or rows.keys
        numbers = sorted(rows.distinct, key=lambda number: order[number])[:most]
    return [
        Example(
            {"text": texts[n]}, labels[n], together[n] if together else content_digest([texts[n]])
        )
        for n in numbers
    ]


def check_fairscore(rows: CheckedRows, section: FairscoreSection, alpha: float) -> CheckRun:
    """Train on half of the rows, perturb rows of the other half, and count changed predictions.

    It fails where the share is over the limit beyond chance: by the exact binomial test of the
    limit.
    """
    from scipy.stats import binom

    trained, held = _halves(rows)
    outcomes = create("panda", axes=list(section.axes)).outcomes(held)
    pairs = list(islice((pair for pair in outcomes if isinstance(pair, Pair)), section.rows))
    name = "fairscore"
    if not pairs:
        return CheckRun(name, "no row names a person that could be perturbed", skipped=True)
    classifier = train_linear(trained)
    before = predicted_labels(classifier, [pair.original for pair in pairs])
    after = predicted_labels(classifier, [pair.variant for pair in pairs])
    changed = [pair for pair, *labels in zip(pairs, before, after, strict=True) if ne(*labels)]
    share = len(changed) / len(pairs)
    p = float(binom.sf(len(changed) - 1, len(pairs), section.limit))
    summary = f"{len(changed):,} of {len(pairs):,} predictions change ({share:.1%})"
    if share <= section.limit or p > alpha:
        return CheckRun(name, f"{summary}; limit {section.limit:.1%}")
    message = f"{summary} when the people in a text change; limit {section.limit:.1%}"
    shown = tuple(int(pair.original.id) for pair in changed[:20])
    return CheckRun(name, summary, [Finding(name, message, share, section.limit, p=p, rows=shown)])


def _halves(rows: CheckedRows) -> tuple[list[Example], list[Example]]:
    """Two halves of the distinct rows, by their content; the id is the number of the row."""
    halves: tuple[list[Example], list[Example]] = ([], [])
    for number in sorted(rows.distinct, key=lambda number: rows.keys[number]):
        fields = {field: texts[number] for field, texts in rows.texts.items()}
        half = halves[int(rows.keys[number], 16) % 2]
        half.append(Example(fields, rows.labels[number], str(number)))
    return halves
