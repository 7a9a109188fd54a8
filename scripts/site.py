"""Build the documentation as a site, or build and serve it.

python scripts/site.py build    # to build/site; warnings are errors
python scripts/site.py serve    # the same, then http://127.0.0.1:8000
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))  # for lab, which is no part of the package


def build(site: Path, *, with_gallery: bool) -> int:
    """Build the whole site, warnings as errors; 0 where all is well."""
    try:
        from sphinx.cmd.build import build_main  # noqa: PLC0415 - the message below says how
    except ModuleNotFoundError:
        sys.exit("The site needs the extra docs: pip install -e '.[docs]'")
    from site_pages import write_pages  # noqa: PLC0415 - it needs lab

    with tempfile.TemporaryDirectory() as folder:
        pages = Path(folder, "pages")
        write_pages(pages, with_gallery=with_gallery)
        always = ["--fail-on-warning", "--keep-going", "--quiet", "-b", "html"]
        settings = ["-c", str(ROOT / "docs"), "-d", str(Path(folder, "doctrees"))]
        failed = build_main([*always, *settings, str(pages), str(site)])
        if not failed:
            shutil.copyfile(pages / "llms.txt", site / "llms.txt")
    return failed


def serve(site: Path, port: int) -> None:
    """Serve a built site on this machine until Ctrl-C."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(site))
    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), handler)
    except OSError as error:
        raise SystemExit(f"port {port}: {error.strerror}. Choose another with --port.") from error
    with server:
        print(f"http://127.0.0.1:{port}", flush=True)
        server.serve_forever()


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("what", choices=["build", "serve"])
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "site", help="build/site")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--no-gallery", action="store_true", help="run no method: much faster")
    options = parser.parse_args()
    failed = build(options.out, with_gallery=not options.no_gallery)
    if not failed:
        print(f"Written: {options.out / 'index.html'}", flush=True)
    if options.what == "build" or failed:
        sys.exit(failed)
    serve(options.out, options.port)


if __name__ == "__main__":
    main()
