"""What ``fix`` would do; nothing is written."""

from __future__ import annotations

from collections.abc import Sequence

from augkit.commands.fix.choices import read_choices, telling_features
from augkit.commands.fix.field_kind import pair_methods
from augkit.commands.fix.kinds import KINDS
from augkit.commands.fix.made_rows import BY_RULES_ALONE
from augkit.commands.fix.mark_proof import shown_cue
from augkit.commands.fix.opinion_kind import METHOD
from augkit.commands.fix.run import find_in, plan_work
from augkit.commands.fix.settings import FixSettings
from augkit.commands.fix.text import MOST_CUES
from augkit.core.errors import UserError
from augkit.core.progress import about_time
from augkit.datasets.choices.load import holds_choices
from augkit.runs.estimate import estimate
from augkit.runs.settings import RunSettings
from augkit.text.printable import counted

_SECONDS = {"mark": 0.004, "people": 0.004, "field alone": 0.01, "opinions": 0.03, "choices": 0.02}
"""How long a row of a kind takes, measured on short texts."""
_START = 4.0


def estimate_fix(settings: FixSettings) -> dict[str, object]:
    """What ``fix`` would find and do, and about how long it takes."""
    if holds_choices(settings.data, settings.reading):
        rows = read_choices(settings.data, settings.reading, settings.group_column)
        features = telling_features(rows.checked)
        size = len(rows.choices)
        kinds = ["choices"] if features or settings.cues else []
        found = ", ".join(feature.phrase for feature in features[:MOST_CUES])
        name = rows.name
        folder = settings.out or f"fix-{rows.short_name}"
        unit = "item"
    else:
        labelled = find_in(settings)
        work = plan_work(labelled)
        kinds = [kind.name for kind in KINDS if kind.find(work)]
        size = len(labelled.rows.examples)
        found = ", ".join(shown_cue(cue) for cue in work.chosen[:MOST_CUES])
        name = labelled.rows.name
        folder = labelled.folder
        unit = "row"
    costs = {} if unit == "item" else estimate_offers(settings, kinds)
    seconds = _START + sum(_SECONDS[kind] * size for kind in kinds)
    return {
        "data": f"{name}: {counted(size, unit)}",
        "to fix": found or "nothing",
        "kinds": ", ".join(kinds) or "none",
        "folder": str(folder),
        "time": about_time(seconds),
        **costs,
    }


def estimate_offers(settings: FixSettings, kinds: Sequence[str]) -> dict[str, str]:
    """The method → about what a language model costs for it; nothing where none is used."""
    if settings.llm == "offline":
        return {}
    methods: list[str] = [METHOD] if "opinions" in kinds else []
    if "field alone" in kinds:
        methods += [name for name in pair_methods(settings) if name not in BY_RULES_ALONE]
    costs = {}
    for method in methods:
        try:
            about = estimate(_run_settings(settings, method))
        except UserError as error:  # it does not fit these rows
            costs[method] = str(error).splitlines()[0]
            continue
        costs[method] = f"{about['calls']} calls of {settings.llm}, {about['money']}"
    return costs


def _run_settings(settings: FixSettings, method: str) -> RunSettings:
    return RunSettings(
        method=method,
        dataset=settings.data,
        seed=settings.seed,
        llm=settings.llm,
        connection=settings.connection,
        **settings.reading.model_dump(exclude_unset=True),
    )
