"""A secret in a parameter that is ignored (D-02) is repeated by no other parameter either."""

import pytest

from simulator.tests.kit.gateway import Credentials, Gateway

SECRET = "Zqcaeffb63"


@pytest.mark.parametrize("profile", ["field", "specification"])
@pytest.mark.parametrize(
    "name",
    ["password", "pin", "cvv", "authentication.password", "customParameters[password]",
     "customParameters[pin]", "apiKey"],
)  # fmt: skip
def test_no_other_parameter_shows_an_ignored_secret(
    gateway: Gateway, profile: str, name: str
) -> None:
    made = gateway.control("POST", "/sandboxes", {"profile": profile}).json
    who = Credentials(made["token"], made["entity_id"])
    sent = {name: SECRET, "merchantMemo": f"see {SECRET}", "customParameters[note]": SECRET * 2}
    answer = gateway.post(who=who, **sent)
    assert answer.status_code == (200 if profile == "field" else 400), answer.json
    journal = gateway.control("GET", f"/sandboxes/{made['id']}/journal")
    (entry,) = journal.json["entries"]
    assert entry["request"]["merchantMemo"] == "see ***"
    assert SECRET not in journal.text
    single = gateway.control("GET", f"/sandboxes/{made['id']}/journal/{answer.json['ndc']}")
    assert single.status_code == 200 and SECRET not in single.text
