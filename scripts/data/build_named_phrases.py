"""Build augkit's list of phrases that name no person though a word of them might, from WordNet 3.0.

    apt-get install wordnet-base
    python scripts/data/build_named_phrases.py [/usr/share/wordnet]

A phrase is taken where it has a word of the gender, race or age lists, or a first name with a
capital, and where none of its meanings is a person ("lady's slipper", "box elder", "Black Sea").
Bodies and clothes are left out ("a woman's body" is some woman's), and so are Latin names.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from lemminflect import getAllLemmas, getInflection

from augkit.lexicons.demographics.axes import BUNDLED, bundled_axis
from augkit.lexicons.demographics.names import first_names
from augkit.lexicons.demographics.term_senses import readings

OUT = Path(__file__).parents[2] / "augkit" / "lexicons" / "data" / "named_phrases.txt"
HEADER = """\
# Phrases that name no person, though a word of them might, with the plurals of the last words.
# Source: built by scripts/data/build_named_phrases.py from WordNet 3.0. Licence: LICENSE.wordnet.
"""
PERSONS, BODIES = "18", "08"
"""The numbers of WordNet's files of nouns for persons and parts of the body."""
PARTS = re.compile(r"[^\W_]+")
LEFT_OUT = frozenset(
    "woman's clothing|man's clothing|woman's hat|child's room|baby's room|man and wife|men's"
    "|youth gang|three year old|two year old|three-year-old horse|two-year-old horse|modern man"
    "|baby sitting|small white|large white|male horse|female horse|female mammal|infant feeding"
    "|young bird|young fish|young mammal|young carnivore|Asian country|Asian nation|A'man"
    "|Bronte sisters|teddy boys|Wise Men|black sally|white sale".split("|")
)
"""What is said of people as often."""


def senses(folder: Path) -> Iterator[tuple[str, str]]:
    """Every noun of WordNet as written, with the number of a file it has a meaning in."""
    for line in (folder / "data.noun").read_text(encoding="utf-8").splitlines():
        columns = line.split()
        if line[0] != " ":
            for place in range(int(columns[3], 16)):
                yield columns[4 + 2 * place].replace("_", " "), columns[1]


def is_taken(phrase: str, files: set[str], words: frozenset[str], names: frozenset[str]) -> bool:
    """Whether a phrase names a thing and could be taken for a person."""
    parts = PARTS.findall(phrase)
    called = [part for part in parts if part[0].isupper() and part.lower() in names]
    said = [part for part in parts if part.lower() in words]
    if len([p for p in parts if len(p) > 1]) < 2 or not (called or said) or PERSONS in files:
        return False
    if all(part in called for part in parts if len(part) > 1):
        return False  # "Mary Jane"
    latin = parts[0][0].isupper() and parts[1][0].islower() and not getAllLemmas(parts[1])
    return not (latin or phrase in LEFT_OUT or (BODIES in files and not called))


def with_plural(phrase: str) -> Iterator[str]:
    """A phrase, and its plural where its last word is a noun in small letters."""
    yield phrase
    head, _, last = phrase.rpartition(" ")
    if head and last.islower() and last in getAllLemmas(last).get("NOUN", ()):
        for plural in getInflection(last, "NNS")[:1]:
            yield f"{head} {plural}"


def main() -> None:
    """Write the list."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/wordnet")
    files: dict[str, set[str]] = {}
    written: dict[str, None] = {}
    for phrase, number in senses(folder):
        files.setdefault(phrase.lower(), set()).add(number)
        written[phrase] = None
    forms = [reading for axis in BUNDLED for reading in readings(bundled_axis(axis))]
    words = frozenset(reading.form.lower() for reading in forms if not reading.weak)
    names = frozenset(first_names())
    taken = [p for p in written if is_taken(p, files[p.lower()], words, names)]
    phrases = sorted({form for phrase in taken for form in with_plural(phrase)})
    OUT.write_text(HEADER + "\n".join(phrases) + "\n", encoding="utf-8")
    print(len(phrases), "phrases")


if __name__ == "__main__":
    main()
