"""One job: claim, load, grade, record, ring.

Owns the way from a claimed row to its recorded judgement. Never decides a verdict (judge.grading
does) and never writes past a lost claim (judge.actions.record is fenced).

A fault of the judge while grading gets one more try with a fresh sandbox, then the submission is
recorded as internal_error, which costs the learner nothing. If not even that can be written, the
claim is counted as lost; the third loss parks the job, and any worker that looks at the lane
records the parked job as internal_error.
"""

import logging
import time
from dataclasses import dataclass

from judge.actions.record import drop_cancelled, record, record_fault, record_lost
from judge.actions.record_run import record_run_lost
from judge.actions.stage import set_stage
from judge.db.engine import Database
from judge.db.queries.judging import Work, select_work
from judge.domain.submission import Judgement
from judge.errors import CheckerBroken, JudgeBroken
from judge.queue import jobs, losses
from judge.queue.jobs import Claim
from judge.queue.wakeup import Bell
from judge.queue.workers import WorkerInfo
from judge.worker.graders import Graders
from judge.worker.heartbeat import Heartbeat
from judge.worker.revisions import Revisions
from judge.worker.run_job import make_run

log = logging.getLogger(__name__)

TRIES = 2
# Progress is for people's eyes. A write per test case would cost more than the case, and one about
# a submission that is judged before anybody can look would keep it waiting.
REPORT_EVERY_S = 0.25


@dataclass(frozen=True)
class _Fault:
    """The judge broke on every try; ``detail`` is for staff."""

    detail: str


@dataclass(frozen=True)
class JobJudge:
    """Judges jobs one after the other for the worker that ``info`` describes."""

    database: Database
    bell: Bell
    graders: Graders
    revisions: Revisions
    heartbeat: Heartbeat
    info: WorkerInfo

    def judge_next(self, lane: str) -> None:
        """Record what was lost for good on this lane, then judge the job whose turn it is, if any.

        Raises:
            Exception: whatever kept a result from being recorded; the claim is given up then.
        """
        for job_id in losses.unsettled(self.database, (lane,)):
            self._record_lost(job_id)
        claim = jobs.claim(self.database, (lane,), self.info.id, self.heartbeat.lease_s)
        if claim is None:
            return
        with self.heartbeat.holding(claim):
            try:
                self._judge(claim)
            except Exception:
                losses.lose(self.database, claim.job_id, claim.attempt)
                raise
        if not jobs.has_work(self.database, lane):
            self.graders.rest()

    def _record_lost(self, job_id: str) -> None:
        run_id = record_run_lost(self.database, job_id)
        if run_id is not None:
            self.bell.ring(f"run:{run_id}")
            return
        submission_id = record_lost(self.database, job_id)
        if submission_id is not None:
            self.bell.ring(f"submission:{submission_id}")

    def _judge(self, claim: Claim) -> None:
        if claim.kind == jobs.RUN_KIND:
            make_run(self.database, self.bell, self.graders, self.revisions, claim)
            return
        if claim.kind not in (jobs.SUBMISSION, jobs.REJUDGE_ITEM):
            raise JudgeBroken(f"no worker of this release knows jobs of kind {claim.kind}")
        if claim.kind == jobs.REJUDGE_ITEM and drop_cancelled(self.database, claim):
            return
        with self.database.read() as connection:
            work = select_work(connection, claim.ref_id)
        result = self._grade(claim, work)
        if self._record(claim, result):
            self.bell.ring(f"submission:{work.submission_id}")
        else:
            log.warning("the result of job %s came after its claim was lost", claim.job_id)

    def _record(self, claim: Claim, result: Judgement | _Fault) -> bool:
        """False if the claim is lost; a judgement that cannot be true is recorded as our fault."""
        if isinstance(result, _Fault):
            return self._record_fault(claim, result.detail)
        try:
            return record(self.database, claim, result)
        except JudgeBroken as error:
            log.exception("the judgement of job %s is refused", claim.job_id)
            return self._record_fault(claim, str(error))

    def _record_fault(self, claim: Claim, detail: str) -> bool:
        # The grader that would say so may be what broke.
        runner = {"tier": self.info.tier, "layers": ",".join(self.info.layers)}
        return record_fault(self.database, claim, detail, runner)

    def _grade(self, claim: Claim, work: Work) -> Judgement | _Fault:
        fault = _Fault("")
        for _ in range(TRIES):
            try:
                return self._grade_once(claim, work)
            except CheckerBroken as error:
                # The package's own program failed, in its box: our sandboxes are as good as before.
                log.error("submission %s: %s", work.submission_id, error)
                return _Fault(str(error))
            except Exception as error:
                log.exception("the judge broke on submission %s", work.submission_id)
                fault = _Fault(str(error) or type(error).__name__)
                self.graders.discard()
        return fault

    def _grade_once(self, claim: Claim, work: Work) -> Judgement:
        problem = self.revisions.problem(work.revision_id)
        reporter = _Reporter(self, claim, work.submission_id)
        return self.graders.current().grade(
            problem, work.source.encode(), work.language, reporter.report
        )


class _Reporter:
    """Writes the stage now and then; compiling at once, because nothing is heard until it ends."""

    def __init__(self, judge: JobJudge, claim: Claim, submission_id: str) -> None:
        self._judge = judge
        self._claim = claim
        self._submission_id = submission_id
        self._stage = ""
        self._reported_at = time.monotonic()

    def report(self, stage: str, done: int, planned: int) -> None:
        """Report at most what a reader could notice; a failing report does not stop the grading."""
        self._judge.heartbeat.progressed()
        moment = time.monotonic()
        is_due = moment - self._reported_at >= REPORT_EVERY_S
        if not is_due and (stage != "compiling" or stage == self._stage):
            return
        self._stage, self._reported_at = stage, moment
        try:
            if set_stage(self._judge.database, self._claim, stage, done, planned):
                self._judge.bell.ring(f"submission:{self._submission_id}")
        except Exception:
            log.exception("the stage of submission %s could not be written", self._submission_id)
