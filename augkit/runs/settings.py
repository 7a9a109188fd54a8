"""The settings of a run, from the command line, a YAML file or Python."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from augkit.augmenters.llm_checks.written import TextGateSettings
from augkit.augmenters.mix import Mix
from augkit.core.config import MethodConfig, StrictModel, load, validate
from augkit.core.errors import ConfigError
from augkit.core.json_files import naming_damage
from augkit.datasets.settings import DatasetColumns, DeclaredOrder, RowSelection
from augkit.labels.settings import JudgeSettings
from augkit.llm.settings import ConnectOptions, bare_address

_WHERE_IT_RUNS = frozenset(
    "workers engine ray_address data_folder artifacts log_exchanges min_yield".split()
)
"""Settings that do not affect the result."""
_NOT_RECORDED = _WHERE_IT_RUNS - {"log_exchanges"}
_WITHOUT_ADDRESS = frozenset({"transformers", "scripted"})
"""Back ends that no server has."""
_ADDRESS_VARIABLES = {
    "openai": "OPENAI_BASE_URL",
    "openai-completions": "OPENAI_BASE_URL",
    "azure": "AZURE_OPENAI_ENDPOINT",
}
"""The variable of the environment that names a back end's server, where --base-url does not."""


class FindSettings(StrictModel):
    """The finder that marks what a method changes."""

    name: str = Field(description="a name of `augkit list finders`")
    options: dict[str, Any] = Field(
        default_factory=dict, description="the finder's settings, as in --set find.key=value"
    )


def as_find(find: Any) -> Any:
    """``find: tokens`` is short for ``find: {name: tokens}``."""
    return {"name": find} if isinstance(find, str) else find


class MethodSettings(StrictModel, defer_build=True):
    """What a run gives to its method, beside the method's own settings."""

    find: Annotated[FindSettings, BeforeValidator(as_find)] | None = Field(
        None, description="a finder (`augkit list finders`) that marks what the method changes"
    )
    classifier: Path | None = Field(
        None, description="a folder of `augkit train`, for a finder (attribution) or a method"
    )
    gates: tuple[str, ...] = Field(
        (), description="checks of `augkit list gates` that a variant must pass"
    )
    text_gates: TextGateSettings = Field(
        default_factory=TextGateSettings,
        description="the limits of the checks of what a language model wrote",
    )
    judge: JudgeSettings = Field(
        default_factory=JudgeSettings,
        description="who judges the labels of what a language model wrote",
    )
    mix: Mix | None = Field(
        None,
        description="how variants join the originals: append, replace or balance; default: the "
        "method's",
    )
    per_row: int | None = Field(
        None,
        ge=1,
        description="how many variants of a row go into the training set, at most; "
        "variants.jsonl has all; default: 3 times copies, more where they belong together",
    )
    llm: str = Field(
        "offline",
        description="the language model: offline (none, no key, no cost), openai:MODEL, "
        "transformers:PATH, scripted:PATH (replays a run or a file of replies)",
    )
    prompts: Path | None = Field(
        None, description="your prompts: a folder with the tree of augkit/prompts"
    )
    judge_llm: str | None = Field(None, description="a second model that judges the variants")


def misplaced(options: Iterable[str], config: type[MethodConfig]) -> list[str]:
    """Those of the settings given for a method that are the run's, and not the method's own."""
    of_run = MethodSettings.model_fields.keys() - config.model_fields.keys()
    return [key for key in options if key in of_run]


def check_places(options: Iterable[str], method: str, config: type[MethodConfig]) -> None:
    """Raise an error where a setting of the run is given as one of the method."""
    for key in misplaced(options, config):
        if key in {"judge", "text_gates"}:
            flag = f"--set {key}.KEY=VALUE"
        elif key in {"find", "llm", "mix"}:
            flag = f"--{key}"
        else:
            flag = f"--set {key}=VALUE"
        raise ConfigError(
            f"'{key}' is a setting of the run, not of '{method}': {flag}, or in a file "
            "outside of 'options'"
        )


class RunSettings(MethodSettings, DatasetColumns, RowSelection):
    """One run. These are the keys of a ``--config`` file; a flag on the command line wins."""

    method: str = Field(
        "coba",
        description="a name of `augkit list methods`; several with commas between them: the "
        "variants of all",
    )
    options: dict[str, Any] = Field(
        default_factory=dict, description="the method's own settings, as in --set key=value"
    )
    dataset: str = Field(
        "reviews-demo",
        description="a name (`augkit list datasets`), a hub id, or a jsonl/csv/tsv/parquet file; "
        "NAME:SPLIT selects a split, NAME:A+B joins two",
    )
    label_order: DeclaredOrder = ()
    data_folder: Path | None = Field(
        None, description="the data folder, with NAME/SPLIT.jsonl[.gz]"
    )
    keep_rest: bool = Field(
        default=False,
        description="with limit or sample: keep the other rows in the training set as they are",
    )
    seed: int = Field(0, description="the same seed gives the same sample and the same variants")
    examples: str | dict[str, Any] | None = Field(
        None,
        description="worked examples for the model, by prompt id: a YAML file of them, or data:3 "
        "(rows for the judge)",
    )
    connection: ConnectOptions = Field(
        default_factory=ConnectOptions, description="how the models are reached, and the budget"
    )
    workers: int | None = Field(
        None, ge=1, le=512, description="processes; with an LLM server: calls in flight"
    )
    engine: Literal["local", "ray"] = Field(
        "local",
        description="where rows are augmented: local, or ray (on a Ray cluster; a language model "
        "is asked from here)",
    )
    ray_address: str | None = Field(
        None, description="a Ray cluster, as HOST:6379 or auto; default: one is started here"
    )
    log_exchanges: bool = Field(
        default=False, description="write all prompts and answers to exchanges.jsonl"
    )
    min_yield: float = Field(
        0.2, ge=0, le=1, description="warn after 20 rows if a model's variants are accepted less"
    )
    artifacts: Path | None = Field(None, description="a folder of fitted artifacts shared by runs")

    @property
    def models(self) -> dict[str, str]:
        """Tool → back end, for the tools that use a model."""
        specs = {"llm": self.llm, "judge": self.judge_llm or "offline"}
        return {tool: spec for tool, spec in specs.items() if spec != "offline"}

    def affecting_result(self) -> dict[str, Any]:
        """The settings that affect the result: a resumed run must have the same."""
        from augkit.prompts.overrides import read_prompts

        values = self.model_dump(mode="json", exclude={"connection", *_WHERE_IT_RUNS})
        prompts = read_prompts(self.prompts, self.examples).digest
        return values | {"prompt_digest": prompts}

    def recorded(self) -> dict[str, Any]:
        """What the manifest keeps for a resume: also whether exchanges are logged."""
        return self.affecting_result() | {"log_exchanges": self.log_exchanges}


