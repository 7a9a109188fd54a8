"""Check a built distribution: the sdist has every tracked file, the wheel is the checkout's.

python -m build && python scripts/check_dist.py dist
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterable
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


def missing(sdist: Path, tracked: Iterable[str]) -> list[str]:
    """The tracked files that a source distribution lacks."""
    with tarfile.open(sdist) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    return [f"not in the sdist: {name}" for name in tracked if name not in inside]


def tracked_files() -> list[str]:
    """The files of the checkout that git knows."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True)
    return listed.stdout.decode().strip("\0").split("\0")


def main() -> None:
    """Check the sdist, and compare the wheel with one built of the checkout."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("dist", type=Path)
    folder = parser.parse_args().dist
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    with tempfile.TemporaryDirectory() as built:
        pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
        subprocess.run([*pip, "--wheel-dir", built, str(ROOT)], check=True)
        (other,) = Path(built).glob("*.whl")
        found = missing(sdist, tracked_files()) + faults(wheel, other)
    if found:
        sys.exit("\n".join(found))
    print(f"{wheel.name}: {len(contents(wheel))} files, {wheel.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
