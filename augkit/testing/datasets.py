"""A dataset in a test of yours: a failed check is a failed test."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from augkit.commands.check.contract import CheckContract, load_contract
from augkit.commands.check.finding import CheckReport
from augkit.commands.check.reports import render_report
from augkit.commands.check.run import check_data
from augkit.core.config import validate
from augkit.datasets.load import Spec
from augkit.datasets.settings import ReadOptions


def check_dataset(
    data: Spec,
    contract: str | Path | CheckContract | None = None,
    baseline: str | Path | None = None,
    test: str | None = None,
    **reading: Any,
) -> CheckReport:
    """Check a dataset as ``augkit check`` does; what fails is the message of an AssertionError.

    Args:
        data: A path, a name, a data frame or a ``datasets.Dataset``.
        contract: A contract, or its file; the default contract unless given.
        baseline: A file of ``augkit check --write-baseline``: what it lists is accepted.
        test: A test set, for leakage.
        **reading: Options of ``load_dataset``, as ``label_column="stars"``.
    """
    if not isinstance(contract, CheckContract):
        contract = load_contract(None if contract is None else Path(contract))
    contract = contract.with_options(None if baseline is None else Path(baseline), test)
    options = validate(ReadOptions, reading, "options of check_dataset")
    report = check_data(data, contract, options)
    if not report.passed:
        raise AssertionError(render_report([report], "text"))
    return report
