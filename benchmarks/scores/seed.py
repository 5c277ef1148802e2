"""A judge's database with a class and as many submissions as are wished, made by the server itself.

Every learner of the class has the same number of submissions on every one of its problems; the rest
belong to others, on the same problems. Derived rows (best_score) are what recomputing would write,
for every third pair is solved at its first submission, every third later, and every third never.
"""

import secrets
from dataclasses import dataclass

import psycopg

LEARNERS, PROBLEMS = 200, 50


@dataclass(frozen=True)
class Seed:
    """How much there is; ``others`` are accounts outside the class."""

    per_pair: int
    others: int = 0
    per_other_pair: int = 0

    @property
    def submissions(self) -> int:
        """How many in all."""
        own = LEARNERS * PROBLEMS * self.per_pair
        return own + self.others * PROBLEMS * self.per_other_pair


# Ids are 32 hexadecimal digits, and those of the n-th row of a kind are known without looking.
_KEY = """
CREATE FUNCTION pg_temp.key(kind text, number text) RETURNS text LANGUAGE sql IMMUTABLE
AS 'SELECT md5(kind || number)'
"""
_ACCOUNTS = """
INSERT INTO account (id, handle, handle_key, display_name, role, locale, time_zone, prefs, state,
                     created_at)
SELECT pg_temp.key('account', n::text), 'learner' || lpad(n::text, 6, '0'),
       'learner' || lpad(n::text, 6, '0'), 'Learner ' || n, 'learner', 'en', 'UTC', '{}', 'active',
       now()
FROM generate_series(1, %(accounts)s::int) n
"""
_PROBLEMS = """
INSERT INTO problem (id, slug, state, visibility, points, position, created_at)
SELECT pg_temp.key('problem', n::text), 'bench_' || lpad(n::text, 3, '0'), 'published', 'public',
       100, n, now()
FROM generate_series(1, %(problems)s::int) n
"""
_REVISIONS = """
INSERT INTO revision (id, problem_id, number, tests_hash, content_hash, signature, limits, checker,
                      reveal, languages, constants, package_blob, note, created_at, verify_state)
SELECT pg_temp.key('revision', n::text), pg_temp.key('problem', n::text), 1, '', '', '{}', '{}',
       '{}', '{}', '["python"]', '{}', '', '', now(), 'proved'
FROM generate_series(1, %(problems)s::int) n
"""
_PUBLISHED = """
UPDATE problem SET published_revision_id = revision.id
FROM revision WHERE revision.problem_id = problem.id
"""
_CLASS = """
INSERT INTO school_class (id, name, locale, time_zone, created_at, updated_at)
VALUES (pg_temp.key('class', ''), 'Benchmark', 'en', 'UTC', now(), now())
"""
_MEMBERS = """
INSERT INTO membership (class_id, account_id, role, state, external_id, created_at, joined_at)
SELECT pg_temp.key('class', ''), pg_temp.key('account', n::text), 'learner', 'active',
       (20260000 + n)::text, now(), now()
FROM generate_series(1, %(learners)s::int) n
"""
_ASSIGNMENTS = """
INSERT INTO assignment (id, class_id, problem_id, title, position, weight, late_percent, created_at,
                        updated_at)
SELECT pg_temp.key('assignment', n::text), pg_temp.key('class', ''),
       pg_temp.key('problem', n::text), '', n, 1, 0, now(), now()
FROM generate_series(1, %(problems)s::int) n
"""
# One row for the k-th submission of each pair, in the order of time: pairs lie spread over tables.
_MADE = """
CREATE TEMPORARY TABLE made AS
SELECT a || '.' || p || '.' || k AS name, pg_temp.key('account', a::text) AS account_id,
       pg_temp.key('problem', p::text) AS problem_id,
       pg_temp.key('revision', p::text) AS revision_id,
       timestamptz '2026-01-01 00:00Z'
           + make_interval(secs => k * 600 + a * 0.01 + p * 0.0001) AS moment,
       (a + p) %% 3 = 0 OR ((a + p) %% 3 = 1 AND k = %(per_pair)s::int) AS solved
FROM generate_series(1, %(per_pair)s::int) k,
     generate_series(%(first)s::int, %(last)s::int) a, generate_series(1, %(problems)s::int) p
ORDER BY k, a, p
"""
_SUBMISSIONS = """
INSERT INTO submission (id, account_id, problem_id, revision_id, language, source, source_hash,
                        created_at, local_date, via)
SELECT pg_temp.key('submission', name), account_id, problem_id, revision_id, 'python',
       'def f(): return 1', md5(''), moment, moment::date, 'api'
FROM made
"""
_JUDGEMENTS = """
INSERT INTO judgement (id, submission_id, revision_id, seq, cause, state, tests_done, tests_planned,
                       tests_passed, verdict, reason, score_num, score_den, compile_log, toolchain,
                       created_at, finished_at, is_current)
SELECT pg_temp.key('judgement', name), pg_temp.key('submission', name), revision_id, 1, 'submit',
       'judged', 10, 10, 10, CASE WHEN solved THEN 'accepted' ELSE 'wrong_answer' END, '',
       CASE WHEN solved THEN 100 ELSE 40 END, 100, '', '{}', moment, moment, true
FROM made
"""
_BEST_SCORES = """
INSERT INTO best_score (account_id, problem_id, score_num, score_den, judgement_id, revision_id,
                        submissions, first_accepted_at, after_solution, updated_at)
SELECT DISTINCT ON (account_id, problem_id) account_id, problem_id, score_num, score_den,
       judgement.id, judgement.revision_id, count(*) OVER pair,
       min(submission.created_at) FILTER (WHERE verdict = 'accepted') OVER pair, false,
       max(finished_at) OVER pair
FROM submission JOIN judgement ON judgement.submission_id = submission.id AND is_current
WINDOW pair AS (PARTITION BY account_id, problem_id)
ORDER BY account_id, problem_id, score_num DESC, submission.created_at, submission.id
"""


