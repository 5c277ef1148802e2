"""Dramatiq over the job row: the broker that keeps no messages.

Owns how a worker process learns that a lane (a language) has work. Never picks a job: a message
says only that the lane has work, and the actor claims the row whose turn it is
(judge.queue.jobs.claim). The same actor therefore runs behind any other broker.

How it works: a consumer hands out one message and no second before the first is acknowledged
(prefetch 1), so a worker never holds a row that it does not judge. Before each message it reads
whether the lane has work; if not, it sleeps until the bell rings for the lane or ``poll_s`` is
over. The poll is the net for a deaf bell, for leases that end and for servers on other machines; an
idle worker thus makes one read per lane and ``poll_s``, and none of them takes the write lock.

None of Dramatiq's middleware is loaded: losses are counted in the row, where they outlive the
process. An actor that raises only makes its lane wait for the next poll before it tries again.
"""

import select
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

from dramatiq import Actor, Message, Middleware
from dramatiq.broker import Broker, Consumer, MessageProxy

from judge.db.engine import Database
from judge.queue.jobs import has_work
from judge.queue.wakeup import Bell, drain

POLL_S = 1.0

R = TypeVar("R")


def actor_name(lane: str) -> str:
    """The name of the lane's actor, also used by brokers that carry messages."""
    return f"judge.{lane}"


class SqlBroker(Broker):
    """A Dramatiq broker whose messages are the committed job rows."""

    def __init__(self, database: Database, bell: Bell, poll_s: float = POLL_S) -> None:
        super().__init__(middleware=[_FailOnError()])
        self._database = database
        self._bell = bell
        self._poll_s = poll_s
        self.queues = {}

    def declare_queue(self, queue_name: str) -> None:
        """Declare a lane; twice is as good as once."""
        if queue_name in self.queues:
            return
        self.emit_before("declare_queue", queue_name)
        self.queues[queue_name] = None
        self.emit_after("declare_queue", queue_name)

    def consume(
        self,
        queue_name: str,
        prefetch: int = 1,  # noqa: ARG002 - the broker's contract names it
        timeout: int = 1000,
    ) -> Consumer:
        """A consumer of one lane; whatever ``prefetch`` says, it hands out one message at a time.

        Args:
            queue_name: the lane.
            prefetch: not used.
            timeout: how long, in milliseconds, one look of the consumer may block.

        Raises:
            dramatiq.ActorNotFound: the lane was never declared.
        """
        actor = self.get_actor(actor_name(queue_name))
        return _LaneConsumer(
            look=lambda: has_work(self._database, queue_name),
            actor=actor,
            bell=self._bell,
            timeout_s=timeout / 1000,
            poll_s=self._poll_s,
        )

    def enqueue(
        self,
        message: Message[R],
        *,
        delay: int | None = None,  # noqa: ARG002 - the broker's contract names it
    ) -> Message[R]:
        """Nothing to send: the committed row is the message, the bell says that it is there."""
        return message


def declare_lane(broker: Broker, lane: str, judge_next: Callable[[], None]) -> None:
    """Declare the lane's queue with its one actor, which judges whatever row is next."""
    Actor(
        judge_next,
        broker=broker,
        actor_name=actor_name(lane),
        queue_name=lane,
        priority=0,
        options={},
    )


class _FailOnError(Middleware):
    """Rejects the message of an actor that raised, so that its consumer hears of it."""

    def after_process_message(
        self,
        broker: Broker,  # noqa: ARG002 - the middleware's contract names it
        message: MessageProxy,
        *,
        result: Any = None,  # noqa: ARG002 - the middleware's contract names it
        exception: BaseException | None = None,
    ) -> None:
        """Called by Dramatiq after the actor came back or raised."""
        if exception is not None:
            message.fail()


class _LaneConsumer(Consumer):
    """Turns "the lane has work" into messages; iterated by one thread, acknowledged by another."""

    def __init__(
        self,
        look: Callable[[], bool],
        actor: Actor[[], None],
        bell: Bell,
        timeout_s: float,
        poll_s: float,
    ) -> None:
        self._look = look
        self._actor = actor
        self._ring = f"lane:{actor.queue_name}"
        self._bell = bell
        self._listener = bell.open()
        self._poller = select.poll()
        self._poller.register(self._listener, select.POLLIN)
        self._timeout_s = timeout_s
        self._poll_s = poll_s
        self._free = threading.Event()
        self._free.set()
        self._next_look = time.monotonic()

    def __next__(self) -> MessageProxy | None:
        if not self._free.wait(self._timeout_s):
            return None
        self._wait_for_reason()
        if time.monotonic() < self._next_look:
            return None
        # Emptied before the look, so that whatever commits after the look rings again.
        drain(self._listener)
        if not self._look():
            self._next_look = time.monotonic() + self._poll_s
            return None
        self._free.clear()
        return MessageProxy(self._actor.message())

    def ack(self, message: MessageProxy) -> None:  # noqa: ARG002 - Dramatiq's contract
        """Look again at once: where one row was there may be a second."""
        self._next_look = time.monotonic()
        self._free.set()

    def nack(self, message: MessageProxy) -> None:  # noqa: ARG002 - Dramatiq's contract
        """Wait for the next poll: what went wrong may go wrong again."""
        self._next_look = time.monotonic() + self._poll_s
        self._free.set()

    def close(self) -> None:
        """Stop listening."""
        self._bell.close(self._listener)

    def _wait_for_reason(self) -> None:
        """Sleep until the bell rings for this lane, the next poll is due or the time is up."""
        wait_s = min(self._timeout_s, self._next_look - time.monotonic())
        if wait_s <= 0:
            return
        if self._poller.poll(wait_s * 1000) and self._ring in drain(self._listener):
            self._next_look = time.monotonic()
