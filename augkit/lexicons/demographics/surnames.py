"""Surnames: which words are some, and the group that most of their bearers named in the census."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from functools import cache

from augkit.lexicons.demographics.first_names import name_lists
from augkit.lexicons.load import data_text


@cache
def surnames() -> Mapping[str, str]:
    """Surname in lower case → its group, or nothing where its bearers are of several.

    >>> surnames()["nguyen"], surnames()["washington"], surnames()["jones"]
    ('asian', 'black', '')
    """
    lines = data_text("surnames.tsv").splitlines()
    rows = (line.split("\t") for line in lines if not line.startswith("#"))
    found = {name.lower(): group for name, group in rows}
    for group, names in name_lists().groups.items():
        found |= dict.fromkeys(map(str.lower, names.surnames), group)
    return found


def surnames_of_group(surname: str, group: str) -> Iterator[str]:
    """Surnames of a group to take a surname's place, each once; the first one is its counterpart.

    >>> next(surnames_of_group("Nguyen", "white")), next(surnames_of_group("Miller", "asian"))
    ('Miller', 'Nguyen')
    """
    lists = name_lists().groups
    own = lists[known].surnames if (known := surnames().get(surname.lower())) else ()
    named = next((i for i, name in enumerate(own) if name.lower() == surname.lower()), None)
    options = lists[group].surnames
    first = zlib.crc32(surname.lower().encode()) % len(options) if named is None else named
    yield from (*options[first:], *options[:first])
