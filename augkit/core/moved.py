"""Commands, options and settings that went, and where what they did is now.

This is the only place that knows them. Who types one gets one sentence of it.
"""

from __future__ import annotations

from collections.abc import Mapping

from augkit.core.errors import UserError

_SHARING = "see 'Share a run' in docs/how-to/cost-and-resume.md"

COMMANDS = {
    "doctor": "`augkit list --check` checks the installation",
    "push": "`hf upload` uploads a run's dataset.jsonl with its card, README.md, which the run "
    f"folder has: {_SHARING}",
    "train-perturber": "`augkit train --train PAIRS --model seq2seq:PATH` (or tagger:PATH) trains "
    "a perturber",
}
"""Command → where it is now."""

OPTIONS = {
    "--input": "`augkit perturb` takes one text; augkit.create('panda', target=...) perturbs many "
    "in Python, and `augkit run --method panda` a file",
    "--track": f"three lines of Python log a run folder to MLflow or W&B: {_SHARING}",
}
"""Option, of whatever command it was → where it is now."""

SETTINGS = {
    "checkpoint": "grammars of the paper's authors are not read any more: leave it out, and a "
    "grammar is trained",
}
"""Key of a settings file or of --set → where it is now."""


def raise_moved(table: Mapping[str, str], name: str) -> None:
    """Raise where a name is one of those that went; the error says where it is now.

    >>> raise_moved(OPTIONS, "--method")
    """
    if name in table:
        raise UserError(f"'{name}' is gone: {table[name]}")