def fill(where: str, seed: Seed) -> None:
    """Fill a migrated, empty database; ``where`` is a libpq connection string."""
    with psycopg.connect(where, autocommit=True) as connection:
        # Every reference is right by construction; checking a million of them takes minutes.
        connection.execute("SET session_replication_role = replica")
        connection.execute(_KEY)
        sizes = {
            "accounts": LEARNERS + seed.others,
            "learners": LEARNERS,
            "problems": PROBLEMS,
        }
        connection.execute(_ACCOUNTS, sizes)
        for statement in (_PROBLEMS, _REVISIONS):
            connection.execute(statement, sizes)
        connection.execute(_PUBLISHED)
        connection.execute(_CLASS)
        for statement in (_MEMBERS, _ASSIGNMENTS):
            connection.execute(statement, sizes)
        parts = [(1, LEARNERS, seed.per_pair)]
        if seed.others:
            parts.append((LEARNERS + 1, LEARNERS + seed.others, seed.per_other_pair))
        for first, last, per_pair in parts:
            values = {"first": first, "last": last, "per_pair": per_pair, **sizes}
            connection.execute(_MADE, values)
            connection.execute(_SUBMISSIONS)
            connection.execute(_JUDGEMENTS)
            connection.execute("DROP TABLE made")
        connection.execute(_BEST_SCORES)
        connection.execute("VACUUM ANALYZE")


def class_id(where: str) -> str:
    """The class's id."""
    with psycopg.connect(where) as connection:
        row = connection.execute("SELECT id FROM school_class").fetchone()
    if row is None:
        raise SystemExit("the database has no class")
    return str(row[0])


def database_name() -> str:
    """A name that no other database of the server has."""
    return f"bench_{secrets.token_hex(4)}"
