"""``augkit train``: classifiers, masked models and perturbers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from typer import Option

from augkit.cli import options
from augkit.cli.terminal import next_line
from augkit.text.screen import show, show_error


@options.made_from(
    "augkit.commands.train:TrainSettings",
    "train out model_kind settings robust field cues seeds limit text_columns label_column as_json",
    argument="train",
    owner="of the model (model.strength=1) or of robust training (robust.subtract=0.5)",
)
def command(
    values: dict[str, Any],
    model_kind: Annotated[
        str | None,
        Option(
            "--model",
            help="linear (default), encoder:PATH, transformers:PATH; mlm:PATH continues "
            "pre-training a masked model; seq2seq:PATH trains a perturber on people's rewrites. "
            "PATH is a folder or a hub id",
        ),
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Train a classifier on a dataset or on the result of a run, and save it without pickles.

    Every seed holds out a tenth of the rows, an original together with its variants, and reports
    its accuracy on them; the best epoch of a transformer is chosen there. `training.json` holds
    all that is needed to repeat it. `--robust` trains against a known bias: one field of pairs,
    words of single texts, or the rules of a grammar.

    A perturber rewrites texts about people (`augkit run -m panda --set perturber=seq2seq:DIR`). It
    is trained on JSON lines {original, selected_word, target_attribute, perturbed} or {text, word,
    target, rewrite}.

    Examples:

        augkit train runs/panda-sst2 --out models/fairtuned

        augkit train snli:train_20k --robust poe --against hypothesis --out models/poe

        augkit evaluate --classifier models/plain --classifier models/poe --test snli:test_hard

        augkit train runs/panda-sst2 --model mlm:./bert --out models/fair-bert

        augkit train panda --model seq2seq:facebook/bart-large --out perturber/
    """
    from augkit.commands.train import train as train_and_save
    from augkit.commands.train import training_settings
    from augkit.commands.train_perturber import is_perturber, train_on_rewrites
    from augkit.core.config import check_sections
    from augkit.models.classifiers.settings import LinearConfig
    from augkit.models.robust.config import RobustConfig
    from augkit.report.terminal import print_training

    keys = {"model": LinearConfig.model_fields, "robust": RobustConfig.model_fields}
    sections = check_sections(values.pop("options"), keys)
    values |= {"model": sections["model"], "robust_options": sections["robust"]}
    values["model_kind"] = model_kind
    if model_kind and is_perturber(model_kind):
        show(train_on_rewrites(values, show_error))
        perturber = f"perturber={model_kind.partition(':')[0]}:{values['out']}"
        next_line("augkit", "run", "reviews-demo", "-m", "panda", "--set", perturber)
        return
    record = train_and_save(training_settings(values), show_error)
    print_training(record, values["out"], as_json=as_json)
    if not as_json:
        _next(record, values["out"], values.get("reading", {}))


def _next(record: Mapping[str, Any], folder: Path, reading: Mapping[str, Any]) -> None:
    """The command after a training: measure it, on the test splits where the dataset has some."""
    from augkit.commands.evaluate.scores import test_splits
    from augkit.datasets.settings import ReadOptions

    if record["kind"] == "mlm":
        next_line("augkit", "benchmark", "crows-pairs", "--model", str(folder))
        return
    tests = test_splits(record["train"]["spec"], ReadOptions(**reading)) or ("TEST.csv",)
    words = [word for test in tests for word in ("--test", test)]
    next_line("augkit", "evaluate", "--classifier", str(folder), *words)
