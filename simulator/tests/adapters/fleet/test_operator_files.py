"""The files for operators name settings that there are, and ports that are listened on."""

import re
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml

from simulator.setting_sources import read_settings
from simulator.settings import ROWS, Settings
from simulator.tests.kit.trees import ROOT

FOLDER = ROOT / "examples" / "fleet"
FILES = sorted(FOLDER.iterdir())
VARIABLES = {row.variable for row in ROWS}
PEER_PORT = 8090
SECRETS = {
    "SANDGATE_STORE": "postgresql://sandgate@db/sandgate",
    "SANDGATE_PEER_KEY": "p" * 24,
    "SANDGATE_CONTROL_KEY": "c" * 24,
}


def documents(name: str) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all((FOLDER / name).read_text(encoding="utf-8")))


def settings_of(environ: dict[str, str]) -> Settings:
    """The settings of a member, with the secrets that its file leaves to the operator."""
    return read_settings({}, {**environ, **SECRETS})[0]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_every_variable_is_that_of_a_setting(file: Path) -> None:
    named = set(re.findall(r"SANDGATE_[A-Z_]+", file.read_text(encoding="utf-8")))
    assert named <= VARIABLES


def test_the_members_of_the_compose_file_are_members_of_one_fleet() -> None:
    (compose,) = documents("compose.yaml")
    members = [each for name, each in compose["services"].items() if name.startswith("member-")]
    found = [settings_of(each["environment"]) for each in members]
    assert len({each.peer_url for each in found}) == len(found) == 3
    assert {each.peer_port for each in found} == {PEER_PORT}
    assert {each.host for each in found} == {"0.0.0.0"}


def test_the_pods_are_members_and_their_ports_are_those_of_the_settings() -> None:
    kinds = {each["kind"]: each for each in documents("kubernetes.yaml")}
    pod = kinds["Deployment"]["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    environ = {each["name"]: str(each["value"]) for each in container["env"] if "value" in each}
    environ["SANDGATE_PEER_URL"] = environ["SANDGATE_PEER_URL"].replace("$(POD_IP)", "10.0.0.7")
    settings = settings_of(environ)
    ports = {each["name"]: each["containerPort"] for each in container["ports"]}
    assert ports == {
        "api": settings.port, "live": settings.live_port, "acs": settings.acs_port,
        "peer": settings.peer_port,
    }  # fmt: skip
    assert settings.peer_url == f"http://10.0.0.7:{PEER_PORT}/"
    assert pod["terminationGracePeriodSeconds"] > settings.grace


def test_the_unit_stops_no_sooner_than_requests_in_flight_may_take() -> None:
    unit = (FOLDER / "sandgate.service").read_text(encoding="utf-8")
    stops_after = re.search(r"^TimeoutStopSec=(\d+)$", unit, re.MULTILINE)
    assert stops_after is not None and int(stops_after[1]) > Settings().grace
    assert "\nRestart=always\n" in unit
    options = re.findall(r" --([a-z-]+)", re.search(r"^ExecStart=.*$", unit, re.MULTILINE)[0])
    assert set(options) <= {row.key for row in ROWS}


def test_the_image_has_the_listeners_of_the_settings() -> None:
    container = (FOLDER / "Containerfile").read_text(encoding="utf-8")
    exposed = {
        int(each) for each in re.search(r"^EXPOSE (.*)$", container, re.MULTILINE)[1].split()
    }
    default = Settings()
    assert exposed == {
        default.port, default.tls_port, default.live_port, default.acs_port, default.sftp_port,
        PEER_PORT,
    }  # fmt: skip


def stages() -> list[list[str]]:
    """The instructions of each stage of the Containerfile; the last one is the image."""
    text = re.sub(r"\\\n", "", (FOLDER / "Containerfile").read_text(encoding="utf-8"))
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    beginnings = [number for number, line in enumerate(lines) if line.startswith("FROM ")]
    return [lines[one:end] for one, end in pairwise([*beginnings, len(lines)])]


def test_no_layer_of_the_image_has_the_checkout() -> None:
    build, image = stages()
    assert build[0].endswith(" AS build")
    copies = [line for line in image if line.startswith(("COPY ", "ADD "))]
    assert copies == ["COPY --from=build /opt/sandgate /opt/sandgate"]
    assert "python -m venv /opt/sandgate " in " ".join(build)


def test_what_a_wheel_is_built_of_is_all_that_an_image_is_built_of() -> None:
    text = (ROOT / ".dockerignore").read_text(encoding="utf-8")
    rules = [line for line in text.splitlines() if not line.startswith("#")]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packages = project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    let_in = [line.removeprefix("!") for line in rules if line.startswith("!")]
    assert rules[0] == "**"
    assert let_in == [*packages, "pyproject.toml", "README.md", "LICENSE"]
    # A folder that is let in may hold what running or testing left there.
    assert {"**/.*", "**/__pycache__", "**/*.key", "**/*.pem"} <= {*rules[1 + len(let_in) :]}


def test_kubernetes_opens_no_key_file_to_a_group_when_it_mounts_the_volume() -> None:
    kinds = {each["kind"]: each for each in documents("kubernetes.yaml")}
    context = kinds["Deployment"]["spec"]["template"]["spec"]["securityContext"]
    assert context["fsGroupChangePolicy"] == "OnRootMismatch"


def test_kubernetes_sets_no_setting_of_the_gateway_by_the_name_of_its_service() -> None:
    kinds = {each["kind"]: each for each in documents("kubernetes.yaml")}
    assert kinds["Service"]["metadata"]["name"] == "sandgate"
    assert kinds["Deployment"]["spec"]["template"]["spec"]["enableServiceLinks"] is False


def test_the_unit_calls_the_command_where_its_head_installs_it() -> None:
    unit = (FOLDER / "sandgate.service").read_text(encoding="utf-8")
    installed = re.search(r"^#   python3 -m venv (\S+) && \1/bin/pip install", unit, re.MULTILINE)
    assert installed is not None
    assert f"\nExecStart={installed[1]}/bin/sandgate serve " in unit
