"""How often does rounding reverse a pair of CrowS-Pairs, with and without exact rescoring?

    python -m benchmarks.research.bias_rounding MODEL [--data DIR]

Scores all pairs in float32 and in bfloat16. Prints one JSON line: pairs whose preference differs,
before and after the nearest were scored again; how many were; how far rounding moves a gap.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from augkit.commands.bias_benchmarks import crows_pairs
from augkit.commands.bias_benchmarks.likelihood import aligned_scores, rescore_close
from augkit.models.language_models.masked_lm import open_masked
from benchmarks.command_line import argument, arguments, print_line


def main() -> None:
    """Count the pairs."""
    given = arguments(
        __doc__,
        argument("model", help="a folder with a saved masked language model"),
        argument("--data", type=Path, default=Path("../shared/data")),
    )
    pairs = crows_pairs.read(given.data / "bias/crows_pairs/crows_pairs_anonymized.csv")
    print_line({"benchmark": "bias_rounding", **counted(given.model, pairs)})


def counted(folder: str, pairs: list[crows_pairs.CrowsPair]) -> dict[str, object]:
    """What rounding does to the preferences of a model."""
    rounding = open_masked(folder, "bfloat16")
    texts = [(pair.more, pair.less) for pair in pairs]
    exact = aligned_scores(rounding.exact, texts, shared=True)
    rounded = aligned_scores(rounding, texts, shared=True)
    again: list[int] = []

    def exactly(numbers: Sequence[int]) -> np.ndarray:
        again.extend(numbers)
        return exact[list(numbers)]

    wanted, before, after = (
        gaps(both) for both in (exact, rounded, rescore_close(rounded, exactly))
    )
    return {
        "device": str(rounding.model.device),
        "pairs": len(pairs),
        "turned_by_rounding": int((np.sign(before) != np.sign(wanted)).sum()),
        "turned_after_settling": int((np.sign(after) != np.sign(wanted)).sum()),
        "scored_again": len(again),
        "largest_error": round(float(np.abs(before - wanted).max()), 4),
        "median_gap": round(float(np.median(np.abs(wanted))), 3),
    }


def gaps(both: np.ndarray) -> np.ndarray:
    """How far the first of each pair is above the second."""
    return np.asarray(both[:, 0] - both[:, 1])


if __name__ == "__main__":
    main()
