"""Surnames: which words are some, and the group that most of their bearers named in the census."""

from __future__ import annotations

from collections.abc import Mapping
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
