"""``fix``: find what gives the label away, break it by its kind, and say what that did."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from augkit.commands.fix.chosen import named_cues
from augkit.commands.fix.endings import GOOD, Ending
from augkit.commands.fix.kinds import KINDS, Kind
from augkit.commands.fix.mark_proof import shown_cue
from augkit.commands.fix.marks import is_mark, make_mark
from augkit.commands.fix.own_tests import measure_own_tests, with_splits_of
from augkit.commands.fix.people_kind import people_cues
from augkit.commands.fix.results import FIX_FILE, Fixed, cue_record
from augkit.commands.fix.rows import LabelledRows, read_rows
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
<<<<<<< HEAD
from augkit.shortcuts.cues import Cue, Findings
from augkit.shortcuts.find import find_shortcuts
from augkit.text.printable import shell_line
=======
from augkit.datasets.settings import ReadOptions
from augkit.llm.wrappers.budget import parse_budget
from augkit.runs.estimate import estimate_parts
from augkit.runs.execute import run
from augkit.runs.ledger import DATASET
from augkit.runs.manifest import read_manifest
from augkit.runs.repeat import SETTINGS_FILE
from augkit.text.printable import counted
>>>>>>> main

LIKELY = "likely shortcuts"
CHOSEN = "you chose it"
_NAMED = "you named it"
_MOST_LEFT = 3


@dataclass(frozen=True)
class Found:
    """A dataset with the shortcuts in it; nothing is chosen or written yet."""

    rows: LabelledRows
    findings: Findings
    settings: FixSettings
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
        rows = read_rows(spec, settings.reading)
    settings = with_splits_of(settings, in_memory=data is not None)
    report_progress("looking for what gives the label away")
    findings = find_shortcuts(rows.examples, seed=settings.seed)
    return Found(rows, findings, settings, data is not None, time.monotonic() - started)


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
    chosen, why = choose(found, answer)
    is_named = bool(found.settings.cues)
    work = Work(
        found.rows,
        found.rows.examples,
        found.findings,
        chosen,
        is_named,
        is_named or answer is not None,
        found.settings,
        found.folder,
    )
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
        own_tests=measure_own_tests(work, examples) if result.train_on else (),
        left=_left(examples, found) if result.train_on else (),
    )
    result = replace(result, commands=dict(_commands(found, result, chosen)))
    result = replace(result, seconds=found.seconds + time.monotonic() - started)
    write_json(found.folder / FIX_FILE, result.record())
    from augkit.commands.fix.page import write_fix_page

    write_fix_page(result)
    return result


<<<<<<< HEAD
def _taken(todo: Sequence[tuple[Kind, Sequence[Any]]]) -> list[Cue]:
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
=======
def _tried(prepared: Prepared, parts: SplitParts, about: Fixed) -> Fixed:
    """Write the parts, try the methods, and say what came of them."""
    found, chosen = prepared.found, prepared.chosen
    data, folder, settings = found.data, found.folder, found.settings
    split = write_parts(data, chosen, parts, folder)
    columns = data.columns(split.files["train"])
    tests = (
        settings.test or str(split.files["test"]),
        settings.challenge or str(split.files["challenge"]),
    )
    reference = split.files.get(data.wording.reference)
    report_progress("looking for methods that fit")
    trials, unfit = plan_trials(data, chosen, settings, split.files["train"], columns)
    trials = _with_budgets(trials)
    tried: list[TriedMethod] = []
    before = deleting = None
    stopped: AugkitError | None = None
    for number, trial in enumerate(trials, 1):
        with reporting_as(f"{trial.name} ({number} of {len(trials)})"):
            try:
                run_folder = _run(trial, folder / "runs" / trial.name, settings)
            except UserError as error:
                unfit.append(Unfit(trial.name, str(error).splitlines()[0]))
                continue
            except (BudgetExhausted, BackendFailed) as error:
                stopped = error
                unfit.append(Unfit(trial.name, str(error).splitlines()[0], error.exit_code))
                continue
            evaluation = _evaluate(run_folder, reference, tests, found, columns)
        caveats = data.caveats(run_folder, chosen)
        method, before, deleting = _measured(trial.name, run_folder, evaluation, tests, caveats)
        tried.append(method)
    if not tried and stopped is not None:
        raise stopped
    if not tried:
        reasons = "; ".join(f"{method.name}: {method.reason}" for method in unfit)
        raise DataError(f"{data.name}: no method fits ({reasons})")
    result = replace(
        about,
        folder=folder,
        split=split,
        tests=tests,
        before=before,
        deleting=deleting,
        tried=sorted(tried, key=lambda method: -method.scores.challenge.value),
        unfit=unfit,
    )
    if reference is not None:
        report_progress("looking for new shortcuts")
        result = replace(result, deleting_caveats=data.new_shortcuts(reference))
    commands = dict(_commands(prepared, result))
>>>>>>> main
    report_progress("checking what is left")
    before = {_key(cue) for cue in found.findings.cues}
    left = find_shortcuts(examples, seed=found.settings.seed).shortcuts[:_MOST_LEFT]
    return [f"{'Left' if _key(cue) in before else 'New'}: {cue_line(cue)}" for cue in left]


def _key(cue: Cue) -> tuple[str, str, str]:
    """What names a cue before and after; all lengths of a label are one."""
    feature = cue.feature
    name = "" if feature.kind.startswith("length") else feature.name
    return feature.kind, name, cue.label


<<<<<<< HEAD
def _commands(found: Found, result: Fixed, chosen: Sequence[Cue]) -> Iterator[tuple[str, str]]:
=======
def _run(trial: MethodTrial, folder: Path, settings: FixSettings) -> Path:
    """Run a method, or continue it; a finished one is used as it is."""
    done = run(trial.settings, folder, resume=folder.exists())
    if not (done / "shortcuts").exists():
        compare_run(done, settings.reading.data_folder)
    return done


def _evaluate(
    folder: Path,
    reference: Path | None,
    tests: tuple[str, str],
    found: FoundCues,
    columns: Mapping[str, Any],
) -> Evaluation:
    reading = ReadOptions(
        **columns,
        data_folder=found.settings.reading.data_folder,
        choices=found.data.reads == "choices",
    )
    return evaluate_run(
        EvaluateSettings(
            run=folder,
            train=None if reference is None else str(reference),
            tests=tests,
            seeds=0,
            reading=reading,
        )
    )


def _measured(
    name: str,
    folder: Path,
    evaluation: Evaluation,
    tests: tuple[str, str],
    caveats: tuple[str, ...],
) -> tuple[TriedMethod, BothScores, BothScores | None]:
    """The scores of a method, of the rows as they were, and without the cue."""
    comparisons = [
        record
        for record in evaluation.records
        if isinstance(record, Comparison) and record.score == "accuracy"
    ]
    changes = {c.test: c for c in comparisons if not c.is_reference}
    against = {c.test: c for c in comparisons if c.is_reference}
    test, challenge = tests
    counts = read_manifest(folder).counts
    with (folder / DATASET).open("rb") as lines:
        left_out = counts.read - sum(1 for _ in lines)
    method = TriedMethod(
        name=name,
        run=folder,
        scores=_scores(evaluation.results, changes[test].second, tests),
        on_test=changes[test],
        on_challenge=changes[challenge],
        test_against_deleting=against.get(test),
        against_deleting=against.get(challenge),
        caveats=caveats,
        accepted=counts.accepted,
        left_out=max(0, left_out),
    )
    before = _scores(evaluation.results, changes[test].first, tests)
    reference = _scores(evaluation.results, against[test].second, tests) if against else None
    return method, before, reference


def _scores(results: Sequence[Result], train: str, tests: tuple[str, str]) -> BothScores:
    mains = {result.test: result.main for result in results if result.train == train}
    test, challenge = (mains[name] for name in tests)
    assert test is not None  # noqa: S101 - accuracy is always measured
    assert challenge is not None  # noqa: S101
    return BothScores(test, challenge)


def _left(result: Fixed, data: FixData) -> list[str]:
    """What still gives the label away in the file to train on, the likely shortcuts first."""
    path = result.checked_again
    cues = [] if path is None else sorted(data.left(path), key=lambda cue: not cue.is_likely)
    return [
        f"{cue.title} goes with {cue.points_to} (association {cue.strength:.2f}; "
        f"{judged_as(cue)}: {cue.reason})"
        for cue in cues[:_MOST_LEFT]
    ]


def _commands(prepared: Prepared, result: Fixed) -> Iterator[tuple[str, str]]:
>>>>>>> main
    """The step and the command that repeats it; rows in memory have no command to read them."""
    settings = found.settings
    columns = list(option_words(settings.reading, "text_columns", "label_column"))
    if not found.in_memory:
<<<<<<< HEAD
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
=======
        yield "find", shlex.join(["augkit", "check", *read])
        cues = [word for cue in prepared.chosen for word in ("--cue", cue.name)]
        sizes = _flags(settings, "parts", "challenge_rows", "group_column", "seed")
        split = ["augkit", "split", *read[:1], *cues, *sizes, *read[1:], "--out", folder]
        if not settings.test or (not settings.challenge and found.data.reads == "rows"):
            yield "split", shlex.join(split)
        elif deletes:
            yield result.wording.reference, shlex.join([*split[:-1], f"{folder}/simplest"])
    if best is not None:
        repeat = ["augkit", "run", "--config", str(best.run / SETTINGS_FILE)]
        yield "break", shlex.join([*repeat, "--out", str(best.run), "--resume"])
        reference = result.reference_file
        trained = ["--train", str(reference)] if reference else []
        tests = [word for test in result.tests for word in ("--test", test)]
        proof = ["augkit", "evaluate", str(best.run), *trained, *tests, "--seeds", "0"]
        yield "prove", shlex.join([*proof, *columns, *data_folder])
    if result.checked_again is not None:
        yield "check again", shlex.join(["augkit", "check", str(result.checked_again), *columns])
    if best is not None and not deletes and not found.in_memory:
        yield "all rows", shlex.join([*repeat, "--dataset", *read, "--out", f"{folder}/all-rows"])
>>>>>>> main


def option_words(settings: Any, *names: str) -> Iterator[str]:
    """The options of settings that are not the default."""
    for name in names:
        chosen = getattr(settings, name)
        default = type(settings).model_fields[name].get_default(call_default_factory=True)
        if chosen == default:
            continue
        is_list = isinstance(chosen, tuple)
        flag = "--data" if name == "data_folder" else flags_of(name, is_list=is_list)[0]
        for element in chosen if is_list else (chosen,):
            yield flag
            yield str(element)
