"""Read JSON Lines into a pydantic model; an error names the file, the line and the key."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from augkit.core.errors import DataError
from augkit.core.json_files import Refused, check_content, first_problem

M = TypeVar("M", bound=BaseModel)


def read_json_lines(path: Path, model: type[M]) -> Iterator[tuple[int, M]]:
    """Number and content of every line that is not empty; a file ``.gz`` is unpacked."""
    try:
        data = path.read_bytes()
        unpacked = gzip.decompress(data) if path.suffix == ".gz" else data
        text = unpacked.decode("utf-8-sig").replace("\r\n", "\n")
    except FileNotFoundError:
        raise DataError(f"{path}: no such file") from None
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise DataError(f"{path}: cannot be read as UTF-8 text: {error}") from error
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            check_content(line)
            content = model.model_validate_json(line)
        except ValidationError as error:
            keys = ", ".join(model.model_fields)
            what = first_problem(error)
            raise DataError(f"{path}:{number}: {what}. A line is {{{keys}}}") from error
        except Refused as error:
            raise DataError(f"{path}:{number}: {error}") from None
        yield number, content
