"""The reference pages of the site, from the code itself.

Only what augkit itself registers is described: an installed plug-in changes no page. The build of
the site takes the pages from here (``scripts/site.py``); they are not in the repository.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from importlib.metadata import distribution
from pathlib import Path
from typing import Any, get_args, get_type_hints

from pydantic import BaseModel
from reference_datasets import datasets_page
from reference_papers import paper_map_pages
from reference_python import python_page
from reference_tables import (
    default_text,
    docstring_markdown,
    prose,
    settings_table,
    table,
    type_name,
)
from reference_works import works_page
from typer.models import ArgumentInfo, OptionInfo

import augkit
from augkit.cli.app import COMMANDS, root
from augkit.cli.options import SettingsCommand
from augkit.commands.catalogue import catalogue
from augkit.commands.check import contract
from augkit.commands.robust_training import RobustChoice
from augkit.commands.sweep.settings import MethodEntry, ModelEntry, SweepSettings
from augkit.core import registry
from augkit.core.config import MethodConfig
from augkit.core.edits import Edit
from augkit.core.types import Cost, example, refused
from augkit.datasets.rows import original_row, variant_row
from augkit.datasets.schema import Schema
from augkit.datasets.settings import DatasetColumns, ReadOptions
from augkit.lexicons.label_meanings import RELATION_NAMES
from augkit.lexicons.load import data_yaml, word_group
from augkit.llm.prices import bundled_prices
from augkit.llm.settings import ConnectOptions
from augkit.models.classifiers.settings import (
    EncoderConfig,
    LinearConfig,
    LoraConfig,
    TransformersConfig,
)
from augkit.models.robust.methods import RobustConfig
from augkit.runs import manifest, row_work
from augkit.runs.settings import MethodSettings, RunSettings

ROOT = Path(__file__).parent.parent


def pages() -> Iterator[tuple[str, str]]:
    """Name and text of every page."""
    for name, (title, write) in _PAGES.items():
        blocks = [f"# {title}", *write()]
        yield f"reference/{name}", "\n\n".join(block.strip("\n") for block in blocks) + "\n"
    yield CHANGELOG, changelog_page()


def names() -> list[str]:
    """The names of the pages."""
    return [*(f"reference/{name}" for name in _PAGES), CHANGELOG]


CHANGELOG = "reference/changelog"


def changelog_page() -> str:
    """The changelog, which stands at the top of the repository."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    return text.replace("](docs/", "](../")


def own(group: str) -> list[str]:
    """Names that augkit itself registers in a group of entry points."""
    entries = distribution("augkit").entry_points.select(group=f"augkit.{group}")
    return sorted({entry.name for entry in entries})


def keys_table(record: type) -> str:
    """Every key of a record with its type and its meaning."""
    names = record.model_fields if issubclass(record, BaseModel) else record.__match_args__
    kinds = get_type_hints(record)
    return table(
        {"key": f"`{name}`", "type": type_name(kinds[name]), "meaning": _KEYS[name]}
        for name in names
    )


_KEYS = {
    "status": "how the run ended, or `running`",
    "method": "name of the method",
    "config": "every setting of the method, defaults included",
    "settings": "the settings that affect the result; a resumed run must have the same",
    "finder": "name and settings of the finder, where the run has one",
    "connection": "how the models were reached (of an address, its secrets are left out), and the "
    "budget; may change on a resume",
    "seed": "the seed",
    "mix": "how variants and originals were combined: append, replace or balance",
    "dataset": "the rows of the run",
    "counts": "rows and variants, counted",
    "in_dataset": "variants in `dataset.jsonl`: not those beyond `per_row`, nor over the balance",
    "original_labels": "rows read by label",
    "result_labels": "label → rows of `dataset.jsonl`",
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
    "choices": "whether rows are choices; labels are then the places of the winners, from 1",
    "read": "rows read",
    "selected": "rows given to the method",
    "proposed": "accepted and rejected together",
    "accepted": "variants in variants.jsonl",
    "parts": "accepted variants that are a part of their row, such as a sentence or a clause",
    "rejected": "rejections in rejected.jsonl",
    "open": "rows without an outcome, because calls to a model failed; a resume asks again",
    "failed_calls": "the calls of open rows that failed, by reason",
    "calls": "calls made, failed attempts included",
    "cached": "replies that came from a shared cache or a recorded run",
    "prompt_tokens": "tokens read, as the server counted them",
    "completion_tokens": "tokens written",
    "usd": "US dollars; null where a price is unknown",
    "priced_usd": "US dollars of the calls whose price is known",
    "unpriced": "model → calls whose price is unknown",
    "unsettled": "calls that never reported their usage: a timeout, a kill",
    "prompt_cached": "prompt tokens that servers found in their caches",
    "repaired": "answers that could be read after a repair of their form",
    "seconds": "working time, before a resume included",
}
"""A key without a line here stops the script, so that every key is explained."""


def cli_page() -> Iterator[str]:
    """Commands and their options, from the functions that carry them out."""
    yield prose(root)
    yield "Options before a command: `--version` (print the version), `-h`, `--help`."
    for name, command in COMMANDS.items():
        yield f"## augkit {name}"
        yield prose(command)
        if not isinstance(command, SettingsCommand):
            yield table(_options(command))
            continue
        yield table(_options(command.callback()))
        yield "Settings without an option, for `--set KEY=VALUE`:"
        yield table(
            {"setting": f"`{name}`", "what it does": command.field(name).description or ""}
            for name in command.hidden()
        )


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
        if page := _CONCEPTS.get(name, name):
            yield f"More: [{name}](../concepts/{page}.md)."
    yield from label_names()


_CONCEPTS = {
    **dict.fromkeys(("auggpt", "autocad", "back-translation", "gpt3mix", "human"), "prompted"),
    **dict.fromkeys(("c-bert", "eda", "mask-phrase", "mask-words"), "word-edits"),
    **dict.fromkeys(("random-edit", "swap", "typo"), "word-edits"),
    **dict.fromkeys(("crossaug", "symmetric"), "claims"),
    **dict.fromkeys(("mirror", "normalise", "positions", "prune", "restyle"), "choice-methods"),
    "coba-style": "coba-llm",
    "compose": None,
    "contrast": "grammars",
    "paraphrase": "prompted",
}
"""Method → the page about it, where that has another name, or where there is none."""


def label_names() -> Iterator[str]:
    """The names of labels whose opposites are known."""
    yield "## Names of labels"
    yield (
        "What rules know of labels by their names; case does not matter. `coba` flips polar and "
        "ordered labels of single texts, and relations of pairs."
    )
    polar = {side: word_group("polarity_contexts", f"{side}_labels") for side in _SIDES}
    relations = {
        kind: [name for name, its in RELATION_NAMES.items() if its == kind]
        for kind in dict.fromkeys(RELATION_NAMES.values())
    }
    yield table(
        {"rows": rows, "label": label, "names": ", ".join(sorted(names))}
        for rows, known in (("single texts", polar), ("pairs", relations))
        for label, names in known.items()
    )
    yield (
        "Ordered labels, three or more of one scale, from low to high (`/` between spellings of "
        "one level; hyphens and underscores do not matter). So are `4 stars`, `3/5` or `rating 2`."
    )
    scales = [one for kind in data_yaml("label_scales.yaml").values() for one in kind]
    yield "\n".join(["```text", *scales, "```"])
    yield (
        "Other names are read from the texts. Of two labels (`1` and `0`, `yes` and `no`), the one "
        "whose rows have clearly more positive words is the positive one. Three or more plain "
        "numbers are ordered where the share of positive words rises or falls with them. What was "
        "understood stands in the summary of a run. Otherwise the run stops with an error before "
        'any work: `--label-order "low,mid,high"` declares an order, and a language model flips '
        "any labels (`--llm`)."
    )


_SIDES = ("positive", "negative")


def settings_page() -> Iterator[str]:
    """The settings of a run, of a study and of the connection."""
    yield "Keys of a `--config` file. A flag on the command line wins over the file."
    yield "## A run"
    yield settings_table(RunSettings)
    yield "## A study"
    yield (
        "Keys of the file of `augkit sweep`, beside the columns of a run (`text_columns` to "
        "`quotes`), which hold for all datasets. An entry of `methods` also takes a run's keys "
        "`find` to `judge_llm`."
    )
    yield settings_table(SweepSettings, skip=DatasetColumns.model_fields)
    yield "### An entry of methods"
    yield settings_table(MethodEntry, skip=MethodSettings.model_fields)
    yield "### Robust training"
    yield "Keys of `robust` in an entry of methods; a name alone is its `method`."
    yield settings_table(RobustChoice)
    yield "### An entry of models"
    yield settings_table(ModelEntry)
    yield "## connection"
    yield "How models are reached, under the key `connection`."
    yield settings_table(ConnectOptions)
    yield "## Reading data"
    yield (
        "Keyword arguments of `augkit.load_dataset`; all but `hub_cache` and `augmented` are keys "
        "of a run, too."
    )
    yield settings_table(ReadOptions)
    yield from finder_settings()
    yield from model_settings()
    yield "## Contract of augkit check"
    yield (
        "Keys of a `--contract` file. A section can be given as its limit alone, as `true` (its "
        "defaults) or as `false` (off)."
    )
    yield settings_table(contract.CheckContract)
    for name, section in _SECTIONS.items():
        yield f"### {name}"
        yield prose(section)
        yield settings_table(section)
    yield "## Gates"
    yield "Names for `--gate` and the key `gates`; each is used with its defaults."
    yield table(row for row in catalogue("gates") if row["name"] in own("gates"))
    yield "## Bundled prices"
    prices = bundled_prices()
    yield f"US dollars per million tokens as of {prices.as_of}; `--prices FILE` takes precedence."
    yield table(
        {"model": name, "input": price.input, "output": price.output}
        for name, price in prices.models.items()
    )


def finder_settings() -> Iterator[str]:
    """The settings of every finder."""
    yield "## Finders"
    yield (
        "`--set key=value` of `augkit shortcuts --by NAME`; `--set find.key=value` of a run with "
        "`--find NAME`; keyword arguments of `augkit.fit_finder`."
    )
    for name in own("finders"):
        yield f"### Finder {name}"
        yield settings_table(registry.find("finders", name).Config)


def model_settings() -> Iterator[str]:
    """The settings of the classifiers of ``augkit train`` and ``augkit evaluate``."""
    yield "## Models"
    yield (
        "`--set model.key=value` of `augkit train` and `augkit evaluate`; `--set robust.key=value` "
        "of robust training."
    )
    for name, config in _MODELS.items():
        yield f"### Model {name}"
        yield prose(config)
        yield settings_table(config)


_MODELS: dict[str, type[BaseModel]] = {
    "linear": LinearConfig,
    "encoder": EncoderConfig,
    "transformers": TransformersConfig,
    "transformers, lora": LoraConfig,
    "robust": RobustConfig,
}


_SECTIONS: dict[str, type[BaseModel]] = {
    "tokens, position, length, format": contract.AssociationSection,
    "ngrams": contract.NgramSection,
    "field_accuracy": contract.FieldAccuracySection,
    "duplicates": contract.DuplicatesSection,
    "conflicting_labels": contract.ConflictsSection,
    "leakage": contract.LeakageSection,
    "forbidden_words": contract.WordsSection,
    "label_balance": contract.BalanceSection,
    "language": contract.LanguageSection,
    "fairscore": contract.FairscoreSection,
}
"""Sections of a contract."""


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
            (
                "One rejection a line. `row` is the number of the row in the dataset, from 1; "
                "`fields` and `label` are what was read there. With `--id-column`, `row_id` is "
                "its id."
            ),
            row_work.rejected_record(refused(row, "no listed word", method="swap"), 1, schema),
        ),
        "dataset.jsonl": (
            (
                "The input's columns, and four that begin with `augkit_`. An original, then a "
                "variant:"
            ),
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
    yield "`scores` and `about` hold what a method records about a variant, if anything."
    yield (
        "Where they apply there are also `scores.json` (figures and verdict of `augkit evaluate`), "
        "`shortcuts/` (what gave the label away) and `report.html`. `predictions.jsonl` has the "
        "label of each test row, and that of each classifier. `run_info.json` has what a "
        "method reports about the whole run, such as razor's objective by round. "
        "`settings.yaml` has the settings that are not the default: `augkit run --config` repeats "
        "the run. `README.md` is the card of the dataset."
    )
    yield f"`edits` have {_names(Edit)}; offsets are characters of the first parent's text."
    yield (
        f"`cost` has {_names(Cost)}, as first paid: a cached answer carries the cost it had. "
        "`usd` is null where a price is unknown."
    )


_PAGES: dict[str, tuple[str, Callable[[], Iterator[str]]]] = {
    "cli": ("Commands", cli_page),
    "methods": ("Methods and their settings", methods_page),
    "settings": ("Settings of runs and studies", settings_page),
    "files": ("Files of a run", files_page),
    "python": ("Python names", python_page),
    "datasets": ("Named datasets", datasets_page),
    "references": ("References", works_page),
    **paper_map_pages(),
}


def _options(callback: Callable[..., Any]) -> Iterator[dict[str, object]]:
    """Option, value, default and help of every parameter of a command."""
    for name, parameter in inspect.signature(callback, eval_str=True).parameters.items():
        kind, info = get_args(parameter.annotation)[:2]
        if not isinstance(info, OptionInfo | ArgumentInfo):
            raise TypeError(f"{callback.__module__}: {name} has no typer.Option")
        env = f"; environment: `{info.envvar}`" if info.envvar else ""
        yield {
            "option": ", ".join(f"`{flag}`" for flag in _flags(name, kind, info)),
            "value": _value(kind),
            "default": default_text(parameter.default),
            "what it does": f"{info.help or ''}{env}",
        }


def _flags(name: str, kind: Any, info: OptionInfo | ArgumentInfo) -> list[str]:
    """How an option is written; in ``Annotated`` typer keeps the first flag as the default.

    Without flags it is called like the parameter, and a truth value has a ``--no-`` too.
    """
    if isinstance(info, ArgumentInfo):
        return [name.upper()]
    named = name.replace("_", "-")
    implied = f"--{named}/--no-{named}" if bool in (kind, *get_args(kind)) else f"--{named}"
    flags = (info.default, *(info.param_decls or ()))
    return [flag for flag in flags if isinstance(flag, str)] or [implied]


def _value(kind: Any) -> str:
    if kind is bool:
        return "flag"
    if hasattr(kind, "__members__"):
        return ", ".join(member.value for member in kind)
    return type_name(kind).replace(" or none", "")


def _names(kind: type) -> str:
    return ", ".join(f"`{name}`" for name in kind.__dataclass_fields__)
