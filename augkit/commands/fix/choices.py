"""The kind "choices": leave items out until winners cannot be told without the prompt.

What winners have more of (length, Markdown, a place, an opening) is found as ``augkit check`` finds
it. ``prune`` balances all of it, and a blind ranker's choices, in two halves that do not see each
other. The audit trains that ranker on what is left of one half and tests it on the other.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from augkit.augmenters.choices.item_gains import named_gains
from augkit.augmenters.choices.mirror import FEATURES
from augkit.augmenters.choices.prune import Prune
from augkit.commands.check.choice_features import tested_features
from augkit.commands.check.choice_rows import CheckedChoices
from augkit.commands.check.contract import CheckContract
from augkit.commands.fix.endings import Ending, Verdict
from augkit.commands.fix.results import FIX_FILE, Fixed
from augkit.commands.fix.settings import FixSettings
from augkit.core.choices import Choice
from augkit.core.errors import DataError, OutputExists
from augkit.core.json_files import find_json, load_json, write_json, write_json_lines
from augkit.core.progress import report_progress
from augkit.datasets.choices.load import ChoiceSource, open_choices
from augkit.datasets.load import Spec, spec_name
from augkit.datasets.settings import ReadOptions
from augkit.runs.execute import run
from augkit.runs.ledger import DATASET
from augkit.runs.records import RUN_INFO
from augkit.runs.repeat import SETTINGS_FILE
from augkit.runs.settings import RunSettings
from augkit.text.features.item_features import ItemFeature
from augkit.text.printable import counted, shell_line

_LIMIT = 0.05
"""How far above chance the audit may be."""
_MOST_LEFT_OUT = 2 / 3
_SHOWN = 6
_ALL = "whatever tells winners from losers without the prompt"


@dataclass(frozen=True)
class ChoiceRows:
    """Choices that are decided."""

    name: str
    source: ChoiceSource
    choices: Sequence[Choice]
    left_out: int
    """Items without a winner."""

    @property
    def short_name(self) -> str:
        """For the name of a folder."""
        return self.source.name.replace(":", "-")

    @property
    def checked(self) -> CheckedChoices:
        """The items as the checks read them."""
        numbers = list(range(len(self.choices)))
        matters = self.source.shape.places_matter
        return CheckedChoices(self.choices, matters, self.source, numbers, self.left_out)

    @property
    def sizes(self) -> dict[str, int]:
        """The number of candidates → its items."""
        counts = Counter(len(choice.candidates) for choice in self.choices)
        return {f"{size} candidates": count for size, count in sorted(counts.items())}


def read_choices(data: Spec, reading: ReadOptions, group_column: str | None) -> ChoiceRows:
    """Read the choices that have a winner; verdicts of a judge are refused."""
    source = open_choices(data, reading)
    choices = list(source.read(group_column, allow_empty=True))
    if any(choice.judge for choice in choices):
        raise DataError(
            f"{source.source}: these are verdicts of a judge, and what gives them away is the "
            "judge's habit, not the data's. augkit audit --judge measures it; augkit check lists "
            "what the winners have in common"
        )
    decided = [choice for choice in choices if choice.decided]
    if not decided:
        raise DataError(f"{source.source}: no row has a winner and a loser: nothing to compare")
    if reading.is_partial:
        decided = [decided[number] for number in reading.numbers(len(decided))]
    left_out = len(choices) - len(decided)
    return ChoiceRows(spec_name(data, source.name), source, decided, left_out)


def telling_features(rows: CheckedChoices) -> list[ItemFeature]:
    """What fails the checks of choices, the strongest first."""
    contract = CheckContract()
    alpha = contract.alpha_of_choices(places_matter=rows.places_matter)
    tested, _ = rows.compared
    failing: list[ItemFeature] = []
    for check, section in contract.choice_associations.items():
        failing += [
            feature for feature, _ in tested_features(check, tested, section).failing(alpha)
        ]
    return sorted(failing, key=lambda feature: (-feature.ranked.association, feature.phrase))


def fix_choices(settings: FixSettings, data: Spec | None = None) -> Fixed:
    """Find what tells the winner, leave items out, and audit what is left."""
    started = time.monotonic()
    spec = settings.data if data is None else data
    rows = read_choices(spec, settings.reading, settings.group_column)
    report_progress("looking for what gives the winner away")
    features = telling_features(rows.checked)
    result = Fixed(
        data=rows.name,
        unit="item",
        rows=len(rows.choices),
        fields=list(rows.source.shape.text_columns),
        label_column="",
        labels=rows.sizes,
        found=list(_found_lines(features)),
        cues=[_record(feature) for feature in features],
    )
    names = _named(settings.cues, rows)
    if not features and not names:
        return replace(result, seconds=time.monotonic() - started)
    folder = settings.out or Path(f"fix-{rows.short_name}")
    _claim_folder(folder, names)
    write_json(folder / FIX_FILE, {"fixed": names})
    path = folder / "items.jsonl"
    write_json_lines(path, [choice.columns for choice in rows.choices], default=str)
    ending = _pruned(path, folder, settings, names, len(rows.choices))
    commands = {**ending.commands, **_looks_commands(features, path)}
    ending = replace(ending, commands=commands)
    is_done = ending.verdict == "at chance"
    result = replace(
        result,
        chosen=[f"'{name}'" for name in names] or [_ALL],
        fixed=names,
        why_chosen="you named it" if names else "all of it at once",
        endings=[ending],
        folder=folder,
        train_on=ending.files["the items that are left"] if is_done else None,
        trained_rows=int(ending.figures["kept"]),
    )
    commands = dict(_commands(settings, result, in_memory=data is not None))
    result = replace(result, commands=commands, seconds=time.monotonic() - started)
    write_json(folder / FIX_FILE, result.record())
    from augkit.commands.fix.page import write_fix_page

    write_fix_page(result)
    return result


def _found_lines(features: Sequence[ItemFeature]) -> Iterator[str]:
    if not features:
        yield "No feature tells the winner from the losers."
        return
    yield "What gives the winner away (the strongest first):"
    for number, feature in enumerate(features[:_SHOWN], 1):
        ranked = feature.ranked
        yield (
            f"{number}. the winner {feature.phrase}: {ranked.share:.0%} of "
            f"{len(ranked.varying):,} items that differ in it; alone right in "
            f"{ranked.accuracy:.0%} of all (chance {ranked.items.chance:.0%})"
        )
    if len(features) > _SHOWN:
        yield f"{len(features) - _SHOWN} more (augkit check)"


def _record(feature: ItemFeature) -> dict[str, Any]:
    ranked = feature.ranked
    return {
        "cue": feature.name,
        "phrase": feature.phrase,
        "association": ranked.association,
        "share": ranked.share,
        "items": len(ranked.varying),
    }


def _named(names: Sequence[str], rows: ChoiceRows) -> list[str]:
    """The features that the user names; ``UnknownName`` where there is no such one."""
    named_gains(rows.checked, names)
    return sorted(names)


def _claim_folder(folder: Path, names: Sequence[str]) -> None:
    advice = "Give another folder with --out, or delete this one"
    earlier = find_json(folder / FIX_FILE, lambda record: sorted(record["fixed"]), advice)
    if earlier is not None and earlier != sorted(names):
        shown = ", ".join(earlier) or "all of them"
        raise OutputExists(f"{folder}: this folder has a fix of other cues ({shown}). {advice}")
    folder.mkdir(parents=True, exist_ok=True)


def _pruned(
    path: Path, folder: Path, settings: FixSettings, names: Sequence[str], items: int
) -> Ending:
    """Leave items out, and say what an audit finds in the rest."""
    options: dict[str, Any] = {"features": list(names)} if names else {}
    if settings.group_column:
        options["group_column"] = settings.group_column
    values = {"method": "prune", "dataset": str(path), "seed": settings.seed, "options": options}
    run_settings = RunSettings(**values)
    report_progress("leaving items out")
    where = folder / "runs" / Prune.name
    done = run(run_settings, where, resume=where.exists())
    audit = load_json(done / RUN_INFO, lambda info: info["prune"], "Delete the folder")
    return _ending(
        audit,
        items,
        done / DATASET,
        shell_line(["augkit", "run", "--config", str(done / SETTINGS_FILE)]),
    )


def _ending(audit: dict[str, Any], items: int, kept_file: Path, command: str) -> Ending:
    before = audit["before"]
    after = audit["after"]
    kept = int(audit["kept"])
    header = ("over chance, in points", "as it is", "what is left")
    table = [header, *_audit_rows(before, after)]
    is_level = all(gain <= _LIMIT for gain in (after["gain"], after["blind"]) if gain is not None)
    verdict: Verdict = "at chance" if is_level else "rewrite or discard"
    if kept < (1 - _MOST_LEFT_OUT) * items:
        verdict = "rewrite or discard"
    share = f"{kept:,} of {counted(items, 'item')} are left"
    headline = f"At chance, within {100 * _LIMIT:.0f} points: {share}."
    if verdict == "rewrite or discard":
        why = "too few to keep" if is_level else "and the winner can still be told"
        headline = (
            f"Rewrite or discard: {share}, {why}. No choice of items repairs this set: write new "
            "losers (augkit run -m restyle --llm MODEL) or gather other items."
        )
    return Ending(
        "choices",
        verdict,
        headline,
        "Items left out until features and a blind ranker are balanced, in two halves apart.",
        table,
        figures={"items": items, "kept": kept, "before": before, "after": after},
        files={"the items that are left": kept_file},
        commands={"repeat": command},
    )


def _looks_commands(features: Sequence[ItemFeature], path: Path) -> dict[str, str]:
    """What can be done about looks without leaving items out, where winners have their own."""
    if not any(feature.name in FEATURES for feature in features):
        return {}
    return {
        "or make looks alike": shell_line(["augkit", "run", str(path), "-m", "normalise"]),
        "or mirror looks": shell_line(["augkit", "run", str(path), "-m", "mirror"]),
    }


def _audit_rows(before: dict[str, Any], after: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """The strongest feature, and the blind ranker, before and after."""
    shown = [f"{100 * audit['gain']:+.1f}" for audit in (before, after)]
    yield f"the strongest feature ({before['feature']})", shown[0], shown[1]
    if before["blind"] is not None and after["blind"] is not None:
        shown = [f"{100 * audit['blind']:+.1f}" for audit in (before, after)]
        yield "a ranker without the prompt, other half", shown[0], shown[1]


def _commands(
    settings: FixSettings, result: Fixed, *, in_memory: bool
) -> Iterator[tuple[str, str]]:
    if not in_memory:
        cues = [word for name in settings.cues for word in ("--cue", name)]
        yield "find", shell_line(["augkit", "check", settings.data])
        words = ["augkit", "fix", settings.data, *cues, "--out", str(result.folder)]
        yield "break and prove", shell_line(words)
    if result.train_on is not None:
        yield "check again", shell_line(["augkit", "check", str(result.train_on)])
