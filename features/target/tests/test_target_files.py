"""The target file: what a judge needs to know of a gateway, and what it concludes from it."""

from pathlib import Path

import pytest

from features.spec.companions import REFERENCE_CARD
from features.target.reading import TargetFileError, parse_target, read_target
from features.target.records import ReceiverAddress, RequestLimits, TargetEntity
from features.target.writing import format_target_file

KEY = "ABCDEF0123456789abcdef0123456789" * 2
OURS = {
    "base_url": "http://127.0.0.1:8080/",
    "token": "t",
    "entity_id": "8" * 32,
    "control_url": "http://127.0.0.1:8080/_sandbox/v1/",
    "control_key": "k",
    "profile": "specification",
    "throttle": {"ignored": True},
}


def test_no_secret_of_a_target_stands_in_the_report_of_a_step() -> None:
    secrets = {"token": "t-secret", "control_key": "k-secret", "live_token": "l-secret"}
    other = {"other": {"token": "o-secret", "entity_id": "8" * 32}}
    listens = {"listen": "127.0.0.1:8099", "url": "http://127.0.0.1:8099/", "key": KEY}
    target = parse_target(
        {**OURS, **secrets, "entities": other, "receiver": listens}, source="here"
    )

    assert {*secrets.values(), "o-secret", KEY.lower()} <= {each.lower() for each in target.secrets}
    assert not [each for each in target.secrets if each in repr(target)]


def test_a_control_api_offers_what_it_controls() -> None:
    elsewhere = {**OURS, "base_url": "http://gateway.example/"}
    offers = {
        "control", "scripts", "clock", "terminal", "throttling", "inbox", "declines", "browser",
        "brands", "channels", "other", "pauses", "reports",
    }  # fmt: skip
    assert parse_target(elsewhere, source="here").offers == offers


def test_a_gateway_on_the_judges_machine_can_reach_its_receiver() -> None:
    assert "webhooks" in parse_target(OURS, source="here").offers


def test_a_gateway_without_a_control_api_notifies_where_it_is_configured_to() -> None:
    foreign = {name: OURS[name] for name in ("base_url", "token", "entity_id")}
    receiver = {"listen": "127.0.0.1:9000", "url": "http://127.0.0.1:9000/", "key": KEY}
    found = parse_target({**foreign, "receiver": receiver}, source="here")
    assert found.offers == {"inbox", "webhooks"}
    assert found.notifies_by_itself


def test_an_address_is_an_offer_and_a_live_one_needs_its_token() -> None:
    addresses = {"tls_url": "https://127.0.0.1:8443/", "live_url": "http://127.0.0.1:8081/"}
    described = {**OURS, **addresses}
    ours = parse_target(OURS, source="here").offers
    assert parse_target(described, source="here").offers == ours | {"tls"}
    described["live_token"] = "l"
    assert parse_target(described, source="here").offers == ours | {"tls", "live"}


def test_a_foreign_gateway_offers_nothing_more_and_has_no_profile() -> None:
    foreign = {name: OURS[name] for name in ("base_url", "token", "entity_id")}
    target = parse_target(foreign, source="here")
    assert target.offers == frozenset()
    assert target.profile == ""


def test_what_a_target_says_it_offers_counts() -> None:
    assert parse_target({**OURS, "offers": ["control"]}, source="here").offers == {"control"}


def test_a_target_without_a_token_is_refused_by_name() -> None:
    with pytest.raises(TargetFileError, match="expected token"):
        parse_target({"base_url": "http://127.0.0.1/", "entity_id": "8"}, source="here")


def test_a_target_is_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "target.toml"
    file.write_text('base_url = "http://127.0.0.1/"\ntoken = "t"\nentity_id = "e"\n')
    assert read_target(file).token == "t"


WHOLE = """
base_url = "https://gateway.example/pay/"
token = "of-the-target"
entity_id = "e"
ca_file = "ca.pem"
offers = ["browser", "webhooks"]

[entities.other]
entity_id = "f"
token = "of-another"

[cards.reference]
number = "5454545454545454"
brand = "MASTER"

[limits]
per_second = 5
per_minute = 0.5

[receiver]
listen = "0.0.0.0:9000"
url = "https://judge.example/hooks/"
key = "ABCDEF0123456789abcdef0123456789ABCDEF0123456789abcdef0123456789"
"""


