"""A million broken inputs through the readers and commands of augkit: one JSON line.

    python -m benchmarks.release.fuzz_inputs [--inputs 1000000] [--workers 2] [--state FILE]
    python -m benchmarks.release.fuzz_inputs --show NUMBER      # one input again, in this process

Every input is a file that is made wrong on purpose or by chance (``fuzz_cases.py``) and is read as
a user would have it read. Promised is: it is read, or refused with one of augkit's own errors,
whose message names the file and is no longer than a screen or two. What breaks the promise is
another exception ("traceback"), a message without the file ("unnamed") or of over 10,000
characters ("long"), more than ``--memory`` MB beyond what augkit itself takes ("memory"), more than
``--seconds`` of CPU time ("hang"), and the end of the process ("crash").

The inputs of a seed are the same on every machine with the same packages. With ``--state`` what is
done is kept in a file: the same command continues after it was stopped, and blocks of inputs of
which one broke a promise run again, with what was mended since. It needs Linux, and augkit's core
packages; parquet is left out without pyarrow, and DocBin without spaCy.
"""

from __future__ import annotations

import contextlib
import gc
import io
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from benchmarks.command_line import argument, arguments, print_line
from benchmarks.release.fuzz_cases import METHODS, Case, case_of, right_inputs

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # a worker has little room for threads
os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")  # others reserve many addresses
CHUNK = 500
"""Inputs that a worker takes at a time, and that the state counts."""
LONGEST_MESSAGE = 10_000
GOOD = ("read", "refused")
BROKEN = ("traceback", "unnamed", "long", "memory", "hang", "crash")
_SLACK_SECONDS = 300
"""Wall time without CPU time, as on a busy machine, that is not yet a hang."""


def prepare() -> None:
    """Read a right input in every way, so that no other pays for imports; keep libraries small."""
    with contextlib.suppress(ImportError):
        import pyarrow as pa
        import pyarrow.parquet

        pa.set_cpu_count(1)
        pa.set_io_thread_count(1)
    with tempfile.TemporaryDirectory() as place:
        german = b'{"text": "Das war ein sehr guter Film mit ihm.", "label": "a"}'
        for reader, name, content in [*right_inputs(), ("run", "fuzzed.jsonl", german)]:
            outcome(Case("", name, content, reader), Path(place, "case"))


# --- reading one input -------------------------------------------------------------------------


def _load(path: Path, options: dict[str, Any]) -> None:
    from augkit.datasets.load import load_dataset

    load_dataset(path, **options)


def _choices(path: Path, options: dict[str, Any]) -> None:
    from augkit.datasets.choices.load import holds_choices, load_choices
    from augkit.datasets.settings import ReadOptions

    reading = ReadOptions(**options)
    holds_choices(path, reading)
    load_choices(path, reading, group_column=options.get("label_column"))


def _check(path: Path, options: dict[str, Any]) -> None:
    from augkit.commands.check.reports import render_report
    from augkit.commands.check.run import check_data
    from augkit.datasets.settings import ReadOptions

    report = check_data(str(path), None, ReadOptions(**options))
    for name in ("text", "json", "sarif"):
        render_report([report], name)


def _settings(path: Path, options: dict[str, Any]) -> Any:
    from augkit.runs.settings import RunSettings, merge_settings

    shared = {key: value for key, value in options.items() if key in RunSettings.model_fields}
    method = METHODS[len(options) % len(METHODS)]
    return merge_settings({"method": method, "dataset": str(path), "workers": 1, **shared})


def _estimate(path: Path, options: dict[str, Any]) -> None:
    from augkit.runs.estimate import estimate

    estimate(_settings(path, options))


def _run(path: Path, options: dict[str, Any]) -> None:
    from augkit.runs.execute import run

    run(_settings(path, options), path.parent / "out")


def _config(path: Path, options: dict[str, Any]) -> None:
    del options
    from augkit.runs.settings import merge_settings

    merge_settings({}, path)


def _sweep(path: Path, options: dict[str, Any]) -> None:
    del options
    from augkit.commands.sweep.settings import read_sweep, trials
    from augkit.core.errors import AugkitError

    study = read_sweep(path)
    with contextlib.suppress(AugkitError):  # of the study, whatever file it is from
        trials(study)


