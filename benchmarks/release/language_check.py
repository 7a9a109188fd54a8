"""How many rows in other languages are caught, and how many English rows are refused.

    apt-get download fortunes-de fortunes-es fortunes-it fortunes-br fortunes-cs
    mkdir FOLDER; for file in *.deb; do dpkg-deb -x "$file" FOLDER/"${file%%_*}"; done
    AUGKIT_DATA=... python -m benchmarks.release.language_check FOLDER

German, Spanish, Italian, Portuguese and Czech rows are sayings of Debian's fortunes packages (free
licences), of five words or more, without the author's name and without files in rot13. The packages
hold some English, Latin and noise: ``missed`` shows what was not caught, to be read.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator
from pathlib import Path

from augkit.datasets.load import load_dataset
from augkit.english.english import not_english
from benchmarks.command_line import argument, arguments, print_line

ROWS = 1000
FORTUNES = {
    "German": "fortunes-de",
    "Spanish": "fortunes-es",
    "Italian": "fortunes-it",
    "Portuguese": "fortunes-br",
    "Czech": "fortunes-cs",
}
ENGLISH = ("sst2:train", "imdb:all", "snli:train_20k")
WORD = re.compile(r"[^\W\d_]+")


def main() -> None:
    """Print one line of JSON for each language and dataset."""
    args = arguments(
        __doc__,
        argument("folder", type=Path),
        argument("--english-rows", type=int, default=20_000),
    )
    sources = {name: sayings(args.folder / package) for name, package in FORTUNES.items()}
    for name, rows in sources.items():
        usable = [row for row in dict.fromkeys(rows) if len(WORD.findall(row)) >= 5]
        drawn = random.Random(0).sample(usable, ROWS)
        missed = [row for row in drawn if not not_english(row)]
        report(name, len(drawn), caught=len(drawn) - len(missed), missed=missed)
    for name in ENGLISH:
        rows = load_dataset(name, data_folder=os.environ["AUGKIT_DATA"])
        drawn = random.Random(0).sample(rows, min(args.english_rows, len(rows)))
        texts = [" ".join(row.fields.values()) for row in drawn]
        report(name, len(drawn), refused=sum(bool(not_english(text)) for text in texts))


def report(name: str, rows: int, **counts: int | list[str]) -> None:
    """One line of JSON."""
    print_line({"rows of": name, "rows": rows, **counts})


def sayings(package: Path) -> Iterator[str]:
    """The sayings of a fortunes package, without their authors."""
    for path in sorted((package / "usr" / "share" / "games").rglob("*")):
        is_text = path.is_file() and not path.is_symlink() and path.suffix not in {".dat", ".u8"}
        if is_text and "off" not in path.parts:
            text = path.read_bytes().decode("utf-8", "replace")
            for saying in re.split(r"^%.*$", text, flags=re.MULTILINE):
                yield " ".join(re.split(r"\s--", saying)[0].split())


if __name__ == "__main__":
    main()
