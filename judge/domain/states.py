"""The words for how far something is, and for what it is: what the database keeps and answers say.

Each set of words stands here once, or with the rules that lead from one to the next: verdicts in
judge.domain.verdicts, feedback in judge.domain.feedback, rejudged scores in judge.domain.rejudging.
"""

JUDGEMENT_STATES = ("queued", "claimed", "compiling", "running", "judged", "cancelled")
JUDGEMENT_CAUSES = ("submit", "rejudge")
RUN_STATES = ("queued", "running", "judged", "failed")
REJUDGE_STATES = ("preview", "applied", "cancelled")
EXPORT_STATES = ("queued", "ready", "failed")
PROBLEM_STATES = ("draft", "published", "retired")
PROBLEM_VISIBILITIES = ("draft", "staff", "class", "public")
VERIFY_STATES = ("pending", "proved", "failed")
# What a package may keep closed, and a submission may open.
LOCKABLE = ("hints", "solution")
MEMBER_ROLES = ("teacher", "learner")
MEMBER_STATES = ("invited", "active")
