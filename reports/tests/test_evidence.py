"""The archive holds what a verdict rests on, can be checked, and gives no secret away."""

import hashlib
import io
import json
import zipfile

import pytest
from hypothesis import given, settings

from reports.events import line_of
from reports.evidence import MANIFEST, evidence_of
from reports.run import run_of
from reports.tests.anything import SOME_CASES
from reports.tests.streams import events_of, one_of_each, passed


def archive_of(judged, /, features=None, **began) -> dict[str, bytes]:
    events = events_of(judged, **began)
    content = evidence_of(run_of(events), features)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def members() -> dict[str, bytes]:
    return archive_of(one_of_each())


def test_it_holds_stream_reports_target_versions_tables_and_features(members):
    assert set(members) == {
        "README.txt", "stream.jsonl", "report.html", "report.json", "report.xml", "target.json",
        "versions.json", "spec/parameters.csv", "spec/requirements.csv", "spec/expectations.csv",
        "spec/result-codes.csv",
        "features/payments.feature", "features/back_office.feature", "features/webhooks.feature",
        MANIFEST,
    }  # fmt: skip
    assert members["stream.jsonl"] == b"".join(map(line_of, events_of(one_of_each())))
    assert json.loads(members["versions.json"])["suite"] == "0.2.0"


def test_the_manifest_has_the_sum_of_every_other_member(members):
    listed = dict(reversed(line.split("  ")) for line in members[MANIFEST].decode().splitlines())

    assert listed == {
        name: hashlib.sha256(content).hexdigest()
        for name, content in members.items()
        if name != MANIFEST
    }


def test_the_same_run_gives_the_same_bytes():
    events = events_of(one_of_each())

    assert evidence_of(run_of(events)) == evidence_of(run_of(events))


def test_no_member_holds_the_password_of_an_address():
    members = archive_of([passed()], base_url="https://tester:s3cret@gateway.example/")

    assert [name for name, content in members.items() if b"s3cret" in content] == []
    assert json.loads(members["target.json"])["base_url"] == "https://gateway.example/"


def test_a_file_that_is_no_feature_is_left_where_it_is(tmp_path):
    (tmp_path / "target.toml").write_text('token = "s3cret"')

    members = archive_of([passed(file=str(tmp_path / "target.toml"))])

    assert [name for name, content in members.items() if b"s3cret" in content] == []


def test_features_of_a_users_own_are_found_in_their_folder(tmp_path):
    (tmp_path / "mine.feature").write_text("Feature: mine")

    members = archive_of([passed(file="mine.feature")], features=tmp_path)

    assert members["features/mine.feature"] == b"Feature: mine"


@pytest.mark.parametrize("is_named", [True, False])
def test_features_of_a_users_own_hold_no_card_number_and_no_secret_of_the_target(
    tmp_path, is_named
):
    own = tmp_path / "mine.feature"
    own.write_text("Feature: mine\n  When 4200000000000000 pays with token-of-it\n")
    case = passed(file="mine.feature" if is_named else str(own))

    content = evidence_of(run_of(events_of([case])), tmp_path, ["token-of-it"])

    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        [kept] = [name for name in archive.namelist() if name.endswith("mine.feature")]
        shown = archive.read(kept).decode()
    assert shown == "Feature: mine\n  When 420000******0000 pays with ***\n"


def test_a_feature_from_anywhere_is_unpacked_below_the_folder(tmp_path):
    (tmp_path / "mine.feature").write_text("Feature: mine")
    name = f"{tmp_path}/x/../mine.feature"
    (tmp_path / "x").mkdir()

    members = archive_of([passed(file=name)])

    [kept] = [name for name in members if name.endswith("mine.feature")]
    assert members[kept] == b"Feature: mine"
    assert kept.startswith("features/") and ".." not in kept


def test_a_feature_that_is_gone_is_named():
    members = archive_of([passed(file="gone.feature")])

    assert members["features/NOT-FOUND.txt"] == b"gone.feature\n"


def test_the_archive_of_a_stream_that_was_cut_off_says_so_at_once():
    assert b"cut off after 1 of 1" in archive_of([passed()], ends=False)["README.txt"]


@settings(max_examples=15, deadline=None)
@given(SOME_CASES)
def test_any_stream_gives_an_archive(cases):
    assert MANIFEST in archive_of(cases)
