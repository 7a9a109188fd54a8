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
    lines = source.count("\n")
    counts = Counter({"files": 1, "lines": lines, "untyped records": len(UNTYPED.findall(source))})
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            counts["import lines"] += (node.end_lineno or node.lineno) - node.lineno + 1
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            counts["functions"] += 1
            counts["used once"] += is_used_once(node.name, source)
    names = stored_names(source)
    counts.update({"names": len(names), "pronouns": sum(name in PRONOUNS for name in names)})
    return counts


def is_used_once(function: str, source: str) -> bool:
    """Whether a private function stands in its file twice: where it is defined and where called."""
    private = function.startswith("_") and not function.startswith("__")
    return private and len(re.findall(rf"\b{function}\b", source)) == 2


def stored_names(source: str) -> list[str]:
    """Every variable that is set, and every argument, as often as it is."""
    nodes = list(ast.walk(ast.parse(source)))
    variables = [n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    return variables + [node.arg for node in nodes if isinstance(node, ast.arg)]


if __name__ == "__main__":
    main()
