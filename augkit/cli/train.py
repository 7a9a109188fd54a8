"""``augkit train`` (classifiers, masked models) and ``augkit train-perturber``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from typer import Option

from augkit.cli import options
from augkit.cli.terminal import next_line
from augkit.text.screen import show, show_error


@options.made_from(
    "augkit.commands.train:TrainSettings",
    "train out model_kind settings lora robust field words shortcuts seeds as_json limit sample "
    "seed text_columns label_column subset quotes data_folder",
)
def command(
    values: dict[str, Any],
    model_kind: Annotated[
        str | None,
        Option(
            "--model",
            help="linear (default), encoder:PATH, transformers:PATH, or mlm:PATH to continue "
            "pre-training a masked model; PATH is a folder or a hub id",
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        Option(
            "--set",
            help="a setting of the model (model.strength=1) or of robust training "
            "(robust.subtract=0.5); repeat for more",
        ),
    ] = None,
    lora: Annotated[
        bool, Option("--lora", help="of transformers: train low-rank adapters")
    ] = False,
    as_json: options.AsJson = False,
) -> None:
    """Train a classifier on a dataset or on the result of a run, and save it without pickles.

    Every seed holds out a tenth of the rows, an original together with its variants, and reports
    its accuracy on them; the best epoch of a transformer is chosen there. `training.json` holds
    all that is needed to repeat it. `--robust` trains against a known bias: one field of pairs,
    words of single texts, or the rules of a grammar.

    Examples:

        augkit train --train runs/panda-sst2 --out models/fairtuned

        augkit train --train snli:train_20k --robust poe --against hypothesis --out models/poe

        augkit evaluate --classifier models/plain --classifier models/poe --test snli:test_hard

        augkit train --train runs/panda-sst2 --model mlm:./bert --out models/fair-bert
    """
    from augkit.commands.train import train as train_and_save
    from augkit.commands.train import training_settings
    from augkit.core.config import parse_sections
    from augkit.models.classifiers.settings import LinearConfig
    from augkit.models.robust.config import RobustConfig
    from augkit.report.terminal import print_training

    keys = {"model": LinearConfig.model_fields, "robust": RobustConfig.model_fields}
    sections = parse_sections(settings or [], keys)
    values |= {"model": sections["model"], "robust_options": sections["robust"]}
    values |= {"model_kind": model_kind, "lora": lora}
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


def perturber_command(
    data: Annotated[
        str,
        Option(
            help="JSON lines {original, selected_word, target_attribute, perturbed}, or "
            "{text, word, target, rewrite}; or NAME[:SPLIT] in the data folder, as panda"
        ),
    ],
    base: Annotated[str, Option(help="the model to begin with: a folder, or a hub id")],
    out: Annotated[Path, Option(help="the folder to write the trained model into")],
    kind: Annotated[
        Literal["seq2seq", "tagger"],
        Option(help="seq2seq writes whole texts; tagger chooses words, and the rules write them"),
    ] = "seq2seq",
    settings: Annotated[
        list[str] | None,
        Option(
            "--set", help="a setting: key=value, as epochs=3 or validation=FILE; repeat for more"
        ),
    ] = None,
    data_folder: Annotated[
        Path | None,
        Option(help="data folder with NAME/SPLIT.jsonl[.gz]", envvar="AUGKIT_DATA"),
    ] = None,
) -> None:
    """Train a perturber on people's rewrites, in PANDA's format.

    `seq2seq` fine-tunes a sequence-to-sequence model with the paper's settings; it then rewrites:
    `augkit run --method panda --set perturber=seq2seq:DIR`. `tagger` fine-tunes an encoder (BERT,
    MiniLM ...) to choose the words that change, which the rules then write:
    `--set perturber=tagger:DIR`.

    Examples:

        augkit train-perturber --data panda --base facebook/bart-large --out perturber/

        augkit train-perturber --data pairs.jsonl --kind tagger --base ./minilm --out tagger/
    """
    from augkit.commands.train_perturber import pair_file, trainer
    from augkit.core.config import parse_settings

    train = trainer(kind, parse_settings(settings or []))
    path = pair_file(data, data_folder)
    show(train(path, base, out, show_error))
    perturber = f"perturber={kind}:{out}"
    next_line("augkit", "run", "--method", "panda", "--dataset", "reviews-demo", "--set", perturber)
