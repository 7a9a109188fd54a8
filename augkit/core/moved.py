"""Commands, options and settings that went, and where what they did is now.

This is the only place that knows them. Who types one gets one sentence of it.
"""

from __future__ import annotations

from collections.abc import Mapping

from augkit.core.errors import UserError

_SHARING = "see 'Share a run' in docs/how-to/cost-and-resume.md"

_ONE_JUDGE = "one judge decides about coba's whole texts: min_text_label is how sure it must be"

COMMANDS = {
    "doctor": "`augkit list --check` checks the installation",
    "export": "augkit.export(RUN, OUT, kind='lm-eval') does it in Python",
    "push": "`hf upload` uploads a run's dataset.jsonl with its card, README.md, which the run "
    f"folder has: {_SHARING}",
    "split": "augkit.split(FILE, cues=[...]) does it in Python; `augkit fix` needs no split",
    "train-perturber": "`augkit train PAIRS --model seq2seq:PATH` trains a perturber",
}
"""Command → where it is now."""

OPTIONS = {
    "check --max-rows": "a line of a contract: `max_rows: 5000`",
    "shortcuts --against": "two files are compared: augkit shortcuts FIRST SECOND",
    "shortcuts --dataset": "the data come first: augkit shortcuts DATA",
    "shortcuts -d": "the data come first: augkit shortcuts DATA",
    "shortcuts --run": "the folder comes first: augkit shortcuts RUN",
    "sweep --workers": "--trials: how many run at a time",
    "sweep -w": "--trials: how many run at a time",
    "sweep --robust": "a line under `methods` of the study, as in `- robust: poe`",
    "train --lora": "a setting of the model: --set model.lora=true",
    "train --train": "the data come first: augkit train DATA",
    "train --word": "--cue, as in other commands",
    "--data": "the folder of the data is AUGKIT_DATA, or --set data_folder=FOLDER",
    "--help-all": "--help has all options; the settings at its end are given by --set",
    "--input": "`augkit perturb` takes one text; augkit.create('panda', target=...) perturbs many "
    "in Python, and `augkit run --method panda` a file",
    "--track": f"three lines of Python log a run folder to MLflow or W&B: {_SHARING}",
}
"""Option, after the command where it was one of that command alone → where it is now.

A setting that is left without an option is in no table: the error says how --set gives it.
"""

_ONE_DEFINITION = "the finder 'tokens' goes by the one definition of a shortcut: leave it out"

SETTINGS = {
    "checkpoint": "grammars of the paper's authors are not read any more: leave it out, and a "
    "grammar is trained",
    "correction": _ONE_DEFINITION,
    "min_count": _ONE_DEFINITION,
    "ngrams": _ONE_DEFINITION,
    "positions": _ONE_DEFINITION,
    "draws": "coba edits a row once; --set copies=5 gives five wordings",
    "drop": "coba leaves no sentence out of a whole text",
    "text_share": "coba writes a whole text of every row; --set unit=sentence: of none",
    "max_left": _ONE_JUDGE,
    "min_edits": _ONE_JUDGE,
    "label_precision": _ONE_JUDGE,
    "min_sentence_label": "min_label is for sentences, min_text_label for whole texts",
}
"""Key of a settings file or of --set → where it is now."""

VALUES = {
    "tagger": "rules choose the words now; a model trained on people's rewrites is seq2seq:PATH",
}
"""Value of an option or a setting, without what stands behind its colon → what there is now."""


def raise_moved(table: Mapping[str, str], name: str) -> None:
    """Raise where a name is one of those that went; the error says where it is now.

    >>> raise_moved(OPTIONS, "--method")
    """
    if name in table:
        raise UserError(f"'{name}' is gone: {table[name]}")
