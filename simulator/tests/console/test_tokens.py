"""AUTH-05: an access token is shown to administrators alone, and each time is in the audit log."""

import json
from pathlib import Path

import pytest

from simulator.tests.console.visitor import Visitor, person_of
from simulator.tests.kit.gateway import Gateway


@pytest.fixture
def place(gateway: Gateway, sandbox: str) -> str:
    """The path of the merchant's first token."""
    merchants = f"/sandboxes/{sandbox}/merchants"
    merchant = gateway.control("GET", merchants).json["merchants"][0]["id"]
    tokens = gateway.control("GET", f"{merchants}/{merchant}/tokens").json["tokens"]
    return f"/console/{sandbox}/merchants/{merchant}/tokens/{tokens[0]['id']}"


def audit_of(folder: Path) -> list[dict[str, str]]:
    """The lines of the audit log, oldest first."""
    lines = (folder / "data" / "audit.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def test_an_administrator_sees_a_value_on_request(
    gateway: Gateway, anna: Visitor, sandbox: str, place: str, tmp_path: Path
) -> None:
    value = gateway.merchant.token
    before = anna.get(f"/console/{sandbox}/tokens")

    revealed = anna.post(f"{place}/reveal")
    after = anna.get(f"/console/{sandbox}/tokens")

    assert value not in before.text and value[-4:] in before.text
    assert revealed.text.count(value) == 1
    assert revealed.headers["Cache-Control"] == "no-store"
    assert value not in after.text
    entry = audit_of(tmp_path)[-1]
    assert (entry["person"], entry["action"]) == ("anna", "reveal token")
    assert (entry["sandbox"], entry["object"]) == (sandbox, place.rpartition("/")[2])
    assert value not in (tmp_path / "data" / "audit.jsonl").read_text()
    assert value not in anna.get("/console/audit").text


@pytest.mark.parametrize("role", ["operator", "viewer"])
def test_others_see_the_last_digits(
    gateway: Gateway, anna: Visitor, sandbox: str, place: str, role: str
) -> None:
    ben = person_of(gateway, role, "ben")

    page = ben.get(f"/console/{sandbox}/tokens")

    assert gateway.merchant.token not in page.text
    assert f"…{gateway.merchant.token[-4:]}" in page.text
    assert "Show value" not in page.text


def test_a_value_does_not_leave_where_the_audit_log_cannot_be_written(
    gateway: Gateway, anna: Visitor, place: str, tmp_path: Path
) -> None:
    log = tmp_path / "data" / "audit.jsonl"
    log.unlink()
    log.mkdir()

    answer = anna.post(f"{place}/reveal")

    assert answer.status_code == 503
    assert gateway.merchant.token not in answer.text


def test_a_token_is_issued_suspended_activated_and_rotated(
    gateway: Gateway, anna: Visitor, place: str, tmp_path: Path
) -> None:
    def status() -> int:
        return int(gateway.post().status_code)

    assert anna.post(f"{place}/state", {"state": "suspend"}).status_code == 303
    suspended = status()
    assert anna.post(f"{place}/state", {"state": "activate"}).status_code == 303
    activated = status()
    rotated = anna.post(f"{place}/rotate")
    ended = status()
    issued = anna.post(place.rpartition("/")[0], {"alias": "till <b>", "host": "live"})

    assert (suspended, activated, ended) == (403, 200, 403)
    assert rotated.status_code == issued.status_code == 200
    assert "till &lt;b&gt;" in issued.text and "<b>" not in issued.text
    assert [each["action"] for each in audit_of(tmp_path)][1:] == [
        "suspend token",
        "activate token",
        "rotate token",
        "issue token",
    ]


@pytest.mark.parametrize(
    ("path", "sent"),
    [
        ("/state", {"state": "delete"}),
        ("/state", {}),
        ("issue", {"host": "moon"}),
        ("issue", {"alias": "x" * 65}),
        ("issue", {"alias": "a\0b"}),
    ],
)
def test_bad_input_is_said(
    gateway: Gateway, anna: Visitor, place: str, path: str, sent: dict[str, str]
) -> None:
    url = place.rpartition("/")[0] if path == "issue" else place + path

    assert anna.post(url, sent).status_code == 400
