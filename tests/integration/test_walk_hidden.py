"""Spies whose hidden inputs differ are told the same, with a real sandbox.

Each program carries its input out in another way. It is judged on two revisions of one problem that
differ in nothing but a hidden input; whatever its author can read afterwards has to be equal except
for accounts, ids and times, and neither input stands in it or in the judge's log.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from package_builder import case_texts, load_package
from walk_judge import Judge, walked

pytestmark = pytest.mark.slow
SLUG = "count_large"
# Two hidden inputs, long enough to stand nowhere by chance.
INPUTS = (413570283.5, 1839122547.25)
SPIES = {
    "raises an exception that is named after it": (
        "    name = 'E' + str(values[0]).replace('.', '_')\n"
        "    raise type(name, (ValueError,), {})(str(values))\n"
    ),
    "raises a text": "    raise KeyError(values[0])\n",
    # As many lines as the source has, to fail on one of them.
    "fails on a line by it": (
        "    line = int(values[0]) % 999 + 1\n"
        "    text = '\\n' * line + 'raise ValueError'\n"
        "    exec(compile(text, count_large.__code__.co_filename, 'exec'))\n" + "\n" * 1000
    ),
    "prints it": (
        "    import sys\n    print(values)\n    print(values, file=sys.stderr)\n    return -1\n"
    ),
    "returns it": "    return int(values[0])\n",
    "returns it as another type": "    return str(values)\n",
    "sleeps by it": "    import time\n    time.sleep(values[0] / 1e10)\n    return -1\n",
    "computes by it": (
        "    import time\n"
        "    end = time.process_time() + values[0] / 1e10\n"
        "    while time.process_time() < end:\n"
        "        pass\n"
        "    return -1\n"
    ),
    "fills memory by it": "    kept = bytearray(int(values[0] / 100))\n    return -len(kept)\n",
    "leaves with it": "    import os\n    os._exit(int(values[0]) % 200 + 1)\n",
    "asks for what it must not": "    open(f'/tmp/{values[0]}/x')\n",
}
# Only the case that differs has one value.
HEAD = "def count_large(values, limit):\n    if len(values) > 1:\n        return -1\n"
# What differs from one submission to the next, whatever it was given. The greatest time and the
# greatest memory of all cases are told (docs/security.md).
OF_THE_MOMENT = (
    "id",
    "account",
    "handle",
    "created_at",
    "started_at",
    "finished_at",
    "revision",
    "cpu_ms",
    "wall_ms",
    "memory_kb",
)


@pytest.fixture
def judge(tmp_path: Path, database_url: str) -> Iterator[Judge]:
    with walked(tmp_path, database_url, JUDGE_SUBMITS_PER_MINUTE="1000") as served:
        yield served


def without_moments(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_moments(one) for key, one in value.items() if key not in OF_THE_MOMENT}
    return [without_moments(one) for one in value] if isinstance(value, list) else value


def spy(judge: Judge, number: int) -> tuple[dict[str, Any], str]:
    """What every program's author is told on the problem with one of the inputs; and all of it."""
    judge.publish(load_package(case_texts("secret/20-edges/01", [INPUTS[number]], 3.0, 0)), "keep")
    told, everything = {}, []
    browser = judge.register(f"spy{number}")
    for how, body in SPIES.items():
        source = (
            f"def count_large(values, limit):\n    if len(values) > 1:\n        return -1\n{body}"
        )
        made = browser.post(
            f"/api/v1/problems/{SLUG}/submissions",
            json={"language": "python", "source": source},
            params={"wait": 25},
        )
        assert made.json()["state"] == "judged", made.text
        path = f"/api/v1/submissions/{made.json()['id']}"
        answers = [made, browser.get(path), browser.get(f"{path}/judgements")]
        told[how] = without_moments([answer.json() for answer in answers])
        answers += [browser.get(f"{path}/source"), browser.get(f"{path}/events")]
        everything += [answer.text + str(answer.headers) for answer in answers]
    for path in ("/submissions", "/scores", "/me/progress", "/me/notices", f"/problems/{SLUG}"):
        everything.append(browser.get(f"/api/v1{path}").text)
    return told, "\n".join(everything)


def test_whatever_a_program_does_with_a_hidden_input_its_author_is_told_the_same(
    judge: Judge,
) -> None:
    (first, everything), (second, more) = spy(judge, 0), spy(judge, 1)
    assert set(first) == set(second) == set(SPIES)
    for how in SPIES:
        assert first[how] == second[how], how
    verdicts = {how: answers[1]["cases"][-1]["verdict"] for how, answers in first.items()}
    assert set(verdicts.values()) == {"wrong_answer", "runtime_error"}, json.dumps(verdicts)
    shown = everything + more + judge.log()
    for value in INPUTS:
        for spelled in (str(value), str(int(value)), str(value).replace(".", "_")):
            assert spelled not in shown
