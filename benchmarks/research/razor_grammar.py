"""What the grammar checker Harper finds in razor's rewritten texts, and in their originals.

    python -m benchmarks.research.razor_grammar RUN [RUN ...]

RUN is a folder of ``augkit run --method razor``. Needs ``augkit[bench]``. Spelling is left out:
names are no mistakes. So are symmetric pairs, which differ in one value. One JSON line a run: the
rewritten rows, the complaints in the originals and in the rewritten texts, and by how many per cent
they grew.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from augkit.evaluation.metrics.quality.text_measures import harper
from benchmarks.command_line import print_line


def main() -> None:
    """Check both texts of every rewritten row."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", type=Path, nargs="+")
    checker = harper()
    for run in parser.parse_args().runs:
        with (run / "variants.jsonl").open(encoding="utf-8") as lines:
            variants = map(json.loads, lines)
            pairs = [both_texts(one) for one in variants if not one["copy"]]
        before = sum(checker(one) for one, _ in pairs)
        after = sum(checker(other) for _, other in pairs)
        grown = round(100 * (after / before - 1), 1) if before else None
        print_line(
            {"run": run.name, "rows": len(pairs), "before": before, "after": after, "%": grown}
        )


def both_texts(variant: Mapping[str, Any]) -> tuple[str, str]:
    """The original of the rewritten field, put together again from the edits; and its rewrite.

    >>> edit = {"field": "text", "start": 2, "end": 7, "before": "movie", "after": "film"}
    >>> both_texts({"fields": {"text": "A film."}, "edits": [edit]})
    ('A movie.', 'A film.')
    """
    edits: Sequence[Mapping[str, Any]] = variant["edits"]
    after = variant["fields"][edits[0]["field"]]
    before = after
    for edit in sorted(edits, key=lambda one: int(one["start"])):
        end = edit["start"] + len(edit["after"])
        assert before[edit["start"] : end] == edit["after"], "edits are in one field, in order"
        before = before[: edit["start"]] + edit["before"] + before[end:]
    return before, after


if __name__ == "__main__":
    main()
