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


def test_a_control_api_offers_control_and_scripts() -> None:
    assert target_of(OURS, source="here").offers == {"control", "scripts"}


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
