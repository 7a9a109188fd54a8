"""Figures of the package's code, as one JSON line: how large it is, and how it reads.

python scripts/code_figures.py             the package
python scripts/code_figures.py augkit/llm  a part of it

``used once`` is the share of functions that are private and called at one place alone, ``pronouns``
that of variables and arguments with names such as ``one`` or ``found``, which do not say what they
hold, and ``untyped records`` counts the annotations ``dict[str, Any]`` and ``Mapping[str, Any]``.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parent.parent
PRONOUNS = frozenset(
    "one found other others known own given some both made kept said its each".split()
)
UNTYPED = re.compile(r"\b(?:dict|Mapping)\[str, Any\]")


def main() -> None:
    """Print the figures of the folders that are named, or of the whole package."""
    folders = [ROOT / name for name in sys.argv[1:]] or [ROOT / "augkit"]
    print(json.dumps(figures(path for folder in folders for path in sorted(folder.rglob("*.py")))))


def figures(paths: Iterable[Path]) -> dict[str, float]:
    """Name of a figure → its value; shares in per cent."""
    counts: Counter[str] = Counter()
    for path in paths:
        counts += file_counts(path.read_text(encoding="utf-8"))

    def share(part: str, whole: str) -> float:
        return round(100 * counts[part] / max(1, counts[whole]), 1)

    return {
        "files": counts["files"],
        "lines": counts["lines"],
        "imports, % of lines": share("import lines", "lines"),
        "used once, % of functions": share("used once", "functions"),
        "pronouns, % of names": share("pronouns", "names"),
        "untyped records": counts["untyped records"],
    }


def file_counts(source: str) -> Counter[str]:
    """What is counted in one file."""
    counts = Counter({"files": 1, "lines": source.count("\n")})
    counts["untyped records"] = len(UNTYPED.findall(source))
    words = Counter(re.findall(r"\w+", source))
    names = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            counts["import lines"] += (node.end_lineno or node.lineno) - node.lineno + 1
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            private = node.name.startswith("_") and not node.name.startswith("__")
            counts["functions"] += 1
            counts["used once"] += private and words[node.name] == 2  # its definition and a call
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.append(node.id)
        elif isinstance(node, ast.arg):
            names.append(node.arg)
    counts["names"] = len(names)
    counts["pronouns"] = sum(name in PRONOUNS for name in names)
    return counts


if __name__ == "__main__":
    main()
