"""Check a built distribution: the wheel is small, and the same one comes from the checkout.

python -m build && python scripts/check_dist.py dist
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).parent.parent
LIMIT_MB = 12
RELATIVE = re.compile(rb"\]\((?!\w+:|#)([^)\s]+)\)")


def contents(wheel: Path) -> dict[str, bytes]:
    """Every file of a wheel."""
    with ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def faults(wheel: Path, other: Path) -> list[str]:
    """What is wrong with a wheel, next to another that should have the same files."""
    ours, theirs = contents(wheel), contents(other)
    names = sorted(ours.keys() | theirs.keys())
    found = [f"differs: {name}" for name in names if ours.get(name) != theirs.get(name)]
    for name in names:
        if name.endswith(".dist-info/METADATA"):
            links = RELATIVE.findall(ours.get(name, b""))
            found += [f"relative link in the description: {link.decode()}" for link in links]
    size = wheel.stat().st_size / 1e6
    return found + ([f"{size:.1f} MB, at most {LIMIT_MB}"] if size > LIMIT_MB else [])


def main() -> None:
    """Build a wheel of the checkout and compare it with the one in the folder."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("dist", type=Path)
    (wheel,) = parser.parse_args().dist.glob("*.whl")
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
        subprocess.run([*pip, "--wheel-dir", folder, str(ROOT)], check=True)
        (other,) = Path(folder).glob("*.whl")
        found = faults(wheel, other)
    if found:
        sys.exit("\n".join(found))
    print(f"{wheel.name}: {len(contents(wheel))} files, {wheel.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
