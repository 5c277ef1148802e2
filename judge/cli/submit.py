"""The command ``judge submit``: hands a source to a judge over its REST API.

Exit codes: 0 accepted, 1 another verdict, 2 usage or refused, 3 the judge's own fault or no answer.
The token comes from JUDGE_TOKEN, so that it stands in no list of processes.
"""

import http.client
import json
import os
import re
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import SplitResult, quote, urlsplit

import typer

from judge.cli.exits import DONE, JUDGE_FAULT, NOT_DONE, USAGE, leave
from judge.harness.languages import language_of_file

_WAIT_S = 25
_TIMEOUT_S = 60
_FINAL = ("judged", "cancelled")
# What can stand in a header; a token of ours has fewer characters.
_TOKEN = re.compile(r"[!-~]*")
_ADDRESS = re.compile(r"https?://[!-~]+", re.IGNORECASE)


class _Failed(Exception):
    """The command ends here; with the exit code and the sentence to print."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def submit(
    problem: Annotated[str, typer.Argument(help="Slug of the problem.")],
    source: Annotated[Path, typer.Argument(help="The file to hand in.")],
    server: Annotated[str, typer.Option(help="Address of the judge.")],
    language: Annotated[str, typer.Option(help="By default from the file's name.")] = "",
    wait: Annotated[float, typer.Option(min=0, help="Seconds to wait for the verdict.")] = 60,
    as_json: Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")] = False,
) -> None:
    """Submit a source to a judge and wait for its verdict."""
    try:
        _check_address(server)
        answer = _submit(problem, _read(source, language), server.rstrip("/"), wait)
        line, code = _summary(answer)
    except _Failed as failure:
        leave(failure.code, f"judge submit: {failure}")
    typer.echo(json.dumps(answer, ensure_ascii=False, indent=2) if as_json else line)
    leave(code)


def _check_address(server: str) -> None:
    try:
        is_address = _ADDRESS.fullmatch(server) is not None and _is_reachable(urlsplit(server))
    except ValueError:
        is_address = False
    if not is_address:
        raise _Failed(USAGE, f"--server is an address like http://127.0.0.1:8000, not {server!r}")


def _is_reachable(address: SplitResult) -> bool:
    """Whether there is a host to call; reading the port raises ValueError where it is none."""
    return bool(address.hostname) and address.port != 0


def _read(source: Path, language: str) -> dict[str, str]:
    chosen = language or language_of_file(source.name)
    if not chosen:
        raise _Failed(USAGE, f"{source.name}: say --language, the file's name does not tell it")
    try:
        return {"language": chosen, "source": source.read_text(encoding="utf-8")}
    except (OSError, UnicodeDecodeError) as error:
        raise _Failed(USAGE, f"{source}: {error}") from None


def _read_token() -> str:
    """The token; where it is none, its text is not repeated."""
    token = os.environ.get("JUDGE_TOKEN", "")
    if not _TOKEN.fullmatch(token):
        raise _Failed(USAGE, "JUDGE_TOKEN is no token: it holds a space, a line's end or the like")
    return token


def _submit(problem: str, body: dict[str, str], server: str, wait_s: float) -> dict[str, Any]:
    deadline = time.monotonic() + wait_s
    first = min(wait_s, _WAIT_S)
    path = (
        f"/api/v1/problems/{quote(problem, safe='', errors='replace')}/submissions?wait={first:g}"
    )
    answer = _call("POST", server + path, body)
    while answer["state"] not in _FINAL and (rest := deadline - time.monotonic()) > 0:
        path = f"/api/v1/submissions/{answer['id']}?wait={min(rest, _WAIT_S):.3f}"
        answer = _call("GET", server + path, None)
    return answer


def _call(method: str, url: str, body: dict[str, str] | None) -> dict[str, Any]:
    headers = {"Accept": "application/json", "Content-Type": "application/json"}
    token = _read_token()
    if token:
        headers["Authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, headers, method=method)  # noqa: S310 - checked
    try:
        with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as response:  # noqa: S310
            return _read_answer(json.load(response))
    except urllib.error.HTTPError as error:
        code = USAGE if error.code < 500 else JUDGE_FAULT
        raise _Failed(code, _reason(error)) from None
    except (OSError, ValueError, RecursionError, http.client.HTTPException) as error:
        raise _Failed(JUDGE_FAULT, f"{url}: {str(error) or type(error).__name__}") from None


def _read_answer(answer: object) -> dict[str, Any]:
    """The answer, if it is about a submission; ValueError if something else answered."""
    if isinstance(answer, dict) and {"id", "state", "verdict"} <= answer.keys():
        return answer
    raise ValueError("what answers there is no judge")


def _reason(error: urllib.error.HTTPError) -> str:
    """The detail and code of a problem document, or what else the server said."""
    try:
        document = json.load(error)
        return f"{document['detail']} [{document['code']}]"
    except (ValueError, KeyError, TypeError):
        return f"the server answered {error.code}"
    finally:
        error.close()


def _summary(answer: dict[str, Any]) -> tuple[str, int]:
    try:
        return _line(answer), _exit_code(answer)
    except (KeyError, TypeError, ValueError):
        raise _Failed(JUDGE_FAULT, "the answer is not one of this release's judge") from None


def _line(answer: dict[str, Any]) -> str:
    if answer["state"] not in _FINAL:
        return f"{answer['id']}: {answer['state']}, no verdict yet"
    tests, score = answer["tests"], answer["score"]
    reason = f" ({answer['reason']})" if answer["reason"] else ""
    shown = "no score" if score is None else f"{score:g} of {answer['max_score']} points"
    return (
        f"{answer['id']}: {answer['verdict']}{reason}, {shown}, "
        f"{tests['passed']} of {tests['total']} test cases passed"
    )


def _exit_code(answer: dict[str, Any]) -> int:
    if answer["verdict"] == "accepted":
        return DONE
    return JUDGE_FAULT if answer["verdict"] in (None, "internal_error") else NOT_DONE
