"""docker-compose.yml is well-formed, and everything it names exists."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
COMPOSE = ROOT / "docker-compose.yml"
OWN_SERVICES = ("server", "worker", "verifier")


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))
    return content


def test_the_file_follows_the_compose_specification() -> None:
    done = subprocess.run(  # noqa: S603 - fixed arguments
        [
            sys.executable,
            "-m",
            "check_jsonschema",
            "--builtin-schema",
            "vendor.compose-spec",
            str(COMPOSE),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_services_are_database_server_worker_and_verifier(compose: dict[str, Any]) -> None:
    assert set(compose["services"]) == {"postgres", *OWN_SERVICES}


def test_every_service_says_when_it_is_well(compose: dict[str, Any]) -> None:
    assert [n for n, s in compose["services"].items() if "healthcheck" not in s] == []


def test_a_container_that_runs_programs_is_looked_at_cheaply(compose: dict[str, Any]) -> None:
    """What watches a worker asks the database; it sets up no sandbox of its own."""
    for name in ("worker", "verifier"):
        command = compose["services"][name]["healthcheck"]["test"][-1].splitlines()[-1]
        assert command == f"exec python -m judge {name} --check"


def test_dependencies_name_services(compose: dict[str, Any]) -> None:
    named = {n for s in compose["services"].values() for n in s.get("depends_on", {})}
    assert named <= compose["services"].keys()


def test_build_targets_are_stages_of_the_dockerfile(compose: dict[str, Any]) -> None:
    stages = set(re.findall(r"^FROM \S+ AS (\w+)$", (ROOT / "Dockerfile").read_text(), re.M))
    targets = {compose["services"][name]["build"]["target"] for name in OWN_SERVICES}
    assert targets <= stages


@pytest.mark.parametrize("kind", ["secrets", "networks"])
def test_secrets_and_networks_are_declared(compose: dict[str, Any], kind: str) -> None:
    used = {name for service in compose["services"].values() for name in service.get(kind, [])}
    assert used
    assert used <= compose[kind].keys()


def test_volumes_are_declared(compose: dict[str, Any]) -> None:
    used = {v.partition(":")[0] for s in compose["services"].values() for v in s["volumes"]}
    assert used <= compose["volumes"].keys()


def test_secrets_are_files_and_never_plain_text(compose: dict[str, Any]) -> None:
    assert all("file" in secret for secret in compose["secrets"].values())
    environments = [s.get("environment", {}) for s in compose["services"].values()]
    settings = [f"{key}={value}" for each in environments for key, value in each.items()]
    assert [
        s for s in settings if re.match(r"\w*(PASSWORD|SECRET|TOKEN)\w*=(?!/run/secrets/)", s)
    ] == []


@pytest.mark.parametrize("name", OWN_SERVICES)
def test_our_containers_have_no_privilege(compose: dict[str, Any], name: str) -> None:
    service = compose["services"][name]
    assert not service.get("privileged")
    assert not service.get("cap_add")
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]
    assert not any("docker.sock" in volume for volume in service["volumes"])


def test_the_image_does_not_run_as_root() -> None:
    """A stage may install as root, but ends as somebody else or begins where one did."""
    users: dict[str, str] = {}
    for line in (ROOT / "Dockerfile").read_text().splitlines():
        match line.split():
            case ["FROM", source, "AS", stage]:
                users[stage] = users.get(source, "root")
            case ["USER", user]:
                users[stage] = user
    assert (users["web"], users["worker"]) == ("judge", "judge")


def test_the_image_copies_only_what_exists() -> None:
    text = (ROOT / "Dockerfile").read_text()
    sources = re.findall(r"^COPY (?!--from)(\S+) ", text, re.M)
    assert sources
    assert [source for source in sources if not (ROOT / source).exists()] == []


def test_who_runs_programs_is_reached_by_no_network(compose: dict[str, Any]) -> None:
    assert compose["networks"]["database"]["internal"] is True
    for name in ("worker", "verifier"):
        assert compose["services"][name]["networks"] == ["database"]


def test_only_who_builds_boxes_has_the_profile_for_it(compose: dict[str, Any]) -> None:
    """What the profile says is the matter of test_seccomp_profile.py."""
    profiles = {
        name: [option for option in service["security_opt"] if option.startswith("seccomp")]
        for name, service in compose["services"].items()
        if "security_opt" in service
    }
    assert profiles == {
        "server": [],
        "worker": ["seccomp=./submissions_sandbox/docker-seccomp.json"],
        "verifier": ["seccomp=./submissions_sandbox/docker-seccomp.json"],
    }
