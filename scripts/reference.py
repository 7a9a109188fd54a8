"""Write the reference pages under ``docs/reference`` from the code itself.

    python scripts/reference.py            # write them
    python scripts/reference.py --check    # exit 1 and name the pages that are out of date

Only what augkit itself registers is described: an installed plug-in changes no page.
"""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import distribution
from pathlib import Path
from typing import Any, get_args, get_type_hints

from pydantic import BaseModel
from reference_tables import (
    default_text,
    docstring_markdown,
    prose,
    settings_table,
    signature,
    table,
    type_name,
)
from typer.models import ArgumentInfo, OptionInfo

import augkit
from augkit.cli.app import app, root
from augkit.core import registry
from augkit.core.config import MethodConfig
from augkit.core.types import Cost, Edit, Rejection, example
from augkit.datasets.columns import ReadOptions
from augkit.datasets.named import named_datasets
from augkit.datasets.output_rows import original_row, variant_row
from augkit.datasets.schema import Schema
from augkit.llm.prices import bundled
from augkit.llm.settings import ConnectOptions
from augkit.runs import manifest, row_work
from augkit.runs.commands.catalogue import catalogue
from augkit.runs.settings import RunSettings

PAGES = Path(__file__).parent.parent / "docs" / "reference"
NOTICE = "<!-- Written by scripts/reference.py: change the code, then run it again. -->"