def merge_settings(
    given: dict[str, Any],
    config: Path | None = None,
    *,
    resume: bool = False,
    out: Path | None = None,
) -> RunSettings:
    """The settings ``given``, completed by those of a file, then by those of a resumed run.

    None means not given. ``connection``, ``options``, ``text_gates``, ``judge`` and the options
    of one finder are merged key by key. The address of a model is never that of a resumed run's
    folder, which may be somebody else's: it gets the key. It must be given again.
    """
    given = {key: value for key, value in given.items() if value is not None}
    # Checked on its own first, so that an error names the file and the line.
    from_file = load(RunSettings, config).model_dump(exclude_unset=True) if config else {}
    resumed = _resumed(from_file | given, out) if resume else {}
    values = resumed | from_file | given
    for key in ("connection", "options", "text_gates", "judge"):
        layers = [layer.get(key, {}) for layer in (resumed, from_file, given)]
        values[key] = {k: v for layer in layers for k, v in layer.items() if v is not None}
    values["find"] = _merge_find([layer.get("find") for layer in (resumed, from_file, given)])
    earlier = resumed.get("connection", {}).get("base_url")
    given_address = any(layer.get("connection", {}).get("base_url") for layer in (from_file, given))
    if not given_address:
        values["connection"].pop("base_url", None)
    settings = validate(RunSettings, values, "run settings")
    if earlier and not given_address:
        _check_address_known(settings, earlier)
    return settings


def _check_address_known(settings: RunSettings, earlier: str) -> None:
    """Raise where the address of the folder would be needed to reach a model of the run.

    Args:
        settings: The settings, without an address.
        earlier: The address that the folder names.
    """
    from augkit.llm.openai_api import OFFICIAL

    for spec in settings.models.values():
        back_end = spec.partition(":")[0]
        is_default = back_end == "openai" and bare_address(earlier) == OFFICIAL
        is_set = os.environ.get(_ADDRESS_VARIABLES.get(back_end, ""))
        if back_end not in _WITHOUT_ADDRESS and not (is_set or is_default):
            raise AddressNeeded(earlier)


class AddressNeeded(ConfigError):
    """A resumed run needs the address of its model again, from the user."""

    def __init__(self, address: str) -> None:
        """Name the ``address`` that the folder has."""
        self.address = bare_address(address)
        super().__init__(
            f"the model of this run was reached at {self.address}. This is what its folder says, "
            "and whoever made the folder: your key and the texts are sent there only if you give "
            "the address yourself. If it needs a user, a password or a query, add them: no folder "
            "keeps those"
        )


def _merge_find(layers: Iterable[dict[str, Any] | None]) -> dict[str, Any] | None:
    """The last finder named, with the options that the layers give for it."""
    name: str | None = None
    options: dict[str, Any] = {}
    for layer in layers:
        if layer and layer.get("name") not in {None, name}:
            name = layer["name"]
            options = {}
        options |= (layer or {}).get("options", {})
    if name is None and options:
        raise ConfigError(f"--set find.{next(iter(options))} needs a finder: pass --find NAME")
    return None if name is None else {"name": name, "options": options}


def _resumed(given: dict[str, Any], out: Path | None) -> dict[str, Any]:
    """The settings of the run to resume; none where it was killed before it had a folder."""
    from augkit.runs.folder import default_name, latest_folder
    from augkit.runs.manifest import read_manifest

    defaults = RunSettings()
    method = given.get("method", defaults.method)
    dataset = given.get("dataset", defaults.dataset)
    folder = out or latest_folder(default_name(method, dataset))
    if not folder.exists() and "method" in given:
        return {}
    values = recorded_settings(folder).model_dump(mode="json", exclude_unset=True)
    if read_manifest(folder).status == "done":
        values["connection"].pop("base_url", None)  # nothing is asked any more
    return values


def recorded_settings(folder: Path) -> RunSettings:
    """The settings of the run in a folder, as its manifest has them."""
    from augkit.runs.manifest import ADVICE, FILE, read_manifest

    manifest = read_manifest(folder)
    # Only what a run records: a folder cannot name a cluster to connect to.
    names = manifest.settings.keys() & (RunSettings.model_fields.keys() - _NOT_RECORDED)
    values = {name: manifest.settings[name] for name in names}
    with naming_damage(folder / FILE, ADVICE):
        return RunSettings.model_validate(values | {"connection": manifest.connection})
