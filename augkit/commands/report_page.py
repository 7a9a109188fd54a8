"""``report.html`` of a folder: a run, a study, an audit, or what ``augkit shortcuts`` found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from augkit.commands.audit.judges.run import JUDGES_FILE
from augkit.commands.audit.judges.text import write_judges_page
from augkit.commands.audit.text import AUDIT_FILE, write_audit_page
from augkit.commands.fix.results import FIX_FILE
from augkit.commands.publish.card import write_card
from augkit.commands.sweep.page import write_study_page
from augkit.core.errors import DataError
from augkit.core.results import SURVEY_FILE
from augkit.report.page.run import write_run_page
from augkit.report.page.survey import write_survey_page


def _write_run(folder: Path, most: int) -> Path:
    """Write the page of a run, and the card of its dataset, which has the same contents."""
    write_card(folder)
    return write_run_page(folder, most)


_PAGES: dict[str, Callable[[Path, int], Path]] = {
    "manifest.json": _write_run,
    "study.json": write_study_page,
    SURVEY_FILE: write_survey_page,
    AUDIT_FILE: write_audit_page,
    JUDGES_FILE: write_judges_page,
}


def write_page(folder: Path, most: int = 20_000) -> Path:
    """Write ``report.html`` into a folder, from its files; at most ``most`` rows."""
    for name, write in _PAGES.items():
        if (folder / name).is_file():
            return write(folder, most)
    page = folder / "report.html"
    if (folder / FIX_FILE).is_file() and page.is_file():
        return page  # fix has written it from what it measured
    if not folder.is_dir():
        raise DataError(f"{folder}: there is no such folder")
    raise DataError(
        f"{folder}: nothing to report on: a run folder has a manifest.json, a study has a "
        "study.json, `augkit shortcuts --out` writes a survey.json, `augkit audit` an audit.json "
        "or a judges.json"
    )
