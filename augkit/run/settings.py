"""Everything a run can be told, from the command line or a YAML file."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from augkit.augmenters.mix import Mix
from augkit.config import StrictModel, load, parse_settings, validate
from augkit.llm.settings import ConnectOptions
from augkit.run.manifest import read_manifest


class RunSettings(StrictModel):
    """One run. Keys of a ``--config`` file are these; a flag on the command line wins."""

    method: str = Field("eda", description="a name of `augkit list methods`")
    options: dict[str, Any] = Field(
        default_factory=dict, description="the method's own settings, as in --set key=value"
    )
    dataset: str = Field(
        "reviews-demo", description="a name of `augkit list datasets`, a hub id, or a file"
    )
    text_columns: tuple[str, ...] = Field((), description="one column, or two for pairs")
    label_column: str | None = Field(None, description="the column that holds the label")
    id_column: str | None = Field(None, description="a column whose values name the rows")
    data_folder: Path | None = Field(None, description="where <name>/<split>.jsonl[.gz] are")
    gates: tuple[str, ...] = Field((), description="checks that a variant must pass")
    mix: Mix | None = Field(None, description="how variants join the originals; default: method's")
    limit: int | None = Field(None, ge=1, description="augment only the first rows")
    seed: int = Field(0, description="the same seed gives the same variants")
    llm: str = Field(
        "offline", description="offline, openai:MODEL, transformers:PATH, scripted:PATH"
    )
    judge_llm: str | None = Field(None, description="a second model that checks the first")
    connection: ConnectOptions = Field(
        default_factory=ConnectOptions, description="how the models are reached, and the budget"
    )
    workers: int | None = Field(
        None, ge=1, le=512, description="processes; with an LLM server, calls in flight"
    )
    engine: Literal["local"] = Field("local", description="where the work is done")

    def shaping(self) -> dict[str, Any]:
        """The settings that shape the result: a resumed run must agree on all of them."""
        values = self.model_dump(
            mode="json", exclude={"connection", "workers", "engine", "data_folder"}
        )
        return values | {"base_url": self.connection.base_url}


def gather(
    flags: dict[str, Any],
    connection: dict[str, Any],
    *,
    options: list[str],
    config: Path | None = None,
    resumed: Path | None = None,
) -> RunSettings:
    """Settings of a resumed run, under those of a file, under the flags that were given."""
    values: dict[str, Any] = {}
    # A run that was killed before it had a folder starts anew; a folder alone must be a run.
    if resumed and (resumed.exists() or not (config or flags.get("method"))):
        values = _resumed(resumed)
    if config is not None:
        # Checked on its own first, so that an error names the file and the line.
        values |= load(RunSettings, config).model_dump(mode="json", exclude_unset=True)
    values |= {key: value for key, value in flags.items() if value is not None}
    given = {key: value for key, value in connection.items() if value is not None}
    values["connection"] = {**values.get("connection", {}), **given}
    values["options"] = {**values.get("options", {}), **parse_settings(options)}
    return validate(RunSettings, values, "run settings")


def _resumed(folder: Path) -> dict[str, Any]:
    values = dict(read_manifest(folder).settings)
    return values | {"connection": {"base_url": values.pop("base_url", None)}}
