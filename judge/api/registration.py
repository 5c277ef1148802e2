"""Whether a stranger may make an account now.

Who has an account may run code here, and keeps it. So strangers may register only while it is known
that every judge worker keeps them in with tier A of the sandbox. What is known is what the workers
have reported themselves (judge.queue.workers):

* one live worker with a weaker tier is enough to refuse, even if it drains or tests itself again:
  it may judge in a moment;
* without any worker that has passed its self-test nothing is known, so the answer is to ask again
  soon: else who comes before the first worker would slip in. ``judge serve`` answers nobody before
  its own workers have reported, or the wait for them is over.

Accounts that an admin creates or imports, and those of invited people, are not asked about: they
are no strangers.
"""

from judge.api.deps import Parts
from judge.api.errors import HttpProblem
from judge.db.queries.workers import SAFE_TIER, list_live_workers
from judge.db.types import now
from judge.errors import Forbidden

# About as long as a worker takes to start and test itself.
_RETRY_AFTER_S = 10


def check_registration(joined: Parts) -> None:
    """Return if a stranger may register.

    Raises:
        Forbidden: ``registration-closed``, ``registration-by-invitation`` or, in a weaker tier,
            ``registration-unsafe``.
        HttpProblem: 503 with Retry-After while no worker is ready.
    """
    if joined.settings.registration == "closed":
        raise Forbidden("registration-closed")
    if joined.settings.registration == "invitation":
        raise Forbidden("registration-by-invitation")
    if joined.settings.registration == "open-in-any-tier":
        return
    with joined.database.read() as connection:
        workers = list_live_workers(connection, now())
    # One without any tier could start no sandbox: it judges nothing.
    if any(worker.tier != SAFE_TIER for worker in workers if worker.tier or worker.is_ready):
        raise Forbidden("registration-unsafe")
    if not any(worker.is_ready for worker in workers):
        raise HttpProblem(
            503,
            "not-ready",
            variant="registration",
            headers={"Retry-After": str(_RETRY_AFTER_S)},
            seconds=_RETRY_AFTER_S,
        )
