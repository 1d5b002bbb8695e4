"""A gateway that breaks its own OpenAPI document fails the case in which it does."""

from pathlib import Path

import pytest

from features.mutants.changes import replace_members
from features.mutants.plugin import TargetRun
from features.mutants.proxy import OriginalGateway, ProxiedRequest, serve_gateways
from features.mutants.runner import proxied_target, run_suite, write_target
from simulator.client import Answer
from simulator.client.processes import authority_in, gateway_in

CASE = "A payment id has exactly 32 letters and digits"
FIELD = "The older login is accepted instead of a token"


def forward(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The gateway as it is."""
    return original.forward(request)


def add_a_member(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A payment response has a member more, and a card number in it."""
    answer = original.forward(request)
    return replace_members(answer, more="4200000000000000") if request.is_payment else answer


@pytest.mark.timeout(120)
def test_a_response_that_the_document_does_not_describe_fails_its_case(tmp_path: Path) -> None:
    with (
        gateway_in(tmp_path / "original") as ready,
        serve_gateways(ready, {"same": forward, "more": add_a_member}) as address,
    ):
        facts = {**ready, "ca_file": authority_in(tmp_path / "original")}
        runs = []
        for name in ("same", "more"):
            target = proxied_target(facts, f"{address}{name}/")
            target["openapi_url"] = f"{target['base_url']}openapi.json"
            file = write_target(tmp_path / f"{name}.toml", target)
            runs.append(TargetRun(name, str(file), (CASE, FIELD)))
        results = run_suite(tmp_path, runs)

    same = [each for each in results if each.target == "same"]
    more = [each for each in results if each.target == "more"]
    assert len(same) == len(more) == 2
    assert [each.text for each in same if each.has_failed] == []
    for each in more:
        assert each.has_failed
        assert "'more' was unexpected" in each.text
        assert "4200000000000000" not in each.text
