"""The crew: Ray actors that work through shards of rows, and the rows' order restored.

Ray restarts an actor that was killed and gives it its shard again. Results carry the number of
their shard, so that they come out in the order of the rows, whoever was quicker.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from augkit.core.errors import AugkitError, BackendFailed, BudgetExhausted, DiskFull, UserError
from augkit.runs.engines.ray.session import imported

AHEAD = 4
"""Shards under way or waiting per worker: a slow one does not leave the others idle."""
_LOOK_SECONDS = 0.5
"""How often workers that had no processor at first are looked for."""
_LAST_SECONDS = 30.0
"""After a failure, calls under way get so long to end: they are paid for."""


@dataclass(frozen=True)
class Failure:
    """An error that is meant for the user, as it travels: not every exception can."""

    kind: str
    message: str

    @classmethod
    def of(cls, error: AugkitError) -> Failure:
        """What is to be raised again elsewhere."""
        known = next((kind for kind in _KINDS if isinstance(error, _KINDS[kind])), "")
        return cls(known, str(error))

    def raised(self) -> AugkitError:
        """The error again."""
        return _KINDS.get(self.kind, AugkitError)(self.message)


_KINDS: dict[str, type[AugkitError]] = {
    kind.__name__: kind for kind in (DiskFull, UserError, BudgetExhausted, BackendFailed)
}


class Crew:
    """Actors with the methods ``ready()`` and ``work(number, job)``, which returns the number too.

    Work begins with those that have a processor; on a busy cluster the others join when they can.
    """

    def __init__(self, actors: list[Any]) -> None:
        """Wait for the first of them."""
        from ray.util import ActorPool

        self.size = len(actors)
        self._pool = ActorPool([])
        self._late = {_asked_ready(actor): actor for actor in actors}
        self._welcome(timeout=None)

    def in_order(self, jobs: Iterable[Any]) -> Iterator[Any]:
        """The result of each job in the order of the jobs; an error in one is raised here."""
        waiting: dict[int, Any] = {}
        begun = given = 0
        for number, job in enumerate(jobs):
            self._pool.submit(_work, (number, job))
            begun += 1
            while begun - given >= AHEAD * self.size:
                given += yield from self._next(waiting, given)
        while given < begun:
            given += yield from self._next(waiting, given)

    def finish(self) -> None:
        """Let what is under way come to its end, without beginning anything more."""
        import ray

        under_way = list(self._pool._future_to_actor)  # noqa: SLF001 - no public way
        ray.wait(under_way, num_returns=len(under_way), timeout=_LAST_SECONDS) if under_way else ()

    def _next(self, waiting: dict[int, Any], given: int) -> Generator[Any, None, int]:
        """Take in one result; yield those whose turn has come, and return how many."""
        number, result = self._received()
        if isinstance(result, Failure):
            raise result.raised()
        waiting[number] = result
        turn = given
        while turn in waiting:
            yield waiting.pop(turn)
            turn += 1
        return turn - given

    def _received(self) -> tuple[int, Any]:
        while True:
            try:
                received: tuple[int, Any] = self._pool.get_next_unordered(
                    timeout=_LOOK_SECONDS if self._late else None
                )
            except TimeoutError:  # noqa: PERF203 - it waits here
                self._welcome(timeout=0)
            else:
                return received

    def _welcome(self, timeout: float | None) -> None:
        import ray

        arrived, _ = ray.wait(list(self._late), num_returns=1, timeout=timeout)
        for reference in arrived:
            actor = self._late.pop(reference)
            try:
                ray.get(reference)
                self._pool.push(actor)
            except ray.exceptions.ActorUnavailableError:  # killed as it began; Ray starts it again
                self._late[_asked_ready(actor)] = actor


@contextmanager
def crew(make: Callable[[Any, int], Any], size: int) -> Iterator[Crew]:
    """A crew of ``size``; ``make(options, number)`` starts an actor with Ray's options for it."""
    ray = imported()
    # At least once: a killed worker's shard is done again, and what it wrote down is found.
    options = {"num_cpus": 1, "max_restarts": -1, "max_task_retries": -1}
    actors = [make(options, number) for number in range(size)]
    try:
        made = Crew(actors)
        try:
            yield made
        except Exception:
            made.finish()
            raise
    except ray.exceptions.RayActorError as error:
        raise BackendFailed(f"a worker on Ray does not start: {error}") from error
    finally:
        for actor in actors:
            ray.kill(actor)


def _asked_ready(actor: Any) -> Any:
    # Without retries: a worker that never had a processor is let go when the work is done.
    return actor.ready.options(max_task_retries=0).remote()


def _work(actor: Any, job: tuple[int, Any]) -> Any:
    return actor.work.remote(*job)
