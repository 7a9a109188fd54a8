"""``fix``: find what gives the label away, break it by its kind, and say what that did."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from augkit.commands.fix.chosen import named_cues
from augkit.commands.fix.endings import GOOD, Ending
from augkit.commands.fix.kinds import KINDS, ShortcutKind
from augkit.commands.fix.mark_proof import shown_cue
from augkit.commands.fix.marks import is_mark, make_mark
from augkit.commands.fix.own_tests import measure_own_tests, read_own_tests, with_splits_of
from augkit.commands.fix.people_kind import people_cues
from augkit.commands.fix.results import FIX_FILE, Fixed, cue_record
from augkit.commands.fix.rows import RowsToFix, read_labelled
from augkit.commands.fix.settings import FixSettings
from augkit.commands.fix.text import MOST_CUES, cue_line, findings_lines
from augkit.commands.fix.work import Work
from augkit.core.config import flags_of
from augkit.core.errors import OutputExists
from augkit.core.json_files import find_json, write_json
from augkit.core.progress import report_progress
from augkit.core.types import Example
from augkit.datasets.choices.load import holds_choices
from augkit.datasets.likely_columns import suggesting_columns
from augkit.datasets.load import Spec
from augkit.datasets.lookup import parse_spec
from augkit.shortcuts.cues import Cue, Findings
from augkit.shortcuts.find import find_shortcuts
from augkit.text.printable import shell_line

LIKELY = "likely shortcuts"
CHOSEN = "you chose it"
_NAMED = "you named it"
_MOST_LEFT = 3


@dataclass(frozen=True)
class Found:
    """A dataset with the shortcuts in it; nothing is chosen or written yet."""

    rows: RowsToFix
    findings: Findings
    settings: FixSettings
    own_tests: Mapping[str, Sequence[Example]]
    in_memory: bool
    seconds: float

    @property
    def listed(self) -> list[Cue]:
        """The shortcuts that are shown, and asked about."""
        return [] if len(self.rows.fields) > 1 else list(self.findings.shortcuts[:MOST_CUES])

    @property
    def about(self) -> Fixed:
        """What was read and found, as the beginning of a result."""
        rows = self.rows
        return Fixed(
            data=rows.name,
            unit="row",
            rows=len(rows.examples),
            fields=list(rows.schema.fields.values()),
            label_column=str(rows.schema.label),
            labels=rows.labels,
            found=findings_lines(self.findings, self.listed),
            cues=[cue_record(cue) for cue in self.findings.shortcuts],
        )

    @property
    def folder(self) -> Path:
        """Where everything goes."""
        return self.settings.out or Path(f"fix-{self.rows.short_name}")


def fix_dataset(settings: FixSettings, data: Spec | None = None) -> Fixed:
    """Find, break, prove; the cues are those of the settings, or the likely shortcuts."""
    spec = settings.data if data is None else data
    if holds_choices(spec, settings.reading):
        from augkit.commands.fix.choices import fix_choices

        return fix_choices(settings, data)
    return fix_found(find_in(settings, data))


def find_in(settings: FixSettings, data: Spec | None = None) -> Found:
    """Read the rows and find the shortcuts."""
    started = time.monotonic()
    report_progress("reading the rows")
    spec = settings.data if data is None else data
    with suggesting_columns(spec, settings.reading):
        rows = read_labelled(spec, settings.reading)
    settings = with_splits_of(settings, in_memory=data is not None)
    # What is wrong with a test set is said before anything is computed.
    own_tests = read_own_tests(settings, rows)
    report_progress("looking for what gives the label away")
    findings = find_shortcuts(rows.examples, seed=settings.seed)
    seconds = time.monotonic() - started
    return Found(rows, findings, settings, own_tests, data is not None, seconds)


def plan_work(found: Found, answer: Sequence[Cue] | None = None) -> Work:
    """What the kinds work on; ``answer`` are the cues that somebody chose, where somebody did."""
    chosen, _ = choose(found, answer)
    is_named = bool(found.settings.cues)
    return Work(
        found.rows,
        found.rows.examples,
        found.findings,
        chosen,
        is_named,
        is_named or answer is not None,
        found.settings,
        found.folder,
    )


def choose(found: Found, answer: Sequence[Cue] | None = None) -> tuple[list[Cue], str]:
    """The cues that are fixed, and why these."""
    if found.settings.cues:
        names = found.settings.cues
        return named_cues(names, found.rows.examples, found.findings), _NAMED
    if answer is not None:
        return list(answer), CHOSEN
    return list(found.findings.shortcuts), LIKELY


def fix_found(found: Found, answer: Sequence[Cue] | None = None) -> Fixed:
    """Break and prove; ``answer`` are the cues that somebody chose, where somebody was asked."""
    started = time.monotonic()
    _, why = choose(found, answer)
    work = plan_work(found, answer)
    chosen = work.chosen
    todo = [(kind, kind.find(work)) for kind in KINDS]
    is_declined = answer is not None and not answer
    todo = [(kind, things) for kind, things in todo if things and not is_declined]
    result = replace(
        found.about,
        chosen=[shown_cue(cue) for cue in _taken(todo)[:MOST_CUES]],
        fixed=sorted(cue.feature.name for cue in chosen),
        why_chosen=why,
        note=_what_stays(work, chosen),
    )
    if not todo:
        return replace(result, chosen=(), seconds=found.seconds + time.monotonic() - started)
    _claim_folder(found.folder, chosen)
    endings = []
    examples: Sequence[Example] = work.examples
    for kind, things in todo:
        examples, ending = kind.fix(replace(work, examples=examples), things)
        endings.append(ending)
    result = replace(result, endings=endings, folder=found.folder)
    result = _with_file(result, work, examples)
    result = replace(
        result,
        own_tests=measure_own_tests(work, examples, found.own_tests) if result.train_on else (),
        left=_left(examples, found) if result.train_on else (),
    )
    result = replace(result, commands=dict(_commands(found, result, chosen)))
    result = replace(result, seconds=found.seconds + time.monotonic() - started)
    write_json(found.folder / FIX_FILE, result.record())
    from augkit.commands.fix.page import write_fix_page

    write_fix_page(result)
    return result


def _taken(todo: Sequence[tuple[ShortcutKind, Sequence[Any]]]) -> list[Cue]:
    """The cues that the kinds take."""
    return [thing for _, things in todo for thing in things if isinstance(thing, Cue)]


def _what_stays(work: Work, chosen: Sequence[Cue]) -> str:
    """That some of the cues are not taken out, and what can be done about them."""
    if work.is_pair:
        return ""
    stuck = [cue for cue in chosen if make_mark(cue, work.examples, is_named=work.is_named) is None]
    others = [cue for cue in chosen if cue not in stuck and cue not in people_cues(work)]
    said = [cue for cue in others if not (work.is_asked or is_mark(cue, work.examples))]
    notes = []
    if stuck:
        names = ", ".join(cue.feature.name for cue in stuck[:MOST_CUES])
        notes.append(f"No rule takes these out of texts: {names}. Gather rows without them.")
    if said:
        names = ", ".join(map(shown_cue, said[:MOST_CUES]))
        notes.append(f"Left in, as they may be what is said: {names}. --cue NAME takes one out.")
    return "\n".join(notes)


def _claim_folder(folder: Path, chosen: Sequence[Cue]) -> None:
    """Make the folder; raise where it has an earlier fix of other cues."""
    names = sorted(cue.feature.name for cue in chosen)
    advice = "Give another folder with --out, or delete this one"
    earlier = find_json(folder / FIX_FILE, lambda record: sorted(record["fixed"]), advice)
    if earlier is not None and earlier != names:
        shown = ", ".join(earlier) or "none"
        raise OutputExists(f"{folder}: this folder has a fix of other cues ({shown}). {advice}")
    folder.mkdir(parents=True, exist_ok=True)
    if earlier is None:
        write_json(folder / FIX_FILE, {"fixed": names})


def _with_file(result: Fixed, work: Work, examples: Sequence[Example]) -> Fixed:
    """The result with the file to train on, where something is to be taken from the endings."""
    taken = [ending for ending in result.endings if _is_taken(ending)]
    if not taken:
        return result
    own = [ending.files["train on"] for ending in taken if "train on" in ending.files]
    if own:
        with own[-1].open("rb") as lines:
            size = sum(1 for _ in lines)
        return replace(result, train_on=own[-1], trained_rows=size)
    path = work.rows.write(work.train_file, examples)
    return replace(result, train_on=path, trained_rows=len(examples))


def _is_taken(ending: Ending) -> bool:
    is_safe = ending.kind == "mark" and ending.verdict in {"not relied on", "not testable"}
    return ending.verdict in GOOD or is_safe


def _left(examples: Sequence[Example], found: Found) -> list[str]:
    """What still gives the label away in the rows to train on, and what was not there before."""
    report_progress("checking what is left")
    before = {_key(cue) for cue in found.findings.cues}
    left = find_shortcuts(examples, seed=found.settings.seed).shortcuts[:_MOST_LEFT]
    return [f"{'Left' if _key(cue) in before else 'New'}: {cue_line(cue)}" for cue in left]


def _key(cue: Cue) -> tuple[str, str, str]:
    """What names a cue before and after; all lengths of a label are one."""
    feature = cue.feature
    name = "" if feature.kind.startswith("length") else feature.name
    return feature.kind, name, cue.label


def _commands(found: Found, result: Fixed, chosen: Sequence[Cue]) -> Iterator[tuple[str, str]]:
    """The step and the command that repeats it; rows in memory have no command to read them."""
    settings = found.settings
    columns = list(option_words(settings.reading, "text_columns", "label_column"))
    if not found.in_memory:
        more = list(option_words(settings.reading, "limit", "sample"))
        if not isinstance(parse_spec(settings.data), Path):
            more += option_words(settings.reading, "data_folder")
        read = [settings.data, *columns, *more]
        cues = [word for cue in chosen for word in ("--cue", cue.feature.name)]
        cues = cues if settings.cues else []
        again = list(option_words(settings, "group_column", "seed"))
        folder = ["--yes", "--out", str(found.folder)]
        yield "find", shell_line(["augkit", "check", *read])
        yield "break and prove", shell_line(["augkit", "fix", *read, *cues, *again, *folder])
    if result.train_on is not None:
        yield "check again", shell_line(["augkit", "check", str(result.train_on), *columns])


def option_words(settings: Any, *names: str) -> Iterator[str]:
    """The options of settings that are not the default."""
    for name in names:
        chosen = getattr(settings, name)
        default = type(settings).model_fields[name].get_default(call_default_factory=True)
        if chosen == default:
            continue
        is_list = isinstance(chosen, tuple)
        for element in chosen if is_list else (chosen,):
            if name.endswith(("_column", "_columns")):
                yield flags_of(name, is_list=is_list)[0]
                yield str(element)
            else:
                yield "--set"
                yield f"{name}={element}"
