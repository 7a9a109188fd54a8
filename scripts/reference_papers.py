"""The parts of the papers and what does them here, from ``docs/paper-map``, for ``reference.py``.

Each file lists every definition, equation, algorithm, prompt, setting, ablation, table and figure
of a paper. ``tests/repository/test_paper_map.py`` reads the same files: what they name exists, the
settings are taken, and every part that is ``full`` has a check.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator
from reference_tables import table
from typing_extensions import Self

from augkit.core.yaml_files import read_yaml

FOLDER = Path(__file__).parent.parent / "docs" / "paper-map"
Status = Literal["full", "partial", "ours", "missing", "not code"]
MEANINGS: Mapping[Status, str] = {
    "full": "as the paper has it, by the setting or command that is named",
    "partial": "some of it; the last column says what is missing",
    "ours": "done in another way, under a name of its own",
    "missing": "not there; the last column says why",
    "not code": "a proof, a drawing, or what people did: there is nothing to program",
}
Page = tuple[str, Callable[[], Iterator[str]]]
"""Its title, and what writes its blocks."""


_COMMANDS = ("augkit ", "python -m lab.")


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Part(_Strict):
    """A part of a paper: what it is, what does it here, and how the two differ."""

    part: str = Field(description="as the paper numbers it")
    what: str
    status: Status
    by: tuple[str, ...] = Field((), description="names MODULE:NAME, files and commands")
    settings: dict[str, dict[str, Any]] = Field(
        {}, description="method, finder or class → settings that reach it"
    )
    defaults: dict[str, dict[str, Any]] = Field(
        {}, description="method, finder or class → settings whose default is the paper's value"
    )
    note: str = Field("", description="what differs, or is missing, and why")
    check: tuple[str, ...] = Field((), description="tests of it, FILE::TEST")

    @model_validator(mode="after")
    def _says_what_a_reader_needs(self) -> Self:
        if self.status == "full" and not (self.check or self.defaults):
            raise ValueError(f"{self.part}: full, and nothing checks it")
        if self.status == "full" and not self.commands:
            raise ValueError(f"{self.part}: full, and no command does it")
        if self.status != "full" and not self.note:
            raise ValueError(f"{self.part}: {self.status}, and the note does not say why")
        return self

    @property
    def commands(self) -> list[str]:
        """What a reader types to have it: the commands that are named, or those of the settings."""
        named = [name for name in self.by if name.startswith(_COMMANDS)]
        return named or [
            _command(title, self.settings.get(title, {}))
            for title in (*self.settings, *self.defaults)
            if ":" not in title
        ]

    @property
    def where(self) -> str:
        """What does it, then the settings, as Markdown."""
        named = [f"`{name}`" for name in dict.fromkeys([*self.commands, *self.by])]
        for listed, about in ((self.settings, ""), (self.defaults, " (default)")):
            for title, keys in listed.items():
                shown = ", ".join(f"`{key}={_value(value)}`" for key, value in keys.items())
                is_in_command = not about and self.commands == [_command(title, keys)]
                if not is_in_command:
                    named.append(f"{title.rpartition(':')[2]}{about}: {shown}")
        return "; ".join(named) or "-"


class Paper(_Strict):
    """A paper: its key in the references, and its parts in their order."""

    title: str
    work: str
    about: str
    numbered: dict[str, int] = Field(description="kind of part → how many the paper numbers")
    parts: tuple[Part, ...]


@cache
def papers() -> dict[str, Paper]:
    """Name of the file → the paper."""
    paths = (FOLDER / f"{name}.yaml" for name in ("razor", "coba", "panda", "shortcut-grammar"))
    return {path.stem: Paper.model_validate(read_yaml(path)) for path in paths}


def paper_map_pages() -> dict[str, Page]:
    """The pages of the map by name: an index, and one for each paper."""
    single = {
        f"paper-map/{name}": (f"{paper.title} and this code", _writer(name))
        for name, paper in papers().items()
    }
    return {"paper-map": ("Where each part of the papers is", _index), **single}


def _index() -> Iterator[str]:
    yield (
        "Every definition, equation, algorithm, prompt, setting, ablation, table and figure of the "
        "four papers, and what does it here. Each part has one of five states:"
    )
    yield table({"state": f"**{name}**", "meaning": meaning} for name, meaning in MEANINGS.items())
    yield "How many parts of each paper have which state:"
    yield table(
        {
            "paper": f"[{paper.title}](paper-map/{name}.md) (`{paper.work}`)",
            "parts": len(paper.parts),
            **{status: sum(part.status == status for part in paper.parts) for status in MEANINGS},
        }
        for name, paper in papers().items()
    )
    yield (
        "A test takes every setting that the map names, imports every name, and makes sure that "
        "each part called *full* has a check of its own: a value computed by hand, or a small run. "
        "The figures that the papers report are [beside ours](../results/reproductions.md)."
    )


def _writer(name: str) -> Callable[[], Iterator[str]]:
    def write() -> Iterator[str]:
        paper = papers()[name]
        yield f"{paper.about} The paper is `{paper.work}` of [the references](../references.md)."
        yield (
            "What *full*, *partial*, *ours*, *missing* and *not code* mean: "
            "[the map](../paper-map.md). Of a name, what is before the colon "
            "is a module. `key=value` after a method is given as `--set key=value`, in a "
            "`--config` file, or in Python. "
            f"[The data of this page](../../paper-map/{name}.yaml) names the check of each part."
        )
        yield table(
            {
                "part": part.part,
                "what it is": part.what,
                "state": part.status,
                "where": part.where,
                "what differs or is missing": part.note,
            }
            for part in paper.parts
        )

    return write


def _command(title: str, settings: Mapping[str, Any]) -> str:
    """The command that sets a method or a finder so.

    >>> _command("coba", {"delete": 0.1}), _command("finder tokens", {})
    ('augkit run --method coba --set delete=0.1', 'augkit shortcuts --by tokens')
    """
    what = "run --method"
    if title.startswith("finder "):
        what = "shortcuts --by"
    words = [f"augkit {what} {title.removeprefix('finder ')}"]
    words += [f"--set {key}={_value(value)}" for key, value in settings.items()]
    return " ".join(words)


def _value(value: Any) -> str:
    """A setting as it is typed.

    >>> _value(True), _value(["a", 1]), _value(1e-5), _value(None)
    ('true', '[a, 1]', '1e-05', 'null')
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    return str(value)
