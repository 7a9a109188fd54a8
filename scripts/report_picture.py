"""Take the README's picture: the top of the report of a real run, by a headless Chromium.

python scripts/report_picture.py    # writes docs/pictures/report.png
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PICTURE = Path(__file__).parent.parent / "docs" / "pictures" / "report.png"
RUN = "run --method coba --dataset reviews-demo --evaluate --out runs/demo"
BROWSER = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars"]
SIZE = "--window-size=960,900"


def main() -> None:
    """Run augkit on the demo data, then photograph the report."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        sys.exit("This needs Chromium: apt-get install chromium")
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "augkit", *RUN.split()]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        report = Path(folder, "runs", "demo", "report.html")
        text = report.read_text(encoding="utf-8")
        report.write_text(re.sub(r"<span>[\d.]+ s</span>", "", text), encoding="utf-8")  # its time
        page = report.as_uri()
        profile = f"--user-data-dir={folder}/profile"
        shot = f"--screenshot={PICTURE}"
        subprocess.run([browser, *BROWSER, SIZE, profile, shot, page], check=True)


if __name__ == "__main__":
    main()
