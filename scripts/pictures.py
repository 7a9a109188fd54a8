"""Draw the pictures of the method pages (``docs/pictures/*.svg``) from runs of augkit.

    python scripts/pictures.py                    # draw all from their stored data
    python scripts/pictures.py --collect coba     # run augkit again for one, then draw it

A picture NAME is a module ``scripts/drawings/NAME.py`` with two functions: ``collect()`` runs
augkit on bundled data and returns what is to be shown, as JSON; ``draw(data)`` returns the SVG.
The JSON is kept beside the picture (``docs/pictures/NAME.json``), so that drawing needs no run.
"""

from __future__ import annotations

import argparse
import importlib
import json
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"


def main() -> None:
    """Draw, or collect and draw."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--collect", metavar="NAME", help="run augkit again for this picture")
    arguments = parser.parse_args()
    if arguments.collect:
        collect(arguments.collect)
    stale = [name for name in names() if drawn(name) != stored(name)]
    for name in stale:
        (FOLDER / f"{name}.svg").write_text(drawn(name), encoding="utf-8")
    print(f"{len(names())} pictures, changed: {', '.join(stale) or 'none'}")


def names() -> list[str]:
    """The pictures there are."""
    return sorted(path.stem for path in FOLDER.glob("*.json"))


def collect(name: str) -> None:
    """Run augkit for one picture and keep what it gave."""
    data = importlib.import_module(f"drawings.{name}").collect()
    text = json.dumps(data, indent=1, ensure_ascii=False)
    (FOLDER / f"{name}.json").write_text(f"{text}\n", encoding="utf-8")


def drawn(name: str) -> str:
    """The SVG that the stored data give."""
    data = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return str(importlib.import_module(f"drawings.{name}").draw(data))


def stored(name: str) -> str:
    """The SVG in the docs, or nothing."""
    path = FOLDER / f"{name}.svg"
    return path.read_text(encoding="utf-8") if path.exists() else ""


if __name__ == "__main__":
    main()
