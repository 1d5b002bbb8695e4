"""The target file: what a judge needs to know of a gateway, and what it concludes from it."""

from pathlib import Path

import pytest

from features.target import BadTarget, read_target, target_of

OURS = {
    "base_url": "http://127.0.0.1:8080/",
    "token": "t",
    "entity_id": "8" * 32,
    "control_url": "http://127.0.0.1:8080/_sandbox/v1/",
    "control_key": "k",
    "profile": "specification",
    "throttle": {"ignored": True},
}


def test_a_control_api_offers_what_it_controls() -> None:
    elsewhere = {**OURS, "base_url": "http://gateway.example/"}
    offers = {"control", "scripts", "clock", "throttling", "inbox", "declines"}
    assert target_of(elsewhere, source="here").offers == offers


def test_a_gateway_on_the_judges_machine_can_reach_its_receiver() -> None:
    assert "webhooks" in target_of(OURS, source="here").offers


def test_an_address_is_an_offer_and_a_live_one_needs_its_token() -> None:
    addresses = {"tls_url": "https://127.0.0.1:8443/", "live_url": "http://127.0.0.1:8081/"}
    described = {**OURS, **addresses}
    ours = target_of(OURS, source="here").offers
    assert target_of(described, source="here").offers == ours | {"tls"}
    described["live_token"] = "l"
    assert target_of(described, source="here").offers == ours | {"tls", "live"}


def test_a_foreign_gateway_offers_nothing_more_and_has_no_profile() -> None:
    foreign = {name: OURS[name] for name in ("base_url", "token", "entity_id")}
    target = target_of(foreign, source="here")
    assert target.offers == frozenset()
    assert target.profile == ""


def test_what_a_target_says_it_offers_counts() -> None:
    assert target_of({**OURS, "offers": ["control"]}, source="here").offers == {"control"}


def test_a_target_without_a_token_is_refused_by_name() -> None:
    with pytest.raises(BadTarget, match="expected token"):
        target_of({"base_url": "http://127.0.0.1/", "entity_id": "8"}, source="here")


def test_a_target_is_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "target.toml"
    file.write_text('base_url = "http://127.0.0.1/"\ntoken = "t"\nentity_id = "e"\n')
    assert read_target(file).token == "t"
