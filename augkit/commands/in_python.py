"""The commands as functions of Python: ``augkit.check``, ``augkit.fix`` and the others.

Each takes the settings of its command as arguments, gives a typed result that prints as the command
does, and raises errors that name arguments.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import redirect_stdout
from html import escape
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from augkit.commands.check.finding import CheckReport
from augkit.core.python_messages import naming_arguments
from augkit.core.results import Evaluation, Survey

if TYPE_CHECKING:
    from augkit.commands.fix.results import Fixed
    from augkit.commands.split import Split
    from augkit.datasets.load import Spec

_COLOUR = re.compile(r"\x1b\[[\d;]*m")


class Printed:
    """A result that prints as its command does, also in a notebook."""

    def print_result(self) -> None:
        """Print it on the standard output."""
        raise NotImplementedError

    def __str__(self) -> str:
        """What the command prints."""
        text = StringIO()
        with redirect_stdout(text):
            self.print_result()
        return _COLOUR.sub("", text.getvalue()).rstrip("\n")

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


class CheckResult(Printed, CheckReport):
    """The checks of a dataset; ``passed`` says whether all passed."""

    def print_result(self) -> None:
        """As ``augkit check`` does."""
        from augkit.commands.check.reports import render_report
        from augkit.report.terminal import print_lines

        print_lines(*render_report([self], "text").splitlines())


class SurveyResult(Printed, Survey):
    """What gives a label away; ``rows`` has all of it."""

    def print_result(self) -> None:
        """As ``augkit shortcuts`` does."""
        from augkit.report.terminal import print_survey

        print_survey(self, {}, as_json=False)


class EvaluationResult(Printed, Evaluation):
    """Scores, differences and the verdict."""

    def print_result(self) -> None:
        """As ``augkit evaluate`` does."""
        from augkit.report.terminal import print_scores

        print_scores(self, as_json=False)


class AuditResult(Printed, dict[str, Any]):
    """The content of ``audit.json``: rates by group, comparisons, alarms, caveats."""

    def print_result(self) -> None:
        """As ``augkit audit`` does."""
        if "win_rates" in self:
            from augkit.commands.audit.judges.text import print_judges

            print_judges(self)
        else:
            from augkit.commands.audit.text import print_audit

            print_audit(self)


@naming_arguments
def check(
    data: Spec,
    *,
    contract: str | Path | None = None,
    baseline: str | Path | None = None,
    test: str | None = None,
    max_rows: int | None = None,
    **reading: Any,
) -> CheckResult:
    """``augkit check`` for Python: shortcuts, repeated rows and leakage of a dataset.

    Args:
        data: A file, a name, a hub id, a data frame or a ``datasets.Dataset``.
        contract: A YAML file of limits; a strict one unless given.
        baseline: A file of known shortcuts, which pass.
        test: The test set, for leakage.
        max_rows: In a larger dataset, features are tested on a sample of this many rows; the
            contract's unless given.
        **reading: How it is read, as ``text_columns`` and ``label_column``.
    """
    from augkit.commands.check.contract import load_contract
    from augkit.commands.check.run import check_data

    limits = load_contract(Path(contract) if contract else None)
    limits = limits.with_options(Path(baseline) if baseline else None, test, max_rows=max_rows)
    report = check_data(data, limits, _reading(reading))
    return CheckResult(**vars(report))


@naming_arguments
def shortcuts(data: Spec | None = None, *, by: str = "tokens", **settings: Any) -> SurveyResult:
    """``augkit shortcuts`` for Python: what gives the label of a dataset away.

    Args:
        data: A file, a name, a hub id, a data frame or a ``datasets.Dataset``; or pass ``run``, a
            run folder.
        by: The finder, a name of ``augkit list finders``.
        **settings: ``run``, ``against``, ``options`` of the finder, ``out``, ``limit``, and how the
            dataset is read, as ``text_columns`` and ``label_column``.
    """
    from augkit.commands.shortcut_settings import ShortcutSettings
    from augkit.commands.shortcuts import shortcuts as survey_shortcuts
    from augkit.core.config import validate
    from augkit.datasets.load import in_memory, spec_name

    values = _with_reading("shortcuts", settings, ShortcutSettings)
    named = {} if data is None else {"dataset": spec_name(data)}
    checked = validate(ShortcutSettings, values | {"by": by} | named, "arguments of shortcuts")
    survey = survey_shortcuts(checked, in_memory(data))
    return SurveyResult(survey.rows, survey.tables, survey.warnings, survey.about)


@naming_arguments
def evaluate(
    *data: str | Path, tests: str | Sequence[str] = (), **settings: Any
) -> EvaluationResult:
    """``augkit evaluate`` for Python: score classifiers, and compare before and after.

    Args:
        *data: A finished run folder, or datasets, each of which is compared with the first; or
            pass ``classifiers``.
        tests: The test set, or several.
        **settings: ``run``, ``train``, ``metrics``, ``seeds``, ``out`` and the others of the
            command, and how datasets are read, as ``text_columns`` and ``label_column``.
    """
    from augkit.commands.evaluate.scores import evaluate_run
    from augkit.commands.evaluate.settings import EvaluateSettings, evaluation_settings

    values = _with_reading("evaluate", settings, EvaluateSettings, ("model_kind",))
    values["tests"] = [tests] if isinstance(tests, str) else list(tests)
    if data:
        values["data"] = data
    evaluation = evaluate_run(evaluation_settings(values))
    return EvaluationResult(evaluation.verdict, evaluation.records)


@naming_arguments
def audit(template: str | Path | None = None, **settings: Any) -> AuditResult:
    """``augkit audit`` for Python: is a case decided differently for another group of people?

    Args:
        template: A YAML file with texts, a question and axes.
        **settings: ``model``, ``answers``, ``axes``, ``out`` and the others of the command.
    """
    from augkit.commands.audit.run import run_audit
    from augkit.commands.audit.settings import AuditSettings
    from augkit.commands.report_page import write_page
    from augkit.core.config import validate

    values = {"template": template, **settings}
    record = run_audit(validate(AuditSettings, values, "arguments of audit"))
    if "comparisons" in record or "win_rates" in record:
        write_page(Path(record["folder"]))
    return AuditResult(record)


@naming_arguments
def split(data: Spec, *, cues: str | Sequence[str] = (), **settings: Any) -> Split:
    """Hold a test part out, and build a challenge set in which a cue points the wrong way.

    ``train.jsonl``, ``test.jsonl`` and ``challenge.jsonl`` have the columns of the input. Rows with
    equal or near texts, and pairs with one first text, stay on one side. The column
    ``augkit_challenge`` says how each row of the challenge set was made. Of preference pairs and
    multiple choice, prompts are held out, and there is no challenge set.

    Args:
        data: A file, a name, a hub id, a data frame or a ``datasets.Dataset``.
        cues: A word or phrase that gives the label away, or several; the likely shortcuts that are
            strong unless given.
        **settings: ``out``, ``parts``, ``seed``, ``group_column``, and how the dataset is read, as
            ``text_columns`` and ``label_column``.
    """
    from augkit.commands.split import SplitSettings, split_dataset
    from augkit.core.config import validate

    values = _with_reading("split", settings, SplitSettings) | _cues_and_data(data, cues)
    return split_dataset(validate(SplitSettings, values, "arguments of split"), data)


@naming_arguments
def export(
    run: str | Path, out: str | Path, *, kind: str = "jsonl", data_folder: str | Path | None = None
) -> dict[str, Any]:
    """Write the originals of a run and their variants as a test for other harnesses.

    Each row is a question with the labels as choices; an original and its variants share a
    ``pair_id``. Both harnesses report accuracy and the share of pairs of which all rows are right.

    Args:
        run: A finished run folder.
        out: An empty folder for the files.
        kind: ``jsonl``, ``lm-eval`` (lm-evaluation-harness) or ``inspect``.
        data_folder: Where the dataset of the run is found, in place of AUGKIT_DATA.

    Returns:
        The folder, the name of the task, and how many rows and pairs it has.
    """
    from augkit.commands.publish.export import export_run

    return export_run(Path(run), Path(out), kind, Path(data_folder) if data_folder else None)


@naming_arguments
def fix(data: Spec, *, cues: str | Sequence[str] = (), **settings: Any) -> Fixed:
    """``augkit fix`` for Python: find the shortcuts, break them, and prove that it worked.

    Args:
        data: A file, a name, a hub id, a data frame or a ``datasets.Dataset``.
        cues: A word or phrase that gives the label away, or several; the likely shortcuts unless
            given.
        **settings: ``out``, ``test``, ``challenge``, ``llm``, ``seed``, ``group_column``, and how
            the dataset is read, as ``text_columns`` and ``label_column``.
    """
    from augkit.commands.fix.run import fix_dataset
    from augkit.commands.fix.settings import FixSettings
    from augkit.core.config import validate
    from augkit.datasets.load import in_memory

    values = _with_reading("fix", settings, FixSettings) | _cues_and_data(data, cues)
    return fix_dataset(validate(FixSettings, values, "arguments of fix"), in_memory(data))


def _cues_and_data(data: Spec, cues: str | Sequence[str]) -> dict[str, Any]:
    from augkit.datasets.load import spec_name

    return {
        "data": spec_name(data, "data"),
        "cues": [cues] if isinstance(cues, str) else list(cues),
    }


def _reading(values: dict[str, Any]) -> Any:
    from augkit.core.config import validate
    from augkit.datasets.settings import ReadOptions

    return validate(ReadOptions, _as_lists(values), "how the data is read")


def _with_reading(
    function: str, values: dict[str, Any], model: Any, more: Sequence[str] = ()
) -> dict[str, Any]:
    """The arguments, with those about reading in a section of their own; one text is a list."""
    from augkit.core.errors import ConfigError, did_you_mean
    from augkit.datasets.settings import ReadOptions

    own_names = {*model.model_fields, *more} - {"reading"}
    known = sorted(own_names | {*ReadOptions.model_fields})
    for name in values:
        if name not in known:
            raise ConfigError(f"{function}() has no argument '{name}'.{did_you_mean(name, known)}")
    reading = {name: value for name, value in values.items() if name not in own_names}
    settings = {name: value for name, value in values.items() if name in own_names}
    return settings | ({"reading": _as_lists(reading)} if reading else {})


def _as_lists(reading: dict[str, Any]) -> dict[str, Any]:
    """Settings of reading; a single column is a list of one."""
    return {
        name: [value] if name.endswith("_columns") and isinstance(value, str) else value
        for name, value in reading.items()
    }
