"""Build augkit's lists of animals, and of nouns that are no surname, from WordNet 3.0.

    apt-get install wordnet-base
    python scripts/build_noun_classes.py [/usr/share/wordnet]

The class of a noun is that of its first, most frequent meaning. ``animals.txt`` has single words
for animals that are no first names and name no people; ``no_surnames.txt`` those for food, events,
groups and places, which a name such as "Suki Sushi" ends with only where it is a thing's, unlike
plants, tools and trades ("Nancy Vine").
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from augkit.lexicons.demographics.axes import BUNDLED, bundled_axis
from augkit.lexicons.demographics.first_names import first_names
from augkit.lexicons.demographics.person_words import person_nouns
from augkit.lexicons.demographics.term_senses import readings
from augkit.lexicons.load import word_set

DATA = Path(__file__).parent.parent / "augkit" / "lexicons" / "data"
SOURCE = (
    "# Source: built by scripts/build_noun_classes.py from WordNet 3.0. Licence: LICENSE.wordnet.\n"
)
ANIMALS, PERSONS = "05", "18"
NO_SURNAMES = frozenset("11 13 14 15".split())
"""Events, food, groups and places; acts and ideas are surnames at times ("Spelling", "Tenet")."""


class Meaning(NamedTuple):
    """A meaning: the number of its file, its words as written, and what it is a kind of."""

    file: str
    words: frozenset[str]
    above: tuple[str, ...]


def meanings_of(folder: Path) -> dict[str, Meaning]:
    """Every meaning by its place."""
    found = {}
    for line in (folder / "data.noun").read_text(encoding="utf-8").splitlines():
        columns = line.split()
        if line[0] != " ":
            words = frozenset(columns[4 + 2 * n] for n in range(int(columns[3], 16)))
            rest = columns[4 + 2 * int(columns[3], 16) :]
            above = tuple(at for sign, at in pairwise(rest) if sign == "@")
            found[columns[0]] = Meaning(columns[1], words, above)
    return found


def is_animal(meanings: dict[str, Meaning], place: str) -> bool:
    """Whether a meaning is a kind of animal, and not a part of one or a group."""
    if "animal" in meanings[place].words:
        return True
    if meanings[place].file != ANIMALS:
        return False
    return any(is_animal(meanings, above) for above in meanings[place].above if above in meanings)


def nouns(folder: Path) -> Iterator[tuple[str, list[str], int]]:
    """Every noun of one word, the places of its meanings, the commonest first, and its count."""
    for line in (folder / "index.noun").read_text(encoding="utf-8").splitlines():
        columns = line.split()
        if line[0] != " " and columns[0].isalpha():
            meanings = int(columns[2])
            yield columns[0], columns[-meanings:], int(columns[-meanings - 1])


def main() -> None:
    """Write both lists."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/wordnet")
    meanings = meanings_of(folder)
    surnames = word_set("surname_words")
    forms = {r.form.lower() for axis in BUNDLED for r in readings(bundled_axis(axis))}
    taken = {*first_names(), *person_nouns(), *forms}
    animals, others = [], []
    for word, places, seen in nouns(folder):
        classes = [meanings[place].file for place in places]
        latin = word not in meanings[places[0]].words  # written with a capital: "Felidae"
        if latin or word in taken or len(word) < 3:
            continue
        if is_animal(meanings, places[0]) and (PERSONS not in classes or seen):
            animals.append(word)
        elif classes[0] in NO_SURNAMES and PERSONS not in classes and seen:
            others += [] if word in surnames else [word]
    for name, about, words in (
        ("animals", "Animals, one word each.", animals),
        ("no_surnames", "Nouns for what is no person and gives no surname.", others),
    ):
        text = f"# {about}\n{SOURCE}" + "\n".join(sorted(words)) + "\n"
        (DATA / f"{name}.txt").write_text(text, encoding="utf-8")
        print(name, len(words))


if __name__ == "__main__":
    main()
