"""Build augkit's synonym table from WordNet 3.0 and the groups in ``synonym_groups.txt``.

    apt-get install wordnet-base
    python scripts/data/build_synonyms.py [/usr/share/wordnet]

WordNet lists words that share *a* meaning; most of them cannot stand for one another in a
sentence whose meaning nobody has looked up. A pair enters only where the shared meaning is what
both words usually mean in the sense-tagged texts that WordNet counts. Both then enter in every
inflected form they share ("started" → "commenced", never "commence").
"""

from __future__ import annotations

import gzip
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from lemminflect import getInflection

HERE = Path(__file__).parent
DATA = HERE.parents[1] / "augkit" / "lexicons" / "data"

WORD_SHARE = 0.6
"""A word's uses, over all its meanings and parts of speech, that have the shared meaning."""
SYNONYM_SHARE = 0.5
"""The same for the word that would replace it."""
PART_SHARE = 0.8
"""A word's uses that have the part of speech of the pair: "love" and "kind" are left alone."""
FEWEST_USES = 2
"""Tagged uses of a meaning below which nothing can be said about it."""
MOST_SYNONYMS = 4

PARTS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
PART_OF_DIGIT = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}
TAGS = {
    "n": ["NN", "NNS"],
    "v": ["VB", "VBZ", "VBD", "VBN", "VBG"],
    "a": ["JJ", "JJR", "JJS"],
    "r": ["RB"],
}
BASE_TAGS = {"NN", "VB", "JJ", "RB"}

Meaning = tuple[str, str]
"""Part of speech and offset: one synset."""
Uses = dict[str, dict[Meaning, int]]
"""Word → meaning → how often it was tagged so."""
Link = tuple[str, str, str]
"""Word, synonym, part of speech; base forms."""


def read_synsets(folder: Path) -> dict[Meaning, list[str]]:
    """The words of every synset."""
    synsets = {}
    for name, part in PARTS.items():
        for columns in _rows(folder / f"data.{name}"):
            count = int(columns[3], 16)
            # A marker of position, as in "ready(p)", is no part of the word.
            synsets[part, columns[0]] = [
                word.split("(")[0] for word in columns[4 : 4 + 2 * count : 2]
            ]
    return synsets


def read_uses(folder: Path) -> Uses:
    """How often each word was tagged with each of its meanings."""
    senses = {
        (columns[0], part): columns[-int(columns[2]) :]
        for name, part in PARTS.items()
        for columns in _rows(folder / f"index.{name}")
    }
    uses: Uses = defaultdict(dict)
    for line in (folder / "cntlist.rev").read_text(encoding="utf-8").splitlines():
        key, number, count = line.split()
        word, _, rest = key.partition("%")
        part = PART_OF_DIGIT[rest[0]]
        offsets = senses.get((word, part), [])
        if int(number) <= len(offsets):
            uses[word][part, offsets[int(number) - 1]] = int(count)
    return uses


def links_from_wordnet(folder: Path, uses: Uses) -> Iterator[Link]:
    """Pairs whose shared meaning is what both words usually mean, the most used synonym first."""
    synsets = read_synsets(folder)
    for word in sorted(uses):
        for meaning, count in uses[word].items():
            if count < FEWEST_USES or _share(uses, word, meaning) < WORD_SHARE:
                continue
            fit = [
                other
                for other in synsets[meaning]
                if other != word
                and uses.get(other, {}).get(meaning, 0) >= FEWEST_USES
                and _share(uses, other, meaning) >= SYNONYM_SHARE
            ]
            for other in sorted(fit, key=lambda one: -uses[one][meaning]):
                yield word, other, meaning[0]


def links_from_groups(path: Path) -> Iterator[Link]:
    """Every ordered pair of every group."""
    for line in _lines(path):
        part, *words = line.split()
        yield from ((word, other, part) for word in words for other in words if word != other)


def inflected(links: list[Link], lemmas: set[str]) -> dict[str, list[str]]:
    """Form → synonyms in the same form, whichever of its readings a form has.

    "Put" may be present or past, so a synonym must look the same in both. An inflected form that
    is a word of its own ("left", "interesting") is left out.
    """
    readings: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for word, other, part in links:
        for tag in TAGS[part]:
            form, replacement = _form(word, tag), _form(other, tag)
            if form and replacement and (tag in BASE_TAGS or form not in lemmas):
                readings[form][tag].append(replacement)
    table = {}
    for form, by_tag in readings.items():
        first, *rest = by_tag.values()
        common = [one for one in dict.fromkeys(first) if all(one in other for other in rest)]
        if kept := [one for one in common if one != form][:MOST_SYNONYMS]:
            table[form] = kept
    return table


def main(folder: Path) -> None:
    """Write the table."""
    uses = read_uses(folder)
    groups = list(links_from_groups(HERE / "synonym_groups.txt"))
    written = {word for word, _, _ in groups}
    learnt = [link for link in links_from_wordnet(folder, uses) if link[0] not in written]
    refused = set(_words(DATA / "stop_words.txt")) | set(_words(HERE / "blocked_words.txt"))
    links = [
        (word, other, part)
        for word, other, part in [*groups, *learnt]
        if _usable(word, refused)
        and _usable(other, refused)
        and _part_share(uses, word, part) >= PART_SHARE
    ]
    table = inflected(links, set(uses) - written)
    lines = [f"{form}\t{' '.join(table[form])}\n" for form in sorted(table)]
    target = DATA / "synonyms.tsv.gz"
    # No time stamp: the same input gives the same bytes.
    target.write_bytes(gzip.compress("".join(lines).encode(), mtime=0))
    print(f"{len(lines)} forms, {target.stat().st_size} bytes")


def _form(word: str, tag: str) -> str:
    if tag in BASE_TAGS:
        return word
    if tag == "NNS" and re.search("[^s]s$", word):  # "profits" is a plural already
        return ""
    forms = getInflection(word, tag, inflect_oov=tag not in {"JJR", "JJS"})
    # A plural like its singular ("sarcasm") says that the word is not counted.
    return forms[0] if forms and forms[0].isalpha() and forms[0] != word else ""


def _share(uses: Uses, word: str, meaning: Meaning) -> float:
    return uses[word].get(meaning, 0) / sum(uses[word].values())


def _part_share(uses: Uses, word: str, part: str) -> float:
    total = sum(uses.get(word, {}).values())
    of_part = sum(count for (one, _), count in uses.get(word, {}).items() if one == part)
    return of_part / total if total else 1.0


def _usable(word: str, refused: set[str]) -> bool:
    """A single word of at least three plain letters that nobody minds."""
    return re.fullmatch("[a-z]{3,}", word) is not None and word not in refused


def _rows(path: Path) -> Iterator[list[str]]:
    """Columns of a WordNet file, without its licence (indented) and the glosses."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith(" "):
            yield line.split(" | ")[0].split()


def _lines(path: Path) -> list[str]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.strip() and not line.startswith("#")]


def _words(path: Path) -> list[str]:
    return " ".join(_lines(path)).split()


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/wordnet"))