def _contract(path: Path, options: dict[str, Any]) -> None:
    del options
    from augkit.commands.check.contract import load_contract

    load_contract(path)


def _examples(path: Path, options: dict[str, Any]) -> None:
    del options
    from augkit.prompts.overrides import read_prompts

    read_prompts(examples=str(path))


def _prompt(path: Path, options: dict[str, Any]) -> None:
    del options
    from augkit.prompts.overrides import read_prompts

    folder = path.parent / "prompts"
    (folder / "paraphrase").mkdir(parents=True)
    (folder / "paraphrase" / "rewrite.yaml").write_bytes(path.read_bytes())
    read_prompts(folder)


def _prices(path: Path, options: dict[str, Any]) -> None:
    del options
    from augkit.llm.prices import price_of

    price_of("gpt-4o", path)


def _lexicon(path: Path, options: dict[str, Any]) -> None:
    del options
    from augkit.lexicons.evaluative import read_lexicon

    read_lexicon.cache_clear()
    read_lexicon(path)


def _baseline(path: Path, options: dict[str, Any]) -> None:
    del options
    from augkit.commands.check.run import read_baseline

    read_baseline(path)


def _scripted(path: Path, options: dict[str, Any]) -> None:
    del options
    from augkit.llm.scripted import connect
    from augkit.llm.settings import ConnectOptions

    connect(str(path), ConnectOptions())


def _features(path: Path, options: dict[str, Any]) -> None:
    del options
    from augkit.augmenters.contrast.edits import words_of_grammar

    words_of_grammar(path, {name: name for name in ("entailment", "contradiction", "neutral")})


READERS: dict[str, Callable[[Path, dict[str, Any]], None]] = {
    "load": _load,
    "choices": _choices,
    "check": _check,
    "estimate": _estimate,
    "run": _run,
    "config": _config,
    "sweep": _sweep,
    "contract": _contract,
    "examples": _examples,
    "prompt": _prompt,
    "prices": _prices,
    "lexicon": _lexicon,
    "baseline": _baseline,
    "scripted": _scripted,
    "features": _features,
}


def outcome(case: Case, place: Path) -> tuple[str, str]:
    """What came of an input, and what was said."""
    from augkit.core.errors import AugkitError

    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    path = place / case.name
    path.write_bytes(case.content)
    try:
        with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
            warnings.simplefilter("error")
            READERS[case.reader](path, case.options)
    except AugkitError as error:
        message = str(error)
        # A run calls a dataset by the name of its file without the ending.
        names = (path.name, "rewrite.yaml", f"{path.stem}: ")
        if not any(name in message for name in names):
            return "unnamed", f"{type(error).__name__}: {message}"[:600]
        if len(message) > LONGEST_MESSAGE:
            return "long", f"{len(message):,} characters: {message[:300]}"
        return "refused", message
    except MemoryError:
        return "memory", "".join(traceback.format_exc(limit=-4))[-1500:]
    except BaseException:  # noqa: BLE001 - what it is for
        return "traceback", "".join(traceback.format_exc(limit=-6))[-1800:]
    return "read", ""


# --- workers -----------------------------------------------------------------------------------


