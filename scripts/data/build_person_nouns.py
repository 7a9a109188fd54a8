"""Build augkit's list of nouns that usually name a person, from WordNet 3.0.

    apt-get install wordnet-base
    python scripts/data/build_person_nouns.py [/usr/share/wordnet]

A noun is taken where its first, that is its commonest, meaning lies in WordNet's file of persons
and is a kind of person, not one person ("Bach").
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
OUT = HERE.parents[1] / "augkit" / "lexicons" / "data" / "person_nouns.txt"
HEADER = """\
# Nouns that usually name a person.
# Source: built by scripts/data/build_person_nouns.py from WordNet 3.0. Licence: LICENSE.wordnet.
"""
PERSONS = "18"
"""The number of WordNet's file of nouns for persons."""
WORD = re.compile(r"(?=...)[a-z]+(?:-[a-z]+)*")
ADDED = HERE / "person_nouns_added.txt"
"""Words whose first meaning in WordNet is another, and groups of people."""
LEFT_OUT = HERE / "person_nouns_left_out.txt"
"""Words that mostly name something else."""


def listed(path: Path) -> set[str]:
    """The words of a list."""
    return set(path.read_text(encoding="utf-8").split())


def kinds_of_person(folder: Path) -> set[str]:
    """Synsets in the file of persons that are no single person."""
    lines = (folder / "data.noun").read_text(encoding="utf-8").splitlines()
    return {line[:8] for line in lines if line[9:11] == PERSONS and " @i " not in line}


def person_nouns(folder: Path) -> set[str]:
    """Nouns whose first meaning is a kind of person."""
    kinds, found = kinds_of_person(folder), set()
    for line in (folder / "index.noun").read_text(encoding="utf-8").splitlines():
        if line[0] != " ":
            columns = line.split()
            first = columns[-int(columns[2])]
            if first in kinds and WORD.fullmatch(columns[0]):
                found.add(columns[0])
    return found


def main() -> None:
    """Write the list."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/wordnet")
    nouns = sorted((person_nouns(folder) | listed(ADDED)) - listed(LEFT_OUT))
    OUT.write_text(HEADER + "\n".join(nouns) + "\n", encoding="utf-8")
    print(len(nouns), "nouns")


if __name__ == "__main__":
    main()
