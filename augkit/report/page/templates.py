"""Fill in the templates: everything that comes from a dataset is escaped.

Control and direction characters are shown as on a terminal, so that no text turns another around.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

from augkit.core.json_files import write_atomically
from augkit.text.printable import harmless

NAME = "report.html"


def write(folder: Path, template: str, **values: Any) -> Path:
    """Fill a template in and write it as ``report.html``, in one step.

    A value of another form than the template's raises ``TypeError``: a damaged file held it.
    """
    from jinja2 import Environment, FunctionLoader, StrictUndefined, UndefinedError

    environment = Environment(
        loader=FunctionLoader(part),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    try:
        page = environment.get_template(template).render(style=part("page.css"), **values)
    except UndefinedError as error:
        raise TypeError(str(error)) from error
    path = folder / NAME
    write_atomically(path, harmless(page))
    return path


def part(name: str) -> str:
    """A file of this folder."""
    return (files(__package__) / name).read_text(encoding="utf-8")


def as_script(value: Any) -> Any:
    """JSON for a script element: no text of a dataset can close it.

    The script decodes escapes, so that texts in ``value`` must be harmless already.
    """
    from jinja2.utils import htmlsafe_json_dumps

    return htmlsafe_json_dumps(value, separators=(",", ":"), ensure_ascii=False)