def _work(conn: Connection, seed: int, folder: Path, megabytes: int) -> None:
    """Read the inputs whose numbers come in, and send what came of each."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with Path("/proc/self/statm").open() as file:
        pages = int(file.read().split()[0])
    limit = pages * resource.getpagesize() + (megabytes << 20)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    gc.freeze()  # what is imported need not be looked at for every input
    while (numbers := conn.recv()) is not None:
        for number in range(*numbers):
            case = case_of(seed, number)
            result, detail = outcome(case, folder / "case")
            conn.send((number, case.kind, result, "" if result in GOOD else detail))


@dataclass(frozen=True)
class Limits:
    """How many processes read, and what one input may take."""

    workers: int = 1
    megabytes: int = 1024
    seconds: float = 30.0


LIMITS = Limits()


@dataclass
class Worker:
    """A child process and where it is."""

    folder: Path
    process: Any = None
    conn: Any = None
    chunk: int = -1
    number: int = 0
    """The input that it reads."""
    end: int = 0
    since: float = 0.0
    cpu: float = 0.0
    """Its CPU time when it took the input up."""
    results: list[tuple[int, str, str, str]] = field(default_factory=list)

    def used(self) -> float:
        """Its CPU time in seconds."""
        try:
            text = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii")
        except OSError:
            return self.cpu
        user, system = text.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def begin(self, start: int, end: int) -> None:
        """Have it read the inputs from ``start`` to before ``end``."""
        self.number, self.end = start, end
        self.since, self.cpu = time.monotonic(), self.used()
        self.conn.send((start, end))


class Pool:
    """Workers that are replaced where an input ends them or they are too slow."""

    def __init__(self, seed: int, place: Path, limits: Limits) -> None:
        """Start the workers."""
        self.context = get_context("fork")
        self.seed, self.megabytes, self.seconds = seed, limits.megabytes, limits.seconds
        self.workers = [Worker(place / f"worker{number}") for number in range(limits.workers)]
        for worker in self.workers:
            self._start(worker)

    def _start(self, worker: Worker) -> None:
        worker.folder.mkdir(parents=True, exist_ok=True)
        worker.conn, theirs = self.context.Pipe()
        worker.process = self.context.Process(
            target=_work, args=(theirs, self.seed, worker.folder, self.megabytes), daemon=True
        )
        worker.process.start()
        theirs.close()

    def run(self, chunks: Iterator[tuple[int, int, int]]) -> Iterator[tuple[int, list[Any]]]:
        """Chunk and results, as chunks are done; a chunk is its number, its start and its end."""
        busy: list[Worker] = []
        for worker in self.workers:
            busy += [worker] if self._take(worker, chunks) else []
        while busy:
            ready = wait([worker.conn for worker in busy], timeout=1.0)
            for worker in list(busy):
                if worker.conn in ready:
                    self._receive(worker)
                else:
                    self._watch(worker)
                if worker.number >= worker.end:
                    yield worker.chunk, worker.results
                    if not self._take(worker, chunks):
                        busy.remove(worker)

    def _take(self, worker: Worker, chunks: Iterator[tuple[int, int, int]]) -> bool:
        chunk = next(chunks, None)
        if chunk is None:
            return False
        worker.chunk, worker.results = chunk[0], []
        worker.begin(chunk[1], chunk[2])
        return True

    def _receive(self, worker: Worker) -> None:
        try:
            while worker.conn.poll():
                worker.results.append(worker.conn.recv())
                worker.number += 1
                worker.since = time.monotonic()
                if worker.number >= worker.end:
                    return
            worker.cpu = worker.used()
        except (EOFError, OSError):
            worker.process.join()
            self._lost(worker, "crash", f"exit code {worker.process.exitcode}")

    def _watch(self, worker: Worker) -> None:
        waited = time.monotonic() - worker.since
        if waited < self.seconds:
            return
        if worker.used() - worker.cpu > self.seconds or waited > self.seconds + _SLACK_SECONDS:
            worker.process.kill()
            worker.process.join()
            self._lost(worker, "hang", f"over {self.seconds:.0f} s")

    def _lost(self, worker: Worker, result: str, detail: str) -> None:
        case = case_of(self.seed, worker.number)
        worker.results.append((worker.number, case.kind, result, detail))
        worker.conn.close()
        self._start(worker)
        if worker.number + 1 < worker.end:
            worker.begin(worker.number + 1, worker.end)
        else:
            worker.number += 1

    def close(self) -> None:
        """End the workers."""
        for worker in self.workers:
            with contextlib.suppress(OSError):
                worker.conn.send(None)
            worker.process.join(5)
            if worker.process.is_alive():
                worker.process.kill()


# --- all of them -------------------------------------------------------------------------------


@dataclass
class Tally:
    """What came of the inputs, by kind."""

    counts: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    failures: list[dict[str, Any]] = field(default_factory=list)

    def add(self, record: dict[str, Any]) -> None:
        """Count a chunk."""
        for kind, counted in record["counts"].items():
            self.counts[kind].update(counted)
        self.failures += record["failures"]

    def total(self, *results: str) -> int:
        """Inputs with one of these results; of all, where none is named."""
        return sum(
            number
            for counted in self.counts.values()
            for result, number in counted.items()
            if not results or result in results
        )


def fuzz(
    inputs: int,
    seed: int = 0,
    limits: Limits = LIMITS,
    state: Path | None = None,
    shown: Callable[[str], None] = lambda _: None,
) -> Tally:
    """Try the first ``inputs`` of a seed; with ``state`` only those that it does not have."""
    prepare()
    tally, done = Tally(), set()
    head = {"seed": seed, "chunk": CHUNK, "mb": limits.megabytes, "seconds": limits.seconds}
    for record in {record["chunk"]: record for record in _finished(state, head)}.values():
        if not record["failures"]:
            done.add(record["chunk"])
            tally.add(record)
    starts = range(0, inputs, CHUNK)
    chunks = ((start // CHUNK, start, min(start + CHUNK, inputs)) for start in starts)
    left = (chunk for chunk in chunks if chunk[0] not in done)
    with tempfile.TemporaryDirectory(dir=_fast_folder()) as place:
        pool = Pool(seed, Path(place), limits)
        try:
            for number, results in pool.run(left):
                record = _chunk_record(number, results)
                tally.add(record)
                if state is not None and len(results) == CHUNK:
                    with state.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(record) + "\n")
                shown(f"{tally.total():,} inputs, {tally.total(*BROKEN)} broke a promise")
        finally:
            pool.close()
    return tally


def _fast_folder() -> str | None:
    memory = Path("/dev/shm")
    return str(memory) if os.access(memory, os.W_OK) else None


def _finished(state: Path | None, head: dict[str, Any]) -> list[dict[str, Any]]:
    """The chunks that a state has, the latest last; a new state gets its first line."""
    if state is None:
        return []
    if not state.exists():
        state.write_text(json.dumps(head) + "\n", encoding="utf-8")
    whole, _, _ = state.read_text(encoding="utf-8").rpartition("\n")
    state.write_text(whole + "\n", encoding="utf-8")  # a line that was cut off goes
    first, *records = map(json.loads, whole.splitlines())
    if first != head:
        sys.exit(f"{state}: it is of {first}, and this is {head}. Give another --state")
    return records


def _chunk_record(number: int, results: list[tuple[int, str, str, str]]) -> dict[str, Any]:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for _, kind, result, _ in results:
        counts[kind][result] += 1
    failures = [
        {"number": number, "kind": kind, "result": result, "detail": detail}
        for number, kind, result, detail in results
        if result not in GOOD
    ]
    return {"chunk": number, "counts": counts, "failures": failures}


def show(seed: int, number: int) -> None:
    """Read one input again in this process; its file stays."""
    prepare()
    case = case_of(seed, number)
    place = Path(tempfile.gettempdir(), f"augkit-fuzz-{number}")
    print(f"{case.kind}, {case.reader}, {case.options}, {place / case.name}")
    print(repr(case.content[:1500]))
    print(*outcome(case, place), sep="\n")


def main() -> None:
    """Try them and print."""
    options = arguments(
        __doc__,
        argument("--inputs", type=int, default=1_000_000),
        argument("--seed", type=int, default=0),
        argument("--workers", type=int, default=os.cpu_count() or 1),
        argument("--state", type=Path, help="a file that keeps what is done"),
        argument("--memory", type=int, default=1024, help="MB an input may take"),
        argument("--seconds", type=float, default=30.0, help="CPU time an input may take"),
        argument("--show", type=int, metavar="NUMBER", help="read one input and print"),
        argument("--quiet", action="store_true", help="no progress on stderr"),
    )
    if options.show is not None:
        show(options.seed, options.show)
        return
    started = time.perf_counter()
    tally = fuzz(
        options.inputs,
        options.seed,
        Limits(options.workers, options.memory, options.seconds),
        state=options.state,
        shown=(lambda _: None) if options.quiet else (lambda line: print(line, file=sys.stderr)),
    )
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = {
        "benchmark": "fuzz-inputs",
        "inputs": tally.total(),
        **{name: tally.total(name) for name in (*GOOD, *BROKEN)},
        "largest_process_mb": used.ru_maxrss >> 10,
        "cpu_seconds": round(used.ru_utime + used.ru_stime, 1),
        "seconds": round(time.perf_counter() - started, 1),
        "workers": options.workers,
        "kinds": {kind: dict(sorted(tally.counts[kind].items())) for kind in sorted(tally.counts)},
        "examples": tally.failures[:20],
    }
    print_line(result)


if __name__ == "__main__":
    main()
