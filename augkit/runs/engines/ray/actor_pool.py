"""A pool of Ray actors that work through shards of rows, with results in the order of the rows.

The shard of an actor that was killed goes to the next free one: Ray restarts the actor where it
has a CPU for it, which may be never if its node is gone. Results carry the number of their shard,
so that they can be put in order whichever actor was quicker.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from augkit.core.errors import AugkitError, BackendFailed, BudgetExhausted, DiskFull, UserError
from augkit.runs.engines.processes import AHEAD
from augkit.runs.engines.ray.session import Link, import_ray, nodes_alive, this_node

_POLL_SECONDS = 0.5
"""How often actors that wait for a CPU, and the cluster, are checked."""
_PAUSE_SECONDS = 0.1
"""Between two questions to an actor that was just killed."""
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
    ``ready()`` returns the node of the actor. If that is lost, ``give_up`` gets the actor's index.
    """

    def __init__(
        self, actors: list[Any], link: Link, give_up: Callable[[int], None] | None = None
    ) -> None:
        """Wait for the first actor."""
        self.size = len(actors)
        self._link, self._give_up = link, give_up
        self._index = {actor: index for index, actor in enumerate(actors)}
        self._nodes: dict[Any, str] = {}
        self._idle: list[Any] = []
        self._waiting: deque[tuple[int, Any]] = deque()
        self._in_flight: dict[Any, tuple[Any, tuple[int, Any]]] = {}
        self._starting = {_ask_ready(actor): actor for actor in actors}
        while not self._idle:
            self._link.look()
            self._admit(_POLL_SECONDS)

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
        if in_flight and not self._link.is_lost:
            ray.wait(in_flight, num_returns=len(in_flight), timeout=_LAST_SECONDS)

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

        lost = (ray.exceptions.ActorUnavailableError, ray.exceptions.ObjectLostError)
        while True:
            in_flight = list(self._in_flight)
            done = self._link.wait(in_flight, _POLL_SECONDS)
            if self._link.look():
                self._give_up_lost()
            for reference in done:
                actor, job = self._in_flight.pop(reference)
                try:
                    received: tuple[int, Any] = self._link.get(reference)
                except lost:  # it was killed, or its node is gone
                    self._waiting.appendleft(job)
                    self._starting[_ask_ready(actor)] = actor
                    self._dispatch()
                else:
                    self._idle.append(actor)
                    self._dispatch()
                    return received
            self._admit(timeout=0 if in_flight else _POLL_SECONDS)

    def _give_up_lost(self) -> None:
        """What actors had reserved on nodes that are gone; Ray may never restart them."""
        left = [actor for actor in self._starting.values() if actor in self._nodes]
        alive = nodes_alive() if left else set()
        for actor in left:
            if self._nodes[actor] not in alive:
                del self._nodes[actor]
                if self._give_up is not None:
                    self._give_up(self._index[actor])

    def _dispatch(self) -> None:
        while self._idle and self._waiting:
            actor, job = self._idle.pop(), self._waiting.popleft()
            # Without retries by Ray: they would be this actor's alone.
            with self._link.asking():
                reference = actor.work.options(max_task_retries=0).remote(*job)
            self._in_flight[reference] = (actor, job)

    def _admit(self, timeout: float) -> None:
        """Take in an actor that has started."""
        import ray

        for reference in self._link.wait(list(self._starting), timeout):
            actor = self._starting.pop(reference)
            try:
                self._nodes[actor] = self._link.get(reference)
                self._idle.append(actor)
            except ray.exceptions.ActorUnavailableError:  # killed as it started; Ray restarts it
                self._starting[_ask_ready(actor)] = actor
                time.sleep(_PAUSE_SECONDS)
        self._dispatch()


@contextmanager
def actor_pool(
    make: Callable[[Any, int], Any],
    size: int,
    link: Link,
    give_up: Callable[[int], None] | None = None,
) -> Iterator[ActorPool]:
    """A pool of ``size`` actors; ``make(options, number)`` starts one with Ray's options for it."""
    ray = import_ray()
    # At least once: a killed worker's shard is done again, and replies it recorded are found.
    # Calls with no retries wait for the restart of an actor only if its tasks may be retried.
    options = {"num_cpus": 1, "max_restarts": -1, "max_task_retries": -1}
    actors = [make(options, number) for number in range(size)]
    try:
        pool = ActorPool(actors, link, give_up)
        try:
            yield pool
        except Exception:
            pool.finish()
            raise
    except ray.exceptions.RayActorError as error:
        if this_node() not in nodes_alive():
            raise link.failure("the node of this command is no longer part of it") from error
        raise BackendFailed(f"a worker on Ray does not start: {error}") from error
    finally:
        for actor in actors:
            ray.kill(actor)


def _ask_ready(actor: Any) -> Any:
    # Without retries: an actor that never got a CPU is killed when the work is done.
    return actor.ready.options(max_task_retries=0).remote()
