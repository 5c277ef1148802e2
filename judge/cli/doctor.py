"""``judge doctor``: can this machine judge, how safely, and which languages? Live probes."""

import json
from dataclasses import replace
from typing import Annotated

import typer

from judge.cli.doctor_languages import probe_languages
from judge.cli.exits import DONE, NOT_DONE, error_exits, leave
from judge.cli.start import open_settings
from submissions_sandbox import ALL_TIERS, Tier
from submissions_sandbox.probes import run_probes


def doctor(
    tier: Annotated[
        Tier | None, typer.Option("--tier", help="In this tier; the best one by default.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Probe the sandbox with live attacks and each language with a self-test; exit 0 if fit.

    A language whose compiler is missing does not make the machine unfit.
    """
    with error_exits():
        data_dir = open_settings().data_dir
    report = run_probes(ALL_TIERS if tier is None else (tier,))
    languages = probe_languages(data_dir, report.tier)
    whole = replace(report, probes=(*report.probes, *(one.line for one in languages)))
    if as_json:
        content = {**report.as_json(), "passed": whole.fit, "fit": whole.fit}
        content["languages"] = [one.as_json() for one in languages]
        print(json.dumps(content))
    else:
        lines = [line for probe in whole.probes for line in probe.lines()]
        print("\n".join([*lines, *whole.summary()]))
    leave(DONE if whole.fit else NOT_DONE)
