"""Runs against a gateway that has its reports elsewhere, or has none."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from features.mutants.proxy import OriginalGateway, ProxiedRequest, serve_gateways
from features.target.writing import format_target_file
from load.closing.check import NO_REPORTS
from load.gateway.server import start_gateway
from load.tests.commands import CompletedCommand, read_json, run_load_command
from simulator.client import Answer, Control

NAME, PATHS = "renamed", {"v2/reports": "v1/query", "v2/pages": "v3/query"}
NAMED = "\n[paths]\n" + "\n".join(f'"{own}" = "{path}"' for path, own in PATHS.items())


def answer_renamed(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The answer of a gateway that knows reports under its own paths alone."""
    for path, own in PATHS.items():
        if request.path.startswith(own):
            return Answer(404, {}, {"result": {"code": "700.400.580"}})
        if request.path.startswith(path):
            target = own + request.target.removeprefix(path)
            return original.forward(replace(request, target=target))
    return original.forward(request)


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The target file of such a gateway, without its paths and without a control API."""
    folder = tmp_path_factory.mktemp("renamed")
    with (
        start_gateway(folder) as server,
        serve_gateways(server.facts, {NAME: answer_renamed}) as url,
    ):
        control = Control(server.facts["control_url"], server.facts["control_key"])
        made = control.create_sandbox(throttle="off")
        control.close()
        yield format_target_file({**made, "base_url": f"{url}{NAME}/merchant/"})


def load(target: str, *options: str, folder: Path) -> CompletedCommand:
    (folder / "target.toml").write_text(target)
    return run_load_command(
        "target.toml", "-u", "4", "-t", "2s", "--think", "0.05", "--json", "report.json", *options,
        folder=folder,
    )  # fmt: skip


def test_reports_that_the_target_file_names_are_asked_and_checked(target, tmp_path):
    ran = load(target + NAMED, "--users", "back-office,reporter", folder=tmp_path)

    report = read_json(tmp_path / "report.json")
    assert ran.status == 3, ran.errors + ran.output
    sums = report["certificate"]["clauses"][1]
    assert (sums["verdict"], sums["cases"] > 0) == ("passed", True)
    assert {"query_payment", "query_payments"} & set(report["operations"])
    assert report["failures"] == {}


def test_without_reports_their_clause_is_not_checked_and_no_user_asks_for_them(target, tmp_path):
    ran = load(target, "--users", "back-office,reporter", folder=tmp_path)

    report = read_json(tmp_path / "report.json")
    assert ran.status == 3, ran.errors + ran.output
    assert "without reporter: the target does not offer `reports`" in ran.errors
    clauses = report["certificate"]["clauses"]
    assert (clauses[0]["verdict"], clauses[1]["verdict"]) == ("passed", "not checked")
    assert clauses[1]["not_checked"] == NO_REPORTS
    assert report["plan"]["people"] == ["back-office"]
    assert (report["overall"]["failed"], report["failures"]) == (0, {})


def test_a_reporter_alone_needs_a_target_with_reports(target, tmp_path):
    ran = load(target, "--users", "reporter", folder=tmp_path)

    assert ran.status == 3, ran.errors + ran.output
    assert "no figure: expected a target that offers `reports`, got one without" in ran.errors