def main() -> None:
    """Write the pages, or only compare them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--check", action="store_true", help="change nothing; 1 if a page is stale")
    check = parser.parse_args().check
    stale = [name for name, text in pages() if _is_stale(PAGES / name, text)]
    if check and stale:
        sys.exit(f"stale: {', '.join(stale)} in docs/reference. Run: python scripts/reference.py")
    if not check:
        PAGES.mkdir(parents=True, exist_ok=True)
        for name, text in pages():
            (PAGES / name).write_text(text, encoding="utf-8")
        print(f"{len(_PAGES)} pages, changed: {', '.join(stale) or 'none'}")


def pages() -> Iterator[tuple[str, str]]:
    """File name and text of every page."""
    for name, (title, write) in _PAGES.items():
        blocks = [f"# {title}", NOTICE, *write()]
        yield name, "\n\n".join(block.strip("\n") for block in blocks) + "\n"


def own(group: str) -> list[str]:
    """Names that augkit itself registers in a group of entry points."""
    entries = distribution("augkit").entry_points.select(group=f"augkit.{group}")
    return sorted({entry.name for entry in entries})


def keys_table(model: type[BaseModel]) -> str:
    """Every key of a record with its type and its meaning."""
    return table(
        {"key": f"`{name}`", "type": type_name(field.annotation), "what it says": _KEYS[name]}
        for name, field in model.model_fields.items()
    )


_KEYS = {
    "status": "how the run ended, or that it has not",
    "method": "name of the method",
    "config": "every setting of the method, defaults included",
    "settings": "the settings that affect the result; a resumed run must have the same",
    "finder": "name and settings of the finder, where the run has one",
    "connection": "how the models were reached, and the budget; may change on a resume",
    "seed": "the seed",
    "mix": "how variants and originals were combined: append, replace or balance",
    "dataset": "the rows of the run",
    "counts": "rows and variants, counted",
    "rejected_by_reason": "reason of rejection → how often",
    "fitted": "notes about the artifact that the method fitted on the corpus",
    "cost": "what the run spent, before a resume included",
    "models": "which model answered, and which one judged",
    "prompts": "id, version and digest of every prompt with a reply",
    "versions": "Python, the platform, augkit and the packages that can affect a result",
    "name": "NAME:SPLIT, or the file's name without its extension",
    "source": "a path, `bundled`, `memory`, or the hub's id with its revision",
    "rows": "rows read",
    "digest": "hash of the texts and labels in their order",
    "labels": "label → rows; an empty name counts rows without a label",
    "read": "rows read",
    "selected": "rows given to the method",
    "proposed": "accepted and rejected together",
    "accepted": "variants in variants.jsonl",
    "rejected": "rejections in rejected.jsonl",
    "calls": "calls made, failed attempts included",
    "cached": "replies that came from a shared cache or a recorded run",
    "prompt_tokens": "tokens read, as the server counted them",
    "completion_tokens": "tokens written",
    "usd": "US dollars; null where a price is unknown",
    "unsettled": "calls that never reported their usage: a timeout, a kill",
    "seconds": "working time, before a resume included",
}
"""A key without a line here stops the script: no key stays unexplained."""


def cli_page() -> Iterator[str]:
    """Commands and their options, from the functions that carry them out."""
    yield prose(root)
    yield "Options before a command: `--version` (print the version), `-h`, `--help`."
    for command in app.registered_commands:
        callback = command.callback
        if callback is None:
            continue
        yield f"## augkit {command.name}"
        yield prose(callback)
        yield table(_options(callback))


def methods_page() -> Iterator[str]:
    """The methods side by side, then each with its settings."""
    mine = own("augmenters")
    yield "`augkit list methods` shows this table with the plug-ins that you have installed."
    yield table(row for row in catalogue("methods") if row["name"] in mine)
    yield "## Settings of every method"
    yield "Given as `--set key=value`, in a `--config` file under `options`, or to `create`."
    yield settings_table(MethodConfig)
    for name in mine:
        method = registry.find("augmenters", name)
        yield f"## {name}"
        yield prose(method)
        if note := inspect.getdoc(inspect.getmodule(method)):
            yield docstring_markdown(note)
        yield settings_table(method.Config, skip=MethodConfig.model_fields)
        if (PAGES.parent / "methods" / f"{name}.md").exists():
            yield f"More: [{name}](../methods/{name}.md)."


def settings_page() -> Iterator[str]:
    """What a run and its connection can be told."""
    yield "Keys of a `--config` file. A flag on the command line wins over the file."
    yield "## A run"
    yield settings_table(RunSettings)
    yield "## connection"
    yield "How models are reached, under the key `connection`."
    yield settings_table(ConnectOptions)
    yield "## Reading data"
    yield "Keyword arguments of `augkit.load_dataset`; a run has the first four as keys above."
    yield settings_table(ReadOptions)
    yield "## Gates"
    yield "Names for `--gate` and the key `gates`; each is used with its defaults."
    yield table(row for row in catalogue("gates") if row["name"] in own("gates"))
    yield "## Bundled prices"
    prices = bundled()
    yield f"US dollars per million tokens as of {prices.as_of}; `--prices FILE` goes before them."
    yield table(
        {"model": name, "input": price.input, "output": price.output}
        for name, price in prices.models.items()
    )


def files_page() -> Iterator[str]:
    """The files of a run folder, from the models and records that write them."""
    yield "## manifest.json"
    yield prose(manifest.Manifest)
    yield keys_table(manifest.Manifest)
    for model in (manifest.DatasetRecord, manifest.CountsRecord, manifest.CostRecord):
        yield f"### {model.__name__}"
        yield prose(model)
        yield keys_table(model)
    row = example("A film.", "good", columns={"text": "A film.", "label": "good"})
    (pair,) = augkit.create("swap", pairs=[["film", "movie"]])([row])
    schema = Schema({"text": "text"}, "label")
    shown = {
        "variants.jsonl": ("One accepted variant a line.", row_work.variant_record(pair)),
        "rejected.jsonl": (
            "One rejection a line.",
            row_work.rejected_record(Rejection(row, "no listed word", method="swap")),
        ),
        "dataset.jsonl": (
            "The input's columns, and four that begin with `augkit_`. An original, then a variant:",
            (original_row(row), variant_row(pair, schema)),
        ),
    }
    for name, (about, records) in shown.items():
        lines = records if isinstance(records, tuple) else (records,)
        yield f"## {name}"
        yield about
        yield "\n".join(
            ["```json", *(row_work.line(line).decode().strip() for line in lines), "```"]
        )
    yield "`scores` and `about`, what a method tells of its variant, are there where it does."
    yield f"`edits` have {_names(Edit)}; offsets are characters of the first parent's text."
    yield f"`cost` has {_names(Cost)}, as first paid: a cached answer carries the cost it had."


def python_page() -> Iterator[str]:
    """Every public name with its signature and docstring."""
    yield "Names of `augkit`, imported on first use. Everything else may change without notice."
    for name in augkit.__all__:
        thing = _public(name)
        yield f"## augkit.{name}"
        yield f"```text\n{name}{signature(thing)}\n```"
        yield prose(thing)
        for method in _methods_of(thing):
            yield f"### {name}.{method.__name__}"
            yield f"```text\n{method.__name__}{signature(method)}\n```"
            yield prose(method)


def datasets_page() -> Iterator[str]:
    """The named datasets."""
    yield "Names for `--dataset`. The data folder (`AUGKIT_DATA`) is looked into first."
    yield table(
        {
            "name": dataset.name,
            "task": dataset.task,
            "what it is": dataset.description,
            "fields": ", ".join(dataset.fields),
            "labels": ", ".join(dataset.label_names) or "as in the data",
            "from": "bundled" if dataset.bundled else _hub(dataset.hub, dataset.subset),
        }
        for dataset in named_datasets()
    )


_PAGES: dict[str, tuple[str, Callable[[], Iterator[str]]]] = {
    "cli.md": ("Commands", cli_page),
    "methods.md": ("Methods and their settings", methods_page),
    "settings.md": ("Settings of a run", settings_page),
    "files.md": ("Files of a run", files_page),
    "python.md": ("Python names", python_page),
    "datasets.md": ("Named datasets", datasets_page),
}


def _is_stale(path: Path, text: str) -> bool:
    return not path.exists() or path.read_text(encoding="utf-8") != text


def _options(callback: Callable[..., Any]) -> Iterator[dict[str, object]]:
    """Option, value, default and help of every parameter of a command."""
    hints = get_type_hints(callback, include_extras=True)
    for name, parameter in inspect.signature(callback).parameters.items():
        kind, info = get_args(hints[name])[:2]
        if not isinstance(info, OptionInfo | ArgumentInfo):
            raise TypeError(f"{callback.__module__}: {name} has no typer.Option")
        env = f"; environment: `{info.envvar}`" if info.envvar else ""
        yield {
            "option": ", ".join(f"`{flag}`" for flag in _flags(name, info)),
            "value": _value(kind),
            "default": default_text(parameter.default),
            "what it does": f"{info.help or ''}{env}",
        }


def _flags(name: str, info: OptionInfo | ArgumentInfo) -> list[str]:
    """How an option is written; in ``Annotated`` typer keeps the first flag as the default."""
    if isinstance(info, ArgumentInfo):
        return [name.upper()]
    return [flag for flag in (info.default, *(info.param_decls or ())) if isinstance(flag, str)]


def _value(kind: Any) -> str:
    if kind is bool:
        return "flag"
    if hasattr(kind, "__members__"):
        return ", ".join(member.value for member in kind)
    return type_name(kind).replace(" or none", "")


def _public(name: str) -> Any:
    """The object behind a public name: ``augkit.runs`` is also the name of a package."""
    return augkit.__getattr__(name)


def _methods_of(thing: Any) -> list[Callable[..., Any]]:
    if not inspect.isclass(thing):
        return []
    return [
        member
        for name, member in vars(thing).items()
        if inspect.isfunction(member) and not name.startswith("_") and inspect.getdoc(member)
    ]


def _names(kind: type) -> str:
    return ", ".join(f"`{name}`" for name in kind.__dataclass_fields__)


def _hub(repository: str | None, subset: str | None) -> str:
    if repository is None:
        return "your data folder"
    return f"hub: {repository}" + (f" ({subset})" if subset else "")


if __name__ == "__main__":
    main()