def test_a_whole_target_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "target.toml"
    file.write_text(WHOLE)
    (tmp_path / "ca.pem").touch()
    target = read_target(file)
    assert target.offers == {"browser", "webhooks"}
    assert target.entities == {"other": TargetEntity("f", "of-another")}
    assert target.limits == RequestLimits(5, 0.5)
    assert target.receiver == ReceiverAddress("0.0.0.0:9000", "https://judge.example/hooks/", KEY)
    assert target.ca_file == str(tmp_path / "ca.pem")
    assert target.card == {
        "paymentBrand": "MASTER", "card.number": "5454545454545454", "card.holder": "Jane Jones",
        "card.cvv": "123", "card.expiryMonth": "12", "card.expiryYear": "2099",
    }  # fmt: skip
    assert target.secrets == ["of-the-target", KEY, "of-another"]


def test_a_target_has_the_reference_card_unless_it_names_another() -> None:
    assert parse_target(OURS, source="here").card == REFERENCE_CARD


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("token = ", "tokn = ", "target.toml: tokn is unknown; did you mean token?"),
        ("per_second", "per_secnd", "limits.per_secnd is unknown; did you mean per_second"),
        ("brand", "colour", "cards.reference.colour is unknown; expected one of brand, "),
        ("[entities.other]", "[entities.other.x]", "entities.other.x is unknown"),
        ('"browser"', '"browsr"', "offers: browsr is unknown; did you mean browser?"),
        ("= 5", '= "5"', "limits.per_second: expected a number, got a text"),
        ('entity_id = "e"', "entity_id = 7", "entity_id: expected a text in quotes, got a number"),
        ("= 5", "= -5", "limits.per_second: expected 0 or a number from 1e-06 to 1000000.0"),
        ("= 5", "= nan", "limits.per_second: expected 0 or a number from 1e-06"),
        ("= 0.5", "= inf", "limits.per_minute: expected 0 or a number from 1e-06"),
        ("= 0.5", "= 1e-320", "limits.per_minute: expected 0 or a number from 1e-06"),
        ('"0.0.0.0:9000"', '"judge.example"', "receiver.listen: expected HOST:PORT, got 'judge.ex"),
        ('"0.0.0.0:9000"', '"::1:9000"', "receiver.listen: expected HOST:PORT, got '::1:9000'"),
        ('"0.0.0.0:9000"', '"9000"', "receiver.listen: expected HOST:PORT, got '9000'"),
        ('"0.0.0.0:9000"', '"0.0.0.0:99999"', "receiver.listen: expected HOST:PORT, got '0.0"),
        ('"0.0.0.0:9000"', '"0.0.0.0:0"', "receiver.listen: expected the port that receiver.url "),
        ('"0.0.0.0:9000"', '"a b:1"', "receiver.listen: expected HOST:PORT, got 'a b:1'"),
        ("ABCDEF0", "ABCDEF01", "receiver.key: expected 64 hex digits, got 65 signs"),
        ("ABCDEF0", "\u0661BCDEF0", "receiver.key: expected 64 hex digits, got 64 signs"),
        ("ABCDEF0123456789abcdef0123456789", "", "receiver.key: expected 64 hex digits, got 32"),
        ("key =", "# key =", "offers: webhooks needs control, or receiver.url and receiver.key; "),
        ('url = "https://judge', "# ", "receiver.key: expected receiver.url beside it, "),
        ("https://judge.example", "ftp://judge", "receiver.url: expected http:// or https://"),
        ("gateway.example/pay/", "[::1", "base_url: expected an address with a host and a port"),
        ("gateway.example", "h:99999", "base_url: expected an address with a host and a port"),
        ("gateway.example", "h:0", "base_url: expected an address with a host and a port from 1"),
        ("gateway.example", "\u00e4..b", "base_url: expected an address in ASCII without blanks"),
        ("gateway.example", "a..b", "base_url: expected an address with a host and a port"),
        ("gateway.example", ":80", "base_url: expected an address with a host and a port"),
        ('"of-the-target"', '"of the target"', "token: expected printable ASCII without blanks"),
        ('"of-another"', '"of-\u00e4"', "entities.other.token: expected printable ASCII without"),
        ('"e"', '"e\\n"', "entity_id: expected printable ASCII without blanks"),
        ('"ca.pem"', '"none.pem"', "ca_file: expected a file of certificates, found no "),
        ("[limits]", f"deep = {'[' * 9000}", "target.toml: expected TOML, got: "),
        ("[limits]", f"long = {'9' * 5000}", "target.toml: expected TOML, got: "),
        ('"https://gateway', '"gateway', "base_url: expected http:// or https://, got 'gateway"),
        ("[limits]", "[limits", "target.toml: expected TOML, got: "),
        ('"browser"', '"live"', "offers: live needs live_url and live_token; got no such"),
        ('"browser"', '"tls"', "offers: tls needs tls_url; got no such member"),
        ('"browser"', '"clock"', "offers: clock needs control; got no such member or offer"),
        ('"browser"', '"control"', "offers: control needs control_url and control_key; got "),
        ("5454545454545454", "hello", "cards.reference.number: expected 12 to 19 digits, got 5 s"),
        ("5454545454545454", "5" * 11, "cards.reference.number: expected 12 to 19 digits"),
        ("5454545454545454", "5" * 20, "cards.reference.number: expected 12 to 19 digits"),
        ("token =", 'profile = "feld"\ntoken =', "profile: feld is unknown; did you mean "),
        ("gateway.example", "a" * 64, "base_url: expected an address with a host and a port"),
    ],
)
def test_what_is_wrong_with_a_target_file_is_said(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    file = tmp_path / "target.toml"
    (tmp_path / "ca.pem").touch()
    file.write_text(WHOLE.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(TargetFileError) as caught:
        read_target(file)
    assert said in str(caught.value)


@pytest.mark.parametrize("name", ["base_url", "control_url", "tls_url", "live_url"])
def test_a_password_in_an_address_is_refused_and_not_repeated(name: str) -> None:
    with pytest.raises(
        TargetFileError, match=f"{name}: expected an address without a user"
    ) as caught:
        parse_target({**OURS, name: "https://jane:hush@gateway.example/"}, source="here")
    assert "hush" not in str(caught.value)
    assert "jane" not in str(caught.value)


@pytest.mark.parametrize("name", ["base_url", "control_url", "tls_url", "live_url"])
@pytest.mark.parametrize("rest", ["?key=hush", "#hush", "a?", "a/#"])
def test_a_query_and_a_fragment_are_refused_and_not_repeated(name: str, rest: str) -> None:
    with pytest.raises(
        TargetFileError, match=f"{name}: expected an address without a query"
    ) as caught:
        parse_target({**OURS, name: f"https://gateway.example/{rest}"}, source="here")
    assert "hush" not in str(caught.value)


@pytest.mark.parametrize("host", ["localhost:1", "[::1]:65535", "127.0.0.1", "a_b.example.", "a-b"])
def test_an_ordinary_address_is_taken(host: str) -> None:
    assert parse_target({**OURS, "base_url": f"http://{host}/x"}, source="here")


def test_a_target_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(TargetFileError, match="expected a target file, got: No such file"):
        read_target(tmp_path / "nowhere.toml")


def test_what_a_gateway_says_of_itself_becomes_a_target_file(tmp_path: Path) -> None:
    file = tmp_path / "target.toml"
    file.write_text(format_target_file({**OURS, "token": 'a"quoted"one'}, ["control", "clock"]))
    target = read_target(file)
    assert target.token == 'a"quoted"one'
    assert target.offers == {"control", "clock"}
    assert target.control_url == OURS["control_url"]


@pytest.mark.parametrize("sign", ["\U0001f4b6", "\x7f", "\x1b", "\n", "\\", "\u00e4"])
def test_any_sign_may_be_in_a_name_that_is_written_down(tmp_path: Path, sign: str) -> None:
    file, authority = tmp_path / "target.toml", tmp_path / f"ca {sign}.pem"
    authority.touch()
    file.write_text(format_target_file({**OURS, "ca_file": str(authority)}), encoding="utf-8")
    assert read_target(file).ca_file == str(authority)
