"""A pool of Ray actors that work through shards of rows, with results in the order of the rows.

Ray restarts an actor that was killed and gives it its shard again. Results carry the number of
their shard, so that they can be put in order whichever actor was quicker.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from augkit.core.errors import AugkitError, BackendFailed, BudgetExhausted, DiskFull, UserError
from augkit.runs.engines.processes import AHEAD
from augkit.runs.engines.ray.session import import_ray

_POLL_SECONDS = 0.5
"""How often actors that still wait for a CPU are checked."""
_LAST_SECONDS = 30.0
"""After an error, calls in flight have this long to end: they are paid for."""


@dataclass(frozen=True)
class Failure:
    """An error meant for the user, in a form that can be sent: not every exception can."""

    kind: str
    message: str

    @classmethod
    def of(cls, error: AugkitError) -> Failure:
        """The error in a form that can be sent."""
        kinds = (name for name, kind in _KINDS.items() if isinstance(error, kind))
        return cls(next(kinds, ""), str(error))

    def to_error(self) -> AugkitError:
        """The error again."""
        return _KINDS.get(self.kind, AugkitError)(self.message)


_KINDS: dict[str, type[AugkitError]] = {
    kind.__name__: kind for kind in (DiskFull, UserError, BudgetExhausted, BackendFailed)
}


class ActorPool:
    """Actors with the methods ``ready()`` and ``work(number, job)``, which returns the number too.

    Work starts with the actors that have a CPU; on a busy cluster the others join later.
    """

    def __init__(self, actors: list[Any]) -> None:
        """Wait for the first actor."""
        self.size = len(actors)
        self._idle: list[Any] = []
        self._waiting: deque[tuple[int, Any]] = deque()
        self._in_flight: dict[Any, Any] = {}
        self._starting = {_ask_ready(actor): actor for actor in actors}
        self._admit(timeout=None)

    def in_order(self, jobs: Iterable[Any]) -> Iterator[Any]:
        """The result of each job in the order of the jobs; an error in one is raised here."""
        results: dict[int, Any] = {}
        submitted = yielded = 0
        for number, job in enumerate(jobs):
            self._waiting.append((number, job))
            self._dispatch()
            submitted += 1
            while submitted - yielded >= AHEAD * self.size:
                yielded += yield from self._next(results, yielded)
        while yielded < submitted:
            yielded += yield from self._next(results, yielded)

    def finish(self) -> None:
        """Let jobs in flight end, without starting others."""
        import ray

        in_flight = list(self._in_flight)
        ray.wait(in_flight, num_returns=len(in_flight), timeout=_LAST_SECONDS) if in_flight else ()

    def _next(self, results: dict[int, Any], yielded: int) -> Generator[Any, None, int]:
        """Receive one result; yield those that are next in order, and return how many."""
        number, result = self._receive()
        if isinstance(result, Failure):
            raise result.to_error()
        results[number] = result
        following = yielded
        while following in results:
            yield results.pop(following)
            following += 1
        return following - yielded

    def _receive(self) -> tuple[int, Any]:
        import ray

        while True:
            timeout = _POLL_SECONDS if self._starting else None
            in_flight = list(self._in_flight)
            done = ray.wait(in_flight, num_returns=1, timeout=timeout)[0] if in_flight else []
            if done:
                self._idle.append(self._in_flight.pop(done[0]))
                self._dispatch()
                received: tuple[int, Any] = ray.get(done[0])
                return received
            self._admit(timeout=0 if in_flight else None)

    def _dispatch(self) -> None:
        while self._idle and self._waiting:
            actor = self._idle.pop()
            self._in_flight[actor.work.remote(*self._waiting.popleft())] = actor

    def _admit(self, timeout: float | None) -> None:
        """Take in an actor that has started."""
        import ray

        started, _ = ray.wait(list(self._starting), num_returns=1, timeout=timeout)
        for reference in started:
            actor = self._starting.pop(reference)
            try:
                ray.get(reference)
                self._idle.append(actor)
            except ray.exceptions.ActorUnavailableError:  # killed as it started; Ray restarts it
                self._starting[_ask_ready(actor)] = actor
        self._dispatch()


@contextmanager
def actor_pool(make: Callable[[Any, int], Any], size: int) -> Iterator[ActorPool]:
    """A pool of ``size`` actors; ``make(options, number)`` starts one with Ray's options for it."""
    ray = import_ray()
    # At least once: a killed worker's shard is done again, and replies it recorded are found.
    options = {"num_cpus": 1, "max_restarts": -1, "max_task_retries": -1}
    actors = [make(options, number) for number in range(size)]
    try:
        pool = ActorPool(actors)
        try:
            yield pool
        except Exception:
            pool.finish()
            raise
    except ray.exceptions.RayActorError as error:
        raise BackendFailed(f"a worker on Ray does not start: {error}") from error
    finally:
        for actor in actors:
            ray.kill(actor)


def _ask_ready(actor: Any) -> Any:
    # Without retries: an actor that never got a CPU is killed when the work is done.
    return actor.ready.options(max_task_retries=0).remote()
