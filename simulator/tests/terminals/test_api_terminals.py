"""Terminals by the control API: created once, listed and shown without their keys, removed."""

import pytest

from simulator.catalogue.fields.pos import TERMINAL_MODELS
from simulator.domain.terminals import terminals as records
from simulator.service.terminals import terminals as service
from simulator.tests.kit.gateway import Gateway
from simulator.tests.terminals.keys import Device

DEFAULT = "default"


@pytest.fixture
def gateway(tmp_path):
    built = Gateway(tmp_path / "data")
    yield built
    built.close()


@pytest.fixture
def sandbox(gateway: Gateway) -> str:
    return gateway.control("GET", "/sandboxes").json["sandboxes"][0]["id"]


def terminals(gateway: Gateway, sandbox: str, method: str = "GET", path: str = "", asked=None):
    return gateway.control(method, f"/sandboxes/{sandbox}/terminals{path}", asked)


def test_the_models_are_those_of_the_device_type() -> None:
    assert records.Model.__args__ == TERMINAL_MODELS


@pytest.mark.parametrize("method", ["TDES", "AES"])
@pytest.mark.parametrize("model", TERMINAL_MODELS)
def test_a_terminal_is_created_with_two_keys(gateway, sandbox, model, method) -> None:
    made = terminals(gateway, sandbox, "POST", asked={"model": model, "method": method})
    assert made.status_code == 201
    document = made.json
    assert len(document["id"]) == 8
    assert document["id"].isdigit()
    assert document["device"].isdigit()
    assert (document["model"], document["method"]) == (model, method)
    assert [each["usage"] for each in document["load"]["blocks"]] == ["PIN", "DATA"]
    assert len(document["load"]["blocks"][0]["ksn"]) == (24 if method == "AES" else 20)
    assert Device(document).next_ksn("PIN").endswith("1")


def test_keys_are_shown_once(gateway, sandbox) -> None:
    made = terminals(gateway, sandbox, "POST", asked={}).json
    shown = terminals(gateway, sandbox, path=f"/{made['id']}").json
    listed = terminals(gateway, sandbox).json["terminals"]
    assert listed == [shown]
    assert shown == {name: value for name, value in made.items() if name != "load"}
    assert [each["counter"] for each in shown["keys"]] == [0, 0]


def test_one_terminal_too_many_is_refused_and_says_what_to_do(
    gateway, sandbox, monkeypatch
) -> None:
    monkeypatch.setattr(service, "TERMINALS_MAX", 2)
    made = [terminals(gateway, sandbox, "POST", asked={}) for _ in range(2)]
    assert [each.status_code for each in made] == [201, 201]

    refused = terminals(gateway, sandbox, "POST", asked={})

    assert refused.status_code == 400
    assert refused.json["error"] == {
        "where": "terminals",
        "expected": "at most 2 terminals of a sandbox; remove some first",
        "got": "3",
    }
    terminals(gateway, sandbox, "DELETE", f"/{made[0].json['id']}")
    assert terminals(gateway, sandbox, "POST", asked={}).status_code == 201


def test_no_two_terminals_have_an_id_or_a_key_in_common(gateway, sandbox) -> None:
    made = [terminals(gateway, sandbox, "POST", asked={}).json for _ in range(30)]
    assert len({each["id"] for each in made}) == 30
    assert len({key["id"] for each in made for key in each["keys"]}) == 60
    assert len(terminals(gateway, sandbox).json["terminals"]) == 30


def test_a_removed_terminal_is_unknown(gateway, sandbox) -> None:
    made = terminals(gateway, sandbox, "POST", asked={}).json
    path = f"/{made['id']}"
    assert terminals(gateway, sandbox, "DELETE", path).status_code == 200
    assert terminals(gateway, sandbox, path=path).status_code == 404
    assert terminals(gateway, sandbox, "DELETE", path).status_code == 404
    assert terminals(gateway, sandbox).json["terminals"] == []


@pytest.mark.parametrize(
    ("asked", "where"),
    [
        ({"model": "COUNTERTOP"}, "model"),
        ({"method": "RSA"}, "method"),
        ({"channel": "8" * 32}, "channel"),
        ({"id": "12345678"}, "id"),
    ],
)
def test_a_terminal_that_cannot_be_is_refused_by_its_member(gateway, sandbox, asked, where) -> None:
    refused = terminals(gateway, sandbox, "POST", asked=asked)
    assert refused.status_code == 400
    assert where in refused.text
    assert terminals(gateway, sandbox).json["terminals"] == []


def test_another_sandbox_does_not_see_it(gateway, sandbox) -> None:
    terminals(gateway, sandbox, "POST", asked={})
    other = gateway.control("POST", "/sandboxes", {}).json
    assert terminals(gateway, other["id"]).json["terminals"] == []


def test_who_has_no_control_key_sees_no_terminal(gateway, sandbox) -> None:
    answer = gateway.client.simulate_get(f"/_sandbox/v1/sandboxes/{sandbox}/terminals")
    assert answer.status_code == 401
