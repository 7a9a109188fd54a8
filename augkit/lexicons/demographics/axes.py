"""Demographic axes as data files: the format, its checks, and the loader.

An axis is a YAML file. A user's own is one more, read with ``load_axis``::

    axis: religion
    attributes: [christian, muslim, jewish]
    terms:
      - pos: noun                 # noun, adj, title or address
        rows:                     # one cell per attribute, in their order
          - Christian/Christians | Muslim/Muslims | Jew/Jews, Jewish person/Jewish people
      - pos: adj
        needs: [sense]
        rows:
          - Christian | Muslim | Jewish

A cell holds forms as ``singular/plural``. Its first form is the one written, further ones (after a
comma) are read only; ``-`` says that there is no word. A form that stands in several rows of one
part of speech is read by the first of them. A group of rows may say

- ``read``: the attributes whose forms are found in texts (default: all),
- ``weak``: the attributes whose forms are so general ("person") that they are a reference only
  where the caller points at them,
- ``needs``: what must be known before a form may be changed: ``sense`` (it may mean something
  else), ``number`` (it may be a plural),
- ``verbs``: the forms that are verbs too, such as "man",
- ``gender``: the gender that a word of another axis tells as well.

``fixed`` lists phrases that are left alone (one whose last word has a capital only where the text
has it too, or no capitals at all), ``refuse`` phrases that must not be changed, each with the
reason. ``pronouns``, ``other_pronouns``, ``doublets`` and ``collectives`` serve an axis that has
pronouns, ``bands``, ``drawn`` and ``decades`` one that has ages; see gender.yaml and age.yaml.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, StringConstraints, model_validator
from typing_extensions import Self

from augkit.core.config import StrictModel, load, validate
from augkit.core.errors import ConfigError, UnknownName
from augkit.lexicons.load import data_yaml

Need = Literal["sense", "number"]
PartOfSpeech = Literal["noun", "adj", "title", "address"]
Word = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]

BUNDLED = ("gender", "race", "age")
"""The axes that come with augkit."""


class Rows(StrictModel):
    """Rows of forms that share a part of speech and cautions."""

    pos: PartOfSpeech
    rows: tuple[Word, ...] = Field(min_length=1)
    read: tuple[str, ...] | None = None
    weak: tuple[str, ...] = ()
    needs: tuple[Need, ...] = ()
    verbs: tuple[Word, ...] = ()
    gender: str = ""


class Paradigm(StrictModel):
    """The forms of a pronoun by case; ``plural_verb`` where it takes the verb of a plural."""

    subject: str = ""
    object: str = ""
    determiner: str = ""
    possessive: str = ""
    reflexive: str = ""
    plural_verb: bool = False


class OtherParadigm(Paradigm):
    """A paradigm that is read and never written."""

    attribute: str
    needs: tuple[Need, ...] = ()


class AxisFile(StrictModel):
    """What an axis file holds."""

    axis: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z-]*$")]
    attributes: tuple[Word, ...] = Field(min_length=2)
    terms: tuple[Rows, ...] = Field(min_length=1)
    pronouns: dict[str, Paradigm] = Field(default_factory=dict)
    other_pronouns: tuple[OtherParadigm, ...] = ()
    doublets: tuple[Word, ...] = ()
    collectives: dict[Word, Word] = Field(default_factory=dict)
    bands: dict[str, tuple[int, int]] = Field(default_factory=dict)
    drawn: dict[str, tuple[int, int]] = Field(default_factory=dict)
    decades: dict[str, tuple[Word, ...]] = Field(default_factory=dict)
    fixed: tuple[Word, ...] = ()
    refuse: dict[Word, Word] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _attributes_are_known(self) -> Self:
        used = {*self.pronouns, *self.bands, *self.drawn, *self.decades}
        used.update(paradigm.attribute for paradigm in self.other_pronouns)
        used.update(name for rows in self.terms for name in (*(rows.read or ()), *rows.weak))
        _refuse_any(sorted(used - set(self.attributes)), "is no attribute of this axis")
        return self

    @model_validator(mode="after")
    def _rows_have_all_columns(self) -> Self:
        width = len(self.attributes)
        rows = [row for group in self.terms for row in group.rows]
        _refuse_any([r for r in rows if len(r.split("|")) != width], f"does not have {width} cells")
        _refuse_any([r for r in rows if not r.strip(" -|")], "has no form at all")
        repeated = {row for group in self.terms for row in group.rows if group.rows.count(row) > 1}
        _refuse_any(sorted(repeated), "stands there twice")
        return self

    @model_validator(mode="after")
    def _phrases_are_unique(self) -> Self:
        counts = Counter([*self.fixed, *self.refuse])
        _refuse_any(sorted(p for p, times in counts.items() if times > 1), "stands there twice")
        return self


def load_axis(path: str | Path) -> AxisFile:
    """Read and check the axis file at ``path``."""
    return load(AxisFile, Path(path))


@cache
def bundled_axis(name: str) -> AxisFile:
    """One of augkit's own axes: gender, race or age.

    >>> bundled_axis("gender").attributes
    ('man', 'woman', 'non-binary')
    """
    if name not in BUNDLED:
        raise UnknownName("axis", name, BUNDLED)
    return validate(AxisFile, data_yaml(f"{name}.yaml"), f"{name}.yaml")


def check_target(axis: AxisFile, target: str) -> str:
    """``target`` if it is an attribute of the axis; otherwise an error that lists them."""
    if target not in axis.attributes:
        raise UnknownName(f"attribute of '{axis.axis}'", target, axis.attributes)
    return target


@cache
def read_axis(name_or_path: str) -> AxisFile:
    """An axis by its bundled name, or by the path of a file (ending in .yaml or .yml)."""
    if name_or_path.endswith((".yaml", ".yml")):
        return load_axis(name_or_path)
    try:
        return bundled_axis(name_or_path)
    except UnknownName as error:
        raise ConfigError(
            f"{error} An axis of your own is given as the path of its file."
        ) from None


def _refuse_any(wrong: list[str], why: str) -> None:
    if wrong:
        raise ValueError(f"'{wrong[0]}' {why}")
