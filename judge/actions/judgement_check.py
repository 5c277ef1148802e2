"""What a judgement may claim: the last gate before a verdict and a score are stored.

Whatever went wrong before it, in a worker, a grader or a message, an acceptance or a full score is
stored only if the results of exactly the planned cases show it. The plan is the revision's, read
from the database, never the judgement's own.
"""

from judge.domain.submission import Judgement
from judge.domain.verdicts import Verdict
from judge.errors import JudgeBroken


def check_judgement(
    result: Judgement, planned: frozenset[str], for_full_score: frozenset[str]
) -> None:
    """Compare a judgement with the plan.

    Args:
        result: what a worker says.
        planned: the ids of all cases of the revision.
        for_full_score: those that must be accepted before the score can be full. Cases of a group
            without points are planned, but no points hang on them.

    Raises:
        JudgeBroken: results of foreign cases, two results of one case, accepted although not every
            planned case was, or a score that the results do not carry.
    """
    ids = [case.id for case in result.cases]
    accepted = {case.id for case in result.cases if case.verdict is Verdict.ACCEPTED}
    if not planned.issuperset(ids):
        raise JudgeBroken("the judgement names test cases that its revision does not have")
    if len(set(ids)) != len(ids):
        raise JudgeBroken("the judgement names a test case twice")
    if result.verdict is Verdict.ACCEPTED and not (planned and accepted == planned):
        raise JudgeBroken("accepted, although not every planned test case is")
    earned, full = result.score.earned, result.score.max
    if not 0 <= earned <= full:
        raise JudgeBroken("the score is not between nothing and everything")
    if 0 < full == earned and not (for_full_score and accepted >= for_full_score):
        raise JudgeBroken("the score is full, although test cases that it needs were not accepted")
