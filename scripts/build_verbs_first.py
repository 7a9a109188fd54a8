"""Build augkit's list of words that are verbs more often than nouns, from WordNet 3.0.

    apt-get install wordnet-base
    python scripts/build_verbs_first.py [/usr/share/wordnet]

A word that can be both is taken where its senses as a verb are tagged in running text at least
twice as often as those as a noun.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

OUT = Path(__file__).parents[1] / "augkit" / "lexicons" / "data" / "verbs_first.txt"
HEADER = """\
# Words that are verbs more often than nouns.
# Source: built by scripts/build_verbs_first.py from WordNet 3.0. Licence: LICENSE.wordnet.
"""
NOUN, VERB = "1", "2"
"""WordNet's numbers of the parts of speech."""
FEWEST, RATIO = 2, 2
ADDED = ("leave", "live")
"""Verbs whose third person is the plural of another noun (leaf, life)."""


def tagged(folder: Path) -> dict[str, Counter[str]]:
    """How often the senses of each word are tagged, by part of speech."""
    found: dict[str, Counter[str]] = {NOUN: Counter(), VERB: Counter()}
    for line in (folder / "cntlist.rev").read_text(encoding="utf-8").splitlines():
        key, _, count = line.split()
        lemma, _, rest = key.partition("%")
        if rest[0] in found:
            found[rest[0]][lemma] += int(count)
    return found


def words(path: Path) -> set[str]:
    """The words of an index, without phrases and compounds."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return {word for line in lines if line[0] != " " and (word := line.split()[0]).isalpha()}


def main() -> None:
    """Write the list."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/wordnet")
    counts = tagged(folder)
    both = words(folder / "index.noun") & words(folder / "index.verb")
    first = {
        word for word in both if counts[VERB][word] >= max(FEWEST, RATIO * counts[NOUN][word])
    } | set(ADDED)
    OUT.write_text(HEADER + "\n".join(sorted(first)) + "\n", encoding="utf-8")
    print(len(first), "words")


if __name__ == "__main__":
    main()
